"""The network of `language.tagger.network` with its gradients: a tape of small steps.

Each step does its part forwards and lays down how its gradient goes back. `read` is the twin of
`Network.read` for several texts at once, with some inputs left out at random; a test holds the two
to each other. A row is a word of a track or a slot of it; a track is one person in one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from storykeeper.bench.perception_fit.lessons import Batch, Part
from storykeeper.language.tagger.network import REACH, Floats, Ints, sigmoid

_CUBIC, _SCALE = np.float32(0.044715), np.float32((2 / np.pi) ** 0.5)
_Kept = tuple[int, Floats, Floats, Floats, Floats]


@dataclass(slots=True)
class Node:
    """A value on the way, and the gradient of the loss by it."""

    value: Floats
    grad: Floats | None = None

    def add(self, gradient: Floats) -> None:
        """More of the gradient, from another step that used it."""
        self.grad = gradient if self.grad is None else self.grad + gradient


@dataclass(slots=True)
class Tape:
    """Weights, their gradients, and the steps taken so far."""

    weights: dict[str, Floats]
    random: np.random.Generator | None = None  # None: nothing is left out
    dropped: float = 0.0
    grads: dict[str, Floats] = field(default_factory=dict)
    steps: list[Callable[[], None]] = field(default_factory=list)

    def back(self) -> None:
        """The gradients of all weights, from those of the outputs."""
        for step in reversed(self.steps):
            step()
        self.steps.clear()

    def learn(self, name: str, gradient: Floats) -> None:
        """Add to a weight's gradient."""
        self.grads[name] = self.grads[name] + gradient if name in self.grads else gradient

    def linear(self, name: str, x: Node, *, given: bool = False) -> Node:
        """x·Wᵀ + b; nothing goes back to what is given."""
        weight, bias = self.weights[f"{name}.weight"], self.weights.get(f"{name}.bias")
        y = Node(x.value @ weight.T if bias is None else x.value @ weight.T + bias)

        def step() -> None:
            if y.grad is None:
                return
            flat = y.grad.reshape(-1, y.grad.shape[-1])
            self.learn(f"{name}.weight", flat.T @ x.value.reshape(-1, x.value.shape[-1]))
            if bias is not None:
                self.learn(f"{name}.bias", flat.sum(0))
            if not given:
                x.add(y.grad @ weight)

        self.steps.append(step)
        return y

    def gelu(self, x: Node) -> Node:
        """½x(1 + tanh t), t = √(2/π)(x + 0.044715x³)."""
        square = x.value * x.value
        t = np.tanh(_SCALE * (x.value + _CUBIC * square * x.value))
        y = Node(np.float32(0.5) * x.value * (1 + t))

        def step() -> None:
            if y.grad is not None:
                inner = _SCALE * (1 + 3 * _CUBIC * square)
                x.add(y.grad * np.float32(0.5) * (1 + t + x.value * (1 - t * t) * inner))

        self.steps.append(step)
        return y

    def dropout(self, x: Node) -> Node:
        """Some of it left out at random, the rest raised to make up for it."""
        if self.random is None or not self.dropped:
            return x
        drawn = self.random.random(x.value.shape, np.float32)
        return self.scaled(x, (drawn >= self.dropped) * np.float32(1 / (1 - self.dropped)))

    def scaled(self, x: Node, by: Floats) -> Node:
        """x ∘ numbers that are given."""
        y = Node(x.value * by)

        def step() -> None:
            if y.grad is not None:
                x.add(y.grad * by)

        self.steps.append(step)
        return y

    def times(self, a: Node, b: Node) -> Node:
        """a ∘ b, of one shape."""
        y = Node(a.value * b.value)

        def step() -> None:
            if y.grad is not None:
                a.add(y.grad * b.value)
                b.add(y.grad * a.value)

        self.steps.append(step)
        return y

    def plus(self, a: Node, b: Node) -> Node:
        """a + b."""
        y = Node(a.value + b.value)

        def step() -> None:
            if y.grad is not None:
                a.add(y.grad)
                b.add(y.grad)

        self.steps.append(step)
        return y

    def joined(self, parts: Sequence[Node]) -> Node:
        """[a; b; …] along the last axis."""
        y = Node(np.concatenate([part.value for part in parts], axis=-1))

        def step() -> None:
            if y.grad is None:
                return
            at = 0
            for part in parts:
                size = part.value.shape[-1]
                part.add(y.grad[..., at : at + size])
                at += size

        self.steps.append(step)
        return y

    def first(self, x: Node, size: int) -> Node:
        """The first numbers of each row."""
        y = Node(x.value[..., :size])

        def step() -> None:
            if y.grad is not None:
                whole = np.zeros_like(x.value)
                whole[..., :size] = y.grad
                x.add(whole)

        self.steps.append(step)
        return y

    def by_person(self, x: Node, parts: Iterable[Part]) -> Node:
        """The words of each text, once for each of its people."""
        parts = list(parts)
        y = Node(np.concatenate([np.tile(x.value[p.words], (p.people, 1)) for p in parts]))

        def step() -> None:
            if y.grad is None:
                return
            back = np.zeros_like(x.value)
            for p in parts:
                rows = y.grad[p.tracked].reshape(p.people, -1, x.value.shape[1])
                back[p.words] = rows.sum(0)
            x.add(back)

        self.steps.append(step)
        return y

    def near(self, x: Node, place: Ints, size: Ints) -> Node:
        """Each word with those up to REACH before and after it in its track, side by side."""
        count, width = x.value.shape
        shifts = range(-REACH, REACH + 1)
        inside = [((place + k >= 0) & (place + k < size)).astype(np.float32)[:, None]
                  for k in shifts]  # fmt: skip
        y = Node(np.concatenate(
            [np.roll(x.value, -k, axis=0) * m for k, m in zip(shifts, inside, strict=True)], axis=1
        ))  # fmt: skip

        def step() -> None:
            if y.grad is not None:
                back = np.zeros((count, width), np.float32)
                for n, (k, m) in enumerate(zip(shifts, inside, strict=True)):
                    back += np.roll(y.grad[:, n * width : (n + 1) * width] * m, k, axis=0)
                x.add(back)

        self.steps.append(step)
        return y

    def pooled(self, words: Node, weigh: Node, slot: Ints, count: int) -> Node:
        """Σ softmax(weigh)·words over the words of each slot, head by head."""
        starts = np.flatnonzero(np.diff(slot, prepend=-1))
        filled = slot[starts]
        raised = np.exp(weigh.value - weigh.value.max(initial=0.0))

        def summed(rows: Floats) -> Floats:
            whole = np.zeros((count, rows.shape[1]), np.float32)
            whole[filled] = np.add.reduceat(rows, starts, axis=0)
            return whole

        share = raised / (np.float32(1e-6) + summed(raised))[slot]
        heads, size = share.shape[1], words.value.shape[1]
        y = Node(np.concatenate(
            [summed(share[:, h : h + 1] * words.value) for h in range(heads)], axis=1
        ))  # fmt: skip

        def step() -> None:
            if y.grad is None:
                return
            to_words, to_share = np.zeros_like(words.value), np.zeros_like(share)
            for h in range(heads):
                back = y.grad[:, h * size : (h + 1) * size][slot]
                to_words += share[:, h : h + 1] * back
                to_share[:, h] = (back * words.value).sum(-1)
            words.add(to_words)
            weigh.add(share * (to_share - summed(share * to_share)[slot]))

        self.steps.append(step)
        return y

    def of_others(self, x: Node, parts: Iterable[Part]) -> Node:
        """For every person the mean over the others, stretch by stretch."""
        parts = list(parts)

        def mean(rows: Floats) -> Floats:
            found = np.zeros_like(rows)
            for p in parts:
                own = rows[p.slots].reshape(p.people, p.stretches, -1)
                others = (own.sum(0) - own) / np.float32(max(1, p.people - 1))
                found[p.slots] = others.reshape(-1, rows.shape[1])
            return found

        y = Node(mean(x.value))

        def step() -> None:
            if y.grad is not None:
                x.add(mean(y.grad))  # whom I am an other of, they are others of mine

        self.steps.append(step)
        return y

    def rows(self, x: Node, which: Ints) -> Node:
        """Some rows, each as often as it is asked for; zeros for −1."""
        known = (which >= 0).astype(np.float32)[..., None]
        y = Node(x.value[np.maximum(which, 0)] * known)

        def step() -> None:
            if y.grad is not None:
                back = np.zeros_like(x.value)
                np.add.at(back, np.maximum(which, 0), y.grad * known)
                x.add(back)

        self.steps.append(step)
        return y

    def gru(self, name: str, x: Node) -> Node:
        """h_t = (1 − z)·n + z·h_{t−1}, along tracks that begin together."""
        given = self.linear(f"{name}.in", x)
        weight, bias = self.weights[f"{name}.own.weight"], self.weights[f"{name}.own.bias"]
        tracks, count, wide = given.value.shape
        size = wide // 3
        states = np.zeros((tracks, count, size), np.float32)
        kept: list[_Kept] = []
        h = np.zeros((tracks, size), np.float32)
        for t in range(count):
            own = h @ weight.T + bias
            gates = sigmoid(given.value[:, t, : 2 * size] + own[:, : 2 * size])
            r = gates[:, :size]
            new = np.tanh(given.value[:, t, 2 * size :] + r * own[:, 2 * size :])
            kept.append((t, h, gates, new, own[:, 2 * size :]))
            h = (1 - gates[:, size:]) * new + gates[:, size:] * h
            states[:, t] = h
        y = Node(states)

        def step() -> None:
            if y.grad is not None:
                back = _through_time(y.grad, kept, weight)
                given.add(back[0])
                self.learn(f"{name}.own.weight", back[1])
                self.learn(f"{name}.own.bias", back[2])

        self.steps.append(step)
        return y


