"""Who is there to perceive anything: asleep, hidden, unsure; and what a person settles of it."""

from __future__ import annotations

from msgspec import structs

from storykeeper.events.atoms import Presence
from storykeeper.events.turns import StageCorrected
from storykeeper.units import AtomId, EntityId
from storykeeper.world.lines import closed
from storykeeper.world.sights import Perceived, after_going, after_leaving, after_placing
from storykeeper.world.state import World, whose_turn

People = tuple[EntityId, ...]


def after_presence(world: World, change: Presence, who: People) -> World:
    """The world after somebody fell asleep, woke, hid, came out, or is no longer sure to be there.

    Who wakes or comes out is there for sure.
    """
    match change:
        case Presence.SLEPT:
            return structs.replace(settled(world, who), asleep=_with(world.asleep, who))
        case Presence.WOKE:
            return structs.replace(settled(world, who), asleep=_but(world.asleep, who))
        case Presence.HID:
            return structs.replace(settled(world, who), hidden=_with(world.hidden, who))
        case Presence.EMERGED:
            return structs.replace(settled(world, who), hidden=_but(world.hidden, who))
        case Presence.DOUBTED:
            return structs.replace(world, unsure=_with(world.unsure, who))
        case Presence.SETTLED:
            return settled(world, who)


def settled(world: World, who: People) -> World:
    """The world in which nobody doubts any more where these are."""
    if not set(who) & set(world.unsure):
        return world
    return structs.replace(world, unsure=_but(world.unsure, who))


def after_correction(world: World, record: StageCorrected) -> World:
    """The world as a person says it is: these are here and awake, those gone, that in these hands.

    It holds from now on. Nobody learns anything by it but where they are themselves.
    """
    here = world.places.get(whose_turn(world))
    for who in record.here:
        if here is not None and world.places.get(who) != here:
            world = after_going(world, _by(record, who), who, here)
        world = structs.replace(
            settled(world, (who,)), asleep=_but(world.asleep, (who,)), away=_but(world.away, (who,))
        )
    for who in record.gone:
        world = closed(settled(after_leaving(world, _by(record, who), who), (who,)), (who,))
    for held in record.holds:
        world = after_placing(world, _by(record, held.by), held.thing, held.by)
    return world


def _by(record: StageCorrected, who: EntityId) -> Perceived:
    return Perceived(record.turn, AtomId(""), (who,))


def _with(before: People, more: People) -> People:
    return tuple(sorted({*before, *more}))


def _but(before: People, gone: People) -> People:
    return tuple(each for each in before if each not in gone)
