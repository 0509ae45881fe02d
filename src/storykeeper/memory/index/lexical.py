"""Nearness in words: whole-number scores over inverted lists, exact to the last tie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from storykeeper.memory.index.dense import best, split
from storykeeper.memory.index.segments import Segment
from storykeeper.memory.index.values import Allowed, Bools, Floats, Hits, Rows, Words
from storykeeper.memory.index.words import SATURATION, Codes, Keys, counts, impacts, key_of
from storykeeper.memory.index.words import lengths as lengths_of

MOST_TERMS = 512  # of a query: the heaviest
LONG = 4096  # a list worth avoiding
LOOKUP = 24  # finding one row in a list costs about as much as adding up so many of it
_LEAST, _MOST = 1e-9, 1e9  # weights below count as none, above as this
_TOTAL = 2.0**50  # scores are whole numbers up to here, exact in float64

Amounts = NDArray[np.float64]  # whole numbers


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """Terms by weight, the heaviest first."""

    keys: Keys
    weights: Amounts  # in units of 1/scale
    bounds: Amounts  # what a row may get for each term, at most
    scale: float

    def amounts(self, term: int, codes: Codes) -> Amounts:
        """w·impact for one term, as whole numbers."""
        return np.asarray(np.rint(self.weights[term] * impacts().take(codes)))


def query_of(terms: Sequence[tuple[str, float]]) -> Query:
    """Equal terms joined, weightless ones dropped, the heaviest 512 kept."""
    weights: dict[int, float] = {}
    for term, weight in terms:
        if weight >= _LEAST:  # neither NaN nor negative
            key = key_of(term)
            weights[key] = min(weights.get(key, 0.0) + weight, _MOST)
    kept = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:MOST_TERMS]
    most = sum(weight for _, weight in kept) * (SATURATION + 1)
    # A power of two, so that scaling rounds nothing; it depends on the query alone.
    scale = 2.0 ** np.floor(np.log2(_TOTAL / most)) if kept else 1.0
    scaled = np.array([weight for _, weight in kept], np.float64) * scale
    return Query(
        np.array([key for key, _ in kept], np.uint64),
        scaled,
        np.ceil(scaled * (SATURATION + 1)),
        float(scale),
    )


def lexical(segments: Sequence[Segment], query: Query, *, allowed: Allowed, k: int) -> Hits:
    """The k best by Σ w·impact; rows with none of the words are not found."""
    rows, totals, floor = np.zeros(0, np.int64), np.zeros(0, np.float64), 0.0
    for segment in segments:
        mask = allowed.mask[segment.base : segment.end]
        here, amounts = _candidates(segment, query, mask, floor)
        if not len(here):
            continue
        rows = np.concatenate([rows, here + segment.base])
        totals = np.concatenate([totals, amounts])
        chosen = best(totals, k)
        rows, totals = rows[chosen], totals[chosen]
        if len(rows) == k:
            floor = float(totals.min())  # rows to come are newer: they must be better, not equal
    order = np.argsort(-totals, kind="stable")
    return Hits(rows[order], (totals[order] / query.scale).astype(np.float32))


def foremost(segments: Sequence[Segment], keys: Keys, *, allowed: Allowed, k: int) -> list[Rows]:
    """For each of many terms, the rows that `lexical` finds for it alone, ascending.

    Where all of a segment may be seen, what it has is found once: segments never change.
    """
    found: list[list[tuple[float, int]]] = [[] for _ in keys]
    for segment in segments:
        mask = allowed.mask[segment.base : segment.end]
        every = int(np.count_nonzero(mask)) == segment.rows
        base, memo = segment.base, segment.derived.foremost
        for term, place in zip(
            *map(np.ndarray.tolist, _present(segment.truth.keys, keys)), strict=True
        ):
            known = memo.get((place, k)) if every else None
            if known is None:
                known = _foremost(segment, place, None if every else mask, k)
                if every:
                    memo[place, k] = known
            found[term] += [(-amount, base + row) for row, amount in zip(*known, strict=True)]
    return [np.array(sorted(row for _, row in sorted(each)[:k]), np.int64) for each in found]


@cache
def _alone() -> Amounts:
    """What a row gets for a term that is all of a query, by its code."""
    return np.asarray(np.rint(query_of([("", 1.0)]).weights[0] * impacts()))


def _foremost(
    segment: Segment, place: int, mask: Bools | None, k: int
) -> tuple[list[int], list[float]]:
    """The k best of a segment for one of its terms, ascending, and what each gets."""
    ends = segment.derived.ends
    at = slice(int(ends[place]), int(ends[place + 1]))
    rows, codes = segment.derived.rows[at], segment.derived.codes[at]
    if mask is not None:
        seen = np.flatnonzero(mask.take(rows))
        rows, codes = rows.take(seen), codes.take(seen)
    found = _alone().take(codes)
    if len(found) > k:
        chosen = best(found, k)
        rows, found = rows.take(chosen), found.take(chosen)
    return rows.tolist(), found.tolist()


def _candidates(segment: Segment, query: Query, mask: Bools, floor: float) -> tuple[Rows, Amounts]:
    """Allowed rows of a segment with more than `floor`, and how much."""
    terms, places = _present(segment.truth.keys, query.keys)
    if len(terms) <= 1:
        return _with_it(segment, query, mask, floor, terms, places)
    ends, totals = segment.derived.ends, np.zeros(segment.rows, np.float64)
    lists = [slice(int(ends[p]), int(ends[p + 1])) for p in places]
    # MaxScore: what the terms from here on can give together. Once that is no more than the floor
    # they find nothing by themselves, and if few rows are left, only those are looked up in them.
    rest = np.cumsum(query.bounds[terms][::-1])[::-1]
    for done, (term, at) in enumerate(zip(terms, lists, strict=True)):
        if rest[done] <= floor and at.stop - at.start > LONG:
            here = np.flatnonzero((totals > floor - rest[done]) & mask)
            if len(here) * LOOKUP < sum(each.stop - each.start for each in lists[done:]):
                left = list(zip(terms[done:], lists[done:], strict=True))
                return _finished(segment, query, here, totals[here], left, floor)
        rows, codes = segment.derived.rows[at], segment.derived.codes[at]
        np.add.at(totals, rows, query.amounts(term, codes))
    here = np.flatnonzero((totals > floor) & mask)
    return here, totals[here]


def _with_it(
    segment: Segment, query: Query, mask: Bools, floor: float, terms: Rows, places: Rows
) -> tuple[Rows, Amounts]:
    """The same for one term, or none: its list is all there is."""
    if not len(terms):
        return np.zeros(0, np.int64), np.zeros(0, np.float64)
    ends, place = segment.derived.ends, places[0]
    at = slice(int(ends[place]), int(ends[place + 1]))
    rows, amounts = (
        segment.derived.rows[at],
        query.amounts(int(terms[0]), segment.derived.codes[at]),
    )
    met = np.flatnonzero(mask.take(rows) & (amounts > floor))
    return rows.take(met).astype(np.int64), amounts.take(met)


def _finished(
    segment: Segment,
    query: Query,
    here: Rows,
    totals: Amounts,
    left: Sequence[tuple[int, slice]],
    floor: float,
) -> tuple[Rows, Amounts]:
    """The same, the last terms looked up for some rows only."""
    wanted = here.astype(np.uint16)
    for term, at in left:
        rows, codes = segment.derived.rows[at], segment.derived.codes[at]
        place = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
        totals = totals + np.where(rows[place] == wanted, query.amounts(term, codes[place]), 0.0)
    over = totals > floor
    return here[over], totals[over]


def _present(keys: Keys, wanted: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which terms a segment has, heaviest first, and their places in it."""
    places = np.searchsorted(keys, wanted)
    inside = places < len(keys)
    inside[inside] = keys[places[inside]] == wanted[inside]
    return np.flatnonzero(inside), places[inside]


