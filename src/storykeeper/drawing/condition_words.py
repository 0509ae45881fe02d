"""What a condition asks for, in words."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.words import name_of, third_person
from storykeeper.story.conditions import (
    At,
    Condition,
    Did,
    Has,
    Knows,
    MoodNear,
    RelationRange,
    Since,
    Threshold,
    Within,
    parts,
)
from storykeeper.story.model import PLAYER
from storykeeper.world.plan import Plan

_ASKED = {
    "holds": "{} is so",
    "present": "{} is in the scene",
    "happened": "{} has happened",
    "told": "the beat {} has been told",
    "visited": "{} has been visited",
    "completed": "{} is completed",
    "opened": "the gate {} is open",
}
_SIDES = (("at_least", "≥"), ("at_most", "≤"))


def in_words(plan: Plan, condition: Condition) -> str:
    """All that must be so."""
    return " and ".join(part_in_words(plan, name, value) for name, value in parts(condition))


def part_in_words(plan: Plan, name: str, value: object) -> str:
    """One part of a condition, as `parts` gives them."""
    match value:
        case Condition():
            return f"not ({in_words(plan, value)})"
        case Threshold(at_least=least, of=of):
            return f"at least {least} of ({_joined(plan, of, '; ')})"
        case Since(turns=turns, of=of):
            return f"{_turns(turns)} since {in_words(plan, of)}"
        case Within(turns=turns, of=of):
            return f"{in_words(plan, of)} in the last {_turns(turns)}"
        case tuple():
            return f"({_joined(plan, value, _BETWEEN[name])})"
        case str() if name == "present":
            return _ASKED[name].format(_who(plan, value))
        case str():
            return _ASKED[name].format(value)
        case _:
            return _asked(plan, value)


_BETWEEN = {"all_": " and ", "any_": " or ", "sequence": ", then "}


def _joined(plan: Plan, conditions: tuple[Condition, ...], between: str) -> str:
    return between.join(in_words(plan, each) for each in conditions)


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


def _who(plan: Plan, who: str) -> str:
    return "the player" if who == PLAYER else name_of(plan, who)


def _asked(plan: Plan, value: object) -> str:
    """One thing that is asked of the world."""
    match value:
        case Knows(who=who, fact=fact, suspects=suspects):
            return f"{_who(plan, who)} {'suspects' if suspects else 'knows'} {fact}"
        case RelationRange():
            return _standing(plan, value)
        case MoodNear():
            return _mood(plan, value)
        case At(who=who, place=place):
            return f"{_who(plan, who)} is at {name_of(plan, place)}"
        case Has(who=who, thing=thing):
            return f"{_who(plan, who)} has {name_of(plan, thing)}"
        case Did(who=who, act=act, to=to, about=about):
            whom = f" {name_of(plan, to)}" if to else ""
            topic = f" about {name_of(plan, about)}" if about else ""
            return f"{_who(plan, who)} {third_person(act)}{whom}{topic}"
        case _:
            raise AssertionError(f"no words for {type(value).__name__}")


def _standing(plan: Plan, asked: RelationRange) -> str:
    sides = [
        f"{sign} {value:g}"
        for (name, sign), end in zip(_SIDES, (-1.0, 1.0), strict=True)
        if (value := getattr(asked, name)) != end
    ]
    return (
        f"{_who(plan, asked.from_)} toward {_who(plan, asked.to)}: {asked.dimension.value}"
        f" {' and '.join(sides) or 'anything'}"
    )


def _mood(plan: Plan, asked: MoodNear) -> str:
    measures = ", ".join(_measures(asked)) or "anything"
    return f"the mood of {_who(plan, asked.who)} within {asked.within:g} of {measures}"


def _measures(asked: MoodNear) -> Iterator[str]:
    for name in ("valence", "arousal", "determination"):
        value = getattr(asked, name)
        if value is not None:
            yield f"{name} {value:g}"
