"""Timing: percentiles of many, and the best of a few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter, thread_time


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is at least as large as that share of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """P50 and P95 in milliseconds."""
    return {f"p{p}": round(percentile(seconds, p / 100) * 1000, 3) for p in (50, 95)}


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes once."""
    start = perf_counter()
    work()
    return perf_counter() - start


def worked(work: Callable[[], object]) -> float:
    """Seconds of the processor that it takes once, whatever else the machine does meanwhile."""
    start = thread_time()
    work()
    return thread_time() - start


def best(work: Callable[[], object], *, of: int) -> float:
    """Seconds of the quickest of a few goes: what it costs with nothing else in the way."""
    return min(timed(work) for _ in range(of))
