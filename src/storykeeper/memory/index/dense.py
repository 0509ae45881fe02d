"""Nearness in meaning: the cascade over prefixes, and the full scan it is measured against."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numkong
import numpy as np
from numpy.typing import NDArray

from storykeeper.memory.index.cascade import Cascade
from storykeeper.memory.index.segments import EPSILON, Segment
from storykeeper.memory.index.values import Allowed, Bools, Floats, Hits, Int8, Rows

Dots = NDArray[np.int32]
# Fewer than one in so many: gathering the allowed rows is quicker than scanning past the others.
SPARSE = 6
SAMPLED = 128  # one row in so many is looked at first, to guess where the best begin
THREADED = 200_000  # allowed rows from which more than one thread is worth it
MOST_THREADS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Candidates, rows ascending."""

    rows: Rows
    dots: Dots  # over the prefix looked at so far
    scores: Floats  # its cosine, but for the query's norm, which is the same for all

    def __getitem__(self, which: NDArray[np.int64] | Bools) -> Found:
        return Found(self.rows[which], self.dots[which], self.scores[which])


def dots(vectors: Int8, query: Int8) -> Dots:
    """q·v for every row, exact."""
    if not len(vectors):
        return np.zeros(0, np.int32)
    packed = numkong.dots_pack(np.ascontiguousarray(query)[None, :])
    return np.asarray(numkong.dots_packed(vectors, packed))[:, 0]


def best(scores: NDArray[np.float32] | NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Places of the `count` highest, ascending; of equals, those that stand first."""
    if len(scores) <= count:
        return np.arange(len(scores))
    cut = np.partition(scores, len(scores) - count)[len(scores) - count]
    above = scores > cut
    ties = np.flatnonzero(scores == cut)[: count - int(np.count_nonzero(above))]
    above[ties] = True
    return np.flatnonzero(above)


def ranked(rows: Rows, scores: Floats, count: int, *, tier: int) -> Hits:
    """The best, highest first, older first among equals."""
    chosen = best(scores, count)
    order = chosen[np.argsort(-scores[chosen], kind="stable")]
    return Hits(rows[order], scores[order], tier)


def exact(
    segments: Sequence[Segment], query: Int8, *, allowed: Allowed, k: int, tiers: int
) -> Hits:
    """The k nearest of all that is allowed, by full vectors."""
    if not query.any():
        return Hits(np.zeros(0, np.int64), np.zeros(0, np.float32), tiers)

    def score(segment: Segment, local: Rows | None) -> tuple[Dots, Floats]:
        whole, norms = segment.truth.full, segment.derived.norms[-1]
        found = dots(whole if local is None else whole.take(local, axis=0), query)
        return found, found.astype(np.float32) * (norms if local is None else norms[local])

    found = _scan(segments, score, allowed=allowed, keep=k)
    return ranked(found.rows, found.scores * _inverse_norm(query), k, tier=tiers)


def cascade(
    segments: Sequence[Segment],
    query: Int8,
    *,
    allowed: Allowed,
    k: int,
    tiers: int,
    settings: Cascade,
) -> Hits:
    """The k nearest, found through the prefixes; which rows, by `settings`; the scores are full."""
    kept = settings.kept(allowed.count, k)
    if not tiers or not query.any() or allowed.count <= max(settings.scan_all, kept):
        return exact(segments, query, allowed=allowed, k=k, tiers=tiers)
    found = _first_tier(segments, query, allowed=allowed, keep=kept)
    rows, scores = found.rows[:0], found.scores[:0]
    for tier in range(tiers):
        if tier:
            found = _next_tier(segments, query, found, tier)
        chosen = best(found.scores, settings.rescored(allowed.count, k, tier=tier))
        rows = found.rows[chosen]
        scores = cosines(segments, query, rows)
        if _enough(found.scores[chosen], scores, query[: _prefix(segments, tier)], k=k,
                   margin=settings.margin(tier)):  # fmt: skip
            return ranked(rows, scores, k, tier=tier)
    return ranked(found.rows, cosines(segments, query, found.rows), k, tier=tiers)


def _enough(prefix: Floats, full: Floats, query: Int8, *, k: int, margin: float) -> bool:
    """Whether the k-th best full cosine stands `margin` above the prefix cosine at the cut."""
    if len(full) < k or not query.any():
        return False
    kth = np.partition(full, len(full) - k)[len(full) - k]
    return bool(kth - prefix.min() * _inverse_norm(query) >= margin)


def cosines(segments: Sequence[Segment], query: Int8, rows: Rows) -> Floats:
    """Full cosines of given rows, ascending."""
    found = np.empty(len(rows), np.float32)
    for segment, here in split(segments, rows):
        local = rows[here] - segment.base
        part = dots(segment.truth.full.take(local, axis=0), query).astype(np.float32)
        found[here] = part * segment.derived.norms[-1].take(local)
    return found * _inverse_norm(query)


def _first_tier(segments: Sequence[Segment], query: Int8, *, allowed: Allowed, keep: int) -> Found:
    start = np.ascontiguousarray(query[: _prefix(segments, 0)])

    def score(segment: Segment, local: Rows | None) -> tuple[Dots, Floats]:
        norms = segment.derived.norms[0]
        if local is None:
            found = np.asarray(numkong.dots_packed(start[None, :], segment.derived.packed))[0]
            return found, found.astype(np.float32) * norms
        found = dots(segment.derived.slices[0].take(local, axis=0), start)
        return found, found.astype(np.float32) * norms.take(local)

    return _scan(segments, score, allowed=allowed, keep=keep)


def _next_tier(segments: Sequence[Segment], query: Int8, found: Found, tier: int) -> Found:
    """The same rows, by the next prefix: only the dimensions it adds are read."""
    part = query[_prefix(segments, tier - 1) : _prefix(segments, tier)]
    added, scores = found.dots.copy(), np.empty(len(found.rows), np.float32)
    for segment, here in split(segments, found.rows):
        local = found.rows[here] - segment.base
        added[here] += dots(segment.derived.slices[tier][local], part)
        scores[here] = added[here].astype(np.float32) * segment.derived.norms[tier][local]
    return Found(found.rows, added, scores)


Score = Callable[[Segment, "Rows | None"], tuple[Dots, Floats]]


def _scan(segments: Sequence[Segment], score: Score, *, allowed: Allowed, keep: int) -> Found:
    """The best `keep` of the allowed rows, exactly."""
    floor = _guessed(segments, score, allowed=allowed, keep=keep)
    found = _swept(segments, score, allowed=allowed, keep=keep, floor=floor)
    if len(found.rows) < keep and floor > -np.inf:  # guessed too high
        found = _swept(segments, score, allowed=allowed, keep=keep, floor=-np.inf)
    return found


def _guessed(segments: Sequence[Segment], score: Score, *, allowed: Allowed, keep: int) -> float:
    """A score that a few more than `keep` rows are likely to pass, from one row in so many."""
    if allowed.count < SAMPLED * SAMPLED or keep < SAMPLED or allowed.count < 4 * keep:
        return -np.inf
    scores: list[Floats] = []
    for segment in segments:
        local = np.arange(0, segment.rows, SAMPLED)
        local = local[allowed.mask[segment.base + local]]
        scores.append(score(segment, local)[1])
    drawn = np.concatenate(scores)
    place = len(drawn) - int(1.25 * keep / allowed.count * len(drawn)) - SAMPLED // 8
    return float(np.partition(drawn, place)[place]) if place > 0 else -np.inf


def _swept(
    segments: Sequence[Segment], score: Score, *, allowed: Allowed, keep: int, floor: float
) -> Found:
    """The best `keep` of the allowed rows above the floor, which rises as they are found."""
    if floor > -np.inf and allowed.count >= THREADED:
        found = _joined(_all_above(segments, score, allowed.mask, floor, keep))
        return found[best(found.scores, keep)]
    found = Found(np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))
    parts: list[Found] = []
    waiting = 0
    for segment in segments:
        part = _above(segment, score, allowed.mask[segment.base : segment.end], floor, keep)
        parts.append(part)
        waiting += len(part.rows)
        if len(found.rows) + waiting >= (keep if floor == -np.inf else 2 * keep):
            found = _joined([found, *parts])
            found = found[best(found.scores, keep)]
            # Rows to come are newer: one that only equals the last of these loses against it.
            floor = float(found.scores.min())
            parts, waiting = [], 0
    found = _joined([found, *parts])
    return found[best(found.scores, keep)]


def _all_above(
    segments: Sequence[Segment], score: Score, mask: Bools, floor: float, keep: int
) -> list[Found]:
    """Every segment by itself, on as many threads as there are cores; products hold no lock."""

    def part(segment: Segment) -> Found:
        return _above(segment, score, mask[segment.base : segment.end], floor, keep)

    return list(_pool().map(part, segments))


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads that wait for the next search: to start them takes as long as a tenth of it."""
    return ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS), "storykeeper-scan")


