"""The story so far: what is older than the tail, in order, in its own words.

Of all that was told before the tail those pieces stand that say most of what the others do not
(F6.10): names, numbers, what came up again. Each scene that was played is one paragraph, each turn
a line of it; every piece leads to the turn it is from. A character's is a list of what it
perceived. It changes only where the tail is cut.

Where a model summed turns up and that is on record (`play.summing`), its words stand in place of
their pieces, from the next cut on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from storykeeper.context.foreign import safe
from storykeeper.context.history import Summed
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.passages import brought, joined, rounded
from storykeeper.context.pieces import Piece
from storykeeper.context.tallies import costs_of, tallied
from storykeeper.context.vocabulary import number_of, rarities
from storykeeper.scoring.composite import Terms
from storykeeper.scoring.coverage import MARKED, ONCE, covering_many
from storykeeper.units import TurnNo

SO_FAR = "so far"
SUMMARY = "summary"
PARAGRAPH = 2  # tokens, at most, that set a paragraph off
SUMMED_SHARE = 2 / 3  # of the story so far, what summaries may take
SETTLED = 64  # stories so far that are kept, of all audiences and sizes

Price = Callable[[str], int]
Worths = npt.NDArray[np.float64]  # of terms, by their numbers


def worths(*groups: Sequence[Piece], favoured: Mapping[str, float] | None = None) -> Worths:
    """What each word of these pieces is worth, by number; more, by so much, if it is favoured.

    F6.11, for all words at once.
    """
    rare, all_of = rarities(), tallied(groups)
    times = np.bincount(all_of.terms, minlength=len(rare))
    marked = np.bincount(all_of.named, minlength=len(rare)) > 0
    found = np.where(marked, MARKED, 1.0) * np.where(times < 2, ONCE, 1.0) * np.sqrt(rare)
    for term, more in (favoured or {}).items():
        number = number_of(term)
        if number is not None:
            found[number] *= 1 + more
    return found


def chosen(pieces: Sequence[Piece], worths: Worths, *, room: int, price: Price) -> list[Piece]:
    """The pieces that say the most in so many tokens; more room only adds to them."""
    kept: list[Piece] = []
    for found in ordered(worths, pieces, price=price):
        room -= sum(price(pieces[i].quoted) for i in found)
        if room < 0:
            break
        kept += [pieces[i] for i in found]
    return kept


@dataclass(frozen=True, slots=True)
class Settling:
    """What the story so far is settled from at a cut: while it is the same, so is the story."""

    told: tuple[Piece, ...]  # all of it by then: what comes up again is worth more
    older: int  # so many of them are older than the tail
    short: tuple[Summed, ...]  # summaries that stand in place of pieces
    listed: bool
    room: int
    more: int  # what tier 3 will tell of the past, about
    price: Price


@lru_cache(maxsize=SETTLED)
def settled(asked: Settling) -> tuple[Piece, ...]:
    """What the story so far quotes. It changes only at a cut, and is kept until then."""
    price, room = asked.price, asked.room
    summed_up = {turn for each in asked.short for turn in each.of}
    older = [piece for piece in asked.told[: asked.older] if piece.turn not in summed_up]
    left = room - sum(price(each.full) for each in told([], asked.short, as_list=asked.listed))
    kept = by_turns(older, worths(asked.told), room=left, wanted=left + asked.more, price=price)
    while kept and sum(price(c.full) for c in told(kept, asked.short, as_list=asked.listed)) > room:
        kept.pop()  # marks where something was left out
    return tuple(kept)


def by_turns(
    pieces: Sequence[Piece], worths: Worths, *, room: int, wanted: int, price: Price
) -> list[Piece]:
    """Of what a window can tell of the past in `wanted` tokens, the turns that say most in `room`.

    So all that is quoted of a turn stands in one place: here, or behind what is retrieved
    (`earlier`), where the other turns are told at the same resolution.
    """
    by_turn: dict[TurnNo, list[Piece]] = {}
    for piece in chosen(pieces, worths, room=max(room, wanted), price=price):
        by_turn.setdefault(piece.turn, []).append(piece)
    all_of = {turn: list(found) for turn, found in groupby(pieces, key=lambda p: p.turn)}
    kept: list[Piece] = []
    for turn, found in by_turn.items():
        found = [*found, *rounded(all_of[turn], found)]
        cost = sum(price(piece.quoted) for piece in found)
        if cost <= room:
            room -= cost
            kept += found
    return kept


def ordered(
    worths: Worths, *groups: Sequence[Piece], price: Price,
    likely: Mapping[int, float] | None = None,
) -> Iterator[list[int]]:  # fmt: skip
    """Places of pieces, group after group, in the order of what they add.   F6.10

    `likely` turns are favoured, by so much. What a piece leans on comes with it.   F6.10b
    """
    found, costs = tallied(groups), [cost for each in groups for cost in costs_of(each, price)]
    factors = found.tells.copy()
    for turn, factor in (likely or {}).items():
        factors[found.turns == turn] *= factor
    pieces = [piece for each in groups for piece in each]
    came: set[int] = set()
    for at in covering_many(found.terms, found.lengths, costs, worths, factors=factors):
        fresh = [each for each in brought(pieces, at) if each not in came]
        came.update(fresh)
        if fresh:
            yield fresh


def summed(
    summaries: Iterable[Summed], *, cut: tuple[int, int], room: int, price: Price
) -> list[Summed]:
    """Those on record by the turn of the cut, of turns before its tail: the newest, while they fit.

    `cut` is the first turn of the tail, and the last turn told when it was cut.
    """
    before, by = cut
    kept: list[Summed] = []
    room = int(room * SUMMED_SHARE)
    for each in sorted(summaries, key=lambda s: s.of, reverse=True):
        cost = price(in_short(each)) + PARAGRAPH
        if each.of[-1] < before and each.at <= by and cost <= room:
            room -= cost
            kept.append(each)
    return kept


def in_short(summary: Summed) -> str:
    """A summary as a paragraph; a narrator must know that it quotes nobody."""
    return f"In short: {safe(summary.text)}"


# ── as it stands in a window ─────────────────────────────────────────────────────────────────


def told(
    pieces: Sequence[Piece], summaries: Iterable[Summed] = (), *, as_list: bool
) -> list[Candidate]:
    """As paragraphs of scenes, or as a list."""
    return listed(pieces) if as_list else paragraphs(pieces, summaries)


def paragraphs(pieces: Sequence[Piece], summaries: Iterable[Summed] = ()) -> list[Candidate]:
    """One item a scene, in order; a scene that is played again is another paragraph.

    A summary is a paragraph of its own, and what is older or newer than it stands on its sides.
    """
    parted = sorted(summaries, key=lambda s: s.of)

    def side(piece: Piece) -> int:
        return sum(each.of[0] <= piece.turn for each in parted)

    ordered = sorted(pieces, key=lambda p: (p.turn, p.place, p.source))
    made = [list(found) for _, found in groupby(ordered, key=lambda p: (p.scene, side(p)))]
    told = [(found[0].turn, _item(found, "\n".join(_by_turns(found)))) for found in made]
    told += [(each.of[0], _summary(each)) for each in parted]
    return [item for _, item in sorted(told, key=lambda each: each[0])]


def _by_turns(pieces: Sequence[Piece]) -> Iterator[str]:
    """What is quoted of each turn, in order."""
    for _, found in groupby(pieces, key=lambda p: p.turn):
        yield joined(list(found))


def _summary(summary: Summed) -> Candidate:
    return Candidate(
        id=f"so-far:{summary.name}", origin=SO_FAR, tier=Tier.JOURNAL, klass=Class.ENRICHMENT,
        sources=(f"{SUMMARY}:{summary.name}",), full=in_short(summary), terms=Terms(boundary=1.0),
    )  # fmt: skip


def listed(pieces: Sequence[Piece]) -> list[Candidate]:
    """One item a piece, as a list."""
    ordered = sorted(pieces, key=lambda p: (p.turn, p.place, p.source))
    return [_item([piece], f"- {piece.text}") for piece in ordered]


def _item(pieces: Sequence[Piece], text: str) -> Candidate:
    first = pieces[0].source.partition(":")[2]
    return Candidate(
        id=f"so-far:{first}", origin=SO_FAR, tier=Tier.JOURNAL, klass=Class.ENRICHMENT,
        sources=tuple(piece.source for piece in pieces), full=text,
        terms=Terms(boundary=1.0),
    )  # fmt: skip
