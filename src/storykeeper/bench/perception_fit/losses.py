"""What the tagger's scores cost on a labelled passage, as gradients by the scores.

Events: a segment has one if any of its stretches tells it, whichever that is,

    L = −log(1 − Π(1 − p_s))    over its stretches;    −log p_none    for all others.

Standing (moved, asleep) and closedness: −log of the right side, weighed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from storykeeper.bench.perception_fit.backprop import Node
from storykeeper.bench.perception_fit.lessons import Lesson
from storykeeper.language.tagger.network import Floats, sigmoid

SCALE = np.float32(1 / 40)  # of a passage, so that a batch's gradient is seldom too long
_STANDING = np.float32(0.5)
_REST = np.float32(0.1)  # pull towards none in stretches of which one tells an event
_LEAST = 1e-6


def loss(lesson: Lesson, events: Node, standing: Node, closed: Node) -> tuple[Floats, ...]:
    """The gradients by the scores of events, standing and closedness."""
    return (
        by_events(lesson, events.value) * SCALE,
        by_standing(lesson, standing.value) * SCALE,
        by_closed(lesson, closed.value) * SCALE,
    )


def losses(some: Sequence[Lesson], *scores: Node) -> tuple[Floats, ...]:
    """The same for passages that were read together."""
    found: list[tuple[Floats, ...]] = []
    at = 0
    for each in some:
        shape = each.closed.shape
        end = at + each.closed.size
        own = [Node(node.value[at:end].reshape(*shape, -1)) for node in scores]
        found.append(tuple(g.reshape(each.closed.size, -1) for g in loss(each, *own)))
        at = end
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))


def by_events(lesson: Lesson, scores: Floats) -> Floats:
    """Of −log(1 − Π(1 − p)) and −log p_none."""
    p = np.exp(scores - scores.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    pull = np.ones(p.shape[:2], np.float32)
    for event in lesson.events:
        pull[event.who, list(event.stretches)] = _REST
    gradient = p * pull[:, :, None]
    gradient[:, :, 0] -= pull
    for event in lesson.events:
        at = list(event.stretches)
        told = p[event.who, at]
        without = 1 - told[:, event.kind]
        none = without.prod()
        # dL/dp_s, then through the softmax: p_k(δ − p).
        by_p = -(none / np.maximum(without, _LEAST)) / (1 - none + _LEAST)
        turn = -told * told[:, event.kind : event.kind + 1]
        turn[:, event.kind] += told[:, event.kind]
        gradient[event.who, at] += by_p[:, None] * turn
    return np.asarray(gradient, np.float32)


def by_standing(lesson: Lesson, scores: Floats) -> Floats:
    """Of the cross-entropy of having moved and of being asleep, where that is known."""
    wanted = np.stack([lesson.moved, lesson.asleep], axis=2)
    known = wanted >= 0
    return np.asarray((sigmoid(scores) - wanted) * known * _STANDING, np.float32)


def by_closed(lesson: Lesson, scores: Floats) -> Floats:
    """Of the cross-entropy of not perceiving."""
    gradient: Floats = (sigmoid(scores[..., 0]) - lesson.closed) * lesson.weight
    return gradient[..., None]
