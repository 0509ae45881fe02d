"""What somebody thinks where something is, and what they think that others think.

Nothing of it is stored: it follows from who perceived what, and who was seen perceiving it. A chain
is who thinks of whom: (Mara,) is what Mara thinks, (Mara, Tom) what she thinks that he thinks, and
so on to any depth; the empty chain is what is so.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import structs

from storykeeper.units import EntityId
from storykeeper.world.knowledge.sightings import everyone, sees
from storykeeper.world.state import Sighting, World
from storykeeper.world.whereabouts import MAX_DEPTH, directly

Chain = Sequence[EntityId]


def believed_place(
    world: World, chain: Chain, thing: EntityId, *, supposing: bool = True
) -> EntityId | None:
    """place(last s: c₁ perceives s, every cᵢ sees every later cⱼ perceive it)   F8.3."""
    if not chain:
        return directly(world, thing)
    found = believed(world, chain, thing, supposing=supposing)
    return None if found is None else found.place


def believed(
    world: World, chain: Chain, thing: EntityId, *, supposing: bool = True
) -> Sighting | None:
    """The sighting that a thought rests on; None if there is none.

    Without `supposing` nobody takes anybody to know what they did not see them perceive (F8.6).
    """
    people = tuple(chain)
    for each in reversed(world.sightings.get(thing, ())):
        if shows(each if supposing else structs.replace(each, supposed=()), people):
            return each
    return None


def shows(sighting: Sighting, chain: tuple[EntityId, ...]) -> bool:
    """Whether a thought can rest on a sighting. Nobody believes it for having said it."""
    if sighting.teller is not None and set(chain) == {sighting.teller}:
        return False
    if chain[0] not in everyone(sighting):
        return False
    return all(sees(sighting, who=who, whom=whom) for who, whom in combinations(chain, 2))


def how(sighting: Sighting, chain: Chain) -> str:
    """How it came to be thought: "saw", "told by mara", or "inferred" of others left with it."""
    if sighting.teller is not None:
        return f"told by {sighting.teller}"
    seen = structs.replace(sighting, supposed=())
    return "saw" if shows(seen, tuple(chain)) else "inferred"


def believed_way(world: World, chain: Chain, thing: EntityId) -> tuple[EntityId, ...]:
    """Where it is thought to be, and where that is: (the box, the kitchen)."""
    found: list[EntityId] = []
    place = believed_place(world, chain, thing)
    while place is not None and place not in found and len(found) < MAX_DEPTH:
        found.append(place)
        place = believed_place(world, chain, place)
    return tuple(found)
