"""What a window is laid out from, under which terms, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from storykeeper.context.history import Summed
from storykeeper.context.items import Candidate, Missed, Shown
from storykeeper.context.parts import Part
from storykeeper.context.pieces import Piece
from storykeeper.context.render import Headings
from storykeeper.context.tail import Unit
from storykeeper.scoring.shares import Shares
from storykeeper.story.tuning import Policy

Price = Callable[[str], int]
TOLD_ABOVE = "it stands above, as it was told"


@dataclass(frozen=True)
class Materials:
    """All that passed the gate, by the part of the window it is for."""

    hard: Sequence[Candidate]
    soft: Sequence[Candidate]
    past: Sequence[Unit]
    mandatory: Sequence[Candidate]
    others: Sequence[Candidate]
    acts: Sequence[Candidate]
    words: str  # the player's, unquoted; empty where they are not for this audience
    input: Candidate | None
    here: Sequence[Candidate] = ()  # where they are, and with whom
    asks: Sequence[Candidate] = ()  # what a narrator is asked to do
    found: Sequence[Piece] = ()  # of what memory found beyond the past at hand
    favoured: Mapping[str, float] | None = None  # words that are worth more just now
    likely: Mapping[int, float] | None = None  # turns that memory found, and how well they answer
    summaries: Sequence[Summed] = ()  # a model's, of turns that may all be shown
    whole_from: int = 0  # the turn from which on every turn is at hand
    is_listed: bool = False  # the past is a list of events, not paragraphs

    @cached_property
    def pieces(self) -> list[Piece]:
        """All that can be quoted, of what memory found first, then of the past in order."""
        return [*self.found, *self.told]

    @cached_property
    def told(self) -> tuple[Piece, ...]:
        """What can be quoted of the past, in order."""
        return tuple(piece for unit in self.past for piece in unit.pieces)

    @cached_property
    def ends(self) -> Sequence[int]:
        """How many of these are of the first units: of none, of one, and so on."""
        return list(accumulate((len(unit.pieces) for unit in self.past), initial=0))

    @cached_property
    def by_source(self) -> Mapping[str, Piece]:
        """The same by where they are from."""
        return {piece.source: piece for piece in self.pieces}


@dataclass(frozen=True, slots=True)
class Terms:
    """What a layout is made under."""

    tokens: int
    slack: int  # kept free, where joined texts count for more than their parts
    shares: Shares
    headings: Headings
    price: Price
    policy: Policy
    most_snippets: int | None
    without: frozenset[Part] = frozenset()


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands in a window, in order, and what does not."""

    shown: tuple[Shown, ...]
    missed: tuple[Missed, ...]
    base_units: int  # m
    heading_tokens: int

    @property
    def told_above(self) -> frozenset[str]:
        """Sources of what is left out because a turn that stands there tells it."""
        return frozenset(
            source for each in self.missed if each.reason == TOLD_ABOVE
            for source in each.candidate.sources
        )  # fmt: skip

    @property
    def tokens(self) -> int:
        """What its parts and headings cost."""
        return sum(each.tokens for each in self.shown) + self.heading_tokens
