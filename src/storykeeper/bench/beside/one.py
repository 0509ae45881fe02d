"""One system at one size, in a process of its own, so that what it takes is its alone."""

from __future__ import annotations

import hashlib
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from storykeeper.bench.beside.systems import SYSTEMS
from storykeeper.bench.registry import Figures

K = 10
ADDED_ONE_BY_ONE = 20
SAME = 20  # questions whose answers are compared


class Task(msgspec.Struct, frozen=True):
    """What the process is to do."""

    system: str
    folder: str
    texts: list[str]
    queries: list[str]
    opens: bool = False  # only open what is there, and search


def measured(task: Task) -> Figures:
    """The figures of one task."""
    began = time.perf_counter()
    system = SYSTEMS[task.system](Path(task.folder))
    first = system.search(task.queries[0], K) if task.opens else ()
    opened = time.perf_counter() - began
    if task.opens:
        return {"open_ms": round(1_000 * opened, 1), "found": len(first)}
    last = task.texts[-ADDED_ONE_BY_ONE:]
    many = task.texts[:-ADDED_ONE_BY_ONE]
    seconds = _timed(lambda: system.add(many))
    ones = sorted(_timed(lambda text=text: system.add([text])) for text in last)  # type: ignore[misc]
    system.search(task.queries[0], K)
    found = repr([system.search(q, K) for q in task.queries[:SAME]])
    searches = sorted(_timed(lambda q=q: system.search(q, K)) for q in task.queries)  # type: ignore[misc]
    system.close()
    return {
        "add_many_per_second": round(len(many) / seconds),
        "add_one_p50": _at(ones, 0.5),
        "search_p50": _at(searches, 0.5),
        "search_p95": _at(searches, 0.95),
        "answers": hashlib.sha256(found.encode()).hexdigest()[:16],  # alike, if they found alike
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024, 1),
    }


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _at(seconds: list[float], share: float) -> float:
    return round(1_000 * seconds[min(len(seconds) - 1, int(share * len(seconds)))], 3)


if __name__ == "__main__":
    wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    sys.stdout.write(msgspec.json.encode(measured(wanted)).decode() + "\n")
