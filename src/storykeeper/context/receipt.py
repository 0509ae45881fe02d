"""Why each item is in a window, and why each other is not.

The author's receipt has everything, refusals with their rules included. An audience's receipt is
another type: it lists only what that audience may see, and neither names nor counts the rest. An
event's id counts all events of its turn; so an audience is told its place among those it perceived.
The author's id of a fact may say what it is; so one who only suspects it is told its place among
those that they have come by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from msgspec import UNSET, Struct, UnsetType

from storykeeper.context.boundary import CLOSED, Boundary
from storykeeper.context.foreign import Mended
from storykeeper.context.items import Class, Missed, Refused, Shown, Tier
from storykeeper.events.atoms import Atom, InformationTold
from storykeeper.events.changes import IntentPredicted, IntentResolved
from storykeeper.events.records import AnyRecord
from storykeeper.scoring.composite import Terms
from storykeeper.scoring.shares import scaled
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
    also: tuple[str, ...] = ()  # origins of what became one with it


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
    also: tuple[str, ...] = ()  # origins of what became one with it


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
class Done:
    """What somebody meant to do in a turn, how sure that was, and what came of it."""

    who: str
    option: str
    confidence: float | None  # None: it was a player's
    grade: str
    drawn: float | None = None  # where chance fell
    why: str = ""  # if it was not possible: why


@dataclass(frozen=True, slots=True)
class ClassSpent:
    """Tokens of tier 3 that a class took, and what it takes about; nothing is cut to that."""

    klass: Class
    tokens: int
    target: int


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
    classes: tuple[ClassSpent, ...] = ()
    heat: float | None = None  # of the scene, as it moved scores; a character feels none
    landscape: str = ""  # its hash
    prefix: str = ""  # the hash of tier 1, which a model's cache begins with
    mended: tuple[Mended, ...] = ()  # what was made safe of what is not the author's
    intents: tuple[Done, ...] | UnsetType = UNSET  # what came of them, if anybody had one


def in_window(shown: Iterable[Shown]) -> tuple[InWindow, ...]:
    """The entries of what is in."""
    return tuple(
        InWindow(
            c.id, c.origin, c.tier, c.klass, each.form, each.tokens, c.terms.score, c.terms,
            c.sources, c.also,
        )
        for each in shown
        for c in (each.candidate,)
    )  # fmt: skip


def out_of_window(missed: Iterable[Missed]) -> tuple[OutOfWindow, ...]:
    """The entries of what is out."""
    return tuple(
        OutOfWindow(
            c.id, c.origin, c.tier, c.klass, each.reason, each.lacking, c.terms.score, c.terms,
            c.sources, c.also,
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
_OF_FACT = re.compile(r"(hint:|revelation:|learned:[^/]+/)([^/]+)")
_THING, _MENTION, _BELIEF = "entity:", "mention:", "belief:"
CLASS_TARGETS = {Class.MANDATORY: 300, Class.GRAVITY: 350, Class.ENRICHMENT: 200, Class.REST: 0}
Entry = TypeVar("Entry", InWindow, OutOfWindow)


def event_names(boundary: Boundary) -> Callable[[str], str]:
    """Ids and sources as an audience may read them: `t4.2` is the second event it saw in turn 4."""
    every = boundary.atoms.values()
    return renamed(event_places(atom for atom in every if boundary.open(f"atom:{atom.id}")))


def event_places(perceived: Iterable[Atom]) -> dict[str, str]:
    """Events by their ids, each with its place among these in its turn."""
    seen: Counter[int] = Counter()
    names: dict[str, str] = {}
    for atom in perceived:
        if isinstance(atom.what, InformationTold) and not atom.what.claim:
            continue  # what words come to shows nothing: a place for it would tell that they hit
        seen[atom.turn] += 1
        names[atom.id] = f"t{atom.turn}.{seen[atom.turn]}"
    return names


def renamed(events: Mapping[str, str]) -> Callable[[str], str]:
    """An id or a source with other names for events; of one that has none, that it is one."""
    return lambda text: _EVENT.sub(lambda found: events.get(found[0], "t"), text)


def hint_names(boundary: Boundary) -> Callable[[str], str]:
    """Ids and sources as an audience may read them: `hint:2` is the second fact it has come by.

    Of a fact that it only suspects: whoever knows it outright may read the author's id.
    """

    @cache
    def places() -> dict[str, int]:
        open_ = [
            (known[1].since, number, fact)
            for number, fact in enumerate(boundary.plan.facts)
            if (known := boundary.known(fact)) and boundary.ruling(f"hint:{fact}").boundary > CLOSED
        ]
        return {fact: place for place, (_, _, fact) in enumerate(sorted(open_), start=1)}

    def name(text: str) -> str:
        held = boundary.world.beliefs.get(text.removeprefix(_BELIEF))
        if text.startswith(_BELIEF) and held is not None and held.fact is not None:
            return f"fact:{held.fact}"  # whoever holds it true must not learn whether it is so
        found = _OF_FACT.match(text)
        if found is None or found[2] in boundary.beliefs or boundary.open(f"fact:{found[2]}"):
            return text
        return f"{found[1]}{places().get(found[2], 0)}{text[found.end() :]}"

    return name


def as_told(entries: Iterable[Entry], *names: Callable[[str], str]) -> tuple[Entry, ...]:
    """Entries with the ids that an audience may read."""

    def named(text: str) -> str:
        for name in names:
            text = name(text)
        return text

    return tuple(
        replace(each, id=named(_own_id(each)), sources=tuple(map(named, each.sources)))
        for each in entries
    )


def _own_id(entry: InWindow | OutOfWindow) -> str:
    """Its id; a thing of play's own goes by where this audience first came across it."""
    first = next((s for s in entry.sources if s.startswith(_MENTION)), None)
    if first is None or not entry.id.startswith(_THING):
        return entry.id
    return f"{_THING}{first.removeprefix(_MENTION)}"


def by_class(shown: Iterable[Shown], *, window_tokens: int) -> tuple[ClassSpent, ...]:
    """Tokens of tier 3 by class, beside what each takes about in a window of this size."""
    spent: Counter[Class] = Counter()
    for each in shown:
        if each.candidate.tier is Tier.RETRIEVED:
            spent[each.candidate.klass] += each.tokens
    return tuple(
        ClassSpent(klass, spent[klass], scaled(target, window_tokens=window_tokens))
        for klass, target in CLASS_TARGETS.items()
    )


def done(decided: Iterable[AnyRecord]) -> tuple[Done, ...] | UnsetType:
    """What came of every intent of a turn; nothing at all, where nobody had one."""
    records = list(decided)
    sure = {r.who: r.confidence for r in records if isinstance(r, IntentPredicted)}
    found = tuple(
        Done(r.who, r.option, sure.get(r.who), str(r.grade or ""), r.drawn, r.why)
        for r in records if isinstance(r, IntentResolved)
    )  # fmt: skip
    return found or UNSET


def by_tier(shown: Iterable[Shown], tier: Tier) -> int:
    """Tokens of the items of one tier, headings apart."""
    return sum(each.tokens for each in shown if each.candidate.tier is tier)
