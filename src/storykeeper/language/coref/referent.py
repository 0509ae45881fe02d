"""What the reader of references gives: mentions of people and places, and which are one."""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.language.reading import Gender, MentionKind

PER, FAC, GPE, LOC, VEH, ORG = CATEGORIES = ("PER", "FAC", "GPE", "LOC", "VEH", "ORG")


@dataclass(frozen=True, slots=True)
class Referent:
    """Words that refer to somebody or somewhere; positions are tokens of the parsed text."""

    start: int
    end: int  # one past the last
    head: int
    kind: MentionKind
    category: str  # one of CATEGORIES
    gender: Gender
    plural: bool
    cluster: int  # referents of one number are one; numbered in order of first mention
