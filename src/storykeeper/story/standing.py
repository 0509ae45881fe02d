"""Where a condition has the player be."""

from __future__ import annotations

from functools import lru_cache

from storykeeper.story.conditions import Condition, children
from storykeeper.story.model import PLAYER


@lru_cache(maxsize=4_096)
def asked_at(condition: Condition) -> tuple[str, ...]:
    """The settings in which a condition has the player be."""
    mine = condition.at
    found = [mine.place] if mine is not None and mine.who == PLAYER else []
    for path, inner in children(condition):
        if path[0] not in ("not", "since", "within", "sequence"):
            found += asked_at(inner)
    return tuple(found)
