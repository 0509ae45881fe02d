"""What a player's line comes to: acts in order, how it is said, what was no part of the story.

An act says what is done and what its words refer to. `to`, `about` and `place` are the author's own
people, things and places, as conditions ask for them. `target`, `topic`, `instrument`, `where` and
`origin` are everything referred to, named by the author or not: "her", "it", "the chip in the cup",
"Mara's cup". Who or what a reference is, if no name says so, is decided with the world at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from storykeeper.language.reading import Mention
from storykeeper.units import EntityId


class ActKind(StrEnum):
    """What sort of thing a player does."""

    SPEECH = "speech"  # says, tells, answers, greets
    ACTION = "action"  # does something, to a thing or alone
    MOVEMENT = "movement"  # goes, follows, leaves
    OBSERVATION = "observation"  # looks, listens, searches, reads
    INTERACTION = "interaction"  # does something to or with somebody: gives, shoves, helps
    EMOTE = "emote"  # nods, smiles, cries
    INQUIRY = "inquiry"  # asks: somebody, or nobody but the game


class Register(StrEnum):
    """How a line is said."""

    PLAIN = "plain"
    FORMAL = "formal"  # "Good evening, madam. Would you kindly …"
    PLEADING = "pleading"  # begging, "please, please"
    HOSTILE = "hostile"  # threats, insults, blows
    PLAYFUL = "playful"  # teasing, winking, jests
    WHISPERED = "whispered"
    SHOUTED = "shouted"


@dataclass(frozen=True, slots=True)
class Feeling:
    """What a line says that the player's character feels."""

    name: str = "neutral"
    valence: float = 0.0  # −1 … 1
    arousal: float = 0.0  # 0 … 1

    def __bool__(self) -> bool:
        """Whether anything says so."""
        return self.name != "neutral"


@dataclass(frozen=True, slots=True)
class Referred:
    """What some words of a line refer to.

    The mention's own links (`possessor`, `near`) point into a reading, and a line is none: here
    they are values. Positions are characters of the line as it was typed.
    """

    mention: Mention
    entity: EntityId | None = None  # whom or what of the author's the words name
    possessor: Referred | None = None  # "Mara's cup", "her cup"
    near: Referred | None = None  # "the chip in the cup": where, or the whole it is part of


@dataclass(frozen=True, slots=True)
class Act:
    """Something a player does."""

    act: str
    to: EntityId | None = None
    about: EntityId | None = None
    place: EntityId | None = None  # where a movement goes
    words: str = ""  # what is said
    whispered: bool = False  # so that only `to` can hear it
    kind: ActKind = ActKind.ACTION
    verb: str = ""  # as typed, in its plain form: "steal", where the act is "take"
    target: Referred | None = None  # what it is done to; of giving and saying, the person
    topic: Referred | None = None  # what it is about; of giving, what is given
    instrument: Referred | None = None  # with what; of a movement, by which way or door
    where: Referred | None = None  # where it is done, goes or is put
    origin: Referred | None = None  # from whom or where; what is left
    also: tuple[str, ...] = ()  # acts of the author's that the same verb stands for
    way: str = ""  # which way: "north", "back", "upstairs"


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line, read."""

    acts: tuple[Act, ...] = ()
    register: Register = Register.PLAIN
    feeling: Feeling = Feeling()
    asides: tuple[str, ...] = ()  # said to the others at the table, not in the story


@dataclass(frozen=True, slots=True)
class Sorts:
    """Which names are people, which places; the rest are things."""

    people: frozenset[EntityId]
    places: frozenset[EntityId]
    players: frozenset[EntityId] = frozenset()  # who types is neither told nor talked about
