"""How near a gate is to opening."""

from __future__ import annotations

from msgspec import Struct

from storykeeper.gravity.possible import possible
from storykeeper.story.conditions import Condition
from storykeeper.story.scenes import Gate
from storykeeper.units import SceneId
from storykeeper.world.conditions import holds
from storykeeper.world.state import World

CLOSE_FROM = 0.75


class Proximity(Struct, frozen=True):
    """A gate, how near it is, and what is wanting."""

    gate: str
    scene: SceneId
    share: float
    unmet: tuple[Condition, ...]

    @property
    def close(self) -> bool:
        """Whether it is felt: three quarters of what it asks for is so."""
        return self.share >= CLOSE_FROM


def proximity(world: World, gate: Gate, scene: SceneId) -> Proximity:
    """satisfied ÷ all conditions.   F2.9: 0 if one can no longer be met; 1 once it is open."""
    if gate.id in world.gates:
        return Proximity(gate.id, scene, 1.0, ())
    unmet = tuple(each for each in gate.conditions if not holds(world, each))
    if not all(possible(world, each) for each in unmet):
        return Proximity(gate.id, scene, 0.0, unmet)
    return Proximity(gate.id, scene, 1.0 - len(unmet) / len(gate.conditions), unmet)