def _above(segment: Segment, score: Score, mask: Bools, floor: float, keep: int) -> Found:
    """The allowed rows of a segment that score above the floor, or the best of them."""
    count = int(np.count_nonzero(mask))
    local = np.flatnonzero(mask) if count * SPARSE <= segment.rows else None
    products, scores = score(segment, local)
    if floor == -np.inf and count > keep:
        visible = scores if local is not None else np.where(mask, scores, np.float32(-np.inf))
        high = best(visible, keep)
    elif local is None and count < segment.rows:
        high = np.flatnonzero((scores > floor) & mask)
    else:
        high = np.flatnonzero(scores > floor)
    rows = high if local is None else local[high]
    return Found(rows + segment.base, products[high], scores[high])


def _joined(parts: Sequence[Found]) -> Found:
    return Found(
        np.concatenate([p.rows for p in parts]),
        np.concatenate([p.dots for p in parts]),
        np.concatenate([p.scores for p in parts]),
    )


def split(segments: Sequence[Segment], rows: Rows) -> list[tuple[Segment, slice]]:
    """Where in ascending rows each segment's stand."""
    edges = [0, *np.searchsorted(rows, [s.end for s in segments]).tolist()]
    return [(s, slice(a, b)) for s, (a, b) in zip(segments, pairwise(edges), strict=True) if a < b]


def _prefix(segments: Sequence[Segment], tier: int) -> int:
    return sum(s.shape[1] for s in segments[0].derived.slices[: tier + 1])


def _inverse_norm(query: Int8) -> np.float32:
    wide = query.astype(np.int64)
    return np.float32(1.0 / np.sqrt(float(wide @ wide) + EPSILON**2))
