"""Why each item is in a window, and why each other is not.

The author's receipt has everything, refusals with their rules included. An audience's receipt is
another type: it lists only what that audience may see, and neither names nor counts the rest. An
event's id counts all events of its turn; so an audience is told its place among those it perceived.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from msgspec import Struct

from storykeeper.context.boundary import Boundary
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


class Withheld(Struct, frozen=True, gc=False):  # made for every fact that somebody does not know
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


# ── for an audience ──────────────────────────────────────────────────────────────────────────

_EVENT = re.compile(r"\bt\d+\.\d+\b")
_THING, _MENTION = "entity:", "mention:"
Entry = TypeVar("Entry", InWindow, OutOfWindow)


def event_names(boundary: Boundary) -> Callable[[str], str]:
    """Ids and sources as an audience may read them: `t4.2` is the second event it saw in turn 4."""
    seen: Counter[int] = Counter()
    names: dict[str, str] = {}
    for atom in boundary.atoms.values():
        if boundary.open(f"atom:{atom.id}"):
            seen[atom.turn] += 1
            names[atom.id] = f"t{atom.turn}.{seen[atom.turn]}"
    return lambda text: _EVENT.sub(lambda found: names.get(found[0], "t"), text)


def as_told(entries: Iterable[Entry], name: Callable[[str], str]) -> tuple[Entry, ...]:
    """Entries with the ids that an audience may read."""
    return tuple(
        replace(each, id=name(_own_id(each)), sources=tuple(map(name, each.sources)))
        for each in entries
    )


def _own_id(entry: InWindow | OutOfWindow) -> str:
    """Its id; a thing of play's own goes by where this audience first came across it."""
    first = next((s for s in entry.sources if s.startswith(_MENTION)), None)
    if first is None or not entry.id.startswith(_THING):
        return entry.id
    return f"{_THING}{first.removeprefix(_MENTION)}"


def by_tier(shown: Iterable[Shown], tier: Tier) -> int:
    """Tokens of the items of one tier, headings apart."""
    return sum(each.tokens for each in shown if each.candidate.tier is tier)
