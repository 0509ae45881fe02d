"""What each of the cast has come across, for good (F8.11).

Whom one met, and what play showed one, stand in the sightings: whoever perceived one is in one of
them for good (F8.4). What merely lies about in a place is in none, nor is the place: of these each
has a set, which grows whenever something before somebody's eyes has changed, and never shrinks.
"""

from __future__ import annotations

from collections import defaultdict

from msgspec import structs

from storykeeper.units import EntityId
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


def looked_on(before: World, world: World) -> World:
    """The world after something happened, with what it put before anybody's eyes."""
    same = (
        world.places is before.places
        and world.holders is before.holders
        and world.hidden is before.hidden
        and world.containers is before.containers
        and world.closed is before.closed
        and world.invisible is before.invisible
        and world.asleep is before.asleep
        and world.away is before.away
    )
    return world if same else with_what_is_seen(world)


def with_what_is_seen(world: World) -> World:
    """The world in which all have come across where they are, what lies there and what they hold.

    Who sleeps or is out sees nothing.
    """
    met, places, in_sight = world.met, world.places, _in_sight(world)
    for who in map(EntityId, world.plan.cast):
        place = places.get(who)
        if (place is None and who not in in_sight) or who in world.asleep or who in world.away:
            continue
        known = met.get(who, frozenset())
        there = () if place is None else (place, *in_sight.get(place, ()))
        new = {*there, *in_sight.get(who, ())}.difference(known)
        if new:
            met = met.set(who, known.union(new))
    return world if met is world.met else structs.replace(world, met=met)


def _in_sight(world: World) -> dict[EntityId, list[EntityId]]:
    """The author's things that one sees, by where they lie or who holds them."""
    found: defaultdict[EntityId, list[EntityId]] = defaultdict(list)
    places, holders = world.places, world.holders
    for thing in map(EntityId, world.plan.things):
        at = holders.get(thing)
        if at is None:
            at = places.get(thing)
            if at is None or is_hidden(world, thing):
                continue
        found[at].append(thing)
    return found
