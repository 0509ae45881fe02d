"""Whom the words of a turn can mean: those whom the player whose turn it is may know of.

What is typed names only those (F8.10). Prose may bring in others of the author's by name; but not
by one that the player said first, which a narrator only says back. Whom a declaration names the
prose may call by any name: who tells of a constable, and says which, means that one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.language.names import Names
from storykeeper.language.reading import Somebody
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.story.called import gender_of, names_in, plain
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId
from storykeeper.world.heard import BEAT
from storykeeper.world.state import Pending, World
from storykeeper.world.ways import open_ways
from storykeeper.world.whereabouts import setting_of


def acquaintance(
    world: World, player: EntityId, *, shown: Collection[str] = (), also: Collection[str] = ()
) -> Acquaintance:
    """Whom a player knows of; `shown` are the items of a window that was answered."""
    beats = tuple((name, world.plan.beats[name]) for name in _beats(world, shown))
    present = PresentTurn(world.now, player, "", (), beats)
    boundary = Boundary(world, (), present, audience=NARRATOR)
    near = {*of_the_tale(world), *_reachable(world, player), *also}
    return Acquaintance(boundary, also=near)


def told_in(world: World, turn: Pending) -> tuple[Acquaintance, Names]:
    """Whom a player knows of once they read the prose of a turn, and what all those are called."""
    known = acquaintance(world, turn.player, shown=turn.told)
    mine = known.names()
    said_first = {*world.guessed.get(turn.player, ()), *names_in(world.plan, turn.text)}
    said_first.update(
        each.head.casefold() for each in world.register.values() if each.named and not each.floor
    )
    named = frozenset() if turn.stage is None else turn.stage.named
    strangers = known.strangers(but=said_first, by_any=named)
    names = replace(mine, others=strangers)
    found = {str(each.entity) for each in names.find_in_prose(turn.prose)}
    at_hand = {thing: name for thing, name in _at_hand(world, turn) if thing not in found}
    found |= {*at_hand}
    # How a prose is read must not hang on who is not in it.
    others = tuple((e, called) for e, called in strangers.called if e in found and e not in at_hand)
    others += tuple((thing, (name,)) for thing, name in at_hand.items())
    names = replace(mine, others=Names(others))
    return acquaintance(world, turn.player, shown=turn.told, also=found), names


def _at_hand(world: World, turn: Pending) -> Iterator[tuple[EntityId, str]]:
    """Things in plain sight where the player is that the prose calls by all of their name, if it
    is one of several words and the player did not say it first.
    """
    here = world.places.get(turn.player)
    for thing in map(EntityId, world.plan.things):
        name = plain(world.plan.things[thing].name)
        seen = thing not in world.hidden and here is not None and setting_of(world, thing) == here
        if seen and " " in name and _has(turn.prose, name) and not _has(turn.text, name):
            yield thing, world.plan.things[thing].name


def _has(text: str, name: str) -> bool:
    return f" {name} " in f" {plain(text)} "


def cast_in(names: Names, world: World) -> tuple[Somebody, ...]:
    """Those of the cast who may be named in a prose, as its reader is told of them."""
    both = (*names.called, *(names.others.called if names.others is not None else ()))
    cast = world.plan.cast
    return tuple(
        Somebody(tuple(filter(None, called)), gender_of(cast[entity].pronouns))
        for entity, called in both
        if entity in cast
    )


def people_in(names: Names, world: World, player: EntityId) -> tuple[EntityId, ...]:
    """Those of the cast who may be named in a prose, and the player it is told to."""
    others = names.others.called if names.others is not None else ()
    named = {player, *(entity for entity, _ in (*names.called, *others))}
    return tuple(who for who in map(EntityId, world.plan.cast) if who in named)


def of_the_tale(world: World) -> frozenset[str]:
    """Who and what belongs to the tale the player is in: nothing of it is far from its hearer."""
    if not world.inside:
        return frozenset()
    layer = world.plan.layers[world.inside[-1].layer]
    casts = (world.plan.scenes[scene].cast for scene in layer.scenes)
    people = (who for cast in casts for who in (*cast.required, *cast.contingent))
    return frozenset((*people, *layer.entity_map.projected, *layer.entity_map.discrete))


def _beats(world: World, shown: Collection[str]) -> Iterator[str]:
    names = (item.removeprefix(BEAT) for item in shown if item.startswith(BEAT))
    return (name for name in names if name in world.plan.beats)


def _reachable(world: World, who: EntityId) -> set[str]:
    """Where open ways lead from where somebody is: whoever looks around sees them."""
    start = world.places.get(who)
    seen = set() if start is None else {str(start)}
    edge = list(seen)
    while edge:
        edge = [str(b) for a in edge for b in open_ways(world, a) if b not in seen]
        seen.update(edge)
    return seen
