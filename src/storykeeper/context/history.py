"""What has been told so far, turn by turn: the bulk that a world does not hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storykeeper.events.atoms import Atom
from storykeeper.events.records import AnyRecord
from storykeeper.story.scenes import Beat
from storykeeper.units import EntityId, SceneId, TurnNo

if TYPE_CHECKING:
    from storykeeper.memory.evidence import Evidence


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A committed turn, whole. One turn is one bundle."""

    turn: TurnNo
    scene: SceneId
    player: EntityId
    text: str  # the player's words; empty for the opening
    prose: str
    atoms: tuple[Atom, ...] = ()
    # What came of it: heavier turns are kept longer at hand.
    weight: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class PresentTurn:
    """The turn under way: what the player typed, and what follows from it (shown, not yet true)."""

    turn: TurnNo
    player: EntityId
    text: str
    decided: tuple[AnyRecord, ...] = ()  # atoms, revelations, gates, moves of this turn
    beats: tuple[tuple[str, Beat], ...] = ()  # ("scene/beat", beat) to be told now
    written: tuple[Evidence, ...] = ()  # what a character has read that bears on it


@dataclass(frozen=True, slots=True)
class Summed:
    """What a model made of some turns, and when that was put on record."""

    of: tuple[TurnNo, ...]
    text: str
    at: TurnNo

    @property
    def name(self) -> str:
        """The turns, as its source has them: `1-16`."""
        return f"{self.of[0]}-{self.of[-1]}"


@dataclass(frozen=True, slots=True)
class Recalled:
    """Something of the past that memory found for the player's words."""

    source: str  # "turn:12"; of a character, "atom:t12.3"
    share: float  # its S_proj ÷ the best of that search
    likeness: float  # to the words, in [0, 1]
    turn: PastTurn
