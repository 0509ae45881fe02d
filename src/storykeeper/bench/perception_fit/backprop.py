"""The network of `language.tagger.network` with its gradients: a tape of small steps.

Each step does its part forwards and lays down how its gradient goes back. `read` is the twin of
`Network.read`, with some inputs left out at random; a test holds the two to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from storykeeper.language.tagger.network import Floats, Input, Ints, sigmoid

_CUBIC, _SCALE = np.float32(0.044715), np.float32((2 / np.pi) ** 0.5)


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

    def linear(self, name: str, x: Node) -> Node:
        """x·Wᵀ + b."""
        weight, bias = self.weights[f"{name}.weight"], self.weights.get(f"{name}.bias")
        y = Node(x.value @ weight.T if bias is None else x.value @ weight.T + bias)

        def step() -> None:
            if y.grad is None:
                return
            flat = y.grad.reshape(-1, y.grad.shape[-1])
            self.learn(f"{name}.weight", flat.T @ x.value.reshape(-1, x.value.shape[-1]))
            if bias is not None:
                self.learn(f"{name}.bias", flat.sum(0))
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
        kept = (self.random.random(x.value.shape) >= self.dropped) / np.float32(1 - self.dropped)
        return self.times(x, Node(kept.astype(np.float32)))

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
        """a + b, where a may lack the first axis of b."""
        y = Node(a.value + b.value)

        def step() -> None:
            if y.grad is not None:
                a.add(y.grad.sum(0) if a.value.ndim < y.grad.ndim else y.grad)
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

    def pooled(self, words: Node, weigh: Node, stretch: Ints, count: int) -> Node:
        """Σ softmax(weigh)·words over the words of each stretch, head by head."""
        raised = np.exp(weigh.value - weigh.value.max(axis=(1, 2), keepdims=True))
        member = (stretch[None, :] == np.arange(count)[:, None]).astype(np.float32)
        total = np.float32(1e-6) + member @ raised  # people × stretches × heads
        share = raised / total[:, stretch]
        heads = share.shape[2]
        parts = [member @ (share[..., h : h + 1] * words.value) for h in range(heads)]
        y = Node(np.concatenate(parts, axis=-1))
        size = words.value.shape[-1]

        def step() -> None:
            if y.grad is None:
                return
            to_words = np.zeros_like(words.value)
            to_share = np.zeros_like(share)
            for h in range(heads):
                back = y.grad[..., h * size : (h + 1) * size][:, stretch]
                to_words += share[..., h : h + 1] * back
                to_share[..., h] = (back * words.value).sum(-1)
            mean = member @ (share * to_share)
            words.add(to_words)
            weigh.add(share * (to_share - mean[:, stretch]))

        self.steps.append(step)
        return y

    def of_speaker(self, x: Node, speaker: Ints) -> Node:
        """For every person the row of whoever speaks in the stretch; zeros for nobody."""
        count = x.value.shape[1]
        known = (speaker >= 0).astype(np.float32)[:, None]
        rows = np.maximum(speaker, 0)
        picked = x.value[rows, np.arange(count)] * known
        y = Node(np.broadcast_to(picked, x.value.shape))

        def step() -> None:
            if y.grad is not None:
                back = np.zeros_like(x.value)
                back[rows, np.arange(count)] = y.grad.sum(0) * known
                x.add(back)

        self.steps.append(step)
        return y

    def gru(self, name: str, x: Node, *, reverse: bool) -> Node:
        """h_t = (1 − z)·n + z·h_{t−1}, along the stretches or against them."""
        given = self.linear(f"{name}.in", x)
        weight, bias = self.weights[f"{name}.own.weight"], self.weights[f"{name}.own.bias"]
        people, count, wide = given.value.shape
        size = wide // 3
        order = range(count - 1, -1, -1) if reverse else range(count)
        states = np.zeros((people, count, size), np.float32)
        kept: list[tuple[int, Floats, Floats, Floats, Floats]] = []
        h = np.zeros((people, size), np.float32)
        for t in order:
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


def _through_time(
    grad: Floats, kept: list[tuple[int, Floats, Floats, Floats, Floats]], weight: Floats
) -> tuple[Floats, Floats, Floats]:
    """The gradients by what a GRU was given, by its own weights and by its own bias."""
    people, count, size = grad.shape
    given = np.zeros((people, count, 3 * size), np.float32)
    by_weight, by_bias = np.zeros_like(weight), np.zeros(3 * size, np.float32)
    later = np.zeros((people, size), np.float32)
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


def read(tape: Tape, given: Input) -> tuple[Node, Node, Node]:
    """Scores of events, of having moved or being asleep, and of closedness."""
    kept = given.stretch >= 0
    count = given.numbers.shape[1]
    base = tape.linear("words", tape.dropout(Node(given.vectors[kept])))
    marks = tape.linear("marks", Node(given.marks[:, kept]))
    words = tape.gelu(tape.plus(base, marks))
    pooled = tape.pooled(words, tape.linear("heads", words), given.stretch[kept], count)
    plain = tape.gelu(tape.linear("numbers", Node(given.numbers)))
    slots = tape.gelu(tape.linear("slot", tape.dropout(tape.joined([pooled, plain]))))
    along = tape.joined(
        [tape.gru("forth", slots, reverse=False), tape.gru("back", slots, reverse=True)]
    )
    states = tape.dropout(tape.joined([along, slots]))
    theirs = tape.of_speaker(states, given.speaker)
    half = states.value.shape[-1] // 2
    shared = tape.times(tape.first(states, half), tape.first(theirs, half))
    hidden = tape.gelu(tape.linear("closed.first", tape.joined([states, theirs, shared])))
    return (
        tape.linear("events", states),
        tape.linear("standing", states),
        tape.linear("closed.last", hidden),
    )
