"""Where a run stands, in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import StorySummed
from storykeeper.language.reading import Reader
from storykeeper.play.commit import (
    MOST_TURNS,
    commit,
    last_lines,
    not_so,
    read_prose,
    stager_of,
)
from storykeeper.play.past import Past
from storykeeper.units import EntityId, Version
from storykeeper.world.evolve import evolve
from storykeeper.world.state import Pending, World


@dataclass(slots=True)
class Running:
    """The world and the last turns of a run, and what was decided and is not written yet."""

    version: Version
    world: World
    past: Past
    reader: Reader
    decided: list[AnyRecord] = field(default_factory=list)
    saved: Version | None = None  # the version of the newest snapshot that is known of

    def copy(self) -> Running:
        """The same, to try something on."""
        return Running(self.version, self.world, self.past.copy(), self.reader, list(self.decided))

    def take(self, records: Iterable[AnyRecord]) -> None:
        """Let records count that were written."""
        for record in records:
            self.world = evolve(self.world, record)
            if isinstance(record, StorySummed):
                self.past.sum_up(record)

    def decide(self, turn: Pending) -> None:
        """Make a turn fact, here first; the ledger has it with the next write."""
        unfolding = commit(
            self.world, turn, read_prose(self.world, turn, self.reader),
            before=self._lines(turn), stager=stager_of(self.reader),
        )  # fmt: skip
        self.world = unfolding.world
        self.past.add(turn, unfolding.records)
        self.decided.extend(unfolding.records)

    def last_typed(self, player: EntityId) -> str:
        """What a player typed last."""
        for shown in (self.world.pending, self.world.answered):
            if shown is not None and shown.player == player and shown.text:
                return shown.text
        past = (each.text for each in reversed(self.past.turns) if each.player == player)
        return next(filter(None, past), "")

    def decide_answered(self) -> None:
        """The player has answered: what was shown is fact."""
        if self.world.answered is not None:
            self.decide(self.world.answered)

    def not_so(self) -> tuple[str, ...]:
        """What of the declaration of the turn just shown cannot be so, and why."""
        shown = self.world.pending
        before = () if shown is None else self._lines(shown)
        return not_so(self.world, self.reader, before=before)

    def _lines(self, turn: Pending) -> tuple[str, ...]:
        """What the player of a turn typed last."""
        typed = [(past.player, past.text) for past in list(self.past.turns)[-MOST_TURNS:]]
        return last_lines(typed, turn.player)
