"""Lines: who hears whom from afar, by telephone, radio or whatever the story has.

Who is called is only rung: a line is open when they answer. At either end it may be on speaker, so
that all who are there hear it and are heard; or keyed, as a radio is, so that all hear it and only
who speaks into it is heard; or muted, so that it is heard and nobody there is.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from storykeeper.events.atoms import LineChange
from storykeeper.units import EntityId
from storykeeper.world.state import World

Line = tuple[EntityId, EntityId]


def partners(world: World, who: EntityId) -> tuple[EntityId, ...]:
    """Those at the other end of somebody's lines; sorted."""
    return tuple(sorted({w for line in world.lines if who in line for w in line if w != who}))


def on_line(world: World, one: EntityId, other: EntityId) -> bool:
    """Whether two can speak from afar."""
    return (one, other) in world.lines or (other, one) in world.lines


def carries(world: World, speaker: EntityId, to: EntityId) -> bool:
    """Whether somebody's words reach another from afar."""
    return speaker not in world.muted and on_line(world, speaker, to)


def after_change(
    world: World, change: LineChange, *, actors: tuple[EntityId, ...], to: tuple[EntityId, ...]
) -> World:
    """The world after something became of a line; without anybody it is closed to all."""
    there = {who for who in actors if partners(world, who)}
    match change:
        case LineChange.RANG:
            return structs.replace(world, ringing=_and(world, world.ringing, actors, to))
        case LineChange.OPENED:
            return opened(world, actors, to)
        case LineChange.CLOSED:
            return closed(world, actors, to)
        case LineChange.ALOUD:
            keyed = tuple(w for w in world.keyed if w not in there)
            return structs.replace(world, aloud=_sorted(world.aloud, there), keyed=keyed)
        case LineChange.KEYED:
            aloud, keyed = _sorted(world.aloud, there), _sorted(world.keyed, there)
            return structs.replace(world, aloud=aloud, keyed=keyed)
        case LineChange.LOW:
            aloud, keyed = (_but(each, actors) for each in (world.aloud, world.keyed))
            return structs.replace(world, aloud=aloud, keyed=keyed)
        case LineChange.MUTED:
            return structs.replace(world, muted=_sorted(world.muted, there))
        case LineChange.UNMUTED:
            return structs.replace(world, muted=_but(world.muted, actors))


def opened(world: World, callers: Iterable[EntityId], called: Iterable[EntityId]) -> World:
    """Who speaks from afar hears and is heard there, until one of them hangs up."""
    ends, whom = tuple(callers), tuple(called)
    answered = {frozenset((one, other)) for one in ends for other in whom}
    ringing = tuple(line for line in world.ringing if frozenset(line) not in answered)
    return structs.replace(world, lines=_and(world, world.lines, ends, whom), ringing=ringing)


def closed(world: World, who: Iterable[EntityId] = (), to: Iterable[EntityId] = ()) -> World:
    """Their lines to these are gone, and whom they rang is not called any more; without these all
    of theirs, without anybody all there are.
    """
    ends, others = set(who), set(to)

    def is_kept(line: Line) -> bool:
        if not ends:
            return False
        return not ends & {*line} or bool(others and not others & {*line})

    lines, ringing = (tuple(filter(is_kept, each)) for each in (world.lines, world.ringing))
    if lines == world.lines and ringing == world.ringing:
        return world
    gone = {each for line in world.lines for each in line} - {each for ln in lines for each in ln}
    return structs.replace(
        world, lines=lines, ringing=ringing, aloud=_but(world.aloud, gone),
        keyed=_but(world.keyed, gone), muted=_but(world.muted, gone),
    )  # fmt: skip


def _and(
    world: World, before: tuple[Line, ...], ends: Iterable[EntityId], whom: Iterable[EntityId]
) -> tuple[Line, ...]:
    others = tuple(whom)
    fresh = {
        (one, other)
        for one in ends
        for other in others
        if one != other and not on_line(world, one, other)
    }
    return tuple(sorted({*before, *fresh})) if fresh else before


def _sorted(before: tuple[EntityId, ...], more: Iterable[EntityId]) -> tuple[EntityId, ...]:
    return tuple(sorted({*before, *more}))


def _but(before: tuple[EntityId, ...], gone: Iterable[EntityId]) -> tuple[EntityId, ...]:
    these = set(gone)
    return tuple(each for each in before if each not in these)
