"""A campaign read end to end, as one run: how fast, what is kept of it, and in how much memory.

How a turn is read is the caller's: a `Follower` reads turns and says what it tracks. Coverage is
the share of an episode's known characters and places (`campaign_names`) that were tracked at the
end of one of its scenes, or are kept for good at its end.
"""

from __future__ import annotations

import resource
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Protocol

from storykeeper.bench.mentions.campaign_data import Episode, Turn
from storykeeper.bench.mentions.campaign_names import Known, covered, known
from storykeeper.bench.registry import Figures, Say

_STATM = Path("/proc/self/statm")
_MEGABYTE = 1024 * 1024


class Follower(Protocol):
    """Reads a campaign, and says what it keeps of it."""

    def read(self, turn: Turn, *, scene: str) -> None:
        """One more turn; a new scene's name means that the last one is over."""
        ...

    def tracked(self) -> Sequence[Sequence[str]]:
        """What is tracked now: for each thing the names it goes by."""
        ...

    def persistent(self) -> Sequence[Sequence[str]]:
        """What has been kept for good, likewise."""
        ...


@dataclass(frozen=True, slots=True)
class Evening:
    """What came of one episode."""

    name: str
    turns: int
    words: int
    seconds: float
    tracked_by_scene: tuple[int, ...]
    persistent: int
    known: tuple[Known, ...]
    covered: int
    covered_for_good: int
    megabytes: float


def measure(follower: Follower, evenings: Sequence[Episode], say: Say) -> Figures:
    """Read all episodes as one campaign; the figures, overall and by episode."""
    told = []
    for episode, cast in zip(evenings, known(evenings), strict=True):
        told.append(_evening(follower, episode, cast))
        say(_line(told[-1]))
    return figures(told)


def _evening(follower: Follower, episode: Episode, cast: tuple[Known, ...]) -> Evening:
    seconds = 0.0
    counts: list[int] = []
    names: set[str] = set()
    for number, scene in enumerate(episode.scenes(), start=1):
        began = perf_counter()
        for turn in scene:
            follower.read(turn, scene=f"{episode.name}/{number}")
        seconds += perf_counter() - began
        tracked = follower.tracked()
        counts.append(len(tracked))
        names.update(_all_names(tracked))
    for_good = follower.persistent()
    kept = set(_all_names(for_good))
    return Evening(
        name=episode.name,
        turns=len(episode.turns),
        words=sum(len(turn.text.split()) for turn in episode.turns),
        seconds=seconds,
        tracked_by_scene=tuple(counts),
        persistent=len(for_good),
        known=cast,
        covered=covered(cast, names | kept),
        covered_for_good=covered(cast, kept),
        megabytes=resident_megabytes(),
    )


def _all_names(things: Iterable[Sequence[str]]) -> list[str]:
    return [name for thing in things for name in thing]


def figures(told: Sequence[Evening]) -> Figures:
    """Shares in percent. Memory is flat if it grows little after the first episode."""
    if not told:
        return {}
    turns, seconds = sum(e.turns for e in told), sum(e.seconds for e in told)
    scenes = [n for e in told for n in e.tracked_by_scene]
    first, last = told[0].megabytes, told[-1].megabytes
    return {
        "episodes": len(told),
        "turns": turns,
        "turns_per_s": round(turns / seconds, 1) if seconds else 0.0,
        "scenes": len(scenes),
        "tracked_median": statistics.median(scenes) if scenes else 0,
        "tracked_most": max(scenes, default=0),
        "persistent": told[-1].persistent,
        "known": sum(len(e.known) for e in told),
        "coverage": _share(told, lambda e: e.covered),
        "coverage_persistent": _share(told, lambda e: e.covered_for_good),
        "rss_mb_first": round(first, 1),
        "rss_mb_last": round(last, 1),
        "rss_growth": round(100 * (last - first) / first, 1) if first else 0.0,
        "by_episode": {e.name: _of(e) for e in told},
    }


def _share(told: Sequence[Evening], count: Callable[[Evening], int]) -> float:
    possible = sum(len(e.known) for e in told)
    return round(100 * sum(map(count, told)) / possible, 2) if possible else 0.0


def _of(evening: Evening) -> Figures:
    return {
        "turns": evening.turns,
        "turns_per_s": round(evening.turns / evening.seconds, 1) if evening.seconds else 0.0,
        "known": len(evening.known),
        "covered": evening.covered,
        "covered_persistent": evening.covered_for_good,
        "persistent": evening.persistent,
        "rss_mb": round(evening.megabytes, 1),
    }


def _line(evening: Evening) -> str:
    return (
        f"{evening.name}: {evening.turns:,} turns in {evening.seconds:.1f} s,"
        f" {evening.covered} of {len(evening.known)} known names tracked,"
        f" {evening.persistent} things kept for good, {evening.megabytes:.0f} MB"
    )


def resident_megabytes() -> float:
    """Memory in use now; where the system does not say, the most that there was."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * resource.getpagesize() / _MEGABYTE
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (_MEGABYTE if sys.platform == "darwin" else 1024)
