"""What a scene weighs.

M(s) = M_base + M_struct + M_dyn + M_prophecy + M_event, and M_conn for the strongest     F2.1
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from storykeeper.gravity.possible import degree
from storykeeper.story.scenes import Approach, Scene, SceneType
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
        terms = (self.base, self.structural, self.dynamic, self.prophetic, self.event)
        return max(0.0, sum(terms) + self.connective)


def structural(scene: Scene) -> float:
    """.05·gates + .1·([convergence] + [threshold] + [required] + [hinge]) + .05·[branch].   F2.1"""
    threshold = scene.type is SceneType.THRESHOLD
    traits = scene.convergence + threshold + scene.required + scene.hinge
    return PER_GATE * len(scene.gates) + PER_TRAIT * traits + PER_BRANCH * scene.branch


@lru_cache(maxsize=16)
def _structural_of(plan: Plan) -> dict[str, float]:
    return {scene.id: structural(scene) for scene in plan.scenes.values()}


def satisfaction(world: World, scene: Scene) -> float:
    """max over vectors of Σ w·m / Σ w.   F2.1a: 0 without any."""
    return max((_satisfied(world, vector) for vector in scene.approach), default=0.0)


def _satisfied(world: World, vector: Approach) -> float:
    whole = sum(each.weight for each in vector.predicates)
    if whole <= 0:
        return 0.0
    return sum(each.weight * degree(world, each.when) for each in vector.predicates) / whole


def mass(world: World, scene_id: SceneId, *, foretold: float = 0.0) -> Mass:
    """M of a scene, M_conn left out; `foretold`: Σ min(.25, magnitude) of the prophecies on it."""
    scene = world.plan.scenes[scene_id]
    stated = world.plan.story.overrides.scenes.get(scene_id)
    return Mass(
        base=scene.mass,
        structural=_structural_of(world.plan)[scene_id],
        dynamic=APPROACH_SHARE * satisfaction(world, scene) if scene.approach else 0.0,
        prophetic=foretold,
        event=world.masses.get(scene_id, 0.0),
        stated=None if stated is None else stated.mass,
    )


def connective(turns: int, *, rate: float) -> float:
    """M_conn(t) = rate·t/(1 + .5·t).   F2.4: t turns of connective space."""
    return rate * turns / (1.0 + 0.5 * turns)
