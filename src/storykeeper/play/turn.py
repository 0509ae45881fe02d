"""A turn under way, as a host holds it."""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.context.history import PresentTurn
from storykeeper.context.window import Window
from storykeeper.events.turns import Unread
from storykeeper.units import TurnNo, Version
from storykeeper.world.state import Pending, World


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way: its window, and what a narrator needs to write it."""

    number: TurnNo
    window: Window
    present: PresentTurn
    world: World  # after what the player's words do; not yet true
    version: Version  # where the run stood when the window was made
    replaced: bool = False  # an earlier line that was never answered gave way to this one
    question: str | None = None
    unread: tuple[str, ...] = ()  # what of this turn or the last is kept and was not read


def unread_line(turn: Pending) -> tuple[str, ...]:
    """That the line of a turn was left unread, if it was."""
    return (left_unread(turn.turn, Unread.LINE),) if Unread.LINE in turn.unread else ()


def left_unread(turn: int, what: Unread) -> str:
    """That something was left unread, in plain words."""
    text = "what you typed" if what is Unread.LINE else "what was told"
    return (
        f"turn {turn}: {text} is kept, and was left unread: that took too long; nothing follows"
        " from it but its words"
    )
