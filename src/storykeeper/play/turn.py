"""A turn under way, as a host holds it."""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.context.history import PresentTurn
from storykeeper.context.window import Window
from storykeeper.units import TurnNo, Version
from storykeeper.world.state import World


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
