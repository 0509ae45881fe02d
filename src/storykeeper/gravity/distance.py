"""How far the player is from a scene, in four dimensions.

D = Σ w·D_i / Σ w   over the dimensions that the scene states                             F2.2
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from storykeeper.gravity.asked import asked, same
from storykeeper.gravity.possible import inside
from storykeeper.gravity.roads import FARTHEST, apart
from storykeeper.story.conditions import Condition
from storykeeper.story.scenes import MoodTarget, Scene, SceneType
from storykeeper.units import SceneId
from storykeeper.world.plan import Plan
from storykeeper.world.state import Mood, World

WEIGHTS = {  # information, emotion, relation, place
    SceneType.GRAVITATIONAL: (0.2, 0.4, 0.3, 0.1),
    SceneType.GATE: (0.5, 0.1, 0.2, 0.2),
    SceneType.THRESHOLD: (0.3, 0.3, 0.1, 0.3),
    SceneType.CONNECTIVE: (0.1, 0.2, 0.1, 0.6),
}


class Distance(Struct, frozen=True, gc=False):
    """A distance with its dimensions; None where the scene states none."""

    information: float | None = None
    emotional: float | None = None
    relational: float | None = None
    physical: float | None = None
    kind: SceneType = SceneType.CONNECTIVE
    stated: float | None = None

    @property
    def total(self) -> float:
        """Σ w·D_i / Σ w.   F2.2: a scene that states nothing is as far as can be."""
        if self.stated is not None:
            return self.stated
        far = weights = 0.0
        each = (self.information, self.emotional, self.relational, self.physical)
        for weight, found in zip(WEIGHTS[self.kind], each, strict=True):
            if found is not None:
                far += weight * found
                weights += weight
        return min(FARTHEST, far / weights) if weights else FARTHEST


class Here:
    """Where the players are: of several, in each dimension the nearest counts."""

    def __init__(self, world: World) -> None:
        players = world.plan.players
        self._stated = _stated(world.plan)
        self._answers = asked(world)
        self._opened = world.gates
        self._moods = [world.moods.get(each, Mood()) for each in players]
        self._felt: dict[tuple[MoodTarget, ...], float] = {}
        at = tuple(filter(None, (world.places.get(each) for each in players)))
        self._places = apart(world.plan, at)

    def distance(self, scene: SceneId) -> Distance:
        """How far a scene is from here."""
        stated = self._stated[scene]
        return Distance(
            self._information(stated.information) if stated.information else None,
            self._emotional(stated.moods) if stated.moods else None,
            self._relational(stated.relations) if stated.relations else None,
            self._places.get(stated.setting, FARTHEST) if stated.setting else None,
            stated.kind,
            stated.distance,
        )

    def _information(self, wanted: tuple[tuple[str, Condition], ...]) -> float:
        """The share of what gates want known that is not; of an open gate nothing is wanting."""
        holds, opened = self._answers.holds, self._opened
        unmet = [each for gate, each in wanted if not holds(each) and gate not in opened]
        return len(unmet) / len(wanted)

    def _emotional(self, wanted: tuple[MoodTarget, ...]) -> float:
        """min over vectors of mean |Δ|, each measure scaled to [0,1]."""
        found = self._felt.get(wanted)
        if found is None:
            found = self._felt[wanted] = min(
                mood_distance(mood, each) for mood in self._moods for each in wanted
            )
        return found

    def _relational(self, wanted: tuple[Condition, ...]) -> float:
        holds = self._answers.holds
        return sum([not holds(each) for each in wanted]) / len(wanted)


def distance(world: World, scene: SceneId) -> Distance:
    """How far the players are from a scene."""
    return Here(world).distance(scene)


def mood_distance(mood: Mood, wanted: MoodTarget) -> float:
    """mean |Δ(valence, arousal, determination)|, of those that are stated.   F2.2a: 1 if none is"""
    pairs = (
        (mood.valence, wanted.valence, 2.0),
        (mood.arousal, wanted.arousal, 1.0),
        (mood.determination, wanted.determination, 1.0),
    )
    found = [abs(have - want) / span for have, want, span in pairs if want is not None]
    return sum(found) / len(found) if found else FARTHEST


class _Stated(Struct, frozen=True):
    """What a scene states of coming to it."""

    kind: SceneType
    information: tuple[tuple[str, Condition], ...]  # a gate, and something it wants known
    moods: tuple[MoodTarget, ...]
    relations: tuple[Condition, ...]
    setting: str | None
    distance: float | None


@lru_cache(maxsize=16)
def _stated(plan: Plan) -> dict[str, _Stated]:
    overrides = plan.story.overrides.scenes
    return {
        scene.id: _Stated(
            kind=scene.type,
            information=tuple(dict.fromkeys(_wanted(scene))),
            moods=tuple(v.mood for v in scene.approach if v.mood not in (None, MoodTarget())),
            relations=tuple(same(Condition(relation=each)) for each in scene.relations),
            setting=scene.setting,
            distance=overrides[scene.id].distance if scene.id in overrides else None,
        )
        for scene in plan.scenes.values()
    }


def _wanted(scene: Scene) -> Iterator[tuple[str, Condition]]:
    for gate in scene.gates:
        for condition in gate.conditions:
            for each in _knowing(condition):
                yield gate.id, each


def _knowing(condition: Condition) -> Iterator[Condition]:
    if condition.knows is not None:
        yield same(Condition(knows=condition.knows))
    for name, inner in inside(condition):
        if name != "not_":
            yield from _knowing(inner)
