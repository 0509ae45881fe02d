"""Who hears nothing: so the author says, or so it was told; until they are told to hear again."""

from __future__ import annotations

from storykeeper.units import EntityId
from storykeeper.world.state import World

DEAFENED = "stop hearing"
HEARING_AGAIN = "hear again"


def is_deaf(world: World, who: EntityId) -> bool:
    """Whether no words reach somebody, whom one may still see speak."""
    person = world.plan.cast.get(who)
    return who in world.deaf or (person is not None and person.deaf)