def words_of(segments: Sequence[Segment], rows: Rows) -> Words:
    """The words of given rows, ascending."""
    sizes = np.zeros(len(rows), np.int64)
    keys: list[Keys] = []
    codes: list[Codes] = []
    for segment, here in split(segments, rows):
        truth, local = segment.truth, rows[here] - segment.base
        starts = truth.ends[local].astype(np.int64)
        sizes[here] = truth.ends[local + 1] - starts
        flat = _ragged(starts, sizes[here])
        keys.append(truth.keys.take(truth.terms.take(flat)))
        codes.append(truth.codes.take(flat))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    code = np.concatenate(codes) if codes else np.zeros(0, np.uint16)
    key = np.concatenate(keys) if keys else np.zeros(0, np.uint64)
    return Words(offsets, key, counts(code), lengths_of(code))


def having(segments: Sequence[Segment], keys: Keys, *, allowed: Allowed) -> list[int]:
    """In how many allowed rows each term stands."""
    found = [0] * len(keys)
    for segment in segments:
        mask = allowed.mask[segment.base : segment.end]
        every = int(np.count_nonzero(mask)) == segment.rows
        ends = segment.derived.ends
        for term, place in zip(*_present(segment.truth.keys, keys), strict=True):
            first, end = int(ends[place]), int(ends[place + 1])
            if every:
                found[term] += end - first
            else:
                found[term] += int(np.count_nonzero(mask.take(segment.derived.rows[first:end])))
    return found


