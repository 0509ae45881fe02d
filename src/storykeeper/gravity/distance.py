"""How far the player is from a scene, in four dimensions.

D = Σ w·D_i / Σ w   over the dimensions that the scene states                             F2.2
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from itertools import chain

from msgspec import Struct

from storykeeper.story.conditions import Condition, children
from storykeeper.story.scenes import MoodTarget, Scene, SceneType
from storykeeper.units import SceneId
from storykeeper.world.conditions import holds
from storykeeper.world.plan import Plan
from storykeeper.world.state import Mood, World

FARTHEST = 1.0
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
        each = (self.information, self.emotional, self.relational, self.physical)
        known = [(w, d) for w, d in zip(WEIGHTS[self.kind], each, strict=True) if d is not None]
        if not known:
            return FARTHEST
        return sum(w * d for w, d in known) / sum(w for w, _ in known)


def distance(world: World, scene_id: SceneId) -> Distance:
    """How far the player is from a scene."""
    scene = world.plan.scenes[scene_id]
    stated = world.plan.story.overrides.scenes.get(scene_id)
    asked = _information(world.plan)[scene_id]
    return Distance(
        information=_unmet(world, asked) if asked else None,
        emotional=_emotional(world, scene),
        relational=_unmet(world, tuple(Condition(relation=r) for r in scene.relations))
        if scene.relations
        else None,
        physical=_physical(world, scene),
        kind=scene.type,
        stated=None if stated is None else stated.distance,
    )


def _unmet(world: World, asked: tuple[Condition, ...]) -> float:
    return sum(not holds(world, each) for each in asked) / len(asked)


# ── information ──────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=16)
def _information(plan: Plan) -> dict[str, tuple[Condition, ...]]:
    """What must be known for each scene: by its gates, and by the ways of coming to it."""
    return {
        scene.id: tuple(dict.fromkeys(chain.from_iterable(map(_knowing, _asked(scene)))))
        for scene in plan.scenes.values()
    }


def _asked(scene: Scene) -> Iterator[Condition]:
    yield from (each for gate in scene.gates for each in gate.conditions)
    yield from (each.when for vector in scene.approach for each in vector.predicates)


def _knowing(condition: Condition) -> Iterator[Condition]:
    if condition.knows is not None:
        yield Condition(knows=condition.knows)
    for path, inner in children(condition):
        if path[0] != "not":
            yield from _knowing(inner)


# ── emotion ──────────────────────────────────────────────────────────────────────────────────


def _emotional(world: World, scene: Scene) -> float | None:
    """min over vectors of mean |Δ|, each measure scaled to [0,1]; of the players the nearest."""
    moods = [world.moods.get(player, Mood()) for player in world.plan.players]
    found = [
        apart
        for vector in scene.approach
        if vector.mood is not None
        for mood in moods
        if (apart := mood_distance(mood, vector.mood)) is not None
    ]
    return min(found, default=None)


def mood_distance(mood: Mood, wanted: MoodTarget) -> float | None:
    """mean |Δ(valence, arousal, determination)|, of those that are stated.   F2.2a"""
    pairs = (
        (mood.valence, wanted.valence, 2.0),
        (mood.arousal, wanted.arousal, 1.0),
        (mood.determination, wanted.determination, 1.0),
    )
    apart = [abs(have - want) / span for have, want, span in pairs if want is not None]
    return sum(apart) / len(apart) if apart else None


# ── place ────────────────────────────────────────────────────────────────────────────────────


def _physical(world: World, scene: Scene) -> float | None:
    """The shortest way ÷ the diameter of the map, at most 1; of the players the nearest."""
    if scene.setting is None:
        return None
    places = (world.places.get(player) for player in world.plan.players)
    return min(
        (_apart(world.plan, place, scene.setting) for place in places if place is not None),
        default=FARTHEST,
    )


def _apart(plan: Plan, one: str, other: str) -> float:
    if one == other:
        return 0.0
    cost, longest = _costs(plan, one).get(other), _diameter(plan)
    return FARTHEST if cost is None or longest <= 0 else min(FARTHEST, cost / longest)


@lru_cache(maxsize=16)
def _paths(plan: Plan) -> dict[str, tuple[tuple[str, float], ...]]:
    found: dict[str, list[tuple[str, float]]] = {place: [] for place in plan.settings}
    for setting in plan.settings.values():
        for path in setting.paths:
            found[setting.id].append((path.to, path.cost))
            if not path.one_way:
                found[path.to].append((setting.id, path.cost))
    return {place: tuple(ways) for place, ways in found.items()}


@lru_cache(maxsize=4_096)
def _costs(plan: Plan, start: str) -> dict[str, float]:
    """The cost of the shortest way to every place."""
    paths = _paths(plan)
    found: dict[str, float] = {}
    waiting = [(0.0, start)]
    while waiting:
        cost, place = heappop(waiting)
        if place not in found:
            found[place] = cost
            for to, step in paths.get(place, ()):
                if to not in found:
                    heappush(waiting, (cost + step, to))
    return found


@lru_cache(maxsize=16)
def _diameter(plan: Plan) -> float:
    """The longest of all shortest ways."""
    return max((max(_costs(plan, place).values()) for place in plan.settings), default=0.0)
