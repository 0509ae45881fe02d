"""What to quote of a text too long to stand whole: parts that say most of what is not said yet.

    gain(i) = f_i · Σ worth(t) over terms t of part i that none before it has / cost(i)^.85    F6.10

The part with the highest gain comes first, then the one with the highest gain beside it, and so on:
so the order says what each part adds, and any beginning of it is the choice for a smaller room. By
worth/cost crumbs would win, by worth alone the longest; the exponent was chosen by `bench
continuity` on playthroughs of five authors (decision 14).
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import pow, sqrt  # noqa: A004

import numpy as np
import numpy.typing as npt

MARKED, ONCE = 2.0, 0.5
THRIFT = 0.85  # how much a part's length counts against it
SCALE = 2**20  # worths are summed as whole numbers of this part
GONE = -1.0  # the gain of what is taken, or is not there


def worth(*, times: int, marked: bool, rarity: float) -> float:
    """w(t) = (2 if a name or number) · (½ if said once) · √rarity.   F6.11

    What came up once is colour more often than matter. A name or a number is what is looked for.
    """
    return (MARKED if marked else 1.0) * (ONCE if times < 2 else 1.0) * sqrt(rarity)


def covering(
    terms: Sequence[Collection[str]],
    costs: Sequence[int],
    worths: Mapping[str, float],
    *,
    factors: Sequence[float] | None = None,
) -> Iterator[int]:
    """Places in the order of what they add; those that add nothing come last.   F6.10

    Of equals the first is taken. A place that costs nothing is not there.
    """
    covered: set[str] = set()

    def gain(i: int) -> float:
        fresh = sum(round(worths[t] * SCALE) for t in terms[i] if t not in covered)
        return _weight(costs[i], 1.0 if factors is None else factors[i]) * fresh

    heap = [(-gain(i), i) for i in range(len(terms)) if costs[i] > 0]
    heapq.heapify(heap)
    while heap:
        bound, i = heapq.heappop(heap)
        now = gain(i) if bound else 0.0
        if heap and (-now, i) > heap[0]:  # gains only fall: an old one is an upper bound
            heapq.heappush(heap, (-now, i))
            continue
        covered.update(terms[i])
        yield i


def _weight(cost: int, factor: float) -> float:
    return factor / pow(max(cost, 1), THRIFT)


def covering_many(
    terms: Sequence[npt.NDArray[np.int64]],
    costs: Sequence[int],
    worths: npt.NDArray[np.float64],
    *,
    factors: Sequence[float] | None = None,
) -> Iterator[int]:
    """The same as `covering` with terms by number, for thousands of parts at once.   F6.10

    What each part still adds is kept, and lowered where a term of it is covered; sums are of whole
    numbers, so that they are the same however they come about.
    """
    given = np.ones(len(terms)) if factors is None else np.asarray(factors, dtype=np.float64)
    weights = np.array([_weight(c, f) for c, f in zip(costs, given.tolist(), strict=True)])
    values = np.rint(worths * SCALE).astype(np.int64)
    where = _Where(terms, len(values))
    sums = where.totals(values)
    there = np.asarray(costs, dtype=np.int64) > 0
    gains = np.where(there, weights * sums, GONE)
    covered = np.zeros(len(values), dtype=np.bool_)
    while len(gains):
        best = int(np.argmax(gains))
        if gains[best] <= 0.0:
            break
        yield best
        there[best], gains[best] = False, GONE
        for term in terms[best][~covered[terms[best]]].tolist():
            covered[term] = True
            parts = where.of(term)
            sums[parts] -= values[term]
            gains[parts] = np.where(there[parts], weights[parts] * sums[parts], GONE)
    yield from np.flatnonzero(there).tolist()


class _Where:
    """In which parts each term stands."""

    def __init__(self, terms: Sequence[npt.NDArray[np.int64]], count: int) -> None:
        lengths = np.fromiter(map(len, terms), dtype=np.int64, count=len(terms))
        self._flat = np.concatenate(terms) if len(terms) else np.zeros(0, dtype=np.int64)
        self._parts = np.repeat(np.arange(len(terms)), lengths)
        self._count = len(terms)
        self._ordered = self._parts[np.argsort(self._flat, kind="stable")]
        self._ends = np.cumsum(np.bincount(self._flat, minlength=count))

    def of(self, term: int) -> npt.NDArray[np.int64]:
        """The parts that have it."""
        start = self._ends[term - 1] if term else 0
        return self._ordered[start : self._ends[term]]

    def totals(self, values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """What the terms of each part come to."""
        sums = np.zeros(self._count, dtype=np.int64)
        np.add.at(sums, self._parts, values[self._flat])
        return sums
