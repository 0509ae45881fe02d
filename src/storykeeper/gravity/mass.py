"""What a scene weighs.

M(s) = M_base + M_struct + M_dyn + M_prophecy + M_event, and M_conn for the strongest     F2.1
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from storykeeper.gravity.asked import asked, same
from storykeeper.story.conditions import Condition
from storykeeper.story.scenes import Scene, SceneType
from storykeeper.units import SceneId
from storykeeper.world.plan import Plan
from storykeeper.world.state import World

PER_GATE, PER_TRAIT, PER_BRANCH = 0.05, 0.1, 0.05
APPROACH_SHARE = 0.2
MOST_OF_A_PROPHECY = 0.25


class Mass(Struct, frozen=True, gc=False):
    """A mass with its terms. One that the author states replaces their sum."""

    base: float = 0.0
    structural: float = 0.0
    dynamic: float = 0.0
    prophetic: float = 0.0
    event: float = 0.0
    connective: float = 0.0
    stated: float | None = None

    @property
    def total(self) -> float:
        """F2.1: the sum, never below nothing."""
        if self.stated is not None:
            return self.stated
        lasting = self.base + self.structural + self.dynamic + self.prophetic + self.event
        return max(0.0, lasting + self.connective)


def structural(scene: Scene) -> float:
    """.05·gates + .1·([convergence] + [threshold] + [required] + [hinge]) + .05·[branch].   F2.1"""
    threshold = scene.type is SceneType.THRESHOLD
    traits = scene.convergence + threshold + scene.required + scene.hinge
    return PER_GATE * len(scene.gates) + PER_TRAIT * traits + PER_BRANCH * scene.branch


Vector = tuple[tuple[Condition, float], ...]  # what a way of coming to a scene asks for, weighed


class _Standing(Struct, frozen=True):
    """What of a scene's mass stands in its story."""

    base: float
    structural: float
    vectors: tuple[Vector, ...]
    stated: float | None


@lru_cache(maxsize=16)
def _standing(plan: Plan) -> dict[str, _Standing]:
    overrides = plan.story.overrides.scenes
    return {
        scene.id: _Standing(
            scene.mass,
            structural(scene),
            tuple(tuple((same(p.when), p.weight) for p in v.predicates) for v in scene.approach),
            overrides[scene.id].mass if scene.id in overrides else None,
        )
        for scene in plan.scenes.values()
    }


class Weighing:
    """Masses of the scenes of one world, M_conn left out."""

    def __init__(self, world: World) -> None:
        self._standing = _standing(world.plan)
        self._events = world.masses
        self._degree = asked(world).degree

    def satisfaction(self, scene: SceneId) -> float:
        """max over vectors of Σ w·m / Σ w.   F2.1a: 0 without any."""
        return self._best(self._standing[scene].vectors)

    def _best(self, vectors: tuple[Vector, ...]) -> float:
        degree, best = self._degree, 0.0
        for vector in vectors:
            met = whole = 0.0
            for condition, weight in vector:
                met += weight * degree(condition)
                whole += weight
            if met > best * whole:
                best = min(1.0, met / whole)
        return best

    def mass(self, scene: SceneId, *, foretold: float = 0.0) -> Mass:
        """M.   F2.1; `foretold`: Σ min(.25, magnitude) of the prophecies aimed at the scene."""
        standing = self._standing[scene]
        return Mass(
            standing.base,
            standing.structural,
            APPROACH_SHARE * self._best(standing.vectors) if standing.vectors else 0.0,
            foretold,
            self._events.get(scene, 0.0),
            stated=standing.stated,
        )


def mass(world: World, scene: SceneId, *, foretold: float = 0.0) -> Mass:
    """M of one scene."""
    return Weighing(world).mass(scene, foretold=foretold)


def satisfaction(world: World, scene: SceneId) -> float:
    """How far the ways of coming to a scene have been gone already, of the best of them.   F2.1a"""
    return Weighing(world).satisfaction(scene)


def connective(turns: int, *, rate: float) -> float:
    """M_conn(t) = rate·t/(1 + .5·t).   F2.4: t turns of connective space."""
    return rate * turns / (1.0 + 0.5 * turns)
