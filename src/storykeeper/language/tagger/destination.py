"""Where somebody goes who leaves or comes in: one of the story's places, or away.

p(c) ∝ exp(w_kind · f(c)),  f: where and how c is named, who is there

A place that nobody names thereabouts is not where they go, unless they come to where others are.
"""

from __future__ import annotations

import numpy as np

from storykeeper.language.tagger.network import Floats
from storykeeper.language.tagger.people import player_of
from storykeeper.language.tagger.scene import Scene

AWAY = "away"
DEPARTS = 1
FEATURES = 16
_BEFORE, _AFTER = 3, 2  # stretches in which a place may be named that is meant here
_STEPS = 6  # from a word up to what it hangs on
_FROM = frozenset({"from", "off", "of", "leave", "exit", "quit", "behind"})


def candidates(scene: Scene, *, kind: int, at: int, now: str | None) -> list[str]:
    """Places that may be meant, and away; who departs does not stay where they are."""
    if kind == DEPARTS:
        near = scene.stretches[max(0, at - _BEFORE) : at + 1 + _AFTER]
        named = {place for each in near for _, place in each.places}
        return [place for place in (*scene.places, AWAY)
                if place == AWAY or (place in named and place != now)]  # fmt: skip
    return [*scene.places, AWAY]


def features(scene: Scene, *, at: int, who: int, now: str | None, place: str) -> Floats:
    """What speaks for a place."""
    if place == AWAY:
        row = [0.0] * FEATURES
        row[0], row[1], row[2] = 1, not scene.stretches[at].places, len(scene.places) == 1
        return np.array(row, np.float32)
    player = player_of(scene.people)
    words = [i for i, name in scene.stretches[at].places if name == place]
    left = [i for i in words if _is_left(scene, i)]
    later = scene.stretches[at + 1 : at + 1 + _AFTER]
    return np.array(
        [
            *[0.0] * 3,
            len(words) > len(left),
            bool(left),
            bool(words) and words[-1] == scene.stretches[at].places[-1][0],
            any(scene.words[i].dep == "pobj" for i in words),
            any(scene.words[i].dep == "dobj" for i in words),
            _named(scene, place, at + 1, at + 1 + _AFTER),
            any(place == name and any(scene.who[n] == who for n in each.mentions)
                for each in later for _, name in each.places),
            _named(scene, place, max(0, at - _BEFORE), at),
            player not in (None, who) and scene.people[player or 0].place == place,
            player == who,
            scene.people[who].place == place,
            now == place,
            any(p.place == place for other, p in enumerate(scene.people) if other != who),
        ],
        np.float32,
    )  # fmt: skip


def _is_left(scene: Scene, i: int) -> bool:
    """Whether a place is named as one that somebody comes from."""
    word = scene.words[i]
    for _ in range(_STEPS):
        word = scene.words[word.head]
        if word.lemma in _FROM:
            return True
        if word.pos in ("VERB", "AUX"):
            break
    return False


def _named(scene: Scene, place: str, first: int, end: int) -> bool:
    return any(place == name for each in scene.stretches[first:end] for _, name in each.places)


def destination(
    weights: Floats, scene: Scene, *, kind: int, at: int, who: int, now: str | None
) -> str:
    """The likeliest place."""
    places = candidates(scene, kind=kind, at=at, now=now)
    scores = [
        float(weights[kind - 1] @ features(scene, at=at, who=who, now=now, place=place))
        for place in places
    ]
    return places[int(np.argmax(scores))]
