"""The engine: the one object that holds a run, and the only file that orders the steps of a turn.

    begin   the player's words, on disk before anything else
            the turn before becomes fact            (play.commit: decided now, written with render)
            what the words do, not yet true         (play.play_out)
            the window                              (context.assemble)
    render  what was decided, the window's hash and the prose, in one transaction

Two durable transactions a turn. If the process dies between them, opening the run decides again
what was decided: the same ledger, the same records. After a step that was broken off (Ctrl-C), or
that another writer was quicker with, nothing in memory is trusted: the ledger is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import RLock
from typing import Self, TypeVar

from msgspec import structs

from storykeeper.context.parts import Part
from storykeeper.context.window import Window
from storykeeper.errors import (
    NoSuchTurn,
    PlayError,
    ReadingTooLong,
    StorykeeperError,
    UnknownAudience,
    WrongExpectedVersion,
)
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import (
    InputReceived,
    LeftUnread,
    Rejected,
    Rendered,
    StoryAdopted,
    Swiped,
    Unread,
    WindowAssembled,
)
from storykeeper.language.patience import ENDLESS, Patience
from storykeeper.language.reading import Reader
from storykeeper.ledger.port import Entry, Ledger, RunInfo
from storykeeper.play.accept import done_again, player_of, refuse_unplayable, refuse_untellable
from storykeeper.play.asking import answers_to, asked, question
from storykeeper.play.character_model import CharacterModel, proposed
from storykeeper.play.correcting import Corrections
from storykeeper.play.narrator import Narrated, Narrator, Show
from storykeeper.play.one_at_a_time import one_at_a_time
from storykeeper.play.reading import opened, reread
from storykeeper.play.readings import Readings
from storykeeper.play.replaying import Replayed, at_windows, made_again, replayed
from storykeeper.play.running import Running
from storykeeper.play.seeing import NARRATOR, look_ahead, on_record, perceived, seen
from storykeeper.play.summing import Summing
from storykeeper.play.turn import Turn, unread_line
from storykeeper.staging.declaration import rendered
from storykeeper.units import EntityId, RunId, SceneId, TurnNo
from storykeeper.world.state import Pending

SNAPSHOT_EVERY = 200  # turns
T = TypeVar("T")


class Engine(Corrections):
    """A run of a story. Threads may share it: their calls are answered one after another."""

    story_changed = False  # the author's files are not those the run follows
    _summing: Summing | None = None  # a model that sums up what is older, if one is given
    _characters: CharacterModel | None = None  # a model that plays those whom nobody plays
    inline = False  # whether windows ask the narrator to declare what it tells
    scene_lost: str | None = None  # the scene it stood in, if the story just adopted has it no more

    def __init__(
        self,
        ledger: Ledger,
        run: RunId,
        *,
        reader: Reader,
        tokens: int | None = None,
        read_only: bool = False,
        patience: Patience = ENDLESS,
    ) -> None:
        self.ledger = ledger
        self.run = run
        self.tokens = tokens
        self.read_only = read_only
        self._lock = RLock()
        self._erasures = ledger.erased()
        self._reader = Readings(reader, patience=patience)
        self._running: Running | None = opened(ledger, run, self._reader)

    # ── the turn ─────────────────────────────────────────────────────────────────────────────

    def opening(self) -> Turn:
        """The turn before the first: the story begins, and nobody has said anything."""
        with self._step():
            world = self._state.world
            if world.pending is None and not self._state.past.turns:
                retracted = world.scene_turns > 0  # there were turns; their numbers are used
                number = self._next_turn() if retracted else TurnNo(0)
                self._append([InputReceived(number, player_of(self._state.world, None), "")])
            return self.turn()

    def begin(self, text: str, *, player: str | None = None) -> Turn:
        """Take the player's words, commit the turn before, and assemble the narrator's window."""
        refuse_unplayable(text)
        with self._step():
            who = player_of(self._state.world, player)
            pending = self._state.world.pending
            replaced = pending is not None and not pending.take and bool(pending.text)
            text = done_again(text, self._state.last_typed(who))
            answers = list(answers_to(self._state.world, text))
            # Together, or a kill would part them.
            self._append([InputReceived(self._next_turn(), who, text), *answers])
            self._state.decide_answered()
            replaced = replaced and not answers
            return self._in_time(lambda: self._asked(replaced=replaced), Unread.LINE)

    def _asked(self, *, replaced: bool) -> Turn:
        """The turn; if it matters which one the player means, they are asked first."""
        pending = self._state.world.pending
        unclear = None if pending is None else question(self._state.world, pending)
        if records := proposed(self._characters, self._state) if unclear is None else [unclear]:
            self._append(records)
        return self._assembled(replaced=replaced)

    def _in_time(self, read: Callable[[], T], what: Unread) -> T:
        """What reading comes to; what takes too long to read is kept and left unread, on record."""
        try:
            with self._reader.patience.reading():
                return read()
        except ReadingTooLong as problem:
            pending = self._state.world.pending
            assert pending is not None
            left = LeftUnread(pending.turn, what, str(problem))
            (self._state.take if self.read_only else self._append)([left])
            return read()

    @one_at_a_time
    def turn(self) -> Turn:
        """The turn under way, also after reopening."""
        if self._state.world.pending is None:
            raise NoSuchTurn("no turn is under way; call begin() with the player's words")
        return self._in_time(self._assembled, Unread.LINE)

    def render(
        self, turn: Turn | int, prose: str, *, narrator: str = "", stage: object = None
    ) -> tuple[str, ...]:
        """Show prose to the player, and what it declares; calling again replaces it (a swipe).

        The answer is what of the declaration was dropped, and why.
        """
        prose, said, dropped = rendered(prose, stage)
        refuse_untellable(prose)
        with self._step():
            pending = self._under_way(turn)
            before = Swiped(pending.turn, pending.take) if pending.take else self._assembly(turn)
            shown = Rendered(pending.turn, pending.takes + 1, prose, narrator, said)
            ready = self._summing and self._summing.step(self._state.past, turn=pending.turn)
            self._write([before, shown, *(ready or ())])
            return (*dropped, *self._in_time(self._state.not_so, Unread.PROSE))

    def narrate(self, turn: Turn, narrator: Narrator, *, show: Show) -> Narrated:
        """Have a model tell the turn: each part is shown as it comes, and all of it rendered.

        If it breaks off, nothing is: the turn waits, and may be told again.
        """
        told = narrator.tell(turn.window, show=show, take=self._under_way(turn).takes)
        return told.kept(self.render(turn, told.text, narrator=narrator.name))

    def read_ahead(self) -> tuple[str, ...]:
        """Read what was shown while the player does; what could not be read, and why."""
        with self._step():
            notes = self._in_time(self._state.read_ahead, Unread.PROSE)
            look_ahead(self._state, tokens=self.tokens, inline=self.inline)
            return notes

    def reject(self, turn: Turn | int | None = None, *, why: str = "") -> None:
        """Drop the turn under way: the story stands where it stood before it."""
        with self._step():
            pending = self._under_way(turn)
            self._write([Rejected(pending.turn, max(1, pending.take), why)])

    def end_scene(self) -> None:
        """Commit the turn under way explicitly, if it was shown."""
        with self._step():
            pending = self._state.world.pending
            if pending is not None and pending.take:
                self._state.decide(pending)
            self._write([])

    def close(self) -> None:
        """Commit what was shown, save a snapshot, and let go of the file."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._closed:
            return
        try:
            if not self.read_only and self._running is not None:
                with suppress(WrongExpectedVersion):  # somebody went on from here, and has it all
                    self.end_scene()
                    self._state.save(self.ledger, self.run)
        finally:
            self._closed = True
            if self._summing is not None:
                self._summing.close()
            self._let_go_of_all()

    # ── looking ──────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def window(
        self, audience: str = NARRATOR, *, text: str = "", tokens: int | None = None,
        without: Collection[str] = (),
    ) -> Window:  # fmt: skip
        """What somebody would get to see if the player typed this; nothing is played or written.

        Without a text it is the turn under way. `without` leaves parts out, to see what they bring.
        """
        if text:
            refuse_unplayable(text)
        then, turn = self._imagined(text)
        with self._reader.patience.reading():
            return seen(
                turn, then, audience=audience, tokens=tokens, inline=self.inline,
                remind=self._reminding(audience, then), without=[Part(each) for each in without],
            ).window  # fmt: skip

    def _imagined(self, text: str) -> tuple[Running, Pending]:
        state, pending = self._state, self._state.world.pending
        if pending is not None and not text:
            return state, pending
        if pending is not None and pending.take:
            state = state.copy()
            state.decide(pending)
        return state, Pending(self._next_turn(), player_of(self._state.world, None), text)

    @one_at_a_time
    def window_of(self, turn_no: int, audience: str = NARRATOR) -> Window:
        """The window of a turn, made again from what the ledger holds.

        Of one of the cast: what they would have got, if they had been asked then.
        """
        pending = self._state.world.pending
        if pending is not None and pending.turn == turn_no and not pending.take:
            return self._assembled().window if audience == NARRATOR else self.window(audience)
        found: Window | None = None  # of several the last: a rejected turn's number comes again
        for recorded, then in at_windows([entry.record for entry in self._entries()], self._reader):
            if recorded.turn == turn_no:
                found = made_again(recorded, then, audience=audience)
        if found is None:
            raise NoSuchTurn(f"run {self.run} has no window for turn {turn_no}")
        return found

    @one_at_a_time
    def brief(self, who: str, text: str = "", *, tokens: int | None = None) -> Window:
        """What one character may know of the moment, with sources.

        `text` is what it perceives, such as a knock at the door; else the turn under way.
        """
        if who == NARRATOR:
            raise UnknownAudience("the narrator has no brief, but a window: use window()")
        limit = tokens or self._state.world.plan.story.budget.brief_tokens
        if not text:
            return self.window(who, tokens=limit)
        refuse_unplayable(text)
        then, turn = self._imagined(text)
        perceiving = structs.replace(turn, player=EntityId(who))
        return perceived(perceiving, then, tokens=limit, remind=self._reminding(who, then))

    # ── the run ──────────────────────────────────────────────────────────────────────────────

    def fork(self, *, at: int, name: str) -> RunInfo:
        """A run that shares this one's records up to and including a turn.

        At the last turn all of them: what was taken back since stays so.
        """
        with self._step():
            self._write([])
            turn = self.ledger.head(self.run).turn if at == self.last_turn() else TurnNo(at)
            return self.ledger.fork(self.run, RunId(name), at=turn)

    def adopt(self, record: StoryAdopted) -> None:
        """Follow an edited version of the story from here on, on record."""
        with self._step():
            self._write([record])

    @one_at_a_time
    def replay(self) -> Replayed:
        """Fold again from zero and make every window again; raises if anything differs.

        A window that showed text which was erased since cannot be made again; those are counted.
        """
        return replayed(self._entries(), self._state, run=self.run)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    @property
    def _state(self) -> Running:
        if self._running is None:
            self._running = reread(self.ledger, self.run, self._reader)
        return self._running

    @contextmanager
    def _step(self) -> Iterator[None]:
        """One step of the run. If it is broken off, what is in memory is not trusted any more."""
        with self._lock, self._one_step():
            if self._closed:
                raise PlayError(f"run {self.run} was closed here; open it again to go on")
            whole = False
            try:
                yield
                whole = True
            except StorykeeperError as refusal:  # which changes nothing
                whole = not isinstance(refusal, WrongExpectedVersion)
                raise
            finally:
                self._running = self._running if whole else None

    def _entries(self) -> list[Entry]:
        return list(self.ledger.read(self.run, upto=self._state.version))

    def _assembled(self, *, replaced: bool = False, tokens: int | None = None) -> Turn:
        pending = self._state.world.pending
        assert pending is not None
        made = seen(
            pending, self._state, audience=NARRATOR, tokens=tokens or self.tokens,
            remind=self._reminding(NARRATOR, self._state), inline=self.inline,
        )  # fmt: skip
        version, world, unclear = self._state.version, self._state.world, None
        if pending.choices:
            unclear = asked(world, pending.mention, pending.choices)
        return Turn(
            pending.turn, made.window, made.present, made.world, version, replaced, unclear,
            (*self._state.left_unread(), *unread_line(pending)),
        )  # fmt: skip

    def _assembly(self, turn: Turn | int) -> WindowAssembled:
        """The window that is being answered, for the record: the one that replaying gives."""
        if isinstance(turn, int):
            turn = self._assembled()
        elif turn.version != self._state.version:
            again = self._assembled(tokens=turn.window.receipt.spent.budget)
            if again.window.digest != turn.window.digest:
                raise NoSuchTurn(
                    f"turn {turn.number} was begun in another past than the run has now;"
                    " look at turn(), and render by number if the prose still fits"
                )
        return on_record(turn.window, SceneId(turn.world.scene or ""))

    def _append(self, records: Sequence[AnyRecord]) -> None:
        """Durable at once, before anything is made of it."""
        self._state.version = self.ledger.append(self.run, records, expected=self._state.version)
        self._state.take(records)

    def _write(self, records: Sequence[AnyRecord]) -> None:
        """What was decided and these records, in one transaction."""
        bundle = [*self._state.decided, *records]
        if not bundle:
            return
        self._state.version = self.ledger.append(self.run, bundle, expected=self._state.version)
        committed = bool(self._state.decided)
        self._state.decided.clear()
        self._state.take(records)
        now = self._state.world.now
        if committed and now and now % SNAPSHOT_EVERY == 0:
            self._state.save(self.ledger, self.run)

    def _next_turn(self) -> TurnNo:
        pending = self._state.world.pending
        if pending is None:
            return TurnNo(self.last_turn() + 1)
        return TurnNo(pending.turn + 1) if pending.take else pending.turn

    def last_turn(self) -> TurnNo:
        """The number of the turn under way, or of the last one."""
        pending = self._state.world.pending
        return max(self._state.world.now, pending.turn if pending is not None else TurnNo(0))

    def _under_way(self, turn: Turn | int | None) -> Pending:
        pending = self._state.world.pending
        number = turn.number if isinstance(turn, Turn) else turn
        if pending is None or number not in (None, pending.turn):
            under_way = "none" if pending is None else f"turn {pending.turn}"
            raise NoSuchTurn(f"turn {number} is not under way ({under_way} is); use edit() instead")
        if isinstance(turn, Turn) and turn.present.text != pending.text:
            raise NoSuchTurn(f"turn {number} was begun again with other words; look at turn()")
        return pending
