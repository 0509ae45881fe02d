"""What is seen of somebody to whom their author gave nothing to be seen of: signs that it concerns
them, of a closed set.

    asked     about somebody or something that they are tied to
    heard     it is spoken of before them
    touched   something is done with it

A tie is a strong standing toward somebody in sight, a thing that they were seen to take, or a fact
about both, as far as each is open to the narrator. What somebody knows makes none: the signs of who
has a secret are those of who has none, so that they say nothing of it. None is seen twice in ten
turns, by whomever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from storykeeper.context.boundary import Boundary
from storykeeper.context.outward import SIGNS
from storykeeper.context.stances import strength
from storykeeper.story.people import Character
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.state import Mood, Standing, World

APART = 10  # turns between two that are alike
RESTS = 4  # and between two of one person
STRONGLY = 0.5  # from which a standing shows
STIRRED = 0.65  # from which arousal on nobody watches what goes on beside them


class Near(StrEnum):
    """How a turn comes near what somebody is tied to."""

    ASKED = "asked"
    HEARD = "heard"
    TOUCHED = "touched"


@dataclass(frozen=True, slots=True)
class Sign:
    """One that could be seen."""

    id: str  # "sign:heard/1"
    text: str


def signs(
    seen: Boundary, person: Character, *, asked: bool, topics: Collection[EntityId],
    touched: Collection[EntityId], calm: bool,
) -> Iterator[Sign]:  # fmt: skip
    """What could be seen of somebody, by what they are asked or hear and what is done; but for
    what they are asked only where nothing else is under way.
    """
    world = seen.world
    near = _near(seen, person, asked=asked, topics=topics, touched=touched)
    if (
        near is None
        or not (calm or near is Near.ASKED)
        or not _wants(world, person)
        or not _rested(world, person.id)
    ):
        return
    for n, text in enumerate(SIGNS[near.value]):
        sign = f"sign:{near.value}/{n}"
        if _is_fresh(world, sign):
            yield Sign(sign, text)


def is_sign(option: str) -> bool:
    """Whether an option, by its name after who does it, is one."""
    return option.startswith("sign:")


def _near(
    seen: Boundary, person: Character, *, asked: bool, topics: Collection[EntityId],
    touched: Collection[EntityId],
) -> Near | None:  # fmt: skip
    who = EntityId(person.id)
    if any(_is_tied(seen, who, each) for each in topics):
        if asked:
            return Near.ASKED
        return None if _is_stirred(seen.world, who) else Near.HEARD
    tied = not asked and any(_is_tied(seen, who, each) for each in touched)
    return Near.TOUCHED if tied and not _is_stirred(seen.world, who) else None


def _is_stirred(world: World, who: EntityId) -> bool:
    return world.moods.get(who, Mood()).arousal >= STIRRED


def _wants(world: World, person: Character) -> bool:
    """Whether they have something at stake: not who has reached all that they are seen to want."""
    aims = [goal for goal in person.goals if goal.open]
    ends = [goal.until is not None and holds(world, goal.until) for goal in aims]
    return not ends or not all(ends)


def _is_tied(seen: Boundary, who: EntityId, to: EntityId) -> bool:
    """Whether it concerns them, as far as the narrator may know."""
    if to == who or to in seen.plan.players:
        return False
    held = seen.world.standings.get((who, to), Standing())
    facts = (each for each in seen.plan.facts.values() if {who, to} <= {*each.about})
    return (
        (strength(held) >= STRONGLY and seen.open(f"relation:{who}/{to}"))
        or seen.in_hands(to) == who
        or any(seen.open(f"fact:{each.id}") for each in facts)
    )


def _rested(world: World, who: str) -> bool:
    """Whether they have shown none of late."""
    last = (turn for name, turn in world.shown.items() if name.startswith(f"{who}/sign:"))
    return all(world.now - turn >= RESTS for turn in last)


def _is_fresh(world: World, sign: str) -> bool:
    """Whether nobody has shown it of late."""
    last = (world.shown.get(f"{who}/{sign}") for who in world.plan.cast)
    return all(turn is None or world.now - turn >= APART for turn in last)
