"""What is understood of a text: the one shape that every reader gives.

A reader, whether it parses (`language.prose`) or asks a model (`models.extractor`), turns words
into mentions, clauses, quotations, things implied and times. Nothing here is decided: who a mention
is, and whether it matters, is for `entities`. All positions are characters of the text that was
read; mentions, clauses and quotations point at each other by their place in the reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from storykeeper.events.vocabulary import Gender, Sort

__all__ = [
    "Clause", "Gender", "Implied", "Joint", "Link", "Mention", "MentionKind", "Modality",
    "Quotation", "Reader", "Reading", "Somebody", "Sort", "TimeExpression",
]  # fmt: skip


class MentionKind(StrEnum):
    """How something is referred to."""

    NAME = "name"  # Mara, Harrow Point
    NOUN = "noun"  # the chipped cup
    PRONOUN = "pronoun"  # she, it, mine


class Modality(StrEnum):
    """In what way something is said. Only what is asserted happened."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    CONDITIONAL = "conditional"  # if she had taken it
    IMAGINED = "imagined"  # imagined, dreamed, remembered, compared
    FEARED = "feared"  # feared, hoped, wanted
    INTENDED = "intended"  # about to, meant to, will
    ASKED = "asked"
    ORDERED = "ordered"


@dataclass(frozen=True, slots=True)
class Mention:
    """Something referred to."""

    start: int
    end: int
    text: str
    head: str  # the plain form of its noun: "cup"; of a name, the name without titles
    kind: MentionKind
    sort: Sort
    gender: Gender = Gender.UNKNOWN
    plural: bool = False
    definite: bool = False  # the, that, her, a name; not a, some
    person: int = 3  # 1: I, we; 2: you
    descriptors: tuple[str, ...] = ()  # "chipped", "old", "silver"
    possessor: int | None = None  # the mention it belongs to
    whole: int | None = None  # the mention it is a part of
    place: str = ""  # "on the table"
    near: int | None = None  # the mention that its place names
    modality: Modality = Modality.ASSERTED
    quotation: int | None = None  # the quotation it stands in
    cluster: int | None = None  # mentions of one text with one number are one; None: not said


@dataclass(frozen=True, slots=True)
class Clause:
    """Something that happens or is so, and who and what takes part."""

    start: int
    end: int
    verb: str  # the plain form, with its particle: "pick up"
    modality: Modality = Modality.ASSERTED
    actors: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()  # what it is done to; of giving and telling, the person
    subjects: tuple[int, ...] = ()  # of giving and telling, what is given or told
    instruments: tuple[int, ...] = ()
    locations: tuple[int, ...] = ()
    state: str = ""  # of being and seeming: what
    quotation: int | None = None


class Joint(StrEnum):
    """How one clause hangs on another."""

    CAUSE = "cause"  # first because of second: second → first
    SEQUENCE = "sequence"
    CONDITION = "condition"


@dataclass(frozen=True, slots=True)
class Link:
    """`first` comes before `second`: as its cause, before it in time, or as its condition."""

    joint: Joint
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words that somebody says, or that stand written somewhere."""

    start: int
    end: int
    words: str
    speaker: int | None = None
    addressee: int | None = None
    whispered: bool = False
    written: bool = False  # on a note or a sign: nobody says them


@dataclass(frozen=True, slots=True)
class Implied:
    """Something nobody mentions: sitting down implies a seat."""

    what: str
    because: str  # the words that imply it
    clause: int


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """Words that say when or how long."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, read."""

    text: str
    mentions: tuple[Mention, ...] = ()
    clauses: tuple[Clause, ...] = ()
    links: tuple[Link, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    implied: tuple[Implied, ...] = ()
    times: tuple[TimeExpression, ...] = ()
    notes: tuple[str, ...] = ()  # what was left unread and why, in plain words


@dataclass(frozen=True, slots=True)
class Somebody:
    """One of the cast, as a reader may know them: what they are called and which pronoun fits."""

    names: tuple[str, ...]
    gender: Gender = Gender.UNKNOWN


class Reader(Protocol):
    """Reads a text. `cast` helps with names and pronouns; the reading is of the text alone."""

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """The reading of a text; the same text and cast give the same reading."""
        ...


def called(reading: Reading, mentions: Iterable[int]) -> Iterator[str]:
    """The words of some mentions, each with those of all that mean the same; everybody once."""
    own = [reading.mentions[i] for i in mentions]
    same: dict[int, dict[str, None]] = {m.cluster: {} for m in own if m.cluster is not None}
    for each in reading.mentions if same else ():
        if each.cluster in same:
            same[each.cluster][each.text] = None
    yield from (". ".join(texts) for texts in same.values())
    yield from dict.fromkeys(m.text for m in own if m.cluster is None)
