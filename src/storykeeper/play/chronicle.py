"""What is kept at hand of the turns that are older than the last few hundred: ever fewer of them.

Turns come in blocks of sixteen. When a block is old, the four of it that weigh most are kept; of
four such blocks, again the four that weigh most; and so on. So of a run of any length a few dozen
turns for each fourfold of it stand beside the last ones: the story so far reaches back to its first
turn, at falling resolution, and memory finds the rest.

Blocks are cut where turn numbers are multiples of sixteen, as the tail of a window is: so what a
window is laid out from changes only there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from storykeeper.context.history import PastTurn
from storykeeper.context.tail import STEADY_TURNS
from storykeeper.events.changes import (
    BeatTold,
    BeliefFormed,
    ConditionTurned,
    EntityPromoted,
    EventHappened,
    GateOpened,
    LayerEntered,
    ProphecyBorn,
    SecretRevealed,
)
from storykeeper.events.records import AnyRecord

KEPT_OF_BLOCK = 4
_WEIGHTS: dict[type, float] = {
    SecretRevealed: 3.0, GateOpened: 2.0, EventHappened: 2.0, ProphecyBorn: 2.0,
    LayerEntered: 1.0, ConditionTurned: 1.0, BeliefFormed: 1.0, EntityPromoted: 1.0, BeatTold: 0.5,
}  # fmt: skip
_MANY_DIGITS, _MANY_QUOTES = 6, 8


def weight(records: Iterable[AnyRecord], prose: str) -> float:
    """w = Σ by kind of what came of a turn + ½·min(1, digits/6) + ½·min(1, quotes/8).   F6.13

    What was revealed, opened and begun is what a story so far must not lose; of turns in which
    nothing was, those where something was said and counted.
    """
    came = sum(_WEIGHTS.get(type(record), 0.0) for record in records)
    digits = sum(map(prose.count, "0123456789"))
    quotes = sum(map(prose.count, '"“«'))
    return came + 0.5 * min(1.0, digits / _MANY_DIGITS) + 0.5 * min(1.0, quotes / _MANY_QUOTES)


class Chronicle:
    """Older turns, by how often they were sifted."""

    def __init__(self, levels: Iterable[Sequence[PastTurn]] = ()) -> None:
        self.levels: list[list[PastTurn]] = [list(level) for level in levels]

    @property
    def turns(self) -> list[PastTurn]:
        """All that is kept, oldest first."""
        return [turn for level in reversed(self.levels) for turn in level]

    @property
    def sifted(self) -> int:
        """How many of them were sifted; the others wait for their block to be over."""
        return sum(map(len, self.levels[1:]))

    def add(self, turn: PastTurn) -> None:
        """A turn that is no longer among the last ones."""
        if not self.levels:
            self.levels.append([])
        if turn.turn % STEADY_TURNS == 0:
            self._sift(0, len(self.levels[0]))
        self.levels[0].append(turn)

    def _sift(self, level: int, count: int) -> None:
        """Move the heaviest of the oldest turns of a level up; the others are let go."""
        if not count:
            return
        block, self.levels[level] = self.levels[level][:count], self.levels[level][count:]
        if level + 1 == len(self.levels):
            self.levels.append([])
        self.levels[level + 1] += heaviest(block)
        if len(self.levels[level + 1]) >= 2 * STEADY_TURNS:
            self._sift(level + 1, STEADY_TURNS)


def heaviest(block: Sequence[PastTurn]) -> list[PastTurn]:
    """The turns of a block that weigh most, in order; of equals the earlier."""
    by_weight = sorted(range(len(block)), key=lambda i: (-block[i].weight, i))
    return [block[i] for i in sorted(by_weight[:KEPT_OF_BLOCK])]
