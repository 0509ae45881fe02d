"""How far words and deeds carry: over a line, into other settings, into or out of a tale.

Who is in a tale within the tale, a memory, a film is in its place there, and their body stays where
it was: two facts. What is told inside is perceived inside; a voice beside the body carries inside
where the boundary lets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from storykeeper.units import EntityId
from storykeeper.world.layers import KNOWN_FROM, psi
from storykeeper.world.plan import Plan
from storykeeper.world.state import LayerState, World
from storykeeper.world.whereabouts import setting_of


def same_side(world: World, actors: Iterable[EntityId]) -> Sequence[str]:
    """Those of the cast, in their order, who may perceive what these do.

    Inside a tale nobody perceives the room outside, nor is it perceived from there; until its
    boundary falls.
    """
    cast, within = tuple(world.plan.cast), _within(world)
    if within is None:
        return cast
    tale, shared = of_the_tale(world.plan, within), world.plan.layers[within].entity_map.shared
    doing = {*actors}
    if not doing or not tale.isdisjoint(doing):
        return tuple(who for who in cast if who in tale)
    return tuple(who for who in cast if who not in tale or who in shared)


def _within(world: World) -> str | None:
    """The tale that the story is in, while it has a boundary."""
    within = world.inside[-1].layer if world.inside else None
    if within not in world.plan.layers or world.layers.get(within, LayerState()).merged:
        return None
    return within


def is_inside(world: World, who: str) -> bool:
    """Whether somebody is in the tale that the story is in, and perceives what is told there."""
    within = _within(world)
    return within is not None and who in of_the_tale(world.plan, within)


def heard_inside(world: World, actors: Sequence[EntityId], reached: set[EntityId]) -> set[EntityId]:
    """Who is in a tale and hears what these say beside their body: every boundary between them
    lets it.
    """
    if not actors or any(is_inside(world, who) for who in actors):
        return set()
    if any(psi(world, each.layer) <= KNOWN_FROM for each in world.inside):
        return set()
    return {who for who, body in world.bodies.items() if body in reached}


def place_to(world: World, who: EntityId, *, mind: EntityId) -> EntityId | None:
    """Where somebody is to another: in the tale to who is in it too, and to the others where their
    body stays. Who is outside is nowhere to those inside.
    """
    if is_inside(world, mind):
        return world.places.get(who) if is_inside(world, who) else None
    return world.bodies.get(who, world.places.get(who))


@lru_cache(maxsize=64)
def of_the_tale(plan: Plan, layer: str) -> frozenset[str]:
    """Who is inside: the players, and whom its scenes or its map name."""
    tale, inside = plan.layers[layer], plan.layers[layer].entity_map
    casts = (plan.scenes[scene].cast for scene in tale.scenes if scene in plan.scenes)
    people = (who for cast in casts for who in (*cast.required, *cast.contingent))
    mapped = (*inside.shared, *inside.projected, *inside.discrete)
    return frozenset((*plan.players, *people, *mapped))


def listening(world: World, actors: Sequence[EntityId], reached: set[EntityId]) -> set[EntityId]:
    """Who hears from afar what these say, or what is said where a line is on speaker; and the
    places in which they do so aloud.
    """
    found: set[EntityId] = set()
    for line in world.lines:
        for near, far in (line, line[::-1]):
            open_to_all = near in world.aloud and near not in world.keyed
            nearby = open_to_all and world.places.get(near) in reached
            if near not in world.muted and (near in actors or nearby):
                there = setting_of(world, far) if far in world.aloud else None
                aloud = set() if there is None else {there, *reached_from(world, there, heard=True)}
                found |= {far, *aloud}
    return found


def reached_from(world: World, here: EntityId, *, heard: bool) -> set[EntityId]:
    """The settings that what happens here can be perceived from."""
    return {
        EntityId(setting.id)
        for setting in world.plan.settings.values()
        if here in (setting.hears if heard else setting.sees)
    }
