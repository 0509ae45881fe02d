"""How far places are from each other, over the paths the author drew."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from storykeeper.world.plan import Plan

FARTHEST = 1.0
WITHIN_COST = 1.0  # as of a path whose cost nobody states
MEASURED_WHOLE = 512  # places; a larger map is measured by sweeps
SWEEPS, STEPS = 16, 4

Roads = dict[str, tuple[tuple[str, float], ...]]


@lru_cache(maxsize=16)
def roads(plan: Plan) -> Roads:
    """From each place, where its paths lead, and at what cost; whatever is locked now.

    A place that no path joins to any other is joined to the one that it lies within.
    """
    found: dict[str, list[tuple[str, float]]] = {place: [] for place in plan.settings}
    joined = {path.to for setting in plan.settings.values() for path in setting.paths}
    for setting in plan.settings.values():
        for path in setting.paths:
            found[setting.id].append((path.to, path.cost))
            if not path.one_way:
                found[path.to].append((setting.id, path.cost))
        if setting.within is not None and not setting.paths and setting.id not in joined:
            found[setting.id].append((setting.within, WITHIN_COST))
            found[setting.within].append((setting.id, WITHIN_COST))
    return {place: tuple(ways) for place, ways in found.items()}


@lru_cache(maxsize=16)
def adjacent(plan: Plan) -> dict[str, frozenset[str]]:
    """Each place with those one step away, in either direction."""
    found: dict[str, set[str]] = {place: set() for place in plan.settings}
    for place, ways in roads(plan).items():
        for to, _ in ways:
            found[place].add(to)
            found[to].add(place)
    return {place: frozenset(near) for place, near in found.items()}


def costs(plan: Plan, start: str) -> dict[str, float]:
    """The cost of the shortest way to every place that one can come to."""
    ways = roads(plan)
    found: dict[str, float] = {}
    least = {start: 0.0}
    waiting = [(0.0, start)]
    while waiting:
        cost, place = heappop(waiting)
        if place in found:
            continue
        found[place] = cost
        for to, step in ways.get(place, ()):
            further = cost + step
            if further < least.get(to, float("inf")):
                least[to] = further
                heappush(waiting, (further, to))
    return found


@lru_cache(maxsize=16)
def diameter(plan: Plan) -> float:
    """The longest of all shortest ways; of a very large map the longest that sweeps come upon."""
    if len(plan.settings) > MEASURED_WHOLE:
        return _swept(plan)
    return max((max(costs(plan, place).values()) for place in plan.settings), default=0.0)


def _swept(plan: Plan) -> float:
    """From here and there: to the farthest place, to the one farthest from it, and so on."""
    longest = 0.0
    for place in sorted(plan.settings)[:: len(plan.settings) // SWEEPS]:
        for _ in range(STEPS):
            far, place = max((cost, to) for to, cost in costs(plan, place).items())
            longest = max(longest, far)
    return longest


@lru_cache(maxsize=64)
def apart(plan: Plan, starts: tuple[str, ...]) -> dict[str, float]:
    """D_phys of every place within reach: the shortest way ÷ the diameter, at most 1.   F2.2b"""
    longest = diameter(plan)
    found: dict[str, float] = {}
    for start in starts:
        for place, cost in costs(plan, start).items():
            share = min(FARTHEST, cost / longest) if longest > 0 else 0.0
            found[place] = min(share, found.get(place, FARTHEST))
    return found
