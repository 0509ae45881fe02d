"""`CharacterAction`: what a character does with its turn, and what that leans on."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from storykeeper.canon.brief import Point
from storykeeper.canon.registry import Cite
from storykeeper.story.conditions import Authored
from storykeeper.units import Amount, Count, Id

MOST_SAID, MOST_REASONS = 1_000, 2_000  # characters: what is said stands in the briefs of others


class CharacterAction(Authored, frozen=True, kw_only=True):
    """What a character does with its turn.

    `rests_on` names pieces of its brief by their ids: a snippet, a presence, a belief, a piece of
    the past. Whatever the justification takes from canon is cited.
    """

    format: Literal[1] = 1
    who: Id
    turn: Count
    verb: Id
    target: str | None = None  # a handle of the brief
    to: Point | None = None  # where it goes
    channel: Id | None = None
    words: Annotated[str, Meta(max_length=MOST_SAID)] = ""
    spends: dict[Id, Amount] = {}
    justification: Annotated[str, Meta(max_length=MOST_REASONS)] = ""
    cites: tuple[Cite, ...] = ()
    rests_on: tuple[str, ...] = ()
