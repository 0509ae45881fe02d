"""Whether a condition can still come to hold, and how far it does already.

Some things are never undone: what happened, what was told, visited, completed, opened or learned.
So a condition that asks for one of them *not* to be so can be lost for good.
"""

from __future__ import annotations

from storykeeper.story.conditions import Condition, Knows, Since, Threshold, Within, parts
from storykeeper.world.conditions import holds, part_holds
from storykeeper.world.plan import key
from storykeeper.world.state import World

_LASTING = frozenset({"knows", "happened", "told", "visited", "completed", "opened"})
_SUSPECTED = 0.5  # of a fact that is to be known


def possible(world: World, condition: Condition) -> bool:
    """Whether it holds or may yet: false only if something lasting stands against it."""
    return all(_part_possible(world, name, value) for name, value in parts(condition))


def _part_possible(world: World, name: str, value: object) -> bool:
    match value:
        case Condition():  # not
            return not (lasts(value) and holds(world, value))
        case Threshold():
            return sum(possible(world, each) for each in value.of) >= value.at_least
        case Since():
            return key(value.of) in world.marks or possible(world, value.of)
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
    marks = [world.marks.get(key(each)) for each in wanted]
    firsts = [mark.first for mark in marks if mark is not None]
    came = len(firsts)
    if firsts != sorted(firsts) or any(mark is None for mark in marks[:came]):
        return False
    return all(possible(world, each) for each in wanted[came:])


def lasts(condition: Condition) -> bool:
    """Whether once it holds it holds for good."""
    return all(_part_lasts(name, value) for name, value in parts(condition))


def _part_lasts(name: str, value: object) -> bool:
    match value:
        case Threshold():
            return all(map(lasts, value.of))
        case Since():
            return True
        case tuple():
            return name == "sequence" or all(map(lasts, value))
        case _:
            return name in _LASTING


def degree(world: World, condition: Condition) -> float:
    """m ∈ [0,1].   F2.1a: 1 if it holds; of several things the share; suspected is half known."""
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
            return _SUSPECTED * part_holds(world, name, half)
        case _:
            return float(part_holds(world, name, value))
