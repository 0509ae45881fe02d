"""Which of the author's names a player has been told.

A player has heard a name that stood in the prose told to them. One that they typed first is a
guess: that a narrator says it back tells nothing, or typing guesses would show who there is. Which
names a turn told is on record with its commit; a ledger from before that is read as it always was.
"""

from __future__ import annotations

from collections.abc import Iterable

from immutables import Map
from msgspec import structs

from storykeeper.events.atoms import Atom, Resolved, Role, SpeechUttered
from storykeeper.events.turns import NamesTold, TurnCommitted
from storykeeper.story.called import BY_AUTHOR, SMALL, bare, names_in, owners, told_in_text
from storykeeper.units import EntityId
from storykeeper.world.met import has_come_across
from storykeeper.world.state import Pending, World
from storykeeper.world.steps import waiting

BEAT = "beat:"  # how the window names a beat it asked the narrator to tell
_HEARING = frozenset({Role.ACTOR, Role.TARGET, Role.WITNESS})


def told_names(world: World, record: TurnCommitted) -> World:
    """The world with the names that the turn which becomes fact told its player, or had them
    guess.
    """
    told = waiting(world.answered, world.pending, record.turn)
    if told is None:
        return world
    names = names_told(world, told) if record.names is None else record.names
    heard = _and(world.heard, told.player, names.heard)
    guessed = _and(world.guessed, told.player, names.guessed)
    return structs.replace(world, heard=heard, guessed=guessed)


def names_told(world: World, told: Pending) -> NamesTold:
    """The names that a turn tells its player, marked by how, and those that they typed first; as
    far as either is new.
    """
    plan, who = world.plan, told.player
    if not (told.prose or told.text):
        return NamesTold()
    typed_first = {n for n in names_in(plan, told.text) if not _is_known(world, who, n)}
    guessed = typed_first.union(world.guessed.get(who, ()))
    new = {mark for mark in told_in_text(plan, told.prose) if bare(mark) not in guessed}
    beats = (item.removeprefix(BEAT) for item in told.told if told.take and item.startswith(BEAT))
    for beat in filter(None, map(plan.beats.get, beats)):
        new |= {f"{BY_AUTHOR}{mark}" for mark in told_in_text(plan, beat.prose)}
    heard = new.difference(world.heard.get(who, ()))
    return NamesTold(
        tuple(sorted(heard)), tuple(sorted(guessed.difference(world.guessed.get(who, ()))))
    )


def _is_known(world: World, who: EntityId, name: str) -> bool:
    known = world.heard.get(who, ())
    told = name in known or f"{SMALL}{name}" in known
    return told or any(has_come_across(world, who, each) for each in owners(world.plan)[name])


def overheard(world: World, atom: Atom) -> World:
    """The world with the names that players hear in another's turn, of those an event is about."""
    if len(world.plan.players) < 2:
        return world
    refs = [p.entity for p in atom.participants if isinstance(p.entity, Resolved)]
    said = atom.what.words if isinstance(atom.what, SpeechUttered) else ""
    about = {ref.entity for ref in refs}
    text = " . ".join((said, *(ref.mention for ref in refs if ref.mention)))
    named = {n for n in names_in(world.plan, text) if not about.isdisjoint(owners(world.plan)[n])}
    people = {p.entity.entity for p in atom.participants
              if p.role in _HEARING and isinstance(p.entity, Resolved)}  # fmt: skip
    heard = world.heard
    for who in world.plan.players:
        if who in people and named:
            heard = _and(heard, who, named)
    return world if heard is world.heard else structs.replace(world, heard=heard)


def _and(
    rows: Map[EntityId, tuple[str, ...]], who: EntityId, names: Iterable[str]
) -> Map[EntityId, tuple[str, ...]]:
    """The rows with more names for somebody."""
    known = rows.get(who, ())
    new = {*names}.difference(known)
    return rows.set(who, tuple(sorted(new.union(known)))) if new else rows
