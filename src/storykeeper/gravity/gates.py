"""How near a gate is to opening."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from storykeeper.gravity.asked import Asked, asked, same
from storykeeper.story.conditions import Condition
from storykeeper.story.scenes import Gate
from storykeeper.units import SceneId
from storykeeper.world.plan import Plan
from storykeeper.world.state import World

CLOSE_FROM = 0.75


class Proximity(Struct, frozen=True, gc=False):
    """A gate, how near it is, and what is wanting."""

    gate: str
    scene: SceneId
    share: float
    unmet: tuple[Condition, ...]

    @property
    def close(self) -> bool:
        """Whether it is felt: three quarters of what it asks for is so, or all but one thing.

        Of two or three things, three quarters are all of them: such a gate would never be felt.
        """
        return self.share >= CLOSE_FROM or (self.share > 0.0 and len(self.unmet) == 1)


def proximities(world: World, scenes: Iterable[SceneId]) -> Iterator[Proximity]:
    """How near the gates of these scenes are, those that are not open yet."""
    answers, plan = asked(world), world.plan
    wholes = _whole(plan)
    for scene in scenes:
        for gate in plan.scenes[scene].gates:
            if gate.id not in world.gates:
                yield _near(answers, gate.id, scene, wholes[gate.id])


def proximity(world: World, gate: Gate, scene: SceneId) -> Proximity:
    """How near one gate is.   F2.9: 1 once it is open."""
    if gate.id in world.gates:
        return Proximity(gate.id, scene, 1.0, ())
    return _near(asked(world), gate.id, scene, _whole(world.plan)[gate.id])


def _near(answers: Asked, gate: str, scene: SceneId, whole: Condition) -> Proximity:
    """satisfied ÷ all conditions.   F2.9: 0 if one can no longer be met."""
    wanted = whole.all_ or ()
    unmet = answers.unmet(wanted)
    if unmet and not answers.possible(whole):
        return Proximity(gate, scene, 0.0, unmet)
    return Proximity(gate, scene, (len(wanted) - len(unmet)) / len(wanted), unmet)


@lru_cache(maxsize=16)
def _whole(plan: Plan) -> dict[str, Condition]:
    """All that each gate asks for, together: so that what contradicts itself is seen."""
    return {
        gate.id: same(Condition(all_=tuple(map(same, gate.conditions))))
        for gate in plan.gates.values()
    }
