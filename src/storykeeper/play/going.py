"""Ways from place to place, as far as they stand open."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story.places import Path
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.state import World


def route(world: World, who: EntityId, place: EntityId) -> bool:
    """Whether a way leads from where somebody is to a place, along paths that stand open."""
    start = world.places.get(who)
    if start is None:
        return False
    seen, edge = {str(start)}, [str(start)]
    while edge:
        edge = [b for a in edge for b in open_ways(world, a) if b not in seen]
        seen.update(edge)
        if place in seen:
            return True
    return False


def open_ways(world: World, place: str) -> Iterator[EntityId]:
    """The places next to one, along paths that stand open, in the author's order."""
    for setting in world.plan.settings.values():
        for path in setting.paths:
            if _passable(world, path):
                if setting.id == place:
                    yield EntityId(path.to)
                elif path.to == place and not path.one_way:
                    yield EntityId(setting.id)


def _passable(world: World, path: Path) -> bool:
    return path.when is None or holds(world, path.when)
