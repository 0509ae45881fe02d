"""A world, asked each question once: in a large story many scenes ask the same.

Most questions have the same answer from turn to turn. A world never changes, and the next one
shares with it whatever did not: an answer is good as long as what it rests on is the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from storykeeper.gravity.possible import degree, inside, names, possible
from storykeeper.story.conditions import Condition, parts
from storykeeper.world.conditions import holds
from storykeeper.world.state import World

Answer = TypeVar("Answer", bool, float)

_RESTS_ON = {  # a key of a condition, and the parts of a world that it asks
    "knows": ("known", "truths"),
    "holds": ("truths",),
    "relation": ("standings",),
    "mood": ("moods",),
    "at": ("places",),
    "present": ("places",),
    "has": ("holders",),
    "did": ("deeds",),
    "happened": ("happened",),
    "told": ("told",),
    "visited": ("scenes", "layers", "told"),
    "completed": ("scenes",),
    "opened": ("gates",),
    "since": ("marks", "now"),
    "within": ("marks", "now"),
    "sequence": ("marks",),
}
_ALL = frozenset(part for rests in _RESTS_ON.values() for part in rests)


@lru_cache(maxsize=65_536)
def rests_on(condition: Condition) -> frozenset[str]:
    """The parts of a world that decide a condition."""
    return frozenset(part for name in names(condition) for part in _RESTS_ON.get(name, ()))


@lru_cache(maxsize=65_536)
def lost_by(condition: Condition) -> frozenset[str]:
    """The parts of a world that decide whether a condition may yet hold."""
    found = frozenset[str]()
    for name, inner in inside(condition):
        found |= lost_by(inner) if name in ("all_", "any_", "threshold") else rests_on(inner)
    own = {name for name, _ in parts(condition)} & {"since", "within", "sequence"}
    return found.union(*(_RESTS_ON[name] for name in own))


@lru_cache(maxsize=65_536)
def same(condition: Condition) -> Condition:
    """One object for all that are equal: a dict finds that without comparing them key by key."""
    return condition


class Asked:
    """The answers of one world so far; `before`: of another, which may be kept in part."""

    __slots__ = ("_degrees", "_held", "_possible", "world")

    def __init__(self, world: World, before: Asked | None = None) -> None:
        self.world = world
        self._held: dict[Condition, bool] = {}
        self._degrees: dict[Condition, float] = {}
        self._possible: dict[Condition, bool] = {}
        if before is not None and _same_asker(before.world, world):
            changed = {x for x in _ALL if getattr(world, x) is not getattr(before.world, x)}
            self._held = _kept(before._held, changed, rests_on)
            self._degrees = _kept(before._degrees, changed, rests_on)
            self._possible = _kept(before._possible, changed, lost_by)

    def holds(self, condition: Condition) -> bool:
        """Whether it is so."""
        found = self._held.get(condition)
        if found is None:
            found = self._held[condition] = holds(self.world, condition)
        return found

    def unmet(self, conditions: Iterable[Condition]) -> tuple[Condition, ...]:
        """Those that do not hold."""
        return tuple([each for each in conditions if not self.holds(each)])

    def degree(self, condition: Condition) -> float:
        """How far it is so."""
        found = self._degrees.get(condition)
        if found is None:
            found = self._degrees[condition] = degree(self.world, condition)
        return found

    def possible(self, condition: Condition) -> bool:
        """Whether it is so or may yet be."""
        found = self._possible.get(condition)
        if found is None:
            found = self._possible[condition] = possible(self.world, condition)
        return found


def _same_asker(before: World, now: World) -> bool:
    """Whether a condition means the same in both: `player` is whose turn it is."""
    return before.plan is now.plan and before.player == now.player


def _kept(
    answers: dict[Condition, Answer],
    changed: set[str],
    ground: Callable[[Condition], frozenset[str]],
) -> dict[Condition, Answer]:
    return {each: so for each, so in answers.items() if ground(each).isdisjoint(changed)}


_last: list[Asked] = []  # one at most: a story goes on from one world to the next


def asked(world: World) -> Asked:
    """The answers of a world: those of last time, as far as they are still good."""
    last = _last[0] if _last else None
    if last is not None and last.world is world:
        return last
    fresh = Asked(world, last)
    _last[:] = [fresh]
    return fresh
