"""What each of the cast has come across, for good (F8.11).

Whom one met, and what play showed one, stand in the sightings: whoever perceived one is in one of
them for good (F8.4). What merely lies about in a place is in none, nor is the place: of these each
has a set, which grows whenever something before somebody's eyes has changed, and never shrinks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import structs

from storykeeper.events.atoms import Atom, Moved, Role
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.state import World
from storykeeper.world.whereabouts import is_hidden


def has_come_across(world: World, who: EntityId, entity: str) -> bool:
    """Whether somebody was ever in that place, or had somebody or something before their eyes."""
    if entity in world.met.get(who, ()):
        return True
    return any(
        (who in each.by or any(who in group for group in each.apart)) and each.teller is None
        for each in world.sightings.get(EntityId(entity), ())
    )


def looked_on(before: World, world: World, atom: Atom | None = None) -> World:
    """The world after something happened, with what it put before anybody's eyes."""
    if (
        world.holders is not before.holders
        or world.hidden is not before.hidden
        or world.containers is not before.containers
        or world.closed is not before.closed
        or world.invisible is not before.invisible
        or world.asleep is not before.asleep
        or world.away is not before.away
    ):
        return with_what_is_seen(world)
    if world.places is before.places:
        return world
    if atom is None or not isinstance(atom.what, Moved) or those(atom, Role.SUBJECT):
        return with_what_is_seen(world)
    for who in those(atom, Role.ACTOR):  # they went, and whatever they hold they held before
        place = world.places.get(who)
        if place is not None and _looks(world, who):
            lying = (t for t in _things(world) if world.places.get(t) == place)
            world = _with(world, who, {place, *(t for t in lying if not is_hidden(world, t))})
    return world


def with_what_is_seen(world: World) -> World:
    """The world in which all have come across where they are, what lies there and what they hold.

    Who sleeps or is out sees nothing.
    """
    in_sight = _in_sight(world)
    for who in map(EntityId, world.plan.cast):
        place = world.places.get(who)
        if (place is not None or who in in_sight) and _looks(world, who):
            there = () if place is None else (place, *in_sight.get(place, ()))
            world = _with(world, who, {*there, *in_sight.get(who, ())})
    return world


def _with(world: World, who: EntityId, seen: set[EntityId]) -> World:
    known = world.met.get(who, frozenset())
    if seen <= known:
        return world
    return structs.replace(world, met=world.met.set(who, known.union(seen)))


def _looks(world: World, who: EntityId) -> bool:
    return who not in world.asleep and who not in world.away


def _things(world: World) -> Iterator[EntityId]:
    return map(EntityId, world.plan.things)


def _in_sight(world: World) -> dict[EntityId, list[EntityId]]:
    """The author's things that one sees, by where they lie or who holds them."""
    found: defaultdict[EntityId, list[EntityId]] = defaultdict(list)
    for thing in _things(world):
        at = world.holders.get(thing)
        if at is None:
            at = world.places.get(thing)
            if at is None or is_hidden(world, thing):
                continue
        found[at].append(thing)
    return found
