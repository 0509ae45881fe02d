"""Where a run stands, in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from storykeeper.errors import ReadingTooLong
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import LeftUnread, StorySummed, Unread
from storykeeper.language.reading import Reader
from storykeeper.ledger.port import Ledger
from storykeeper.play.commit import (
    MOST_TURNS,
    commit,
    last_lines,
    not_so,
    read_ahead,
    read_prose,
    stager_of,
)
from storykeeper.play.past import Past
from storykeeper.play.readings import patience_of
from storykeeper.play.saves import save
from storykeeper.play.turn import left_unread
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId, RunId, Version
from storykeeper.world.evolve import evolve
from storykeeper.world.state import Pending, World
from storykeeper.world.steps import waiting


@dataclass(slots=True)
class Running:
    """The world and the last turns of a run, and what was decided and is not written yet."""

    version: Version
    world: World
    past: Past
    reader: Reader
    decided: list[AnyRecord] = field(default_factory=list)
    saved: Version | None = None  # the version of the newest snapshot that is known of

    def save(self, ledger: Ledger, run: RunId) -> None:
        """Put a snapshot aside, if the ledger has no more than this and not a newer one."""
        head = ledger.head(run)
        if self.version == head.version != self.saved:
            made = save(self.world, self.past, version=head.version, link=head.link)
            ledger.put_snapshot(run, made)
            self.saved = head.version

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
        """Make a turn fact, here first; the ledger has it with the next write.

        Prose that takes too long to read is left unread, and that is on record too.
        """
        try:
            with patience_of(self.reader).reading():
                unfolding = self._committed(turn)
        except ReadingTooLong as problem:
            left = LeftUnread(turn.turn, Unread.PROSE, str(problem))
            self.take([left])
            self.decided.append(left)
            turn = waiting(self.world.answered, self.world.pending, turn.turn) or turn
            unfolding = self._committed(turn)
        self.world = unfolding.world
        self.past.add(turn, unfolding.records)
        self.decided.extend(unfolding.records)

    def _committed(self, turn: Pending) -> Unfolding:
        return commit(
            self.world, turn, read_prose(self.world, turn, self.reader),
            before=self._lines(turn), stager=stager_of(self.reader),
        )  # fmt: skip

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

    def read_ahead(self) -> tuple[str, ...]:
        """Read what is shown before it is fact; what could not be read, and why."""
        shown = self.world.pending
        if shown is None or not shown.take:
            return ()
        return read_ahead(self.world, shown, self.reader).notes

    def left_unread(self) -> tuple[str, ...]:
        """What of the turns just decided was left unread."""
        left = (each for each in self.decided if isinstance(each, LeftUnread))
        return tuple(left_unread(each.turn, each.what) for each in left)

    def _lines(self, turn: Pending) -> tuple[str, ...]:
        """What the player of a turn typed last."""
        typed = [(past.player, past.text) for past in list(self.past.turns)[-MOST_TURNS:]]
        return last_lines(typed, turn.player)
