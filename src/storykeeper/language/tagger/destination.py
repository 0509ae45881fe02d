"""Where somebody goes who leaves or comes in: one of the story's places, or away.

p(c) ∝ exp(w_kind · f(c)),  f: where c is named, who is there, whether it is the only other one
"""

from __future__ import annotations

import numpy as np

from storykeeper.language.tagger.network import Floats
from storykeeper.language.tagger.people import player_of
from storykeeper.language.tagger.scene import Scene

AWAY = "away"
FEATURES = 14
_BEFORE, _AFTER = 3, 2  # stretches in which a place may be named that is meant here


def candidates(scene: Scene, *, but: str | None = None) -> list[str]:
    """All places, and away."""
    return [place for place in (*scene.places, AWAY) if place != but]


def features(scene: Scene, *, at: int, who: int, now: str | None, place: str) -> Floats:
    """What speaks for a place."""
    if place == AWAY:
        row = [0.0] * FEATURES
        row[0], row[1 + min(len(scene.places), 3)] = 1, 1
        row[5] = bool(scene.stretches[at].places)
        return np.array(row, np.float32)
    player = player_of(scene.people)
    named = _named(scene, place, at, at + 1)
    only = [other for other in scene.places if other != now] == [place]
    return np.array(
        [
            *[0.0] * 6,
            named,
            _named(scene, place, at + 1, at + 1 + _AFTER),
            _named(scene, place, max(0, at - _BEFORE), at),
            only and not named,
            player is not None and scene.people[player].place == place,
            scene.people[who].place == place,
            now == place,
            any(p.place == place for other, p in enumerate(scene.people) if other != who),
        ],
        np.float32,
    )


def _named(scene: Scene, place: str, first: int, end: int) -> bool:
    return any(place == name for each in scene.stretches[first:end] for _, name in each.places)


def destination(
    weights: Floats, scene: Scene, *, kind: int, at: int, who: int, now: str | None
) -> str:
    """The likeliest place; who departs does not stay where they are."""
    places = candidates(scene, but=now if kind == 1 else None)
    scores = [
        float(weights[kind - 1] @ features(scene, at=at, who=who, now=now, place=place))
        for place in places
    ]
    return places[int(np.argmax(scores))]
