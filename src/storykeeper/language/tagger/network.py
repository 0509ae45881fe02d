"""The network that reads signs: words pooled by stretch, stretches read forth and back.

    u_w = gelu(V_w·A + M_w·B + a)                      a word's vector and its marks
    c_h = Σ_w softmax_w(u_w·q_h)·u_w                   of each stretch, once for each head h
    x   = gelu([c; gelu(N·C + b)]·D + d)               with the numbers of the stretch
    h   = [GRU→(x); GRU←(x)]                           along the text, for each person
    events = softmax([h; x]·E + e)                     closed = σ(MLP([h; x] of person and speaker))

Fitted by `bench.perception_fit`; here is only what is needed to read. Weights ship as half floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

_CUBIC = np.float32(0.044715)
_SCALE = np.float32(sqrt(2 / pi))


@dataclass(frozen=True, slots=True)
class Input:
    """A text as the network takes it: P people, W words in stretches, S stretches."""

    vectors: Floats  # W × 384
    marks: Floats  # P × W × marks
    stretch: Ints  # the stretch of each word; −1 for none
    numbers: Floats  # P × S × numbers
    speaker: Ints  # of each stretch the person who speaks in it, or −1


@dataclass(frozen=True, slots=True)
class Output:
    """What it makes of it."""

    events: Floats  # P × S × kinds, adding up to one
    closed: Floats  # P × S: how likely the person does not perceive it


def gelu(x: Floats) -> Floats:
    """½x(1 + tanh(√(2/π)(x + 0.044715x³)))."""
    half: Floats = np.float32(0.5) * x * (1 + np.tanh(_SCALE * (x + _CUBIC * x * x * x)))
    return half


def sigmoid(x: Floats) -> Floats:
    """1/(1 + e^−x)."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -40, 40))), np.float32)


class Network:
    """Weights by name, and the way through them."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights

    def read(self, given: Input) -> Output:
        """Events and closedness of every person in every stretch."""
        slots = self._slots(given)
        states = np.concatenate([self._along(slots), slots], axis=2)
        events = self._linear("events", states)
        events = np.exp(events - events.max(axis=2, keepdims=True))
        return Output(events / events.sum(axis=2, keepdims=True), self._closed(states, given))

    def _linear(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self.weights[f"{name}.weight"].T
        if f"{name}.bias" in self.weights:
            y = y + self.weights[f"{name}.bias"]
        return y

    def _slots(self, given: Input) -> Floats:
        """x: one vector for each person and stretch."""
        people, count, _ = given.numbers.shape
        kept = given.stretch >= 0
        stretch = given.stretch[kept]
        base = self._linear("words", given.vectors[kept])
        plain = gelu(self._linear("numbers", given.numbers))
        pooled = [
            self._pooled(gelu(base + self._linear("marks", given.marks[who][kept])), stretch, count)
            for who in range(people)
        ]
        return gelu(self._linear("slot", np.concatenate([np.stack(pooled), plain], axis=2)))

    def _pooled(self, words: Floats, stretch: Ints, count: int) -> Floats:
        """c: for each stretch the mean of its words, weighed by each head in turn."""
        weigh = self._linear("heads", words)
        weigh = np.exp(weigh - weigh.max(initial=0.0))
        heads = weigh.shape[1]
        total = np.full((count, heads), 1e-6, np.float32)
        np.add.at(total, stretch, weigh)
        summed = np.zeros((count, heads, words.shape[1]), np.float32)
        np.add.at(summed, stretch, weigh[:, :, None] * words[:, None, :])
        return np.asarray(summed / total[:, :, None], np.float32).reshape(count, -1)

    def _along(self, slots: Floats) -> Floats:
        """h: what was read so far and what is still to come."""
        forth = self._gru("forth", slots)
        back = self._gru("back", slots[:, ::-1])[:, ::-1]
        return np.concatenate([forth, back], axis=2)

    def _gru(self, name: str, x: Floats) -> Floats:
        """h_t = (1 − z)·n + z·h_{t−1}."""
        given = self._linear(f"{name}.in", x)
        size = given.shape[2] // 3
        h = np.zeros((len(x), size), np.float32)
        states = np.zeros((*x.shape[:2], size), np.float32)
        for t in range(x.shape[1]):
            own = self._linear(f"{name}.own", h)
            gates = sigmoid(given[:, t, : 2 * size] + own[:, : 2 * size])
            new = np.tanh(given[:, t, 2 * size :] + gates[:, :size] * own[:, 2 * size :])
            z = gates[:, size:]
            h = (1 - z) * new + z * h
            states[:, t] = h
        return states

    def _closed(self, states: Floats, given: Input) -> Floats:
        """Whether a person misses it, from their state and the speaker's."""
        count = states.shape[1]
        known = given.speaker >= 0
        theirs = states[np.maximum(given.speaker, 0), np.arange(count)] * known[:, None]
        theirs = np.broadcast_to(theirs, states.shape)
        half = states.shape[2] // 2
        both = np.concatenate([states, theirs, states[..., :half] * theirs[..., :half]], axis=2)
        scores = self._linear("closed.last", gelu(self._linear("closed.first", both)))
        return sigmoid(scores[..., 0])
