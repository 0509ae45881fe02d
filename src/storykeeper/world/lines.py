"""Lines: who hears whom from afar, by telephone, radio or whatever the story has."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from storykeeper.events.atoms import LineChange
from storykeeper.units import EntityId
from storykeeper.world.state import World


def partners(world: World, who: EntityId) -> tuple[EntityId, ...]:
    """Those at the other end of somebody's lines; sorted."""
    return tuple(sorted({w for line in world.lines if who in line for w in line if w != who}))


def on_line(world: World, one: EntityId, other: EntityId) -> bool:
    """Whether two can speak from afar."""
    return (one, other) in world.lines or (other, one) in world.lines


def after_change(
    world: World, change: LineChange, *, actors: tuple[EntityId, ...], to: tuple[EntityId, ...]
) -> World:
    """The world after something became of a line; without anybody it is closed to all."""
    match change:
        case LineChange.OPENED:
            return opened(world, actors, to)
        case LineChange.CLOSED:
            return closed(world, actors, to)
        case LineChange.ALOUD:
            there = {who for who in actors if partners(world, who)}
            return structs.replace(world, aloud=tuple(sorted({*world.aloud, *there})))
        case LineChange.LOW:
            return structs.replace(world, aloud=tuple(w for w in world.aloud if w not in actors))


def opened(world: World, callers: Iterable[EntityId], called: Iterable[EntityId]) -> World:
    """Who speaks from afar hears and is heard there, until one of them hangs up."""
    whom = tuple(called)
    fresh = {
        (one, other)
        for one in callers
        for other in whom
        if one != other and not on_line(world, one, other)
    }
    return structs.replace(world, lines=tuple(sorted({*world.lines, *fresh}))) if fresh else world


def closed(world: World, who: Iterable[EntityId] = (), to: Iterable[EntityId] = ()) -> World:
    """Their lines to these are gone; without these all of theirs, without anybody all there are."""
    ends, others = set(who), set(to)

    def is_kept(line: tuple[EntityId, EntityId]) -> bool:
        if not ends:
            return False
        return not ends & {*line} or bool(others and not others & {*line})

    lines = tuple(line for line in world.lines if is_kept(line))
    if lines == world.lines:
        return world
    left = {each for line in lines for each in line}
    return structs.replace(world, lines=lines, aloud=tuple(w for w in world.aloud if w in left))


def together(world: World, who: EntityId) -> World:
    """Who comes to where the other end is needs no line to it any more."""
    here = world.places.get(who)
    there = [w for w in partners(world, who) if here is not None and world.places.get(w) == here]
    return closed(world, (who,), there) if there else world
