"""Sentences that were told before, known again by a trace of their words.

A narrator that is shown what was told tends to tell it again, word for word. What is told again to
the same player is no new event. Words are said again only by the same speaker, as low or as loud as
before: what was whispered and is then said aloud is said anew.
"""

from __future__ import annotations

from zlib import crc32

from msgspec import structs

from storykeeper.events.atoms import Atom, Resolved, Role, Source, SpeechUttered
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import Pending, World

MIN_WORDS = 6  # "She nods." may well happen twice
MAX_LINES = 1_200  # for each player
_MARKS = ".,;:!?…“”\"'’‘()[]—–-*_"
ENDS = '.!?…”"'  # marks that may end a sentence


def told_after(world: World, turn: TurnNo) -> tuple[str, ...]:
    """The traces of what was told, with those of the turn that becomes fact.

    Each is of a player it was told to: whose turn it is, and those who are with them.
    """
    both = (world.answered, world.pending)
    told = next((p for p in both if p is not None and p.turn == turn), None)
    if told is None or not told.prose:
        return world.told_lines
    marks = traces(told.prose)
    return _with(world, [told_to(mark, who) for who in _hearing(world, told) for mark in marks])


def said_after(world: World, atom: Atom) -> World:
    """The world with the traces of what somebody is told to have said, for those who were told."""
    if atom.source is not Source.NARRATOR or not isinstance(atom.what, SpeechUttered):
        return world
    people = [(p.role, p.entity.entity) for p in atom.participants
              if isinstance(p.entity, Resolved)]  # fmt: skip
    speaker = next((who for role, who in people if role is Role.ACTOR), None)
    mark = said(atom.what.words, speaker, low=atom.what.whispered)
    players = [who for role, who in people
               if who in world.plan.players and role is not Role.SUBJECT]  # fmt: skip
    marks = [told_to(mark, who) for who in players] if mark else []
    return structs.replace(world, told_lines=_with(world, marks)) if marks else world


def said(words: str, speaker: str | None, *, low: bool) -> str:
    """The trace of words by who says them and how: said aloud they are others than whispered."""
    mark = trace(words)
    return f"{mark}/{speaker or ''}/{'low' if low else 'aloud'}" if mark else ""


def told_to(mark: str, player: str) -> str:
    """A trace of something that was told to a player; to another it may be new."""
    return f"{mark}>{player}"


def _hearing(world: World, told: Pending) -> tuple[EntityId, ...]:
    here = world.places.get(told.player)
    gone = {*world.asleep, *world.away}
    others = (who for who in world.plan.players if who != told.player and who not in gone)
    return (told.player, *(w for w in others if here is not None and world.places.get(w) == here))


def _with(world: World, marks: list[str]) -> tuple[str, ...]:
    before = set(world.told_lines)
    fresh = [mark for mark in dict.fromkeys(marks) if mark not in before]
    return (*world.told_lines, *fresh)[-MAX_LINES * len(world.plan.players) :]


def traces(text: str) -> list[str]:
    """The traces of its sentences, of long ones alone. A mark that ends one with a space behind it
    parts them, or the end of a line: in what language they are does not matter.
    """
    plain = text.replace("\n", "").isprintable()  # no other white space than these two
    for space in " " if plain else {char for char in text if char.isspace() and char != "\n"}:
        for mark in ENDS:
            text = text.replace(f"{mark}{space}", "\n")
    return list(filter(None, map(_trace, _bare(text).split("\n"))))


def trace(sentence: str) -> str:
    """The trace of a sentence; none of a short one."""
    return _trace(_bare(sentence))


def _bare(text: str) -> str:
    for mark in _MARKS:  # many times as fast as a table
        text = text.replace(mark, " ")
    return text


def _trace(sentence: str) -> str:
    words = sentence.casefold().split()
    if len(words) < MIN_WORDS:
        return ""
    return f"{crc32(' '.join(words).encode()):08x}"
