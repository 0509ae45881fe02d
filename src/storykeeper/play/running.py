"""Where a run stands, in memory; and where it stood at each of its windows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TurnCommitted, TurnEdited, TurnRetracted, WindowAssembled
from storykeeper.play.commit import commit
from storykeeper.play.past import Past, remembered
from storykeeper.units import Version
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import bundle
from storykeeper.world.state import Pending, World


@dataclass(slots=True)
class Running:
    """The world and the last turns of a run, and what was decided and is not written yet."""

    version: Version
    world: World
    past: Past
    decided: list[AnyRecord] = field(default_factory=list)

    def take(self, records: Iterable[AnyRecord]) -> None:
        """Let records count that were written."""
        for record in records:
            self.world = evolve(self.world, record)

    def decide(self, turn: Pending) -> None:
        """Make a turn fact, here first; the ledger has it with the next write."""
        unfolding = commit(self.world, turn)
        self.world = unfolding.world
        self.past.add(turn, unfolding.records)
        self.decided.extend(unfolding.records)

    def decide_answered(self) -> None:
        """The player has answered: what was shown is fact."""
        if self.world.answered is not None:
            self.decide(self.world.answered)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What was done again, and came out the same."""

    records: int
    windows: int


def at_windows(records: Sequence[AnyRecord]) -> Iterator[tuple[WindowAssembled, Running]]:
    """Every window that was recorded, with the run as it stood when it was made.

    A correction changes how the past is folded, so after one everything before it is folded anew.
    """
    world: World | None = None
    past: Past | None = None
    start = i = 0
    while i < len(records):
        record = records[i]
        if isinstance(record, TurnEdited | TurnRetracted):
            i = _after_correction(records, i)
            world, past = remembered(records[:i])
            start = i
            continue
        if isinstance(record, WindowAssembled):
            world, past = remembered(records[start:i], world, past)
            start = i
            yield record, Running(Version(i), world, past)
        i += 1


def _after_correction(records: Sequence[AnyRecord], i: int) -> int:
    """The place behind a correction and the bundles that were written with it."""
    i += 1
    while i < len(records) and isinstance(records[i], TurnCommitted):
        i += len(bundle(records, i))
    return i
