"""Who perceives what happens: whoever is there and awake, and whom sound or sight reaches."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.events.atoms import Happening, Participant, Resolved, Role, SpeechUttered
from storykeeper.units import EntityId
from storykeeper.world.state import World


def witnesses(
    world: World, what: Happening, participants: Sequence[Participant]
) -> tuple[EntityId, ...]:
    """Everyone of the cast who perceives it without a part in it, in the order of the cast.

    Words reach also those in settings that hear this one, deeds those in settings that see it; a
    whisper reaches whom it is for.
    """
    involved = {
        p.entity.entity
        for p in participants
        if isinstance(p.entity, Resolved) and p.role in (Role.ACTOR, Role.TARGET)
    }
    whispered = isinstance(what, SpeechUttered) and what.whispered
    if whispered and any(p.role is Role.TARGET for p in participants):
        return ()
    here = world.places.get(world.plan.players[0])
    if here is None:
        return ()
    heard = isinstance(what, SpeechUttered) and not whispered
    reached = {here, *_reached(world, here, heard=heard)}
    return tuple(
        who
        for who in map(EntityId, world.plan.cast)
        if world.places.get(who) in reached and who not in involved and who not in world.asleep
    )


def _reached(world: World, here: EntityId, *, heard: bool) -> set[EntityId]:
    """The settings that what happens here can be perceived from."""
    return {
        EntityId(setting.id)
        for setting in world.plan.settings.values()
        if here in (setting.hears if heard else setting.sees)
    }
