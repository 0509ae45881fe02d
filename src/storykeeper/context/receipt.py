"""Why each item is in a window, and why each other is not.

The author's receipt has everything, refusals with their rules included. An audience's receipt is
another type: it lists only what that audience may see, and neither names nor counts the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from storykeeper.context.items import Class, Missed, Refused, Shown, Tier
from storykeeper.scoring.composite import Terms
from storykeeper.units import TurnNo


@dataclass(frozen=True, slots=True)
class InWindow:
    """An item that is in: in which form, at what price, and the score with its terms."""

    id: str
    origin: str
    tier: Tier
    klass: Class
    form: str
    tokens: int
    score: float
    terms: Terms
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutOfWindow:
    """An item that this audience may see and that did not get in."""

    id: str
    origin: str
    tier: Tier
    klass: Class
    reason: str
    lacking: int  # tokens
    score: float
    terms: Terms
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Withheld:
    """An item that the gate refused, and by which rule. For the author's eyes."""

    id: str
    origin: str
    rule: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens by part; what the parts add up to is never less than what the window holds."""

    budget: int
    window: int  # the whole text, by the tokenizer in force
    preamble: int
    journal: int
    retrieved: int
    input: int
    headings: int


@dataclass(frozen=True, slots=True)
class AudienceReceipt:
    """What somebody may be told about a window."""

    audience: str
    turn: TurnNo
    shown: tuple[InWindow, ...]
    left_out: tuple[OutOfWindow, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuthorReceipt:
    """All there is to say about a window."""

    audience: str
    turn: TurnNo
    spent: Spent
    recent_turns: int  # m: so many of the last turns were mandatory
    shown: tuple[InWindow, ...]
    left_out: tuple[OutOfWindow, ...]
    refused: tuple[Withheld, ...]
    notes: tuple[str, ...]  # in plain words: a window made smaller than it should be


def in_window(shown: Iterable[Shown]) -> tuple[InWindow, ...]:
    """The entries of what is in."""
    return tuple(
        InWindow(
            c.id, c.origin, c.tier, c.klass, each.form, each.tokens, c.terms.score, c.terms,
            c.sources,
        )
        for each in shown
        for c in (each.candidate,)
    )  # fmt: skip


def out_of_window(missed: Iterable[Missed]) -> tuple[OutOfWindow, ...]:
    """The entries of what is out."""
    return tuple(
        OutOfWindow(
            c.id, c.origin, c.tier, c.klass, each.reason, each.lacking, c.terms.score, c.terms,
            c.sources,
        )
        for each in missed
        for c in (each.candidate,)
    )  # fmt: skip


def withheld(refused: Iterable[Refused]) -> tuple[Withheld, ...]:
    """The entries of what was refused."""
    return tuple(
        Withheld(each.candidate.id, each.candidate.origin, each.rule, each.candidate.sources)
        for each in refused
    )


def by_tier(shown: Iterable[Shown], tier: Tier) -> int:
    """Tokens of the items of one tier, headings apart."""
    return sum(each.tokens for each in shown if each.candidate.tier is tier)
