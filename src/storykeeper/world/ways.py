"""Ways from place to place, as far as they stand open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storykeeper.story.places import Path
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.state import World


def route(world: World, who: EntityId, place: EntityId, *, shut: bool = False) -> bool:
    """Whether a way leads from where somebody is to a place; `shut`: also along closed paths."""
    start = world.places.get(who)
    if start is None:
        return False
    seen, edge = {str(start)}, [str(start)]
    while edge:
        edge = [b for a in edge for b in open_ways(world, a, shut=shut) if b not in seen]
        seen.update(edge)
        if place in seen:
            return True
    return place == start


def open_ways(world: World, place: str, *, shut: bool = False) -> Iterator[EntityId]:
    """The places next to one, along paths that stand open, in the author's order."""
    for setting in world.plan.settings.values():
        for path in setting.paths:
            if shut or _passable(world, path):
                if setting.id == place:
                    yield EntityId(path.to)
                elif path.to == place and not path.one_way:
                    yield EntityId(setting.id)


def ways_on(world: World, people: Iterable[EntityId]) -> tuple[EntityId, ...]:
    """Where open ways lead from where some people are, in the author's order."""
    starts = dict.fromkeys(filter(None, map(world.places.get, people)))
    found = dict.fromkeys(to for start in starts for to in open_ways(world, start))
    return tuple(place for place in found if place not in starts)


def adjoins(world: World, place: EntityId, other: EntityId) -> bool:
    """Whether a way leads directly from one place to the other, open or shut, either way."""
    ways = open_ways(world, place, shut=True), open_ways(world, other, shut=True)
    return other in ways[0] or place in ways[1]


def is_charted(world: World, place: EntityId | None) -> bool:
    """Whether the author drew any way to or from a place; where none is, none is missing."""
    return place is not None and any(True for _ in open_ways(world, place, shut=True))


def _passable(world: World, path: Path) -> bool:
    return path.when is None or holds(world, path.when)
