"""What a mention says about whom it means, and what was made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.units import EntityId, Key


class Strategy(StrEnum):
    """How a reference was resolved, in the order they are tried."""

    NAME = "name"
    POSSESSIVE = "possessive"
    SPATIAL = "spatial"
    ANAPHORIC = "anaphoric"
    DESCRIPTIVE = "descriptive"
    PLAYER = "player"  # who said which one they mean


@dataclass(frozen=True, slots=True)
class Reference:
    """A mention, with all that its words say."""

    words: str
    head: str = ""
    sort: Sort = Sort.UNKNOWN
    gender: Gender = Gender.UNKNOWN
    plural: bool = False
    named: bool = False
    definite: bool = True
    pronoun: bool = False
    descriptors: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()  # of the descriptors, nouns: the kitchen door
    possessor: Key | None = None
    place: str = ""
    near: Key | None = None  # what its place names
    part_of: Key | None = None  # it is a part of that one, and stands for it
    entity: EntityId | None = None  # the author's own name for it stands there


@dataclass(frozen=True, slots=True)
class Found:
    """It is this one."""

    key: Key
    by: Strategy


@dataclass(frozen=True, slots=True)
class Tied:
    """It is one of these, and nothing says which."""

    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Fresh:
    """Nothing known fits: it is mentioned for the first time."""


Outcome = Found | Tied | Fresh
FRESH = Fresh()
