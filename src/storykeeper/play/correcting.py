"""What an author sets right in a run, on record: the past, and who has what from where."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager

from storykeeper.errors import ModelUnavailable, NoSuchTurn
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import Declared, StageCorrected, TurnEdited, TurnRetracted
from storykeeper.play.accept import refuse_untellable
from storykeeper.play.corrections import Correction, rederive
from storykeeper.play.knowing import Learned, forget_source
from storykeeper.play.presence import correction
from storykeeper.play.readings import Readings
from storykeeper.play.running import Running
from storykeeper.play.seeing import NARRATOR, seen
from storykeeper.play.stage_call import StageCall
from storykeeper.play.views import Views
from storykeeper.staging.declaration import parsed, without_blocks
from storykeeper.units import EntityId, TurnNo, Version


class Corrections(Views):
    """A run that can be set right."""

    _reader: Readings
    _running: Running | None
    _closed = False
    _first: bytes | None = None  # the link of the first record, which no other run has
    _erasures = 0  # that were on record when what is in memory was read
    _steps = 0  # under way, one in another: what they have decided is not let go of
    tokens: int | None  # of a window, if it is not the story that says

    @abstractmethod
    def last_turn(self) -> TurnNo:
        """The number of the turn under way, or of the last one."""

    @abstractmethod
    def _step(self) -> AbstractContextManager[None]:
        """One step of the run."""

    @abstractmethod
    def _write(self, records: Sequence[AnyRecord]) -> None:
        """What was decided and these records, in one transaction."""

    @abstractmethod
    def _append(self, records: Sequence[AnyRecord]) -> None:
        """Durable at once."""

    def _forget_erased(self) -> None:
        """Let go of what is in memory if words were erased since, from whatever process.

        A keeper that stays open would show them on, and put them into windows.
        """
        if self._closed or self._steps:
            return
        erased = self.ledger.erased()
        if erased != self._erasures:
            self._erasures, self._running = erased, None
            self._reader.forget()
            if self._recollection is not None:
                self._recollection.forget()

    def catch_up(self) -> None:
        """Read on what another process wrote since, or begin with what it put in its place."""
        with self._lock:
            first, running = self.ledger.link(self.run, at=Version(1)), self._running
            if self._first not in (None, first):  # removed, and begun anew
                self._erasures = -1
                self._forget_erased()
            self._first = first
            if running is not None and running.version != self.ledger.head(self.run).version:
                self._running = None

    @contextmanager
    def _one_step(self) -> Iterator[None]:
        """A step, which begins with what is on record."""
        self._forget_erased()
        self._steps += 1
        try:
            yield
        finally:
            self._steps -= 1

    def edit(self, turn_no: int, prose: str) -> Correction:
        """Change the prose of a committed turn, on record; what followed is derived again."""
        told, _ = without_blocks(prose)
        refuse_untellable(told)
        return self._correct(TurnEdited(self.last_turn(), TurnNo(turn_no), told))

    def retract(self, turn_no: int, *, why: str = "") -> Correction:
        """Take a committed turn back, on record; what followed is derived again."""
        return self._correct(TurnRetracted(self.last_turn(), TurnNo(turn_no), why))

    def forget_source(self, who: str, fact: str, *, note: str = "") -> Learned:
        """Put on record that somebody no longer knows where they have a fact from; they have it.

        Hearsay ends with them from here on. The answer is the fact as they hold it now.
        """
        with self._step():
            self._write([forget_source(self._state.world, who, fact, note=note)])
            return self.knows(EntityId(who))[fact]

    def declare(self, stage: object, *, model: str = "") -> tuple[str, ...]:
        """Put on record what the prose just shown told, after it was shown; `model` was asked.

        The answer is what of it was dropped, and why.
        """
        read = parsed(stage)
        with self._step():
            shown = self._state.world.pending
            if shown is None or not shown.take:
                raise NoSuchTurn("nothing is shown that is not fact yet; render() a turn first")
            self._write([Declared(shown.turn, shown.take, read.declaration, model)])
            return (*read.dropped, *self._state.not_so())

    def declare_by(self, call: StageCall) -> tuple[str, ...]:
        """Have a model declare what was just shown, from the window that it was told from.

        Nobody waits for it: what is shown when it answers may be another telling, and then its
        answer is not taken. The answer is what was dropped of it, and why.
        """
        with self._step():
            shown = self._state.world.pending
            if shown is None or not shown.take or shown.stage is not None:
                return ()
            window = seen(
                shown, self._state, audience=NARRATOR, tokens=self.tokens,
                remind=self._reminding(NARRATOR, self._state), inline=True,
            ).window  # fmt: skip
        try:
            read = call.asked(window, shown.prose)
        except ModelUnavailable as error:
            return (f"nobody declared what was told: {error}",)
        with self._step():
            if self._state.world.pending != shown:
                return ("what a model declared of the telling before was dropped",)
            return (*read.dropped, *self.declare(read.declaration, model=call.name))

    def correct(
        self,
        *,
        here: Iterable[str] = (),
        gone: Iterable[str] = (),
        holds: Mapping[str, str] | None = None,
    ) -> StageCorrected:
        """Settle who is here, who is gone and who holds what, on record, from now on.

        What was shown is made fact first: it is what is set right.
        """
        with self._step():
            shown = self._state.world.pending
            if shown is not None and shown.take:
                self._state.decide(shown)
            record = correction(
                self._state.world, self.last_turn(), here=here, gone=gone,
                holds=(holds or {}).items(),
            )  # fmt: skip
            self._write([record])
        return record

    def _correct(self, record: TurnEdited | TurnRetracted) -> Correction:
        with self._step():
            self._write([])
            correction = rederive([entry.record for entry in self._entries()], record, self._reader)
            self._append(correction.records)
            self._running = None  # the past is another one now
        return correction
