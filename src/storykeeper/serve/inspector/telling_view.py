"""Why those who hold a fact do not say it: what they tell and when, what shows, their rules.

For the author: it says what is meant to stay unsaid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from storykeeper.context.words import name_of
from storykeeper.drawing.condition_words import part_in_words
from storykeeper.errors import NoSuchItem
from storykeeper.play.knowing import Level, matrix
from storykeeper.story.conditions import Condition, parts
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import PLAYER
from storykeeper.world.conditions import part_holds
from storykeeper.world.state import World


def telling(world: World, fact: str) -> dict[str, Any]:
    """What must be so before a fact is told, and whether it is; of everybody who has it."""
    authored = world.plan.facts.get(fact)
    if authored is None:
        raise NoSuchItem(f"no fact called {fact!r:.80} is in this story")
    minds = matrix(world)
    return {
        "fact": fact,
        "reveals": [
            {"to": _names(world, each.to), "suspects": each.suspects,
             "asks": _asks(world, each.when)} for each in authored.revealed_by
        ],
        "holders": {
            who: {"knows": mind[fact].level is Level.KNOWS, "player": who in _players(world)}
            | _of(world, authored, who)
            for who, mind in minds.items() if fact in mind
        },
    }  # fmt: skip


def _of(world: World, fact: Fact, who: str) -> dict[str, Any]:
    person = world.plan.cast[who]
    return {
        "tells": [
            {"to": _names(world, each.to), "suspects": each.suspects,
             "asks": _asks(world, each.when)} for each in person.tells if each.fact == fact.id
        ],
        "shows": [
            {"text": each.text.replace("{who}", name_of(world.plan, who)),
             "asks": [] if each.when is None else _asks(world, each.when)}
            for each in fact.shows if not each.who or who in each.who
        ],
        "rules": [*person.rules, *person.taboos],
    }  # fmt: skip


def _players(world: World) -> tuple[str, ...]:
    return world.plan.story.players


def _names(world: World, to: tuple[str, ...]) -> list[str]:
    return ["the player" if each == PLAYER else name_of(world.plan, each) for each in to]


def _asks(world: World, condition: Condition) -> list[dict[str, Any]]:
    """Each part of a condition in words, and whether it is met."""

    def each() -> Iterator[dict[str, Any]]:
        for name, value in parts(condition):
            asked = part_in_words(world.plan, name, value)
            yield {"asks": asked, "met": part_holds(world, name, value)}

    return list(each())
