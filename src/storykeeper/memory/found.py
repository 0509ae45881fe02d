"""What a search gives: items in order, what each score is made of, and as many as a budget holds.

Packed results are written by day, oldest first, each day under its date, each line with its
speaker: that is what is counted, heading and all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import overload

from storykeeper.language.shortening import SKELETON_WORDS, first_sentence, first_words
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.moments import shown
from storykeeper.scoring.hybrid import Hybrid
from storykeeper.scoring.pack import Form, LeftOut, Offer, Packed, pack
from storykeeper.scoring.two_pass import Final
from storykeeper.story.tuning import Policy

FULL, BRIEF, HINT = "full", "brief", "hint"
Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that was found, and why."""

    item: Item
    score: float
    terms: Hybrid | Final | None  # what its score is made of; None of what came by a link or a time
    signals: Mapping[str, float] = field(default_factory=dict)  # what its likeness is the sum of
    form: str = FULL
    parent: str | None = None  # of what came by a link: the id of what it is linked to

    @property
    def text(self) -> str:
        """Its words in the form that was taken."""
        return forms(self.item)[self.form]


@dataclass(frozen=True, slots=True)
class Results(Sequence[Hit]):
    """What was found, the best first; with a budget, what of it fits."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()  # what the asker should know: searched by words alone, a time, …
    left_out: tuple[LeftOut[Hit], ...] = ()
    budget: int | None = None
    tokens: int | None = None  # of `text`, if there was a budget

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[place]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    @property
    def ids(self) -> tuple[str, ...]:
        """What was found, by its ids."""
        return tuple(hit.item.id for hit in self.hits)

    @property
    def text(self) -> str:
        """All of it, by day, oldest first."""
        return rendered(self.hits)


def forms(item: Item) -> dict[str, str]:
    """Three lengths of an item: its own, or by rule."""
    return {
        FULL: item.text,
        BRIEF: item.brief or first_sentence(item.text),
        HINT: item.hint or first_words(item.text, SKELETON_WORDS),
    }


def rendered(hits: Sequence[Hit]) -> str:
    """Lines in the order of time, under the day they were said on."""
    lines: list[str] = []
    day: str | None = None
    for hit in sorted(hits, key=_in_time):
        if (here := heading(hit.item)) != day:
            day = here
            if here:
                lines.append(here)
        lines.append(line(hit.item, hit.text))
    return "\n".join(lines)


def _in_time(hit: Hit) -> tuple[float, int]:
    """What nobody dated comes first, so that it stands under no day."""
    return -inf if hit.item.at_ms is None else hit.item.at_ms, hit.item.order


def heading(item: Item) -> str:
    """The day it was said; nothing, if nobody said when."""
    return "" if item.at_ms is None else f"[{shown(item.at_ms):%Y-%m-%d}]"


def line(item: Item, text: str) -> str:
    """One item as it is shown."""
    if item.kind is Kind.SUMMARY:
        return f"(in short) {text}"
    if not item.speaker:
        return f"- {text}"
    says_who = item.speaker if item.turn is not None else f"{item.speaker}:"  # told, or typed so
    return text if text.startswith(says_who) else f"{item.speaker}: {text}"


def packed(results: Results, *, budget: int, count: Count, policy: Policy = Policy.FILL) -> Results:
    """As many as fit, the best first; what is left out says how much room it lacked.

    Joined, texts may count for more than their parts: then there is less room, and again.
    """
    room, before = budget, None
    while True:
        chosen = _packed(results.hits, room, count, policy)
        hits = tuple(replace(each.item, form=each.form) for each in chosen.taken)
        tokens = count(rendered(hits)) if hits else 0
        if tokens <= budget or before == len(hits) == 0:
            return replace(results, hits=hits, left_out=chosen.left, budget=budget, tokens=tokens)
        room, before = room - (tokens - budget), len(hits)


def _packed(hits: Sequence[Hit], room: int, count: Count, policy: Policy) -> Packed[Hit]:
    """The first of a day pays for its heading."""
    paid: set[str] = set()
    offers = []
    for place, hit in enumerate(hits):
        head = heading(hit.item)
        extra = count(head + "\n") if head and head not in paid else 0
        paid.add(head)
        named = [
            Form(name, extra + count(line(hit.item, text) + "\n"))
            for name, text in forms(hit.item).items()
        ]
        offers.append(Offer(hit, tuple(named), score=-place))
    return pack((), offers, budget=max(0, room), policy=policy)
