"""What the author's people, things and places are called, and which of these names a player has
been told.

A player has heard a name that stood in the prose told to them. One that they typed first is a
guess: that a narrator says it back tells nothing, or typing guesses would show who there is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from immutables import Map
from msgspec import structs

from storykeeper.events.atoms import Atom, Resolved, Role, SpeechUttered
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.plan import Plan
from storykeeper.world.state import World
from storykeeper.world.whereabouts import is_hidden

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_ARTICLES = frozenset({"the", "a", "an", "my", "our", "his", "her", "their"})
BEAT = "beat:"  # how the window names a beat it asked the narrator to tell
BY_AUTHOR = "!"  # before a name: it stood in the author's own prose
_MET = "@"  # before an id: the player was where they were, and may call them anything
_HEARING = frozenset({Role.ACTOR, Role.TARGET, Role.WITNESS})


@lru_cache(maxsize=4_096)
def plain(phrase: str) -> str:
    """A name without case, marks, leading article and the s of what is somebody's."""
    words = [_bare(word) for word in _WORD.findall(phrase)]
    return " ".join(words[1:] if words[1:] and words[0] in _ARTICLES else words)


def phrases_of(each: Character | Thing | Setting) -> Iterator[str]:
    """All that something is called, in plain words; a person also by their first name."""
    for phrase in (each.name, *each.aliases):
        yield plain(phrase)
    if each.name[:1].isupper():
        yield plain(each.name).partition(" ")[0]


@lru_cache(maxsize=16)
def owners(plan: Plan) -> Mapping[str, frozenset[EntityId]]:
    """Whose names these are, by the plain name."""
    found: defaultdict[str, set[EntityId]] = defaultdict(set)
    authored: dict[str, Character | Thing | Setting]
    authored = {**plan.cast, **plan.things, **plan.settings}
    for entity, each in authored.items():
        for phrase in filter(None, phrases_of(each)):
            found[phrase].add(EntityId(entity))
    return {phrase: frozenset(who) for phrase, who in found.items()}


@lru_cache(maxsize=16)
def _longest(plan: Plan) -> int:
    return max((phrase.count(" ") + 1 for phrase in owners(plan)), default=0)


def names_in(plan: Plan, text: str) -> frozenset[str]:
    """Every name of the author's that stands in a text, those within longer ones too."""
    words = [_bare(word) for word in _WORD.findall(text)]
    known, most = owners(plan), _longest(plan)
    return frozenset(
        phrase
        for start in range(len(words))
        for end in range(start + 1, min(start + most, len(words)) + 1)
        if (phrase := " ".join(words[start:end])) in known
    )


def told_names(world: World, turn: TurnNo) -> World:
    """The world with whom players are with, and the names that the turn which becomes fact told its
    player, or had them guess.
    """
    heard = world.heard
    for who in world.plan.players:
        heard = _with(heard, who, {*heard.get(who, ()), *_been_with(world, who)})
    world = world if heard is world.heard else structs.replace(world, heard=heard)
    both = (world.answered, world.pending)
    told = next((p for p in both if p is not None and p.turn == turn), None)
    if told is None or not (told.prose or told.text):
        return world
    known = frozenset(heard.get(told.player, ()))
    guessed = frozenset(world.guessed.get(told.player, ()))
    guessed |= {n for n in names_in(world.plan, told.text) if not _is_known(world.plan, known, n)}
    known |= names_in(world.plan, told.prose) - guessed
    beats = (item.removeprefix(BEAT) for item in told.shown if told.take and item.startswith(BEAT))
    for beat in filter(None, map(world.plan.beats.get, beats)):
        known |= {f"{BY_AUTHOR}{name}" for name in names_in(world.plan, beat.prose)}
    return structs.replace(
        world,
        heard=_with(heard, told.player, known),
        guessed=_with(world.guessed, told.player, guessed),
    )


def has_been_with(world: World, who: EntityId, entity: str) -> bool:
    """Whether a player was ever where somebody or something was."""
    return f"{_MET}{entity}" in world.heard.get(who, ())


def _been_with(world: World, who: EntityId) -> Iterator[str]:
    here = world.places.get(who)
    if here is None:
        return
    yield f"{_MET}{here}"
    for each in (*world.plan.cast, *world.plan.things):
        mine = world.holders.get(EntityId(each)) == who  # what another holds may be in a pocket
        there = world.places.get(EntityId(each)) == here and not is_hidden(world, EntityId(each))
        if mine or there:
            yield f"{_MET}{each}"


def _is_known(plan: Plan, known: frozenset[str], name: str) -> bool:
    return name in known or any(f"{_MET}{each}" in known for each in owners(plan)[name])


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
            heard = _with(heard, who, named.union(heard.get(who, ())))
    return world if heard is world.heard else structs.replace(world, heard=heard)


def _with(
    rows: Map[EntityId, tuple[str, ...]], who: EntityId, names: frozenset[str] | set[str]
) -> Map[EntityId, tuple[str, ...]]:
    row = tuple(sorted(names))
    return rows if row == rows.get(who, ()) else rows.set(who, row)


def _bare(word: str) -> str:
    return word.casefold().replace("’", "'").removesuffix("'s")
