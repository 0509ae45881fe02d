"""The network that reads signs: words pooled by stretch, stretches read forth and back.

    u_w = gelu(V_w·A + M_w·B + a)                      a word's vector and its marks
    v_w = u_w + gelu([u_w−2; …; u_w+2]·F + f)          with the words next to it
    c_h = Σ_w softmax_w(v_w·q_h)·v_w                   of each stretch, once for each head h
    x   = gelu([c; gelu(N·C + b)]·D + d)               with the numbers of the stretch
    h   = [GRU→(x; x̄); GRU←(x; x̄)]                     along the text; x̄: the mean of the others' x
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

REACH = 2  # words before and after that a word is read with
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


def _near(words: Floats) -> Floats:
    """Each word with those around it, side by side; nothing before the first and after the last."""
    padded = np.pad(words, ((REACH, REACH), (0, 0)))
    return np.concatenate([padded[k : k + len(words)] for k in range(2 * REACH + 1)], axis=1)


def _runs(stretch: Ints) -> tuple[Ints, Ints]:
    """Where the words of each stretch begin, and which stretches have any."""
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    return first, stretch[first]


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
        first, filled = _runs(stretch)
        pooled = np.zeros((people, count, self.weights["slot.weight"].shape[1] - plain.shape[2]),
                          np.float32)  # fmt: skip
        for who in range(people):
            words = gelu(base + self._linear("marks", given.marks[who][kept]))
            words = words + gelu(self._linear("near", _near(words)))
            pooled[who, filled] = self._pooled(words, first)
        return gelu(self._linear("slot", np.concatenate([pooled, plain], axis=2)))

    def _pooled(self, words: Floats, first: Ints) -> Floats:
        """c: for each stretch the mean of its words, weighed by each head in turn."""
        weigh = self._linear("heads", words)
        weigh = np.exp(weigh - weigh.max(initial=0.0))
        total = np.add.reduceat(weigh, first) + np.float32(1e-6)
        parts = [np.add.reduceat(weigh[:, h : h + 1] * words, first) / total[:, h : h + 1]
                 for h in range(weigh.shape[1])]  # fmt: skip
        return np.concatenate(parts, axis=1)

    def _along(self, slots: Floats) -> Floats:
        """h: what was read so far and what is still to come."""
        others = (slots.sum(0) - slots) / np.float32(max(1, len(slots) - 1))
        both = np.concatenate([slots, others], axis=2)
        forth = self._gru("forth", both)
        back = self._gru("back", both[:, ::-1])[:, ::-1]
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
