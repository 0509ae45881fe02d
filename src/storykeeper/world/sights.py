"""What an event shows of where people and things are.

Whoever leaves is seen leaving by those there, whoever comes is seen coming; and who comes sees what
there is to be seen: who is there, and what play has shown to lie there, unless it is hidden or in
something shut. What the author put somewhere and nothing has shown yet is not seen (F8.5).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import structs

from storykeeper.units import AtomId, EntityId, TurnNo
from storykeeper.world.knowledge.beliefs import believed_place
from storykeeper.world.knowledge.sightings import noted, seen_at, settled
from storykeeper.world.state import Sighting, World
from storykeeper.world.whereabouts import (
    contents,
    directly,
    everyone_at,
    is_hidden,
    put,
    setting_of,
)


@dataclass(frozen=True, slots=True)
class Perceived:
    """Something that happens, and everyone of the cast who perceives it; sorted."""

    turn: TurnNo
    atom: AtomId
    by: tuple[EntityId, ...]

    def at(self, place: EntityId | None) -> Sighting:
        """That something is there, as this shows it."""
        return Sighting(self.turn, self.atom, place)


# ── people ───────────────────────────────────────────────────────────────────────────────────


def after_going(world: World, event: Perceived, who: EntityId, to: EntityId) -> World:
    """Somebody went somewhere: seen leaving, seen coming, and seeing what is there."""
    origin, here = world.places.get(who), list(event.by)
    if origin is not None and origin != to:
        left = [each for each in event.by if world.places.get(each) != to]
        here = [each for each in event.by if each == who or world.places.get(each) != origin]
        world = noted(world, who, seen_at(world, event.at(to), left, origin))
    world = _out(structs.replace(world, places=world.places.set(who, to)), who)
    world = noted(world, who, seen_at(world, event.at(to), here, to))
    return _looked_round(world, event, who, here, to) if who in here else world


def after_returning(world: World, event: Perceived, who: EntityId) -> World:
    """Somebody who stepped out is back, and sees what is there."""
    world = structs.replace(world, away=tuple(each for each in world.away if each != who))
    at = world.places.get(who)
    if at is None or who not in event.by:
        return world
    return _looked_round(world, event, who, event.by, at)


def after_leaving(world: World, event: Perceived, who: EntityId) -> World:
    """Somebody is gone, and nobody saw where to."""
    origin = setting_of(world, who)
    if origin is not None:
        world = noted(world, who, seen_at(world, event.at(None), event.by, origin))
    places = world.places.delete(who) if who in world.places else world.places
    return _out(structs.replace(world, places=places), who)


def _out(world: World, who: EntityId) -> World:
    """Who goes is hidden no more, nor is what somebody has."""
    if who not in world.hidden:
        return world
    return structs.replace(world, hidden=tuple(each for each in world.hidden if each != who))


def _looked_round(
    world: World, event: Perceived, who: EntityId, watching: Iterable[EntityId], to: EntityId
) -> World:
    """What somebody finds where they come to; those there see them find it.

    Whom they had left there, as far as they know, they take to know of it too (F8.6).
    """
    supposed = tuple((who, each) for each in _left_there(world, who, to))
    for entity in _in_sight(world, to, but=who):
        found = structs.replace(event.at(directly(world, entity)), supposed=supposed)
        found = found if entity not in world.plan.cast else structs.replace(found, supposed=())
        world = noted(world, entity, seen_at(world, found, watching, to))
    for entity in _unplaced(world) if world.containers else ():
        there = [each for each in watching if world.places.get(each) == to]
        maybe = tuple((each, to) for each in there if not is_hidden(world, each))
        found = structs.replace(event.at(directly(world, entity)), supposed=supposed)
        world = noted(world, entity, structs.replace(found, anywhere=maybe))
    for _, absent in supposed:
        gone = structs.replace(event.at(None), apart=((who,),))
        world = noted(world, absent, gone)
    return world


def _left_there(world: World, who: EntityId, place: EntityId) -> list[EntityId]:
    """Whom somebody thinks to be in a setting, and does not find there."""
    return [
        each
        for each in world.haunts.get(place, ())
        if each != who
        and world.places.get(each) != place
        and believed_place(world, (who,), each) == place
    ]


def _in_sight(world: World, place: EntityId, *, but: EntityId) -> list[EntityId]:
    """Who is in a setting, and what play has shown there; sorted."""
    there = [entity for entity, at in world.places.items() if at == place and entity != but]
    shown = (each for each in there if each in world.plan.cast or each in world.sightings)
    return sorted(each for each in shown if not is_hidden(world, each))


def _unplaced(world: World) -> list[EntityId]:
    """What is in a container of which nobody knows the room: it may be any; sorted."""
    return sorted(
        thing
        for thing in world.containers
        if thing not in world.places
        and setting_of(world, thing) is None
        and not is_hidden(world, thing)
    )


def at_first(world: World, entity: EntityId, *, turn: TurnNo) -> World:
    """As the author left it: people see who is with them, and know what they hold.

    Where a thing lies they do not know by that: the author may have put it there out of sight.
    """
    seen = Sighting(turn, AtomId(""), directly(world, entity))
    holder, place = world.holders.get(entity), world.places.get(entity)
    if holder is not None:
        return noted(world, entity, structs.replace(seen, by=(holder,)))
    if entity not in world.plan.cast or place is None:
        return world
    return noted(world, entity, seen_at(world, seen, everyone_at(world, place), place))


# ── things ───────────────────────────────────────────────────────────────────────────────────


def after_placing(world: World, event: Perceived, thing: EntityId, to: EntityId) -> World:
    """A thing went somewhere, or was found there; with it, what is in it.

    Where somebody who was there did not perceive it, it is out of sight from then on. What was
    hidden is hidden no more in somebody's hands.
    """
    before = setting_of(world, thing)
    world = put(world, thing, to)
    at = setting_of(world, thing) or before
    seen = event.at(to)
    if at is None:
        seen = structs.replace(
            seen, apart=tuple((who,) for who in event.by), anywhere=_whereabouts(world)
        )
        return noted(world, thing, seen)
    within = contents(world, thing) if world.containers else ()
    for each in within:
        world = settled(world, each, inside={thing, *within}, at=at)
    awake = {*everyone_at(world, at)} - {*world.asleep, *world.away}
    if to not in world.plan.cast and not awake <= set(event.by):
        world = structs.replace(world, hidden=tuple(sorted({*world.hidden, thing})))
    elif to in world.plan.cast:
        world = _out(world, thing)
    return noted(world, thing, seen_at(world, seen, event.by, at))


def after_opening(
    world: World, event: Perceived, things: Iterable[EntityId], *, shut: bool
) -> World:
    """Something was shut, so that its contents are seen no more; or opened, so that they are."""
    shut_or_opened = set(things)
    closed = {*world.closed, *shut_or_opened} if shut else {*world.closed} - shut_or_opened
    world = structs.replace(world, closed=tuple(sorted(closed)))
    for thing in () if shut else sorted(shut_or_opened):
        at = setting_of(world, thing)
        for each in contents(world, thing) if at is not None else ():
            if at is not None and not is_hidden(world, each):
                seen = event.at(directly(world, each))
                world = noted(world, each, seen_at(world, seen, event.by, at))
    return world


def after_saying(
    world: World, event: Perceived, thing: EntityId, to: EntityId, *, teller: EntityId
) -> World:
    """Somebody said where a thing is: so think those who heard it, whether or not it is so."""
    at = setting_of(world, teller)
    by = tuple(who for who in event.by if who == teller or not _before_eyes(world, who, thing))
    told = structs.replace(event.at(to), teller=teller, by=by)
    if at is not None:
        on_line = {who for line in world.lines if teller in line for who in line}
        told = seen_at(world, told, by, at, openly=on_line)
    return noted(world, thing, told)


def _before_eyes(world: World, who: EntityId, thing: EntityId) -> bool:
    """Whether somebody is where a thing is and knows it there: they believe their eyes."""
    at = setting_of(world, thing)
    here = at is not None and world.places.get(who) == at
    return here and believed_place(world, (who,), thing) == directly(world, thing)


def _whereabouts(world: World) -> tuple[tuple[EntityId, EntityId], ...]:
    """Where everyone is who could see it, if it is there."""
    people = map(EntityId, world.plan.cast)
    unaware = {*world.asleep, *world.away, *world.hidden, *world.invisible}
    return tuple(
        (who, world.places[who]) for who in people if who in world.places and who not in unaware
    )
