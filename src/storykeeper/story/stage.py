"""Stage directions of a beat: who comes and goes in its prose, who alone hears, who holds what.

The same that a narrator declares, by the author: it holds however the beat is told.
"""

from __future__ import annotations

from enum import StrEnum

from storykeeper.story.conditions import Authored
from storykeeper.units import Id


class MoveKind(StrEnum):
    """What somebody does on the stage."""

    DEPARTS = "departs"
    ARRIVES = "arrives"
    SLEEPS = "sleeps"
    WAKES = "wakes"
    HIDES = "hides"
    EMERGES = "emerges"
    CALL_OPENS = "call-opens"
    CALL_CLOSES = "call-closes"
    GIVES = "gives"
    TAKES = "takes"
    READS = "reads"
    SENDS = "sends"


class StageMove(Authored, frozen=True, kw_only=True):
    """Somebody comes, goes, sleeps, wakes, hides, calls, gives or takes something."""

    who: tuple[Id, ...]
    kind: MoveKind
    to: tuple[Id, ...] = ()  # a setting; of giving, sending and calling, people
    what: str = ""
    words: str = ""  # of the beat's prose: when; without, at its end


class StageAside(Authored, frozen=True, kw_only=True):
    """Words that only some of those there can hear."""

    words: str
    by: Id | None = None
    to: tuple[Id, ...] = ()


class Stage(Authored, frozen=True):
    """What a beat does on the stage."""

    moves: tuple[StageMove, ...] = ()
    asides: tuple[StageAside, ...] = ()
    here: tuple[Id, ...] = ()  # who is with the player at its end
    holds: dict[Id, Id] = {}  # thing → who has it at its end
