"""Whether a condition can still come to hold, whether it always will, and how far it does already.

Some things are never undone: what happened, what was told, visited, completed, opened or learned.
So a condition that asks for one of them *not* to be so can be lost for good:

    not X may yet hold      unless X holds for good
    not X holds for good    if X can no longer come to hold
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from storykeeper.story.checks.shapes import contradicts
from storykeeper.story.conditions import Condition, Knows, Since, Threshold, Within, parts
from storykeeper.world.conditions import part_holds
from storykeeper.world.plan import key
from storykeeper.world.state import World, mark_of

LASTING = frozenset({"knows", "happened", "told", "visited", "completed", "opened"})
_LOSING = frozenset({"not_", "sequence", "threshold", "any_"})  # without these nothing is lost
SUSPECTED = 0.5  # of a fact that is to be known


def inside(condition: Condition) -> Iterator[tuple[str, Condition]]:
    """The conditions directly inside this one, each under the key it stands at."""
    for name, value in parts(condition):
        match value:
            case Condition():
                yield name, value
            case Since() | Within():
                yield name, value.of
            case Threshold():
                yield from ((name, each) for each in value.of)
            case tuple():
                yield from ((name, each) for each in value)


@lru_cache(maxsize=65_536)
def names(condition: Condition) -> frozenset[str]:
    """All that a condition and those inside it ask for."""
    own = frozenset(name for name, _ in parts(condition))
    return own.union(*(names(inner) for _, inner in inside(condition)))


def possible(world: World, condition: Condition) -> bool:
    """Whether it holds or may yet: false only if something lasting, or itself, is against it."""
    if names(condition).isdisjoint(_LOSING):
        return True
    if _contradicts(condition):
        return False
    return all(_part_possible(world, name, value) for name, value in parts(condition))


@lru_cache(maxsize=65_536)
def _contradicts(condition: Condition) -> bool:
    return contradicts(condition)


def _part_possible(world: World, name: str, value: object) -> bool:
    match value:
        case Condition():  # not
            return not for_good(world, value)
        case Threshold():
            return sum(possible(world, each) for each in value.of) >= value.at_least
        case Since():
            return mark_of(world, key(value.of)) is not None or possible(world, value.of)
        case Within():
            return possible(world, value.of) or part_holds(world, name, value)
        case tuple() if name == "any_":
            return any(possible(world, each) for each in value)
        case tuple() if name == "sequence":
            return _in_order(world, value)
        case tuple():
            return all(possible(world, each) for each in value)
        case _:
            return True


def _in_order(world: World, wanted: tuple[Condition, ...]) -> bool:
    """What has come came in this order and before what is missing, which may yet come."""
    marks = [mark_of(world, key(each)) for each in wanted]
    firsts = [mark.first for mark in marks if mark is not None]
    came = len(firsts)
    if firsts != sorted(firsts) or any(mark is None for mark in marks[:came]):
        return False
    return all(possible(world, each) for each in wanted[came:])


def for_good(world: World, condition: Condition) -> bool:
    """Whether it holds and always will: only a correction on record could change that."""
    return all(_part_for_good(world, name, value) for name, value in parts(condition))


def _part_for_good(world: World, name: str, value: object) -> bool:
    match value:
        case Condition():  # not
            return not possible(world, value)
        case Threshold():
            return sum(for_good(world, each) for each in value.of) >= value.at_least
        case Within():
            return for_good(world, value.of)
        case tuple() if name == "any_":
            return any(for_good(world, each) for each in value)
        case tuple() if name == "all_":
            return all(for_good(world, each) for each in value)
        case _:
            lasting = name in LASTING or name in ("since", "sequence")
            return lasting and part_holds(world, name, value)


def degree(world: World, condition: Condition) -> float:
    """m ∈ [0,1].   F2.1c: 1 if it holds; of several things the share; suspected is half known."""
    found = [_part_degree(world, name, value) for name, value in parts(condition)]
    return sum(found) / len(found) if found else 0.0


def _part_degree(world: World, name: str, value: object) -> float:
    match value:
        case tuple() if name == "any_":
            return max((degree(world, each) for each in value), default=0.0)
        case tuple() if name == "all_" and value:
            return sum(degree(world, each) for each in value) / len(value)
        case Threshold():
            best = sorted((degree(world, each) for each in value.of), reverse=True)
            return min(1.0, sum(best[: value.at_least]) / value.at_least)
        case Knows(who=who, fact=fact, suspects=False):
            if part_holds(world, name, value):
                return 1.0
            half = Knows(who=who, fact=fact, suspects=True)
            return SUSPECTED * part_holds(world, name, half)
        case _:
            return float(part_holds(world, name, value))