def blobs_of(
    segments: Sequence[Segment], rows: Rows, unit: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The blobs of given rows, ascending, as units of so many bytes, and how many each has."""
    sizes = np.zeros(len(rows), np.int64)
    units: list[NDArray[np.uint8]] = [np.zeros((0, unit), np.uint8)]
    for segment, here in split(segments, rows):
        truth, local = segment.truth, rows[here] - segment.base
        starts, ends = truth.cuts[local], truth.cuts[local + 1]
        if (starts % unit).any() or (ends % unit).any():
            raise ValueError(f"these blobs are not made of units of {unit} bytes")
        sizes[here] = (ends - starts) // unit
        whole = truth.blobs[: len(truth.blobs) // unit * unit].reshape(-1, unit)
        units.append(whole.take(_ragged(starts // unit, sizes[here]), axis=0))
    return np.concatenate(units), sizes


def scores_of(segments: Sequence[Segment], query: Query, rows: Rows) -> Floats:
    """What `lexical` gives to given rows, ascending: the same sums, for rows it may not find."""
    return (_totals_of(segments, query, rows) / query.scale).astype(np.float32)


def _totals_of(segments: Sequence[Segment], query: Query, rows: Rows) -> Amounts:
    totals = np.zeros(len(rows), np.float64)
    for owner, term, codes in _matches(segments, query.keys, rows):
        amounts = np.rint(query.weights[term] * impacts().take(codes))
        np.add.at(totals, owner, amounts)
    return totals


def impacts_of(segments: Sequence[Segment], keys: Keys, rows: Rows) -> Floats:
    """impact of every row (ascending) for every term: rows × terms, 0 where it is not there."""
    found = np.zeros((len(rows), len(keys)), np.float32)
    for owner, term, codes in _matches(segments, keys, rows):
        found[owner, term] = impacts().take(codes)
    return found


def _matches(
    segments: Sequence[Segment], keys: Keys, rows: Rows
) -> Iterator[tuple[Rows, NDArray[np.int64], Codes]]:
    """Wherever one of the rows has one of the (distinct) terms: which row, which term, its code."""
    for segment, here in split(segments, rows):
        truth, local = segment.truth, rows[here] - segment.base
        terms, places = _present(truth.keys, keys)
        which = np.full(len(truth.keys), -1, np.int64)
        which[places] = terms
        starts, ends = truth.ends.take(local).astype(np.int64), truth.ends.take(local + 1)
        sizes = ends - starts
        flat = _ragged(starts, sizes)
        term = which.take(truth.terms.take(flat))
        met = np.flatnonzero(term >= 0)
        owner = np.repeat(np.arange(here.start, here.stop), sizes)
        yield owner.take(met), term.take(met), truth.codes.take(flat.take(met))


def _ragged(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """start, start + 1, … for each, one after another."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))
