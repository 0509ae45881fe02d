"""`CharacterAction`: what a character does with its turn, and what that leans on."""

from __future__ import annotations

from typing import Literal

from storykeeper.canon.brief import Point
from storykeeper.canon.registry import Cite
from storykeeper.story.conditions import Authored
from storykeeper.units import Amount, Count, Id


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
    words: str = ""
    spends: dict[Id, Amount] = {}
    justification: str = ""
    cites: tuple[Cite, ...] = ()
    rests_on: tuple[str, ...] = ()
