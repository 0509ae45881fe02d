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
        fresh = [worths[t] for t in terms[i] if t not in covered]
        if not fresh:
            return 0.0
        fresh.sort()  # in one order: the same sum under any hash seed
        return (1.0 if factors is None else factors[i]) * sum(fresh) / pow(costs[i], THRIFT)

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


def covering_many(
    terms: Sequence[npt.NDArray[np.int64]],
    costs: Sequence[int],
    worths: npt.NDArray[np.float64],
    *,
    factors: Sequence[float] | None = None,
) -> Iterator[int]:
    """The same as `covering` with terms by number, for thousands of parts at once.   F6.10"""
    lengths = np.fromiter(map(len, terms), dtype=np.int64, count=len(terms))
    spent = [pow(max(cost, 1), THRIFT) for cost in costs]
    weights = np.ones(len(terms)) if factors is None else np.asarray(factors, dtype=np.float64)
    sums = _sums(terms, lengths, worths)
    first = weights * sums / np.asarray(spent)
    heap = [(-gain, i) for i, gain in enumerate(first.tolist()) if costs[i] > 0]
    heapq.heapify(heap)
    covered = np.zeros(len(worths), dtype=np.bool_)
    taken = False
    while heap:
        bound, i = heapq.heappop(heap)
        now = 0.0
        if bound:
            fresh = terms[i][~covered[terms[i]]] if taken else terms[i]
            now = float(weights[i] * _total(worths[fresh]) / spent[i])
        if heap and (-now, i) > heap[0]:
            heapq.heappush(heap, (-now, i))
            continue
        covered[terms[i]] = True
        taken = True
        yield i


def _sums(
    terms: Sequence[npt.NDArray[np.int64]],
    lengths: npt.NDArray[np.int64],
    worths: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """What each part is worth by itself: an upper bound of what it adds, up to rounding."""
    sums = np.zeros(len(terms))
    full = np.flatnonzero(lengths)
    if len(full):
        every = worths[np.concatenate(terms)]
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))[full]
        sums[full] = np.add.reduceat(every, starts)
    return sums * (1 + 1e-12)  # summed in another order it may be a last bit less


def _total(found: npt.NDArray[np.float64]) -> float:
    """A sum that does not depend on the order."""
    return float(np.sort(found).sum())
