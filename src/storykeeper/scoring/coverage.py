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
from functools import lru_cache
from math import pow, sqrt  # noqa: A004

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
MARKED, ONCE = 4.0, 0.5
THRIFT = 0.85  # how much a part's length counts against it
SCALE = 2**20  # worths are summed as whole numbers of this part


def worth(*, times: int, marked: bool, rarity: float) -> float:
    """w(t) = (4 if a name or number) · (½ if said once) · √rarity.   F6.11

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
    return factor / _thrift(cost)


@lru_cache(maxsize=4_096)
def _thrift(cost: int) -> float:
    return pow(max(cost, 1), THRIFT)


def covering_many(
    terms: Integers, lengths: Integers, costs: Sequence[int], worths: Floats, *, factors: Floats
) -> Iterator[int]:
    """The same as `covering` with terms by number, for thousands of parts at once.   F6.10

    `terms` are those of all parts, one part after another; `lengths` how many each has. What each
    part still adds is kept, and lowered where a term of it is covered; sums are of whole numbers,
    so that they are the same however they come about.
    """
    weighed = factors / np.fromiter(map(_thrift, costs), np.float64, count=len(costs))
    where = _Where(terms, lengths, np.rint(worths * SCALE).astype(np.int64))
    bounds = (-weighed * where.totals).tolist()
    weights, sums = weighed.tolist(), where.totals.tolist()
    heap = [(bounds[i], i) for i, cost in enumerate(costs) if cost > 0]
    heapq.heapify(heap)
    while heap and heap[0][0] < 0.0:
        bound, i = heap[0]
        now = -weights[i] * sums[i]
        if now > bound:  # gains only fall: an old one is an upper bound
            heapq.heapreplace(heap, (now, i))
            continue
        heapq.heappop(heap)
        yield i
        for value, parts in where.fresh(i):
            for part in parts:
                sums[part] -= value
    yield from sorted(i for _, i in heap)


class _Where:
    """In which parts each term stands, and which terms are covered."""

    def __init__(self, terms: Integers, lengths: Integers, values: Integers) -> None:
        ends = np.cumsum(lengths)
        upto = np.concatenate(([0], np.cumsum(values[terms])))
        self.totals: Integers = upto[ends] - upto[ends - lengths]  # what the terms of each come to
        self._values, self._terms = values, terms
        self._spans = list(zip((ends - lengths).tolist(), ends.tolist(), strict=True))
        parts = np.repeat(np.arange(len(lengths)), lengths)
        short = terms.astype(np.uint16) if len(values) <= 2**16 else terms  # many times as quick
        self._parts = parts[np.argsort(short, kind="stable")]
        self._ends = np.cumsum(np.bincount(terms, minlength=len(values)))
        self._covered = bytearray(len(values))

    def fresh(self, part: int) -> Iterator[tuple[int, list[int]]]:
        """The terms that it covers first, each by what it is worth and the parts that have it.

        Few parts are ever asked for: so what each needs is looked up then, and not for all.
        """
        first, end = self._spans[part]
        for term in self._terms[first:end].tolist():
            if not self._covered[term]:
                self._covered[term] = True
                start = int(self._ends[term - 1]) if term else 0
                yield int(self._values[term]), self._parts[start : self._ends[term]].tolist()
