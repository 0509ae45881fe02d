"""Where everybody and everything is: in settings, in hands, in and on other things.

`places` says in which setting, also of what is in a container there, as far as that is known;
`containers` says in what. What a container holds goes where the container goes.
"""

from __future__ import annotations

from collections.abc import Iterator

from immutables import Map
from msgspec import structs

from storykeeper.events.vocabulary import Sort
from storykeeper.units import EntityId
from storykeeper.world.register import entry
from storykeeper.world.state import World

MAX_DEPTH = 8  # of boxes in boxes


def setting_of(world: World, entity: EntityId) -> EntityId | None:
    """The setting in which somebody or something is, through hands and containers."""
    for _ in range(MAX_DEPTH):
        if entity in world.plan.settings:
            return entity
        place = world.places.get(entity)
        if place is not None:
            return place
        inside = world.containers.get(entity, world.holders.get(entity))
        if inside is None:
            return None
        entity = inside
    return None


def directly(world: World, entity: EntityId) -> EntityId | None:
    """What something is in: the nearest container, hands or setting."""
    inside = world.containers.get(entity, world.holders.get(entity))
    return world.places.get(entity) if inside is None else inside


def contents(world: World, container: EntityId) -> tuple[EntityId, ...]:
    """What is in something, and in what is in it; sorted."""
    found: dict[EntityId, None] = {}
    edge = {container}
    for _ in range(MAX_DEPTH):
        edge = {thing for thing, inside in world.containers.items() if inside in edge}
        edge -= {*found, container}
        found |= dict.fromkeys(edge)
        if not edge:
            break
    return tuple(sorted(found))


def is_container(world: World, entity: EntityId) -> bool:
    """Whether something is a thing that others can be in."""
    known = entry(world, entity)
    return entity in world.plan.things or (known is not None and known.sort is Sort.THING)


def put(world: World, thing: EntityId, to: EntityId) -> World:
    """The world with a thing in somebody's hands, in a setting, or in another thing."""
    within = contents(world, thing) if world.containers else ()
    holders, containers = _without(world.holders, thing), _without(world.containers, thing)
    room: EntityId | None = None
    if to in world.plan.cast:
        holders = holders.set(thing, to)
    elif to not in world.plan.settings and is_container(world, to):
        if to == thing or to in within:
            return world  # a box is not in itself
        containers, room = containers.set(thing, to), world.places.get(to)
    else:
        room = to
    places = world.places
    for each in (thing, *within):
        places = _without(places, each) if room is None else places.set(each, room)
    return structs.replace(world, places=places, holders=holders, containers=containers)


def _without(held: Map[EntityId, EntityId], thing: EntityId) -> Map[EntityId, EntityId]:
    return held.delete(thing) if thing in held else held


def is_hidden(world: World, entity: EntityId) -> bool:
    """Whether somebody or something, or what it is in, is not seen by who comes near."""
    if entity in world.hidden or entity in world.invisible:
        return True
    inside = world.containers.get(entity)
    for _ in range(MAX_DEPTH):
        if inside is None:
            return False
        if inside in world.closed or inside in world.hidden:
            return True
        inside = world.containers.get(inside)
    return True


def everyone_at(world: World, place: EntityId) -> Iterator[EntityId]:
    """Everyone of the cast in a setting, in the order of the cast."""
    return (who for who in map(EntityId, world.plan.cast) if world.places.get(who) == place)