def _through_time(grad: Floats, kept: list[_Kept], weight: Floats) -> tuple[Floats, Floats, Floats]:
    """The gradients by what a GRU was given, by its own weights and by its own bias."""
    tracks, count, size = grad.shape
    given = np.zeros((tracks, count, 3 * size), np.float32)
    by_weight, by_bias = np.zeros_like(weight), np.zeros(3 * size, np.float32)
    later = np.zeros((tracks, size), np.float32)
    for t, h, gates, new, own_new in reversed(kept):
        r, z = gates[:, :size], gates[:, size:]
        dh = grad[:, t] + later
        dn = dh * (1 - z) * (1 - new * new)
        dz = dh * (h - new) * z * (1 - z)
        dr = dn * own_new * r * (1 - r)
        given[:, t] = np.concatenate([dr, dz, dn], axis=1)
        own = np.concatenate([dr, dz, dn * r], axis=1)
        by_weight += own.T @ h
        by_bias += own.sum(0)
        later = np.asarray(dh * z + own @ weight, np.float32)
    return given, by_weight, by_bias


def read(tape: Tape, batch: Batch) -> tuple[Node, Node, Node]:
    """Of all slots the scores of events, of having moved or being asleep, and of closedness."""
    base = tape.linear("words", tape.dropout(Node(batch.vectors)), given=True)
    marks = tape.linear("marks", Node(batch.marks), given=True)
    words = tape.gelu(tape.plus(tape.by_person(base, batch.parts), marks))
    around = tape.near(tape.dropout(words), batch.place, batch.size)
    words = tape.plus(words, tape.gelu(tape.linear("near", around)))
    pooled = tape.pooled(words, tape.linear("heads", words), batch.slot, len(batch.numbers))
    plain = tape.gelu(tape.linear("numbers", Node(batch.numbers), given=True))
    slots = tape.gelu(tape.linear("slot", tape.dropout(tape.joined([pooled, plain]))))
    both = tape.joined([slots, tape.of_others(slots, batch.parts)])
    forth = tape.gru("forth", tape.rows(both, batch.forth))
    back = tape.gru("back", tape.rows(both, batch.back))
    along = [_unrolled(tape, forth, batch.at_forth), _unrolled(tape, back, batch.at_back)]
    states = tape.dropout(tape.joined([*along, slots]))
    theirs = tape.rows(states, batch.speaker)
    half = states.value.shape[-1] // 2
    shared = tape.times(tape.first(states, half), tape.first(theirs, half))
    hidden = tape.gelu(tape.linear("closed.first", tape.joined([states, theirs, shared])))
    return (
        tape.linear("events", states),
        tape.linear("standing", states),
        tape.linear("closed.last", hidden),
    )


def _unrolled(tape: Tape, x: Node, at: Ints) -> Node:
    """The states of tracks as rows of slots."""
    flat = Node(x.value.reshape(-1, x.value.shape[2]))

    def step() -> None:
        if flat.grad is not None:
            x.add(flat.grad.reshape(x.value.shape))

    tape.steps.append(step)
    return tape.rows(flat, at)
