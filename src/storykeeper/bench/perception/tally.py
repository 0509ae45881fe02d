"""Counting who has which piece, and who is where, against the labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from storykeeper.bench.perception.data import KINDS, NOWHERE, Passage
from storykeeper.bench.perception.piece import Pair
from storykeeper.bench.registry import Figures

ASIDE = "aside"
NONE = "none"
_MOVES = frozenset({"departs", "arrives"})


@dataclass(slots=True)
class Perceiving:
    """Pairs of a piece and a person: those who should not have it, and those who should."""

    leaks: list[bool] = field(default_factory=list)
    misses: list[bool] = field(default_factory=list)

    def add(self, pair: Pair, *, had: bool) -> None:
        """One pair."""
        if pair.perceived:
            self.misses.append(not had)
        else:
            self.leaks.append(had)

    def figures(self) -> Figures:
        """Shares in percent, and of how many pairs."""
        return {
            "leak": percent(self.leaks), "miss": percent(self.misses),
            "others": len(self.leaks), "perceivers": len(self.misses),
        }  # fmt: skip


@dataclass(slots=True)
class Whereabouts:
    """Where people are in our world after a passage, as against where they should be."""

    gone: list[bool] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    stayed: list[bool] = field(default_factory=list)

    def add(self, passage: Passage, places: Mapping[str, str | None]) -> None:
        """Everybody of one passage; `away` and `unknown` are no place."""
        moved = {who for e in passage.events if e.kind in _MOVES for who in e.who}
        for who in passage.people:
            start, after = passage.start[who], passage.after[who]
            is_there = places[who] == (None if after in NOWHERE else after)
            if start == after:
                self.stayed.append(is_there)
                continue
            self.right.append(is_there)
            if who in moved and start not in NOWHERE:
                self.gone.append(places[who] != start)

    def figures(self) -> Figures:
        """Shares in percent, and of how many people."""
        return {
            "gone": percent(self.gone), "right": percent(self.right),
            "stayed": percent(self.stayed), "who_left": len(self.gone),
            "who_moved": len(self.right), "who_stayed": len(self.stayed),
        }  # fmt: skip


@dataclass(slots=True)
class Tally:
    """One system on some passages."""

    kinds: dict[str, Perceiving] = field(default_factory=lambda: {k: Perceiving() for k in KINDS})
    phenomena: dict[str, Perceiving] = field(default_factory=lambda: defaultdict(Perceiving))
    whereabouts: Whereabouts = field(default_factory=Whereabouts)

    def add(self, passage: Passage, pair: Pair, *, had: bool) -> None:
        """One pair of a passage."""
        self.kinds[pair.piece.kind].add(pair, had=had)
        if pair.piece.kind == "speech":
            for phenomenon in phenomena(passage, pair.piece.number):
                self.phenomena[phenomenon].add(pair, had=had)

    @property
    def pairs(self) -> int:
        """How many were counted."""
        return sum(len(found.leaks) + len(found.misses) for found in self.kinds.values())

    def figures(self) -> Figures:
        """By kind of piece; of speech also by what happened before it."""
        made: Figures = {kind: found.figures() for kind, found in self.kinds.items()}
        if self.whereabouts.stayed or self.whereabouts.right:
            made["places"] = self.whereabouts.figures()
        made["by_phenomenon"] = {n: self.phenomena[n].figures() for n in sorted(self.phenomena)}
        return made


@dataclass(slots=True)
class System:
    """A system measured on all authors, and on each."""

    every: Tally = field(default_factory=Tally)
    authors: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def tallies(self, author: str) -> tuple[Tally, Tally]:
        """Where a passage of an author counts."""
        return self.every, self.authors[author]

    def figures(self) -> Figures:
        """All together, and by author."""
        authors = {author: tally.figures() for author, tally in self.authors.items()}
        return {**self.every.figures(), "by_author": authors}


def phenomena(passage: Passage, number: int) -> frozenset[str]:
    """What happened in a passage before a piece. An aside is of its own piece, and ends with it."""
    before = {e.kind for e in passage.events if e.segment < number and e.kind != ASIDE}
    lowered = {ASIDE for e in passage.events if e.segment == number and e.kind == ASIDE}
    return frozenset(before | lowered or {NONE})


def percent(right: Iterable[bool]) -> float:
    """How many of all, in percent."""
    counted = list(right)
    return round(100 * sum(counted) / len(counted), 1) if counted else 0.0
