"""What is hidden in a place, and by what it is hidden no more (F8.14).

A thing that the author hid, or that somebody hid in play, is seen by nobody who is there. Who knows
where it is can reach it; by being taken, moved, found or shown before all who are there it comes to
light, and is a thing like any other from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import structs

from storykeeper.events.atoms import ActionTaken, Atom, EntityChange, EntityChanged, Source
from storykeeper.units import EntityId
from storykeeper.world.knowledge.beliefs import believed
from storykeeper.world.knowledge.sightings import noted, seen_at
from storykeeper.world.plan import Plan
from storykeeper.world.sights import Perceived
from storykeeper.world.state import World
from storykeeper.world.whereabouts import directly, everyone_at, is_hidden, setting_of

FOUND = "find"
APPEARED = EntityChanged(EntityChange.APPEARED)


def appears(atom: Atom) -> bool:
    """Whether it tells that something came to light: that may be where nobody is."""
    return atom.what == APPEARED


def is_finding(atom: Atom) -> bool:
    """Whether by the rules something is found in it, or comes to light."""
    found = isinstance(atom.what, ActionTaken) and atom.what.act == FOUND
    return atom.source is Source.RULE and (found or appears(atom))


def is_found_by(world: World, who: EntityId, thing: EntityId) -> bool:
    """Whether somebody who is where a thing is can turn to it: they see it, or know it is there."""
    return not is_hidden(world, thing) or knows_where(world, who, thing)


def knows_where(world: World, who: EntityId, thing: EntityId) -> bool:
    """Whether somebody knows where a hidden thing is: by a fact about it that they know, or as they
    saw it put there, or were told. What a player says of it is only said.
    """
    known, layers = world.known.get(who), {None, *(each.layer for each in world.inside)}
    for fact in _facts_about(world.plan).get(thing, ()) if known is not None else ():
        held = None if known is None else known.get(fact)
        if held is not None and not held.suspected and world.plan.facts[fact].layer in layers:
            return True
    seen = believed(world, (who,), thing)
    if seen is None or seen.place is None or seen.teller in world.plan.players:
        return False
    place = setting_of(world, thing)
    return place is not None and setting_of(world, seen.place) == place


@lru_cache(maxsize=16)
def _facts_about(plan: Plan) -> Mapping[str, tuple[str, ...]]:
    """The facts about each of the author's things."""
    found: dict[str, tuple[str, ...]] = {}
    for fact in plan.story.facts:
        for each in fact.about:
            if each in plan.things:
                found[each] = (*found.get(each, ()), fact.id)
    return found


def hidden_at(world: World, place: EntityId, *, inside: EntityId | None = None) -> list[EntityId]:
    """Things hidden in a setting; with a container, those that are in it. Sorted."""
    return [
        thing
        for thing in world.hidden
        if thing not in world.plan.cast
        and setting_of(world, thing) == place
        and (inside is None or _is_in(world, thing, inside))
    ]


def _is_in(world: World, thing: EntityId, container: EntityId) -> bool:
    seen: list[EntityId] = []
    at = world.containers.get(thing)
    while at is not None and at not in seen:
        if at == container:
            return True
        seen.append(at)
        at = world.containers.get(at)
    return False


def after_showing(
    world: World, event: Perceived, things: Iterable[EntityId], *, by: Iterable[EntityId]
) -> World:
    """Something hidden is shown or found by people who are where it is, to those who perceive it.

    It stays hidden as long as somebody is there, and awake, who does not.
    """
    there = {world.places.get(who) for who in by}
    for thing in things:
        at = setting_of(world, thing)
        if at is not None and at not in there:
            continue
        awake = () if at is None else everyone_at(world, at)
        if {*awake} - {*world.asleep, *world.away} <= {*event.by}:
            world = _in_the_open(world, thing)
        world = _seen(world, event, thing)
    return world


def after_appearing(
    world: World, event: Perceived, things: Iterable[EntityId], *, by: tuple[EntityId, ...]
) -> World:
    """Something comes to light: shown by somebody; or by itself, to whoever is or comes there."""
    hidden = [each for each in things if each in world.hidden]
    if by:
        return after_showing(world, event, hidden, by=by)
    for thing in hidden:
        world = _seen(_in_the_open(world, thing), event, thing)
    return world


def _in_the_open(world: World, thing: EntityId) -> World:
    return structs.replace(world, hidden=tuple(each for each in world.hidden if each != thing))


def _seen(world: World, event: Perceived, thing: EntityId) -> World:
    at = setting_of(world, thing)
    if at is None:
        return world
    return noted(world, thing, seen_at(world, event.at(directly(world, thing)), event.by, at))
