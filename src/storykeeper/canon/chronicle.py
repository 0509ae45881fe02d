"""`ChronicleSpec`: how a log of turns is to be written up."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from storykeeper.story.conditions import Authored
from storykeeper.units import Count, Id, Positive


class Writer(StrEnum):
    """Who writes it up."""

    TEMPLATE = "template"
    MODEL = "model"


class ChronicleSpec(Authored, frozen=True, kw_only=True):
    """How a log of turns is to be written up. Every paragraph cites what it tells; no new facts."""

    format: Literal[1] = 1
    id: Id
    title: str
    of: Id | None = None  # as one character perceived it; nobody: as it was
    first: Count = 0  # turns
    last: Count | None = None
    turns_per_paragraph: Positive = 5
    most_words: Annotated[int, Meta(ge=20, le=2_000)] = 120  # of a paragraph
    voice: str = "Past tense, third person, plain."
    writer: Writer = Writer.TEMPLATE
