"""The engine: the one object that holds a run, and the only file that orders the steps of a turn.

    begin   the player's words, on disk before anything else
            the turn before becomes fact            (play.commit: decided now, written with render)
            what the words do, not yet true         (play.play_out)
            the window                              (context.assemble)
    render  what was decided, the window's hash and the prose, in one transaction
    begin   …

Two durable transactions a turn. If the process dies between them, opening the run decides again
what was decided: the same ledger, the same records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from immutables import Map

from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.window import Window, assemble
from storykeeper.errors import InputRefused, NoSuchTurn, ReplayDiffers, UnknownPerson
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import (
    InputReceived,
    Rejected,
    Rendered,
    StoryAdopted,
    Swiped,
    TurnEdited,
    TurnRetracted,
    WindowAssembled,
)
from storykeeper.language.tokens import counter
from storykeeper.ledger.port import Ledger, RunInfo
from storykeeper.play.beats import next_beat
from storykeeper.play.commit import play_out
from storykeeper.play.corrections import Correction, rederive
from storykeeper.play.past import remembered
from storykeeper.play.running import Replayed, Running, at_windows
from storykeeper.play.saves import restore, save
from storykeeper.units import EntityId, RunId, SceneId, Tokens, TurnNo
from storykeeper.world.plan import plan
from storykeeper.world.snapshot import dump
from storykeeper.world.state import Known, Pending, World

NARRATOR = "narrator"
MAX_INPUT_BYTES = 64 * 1024
SNAPSHOT_EVERY = 200  # turns


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way: its window, and what a narrator needs to write it."""

    number: TurnNo
    window: Window
    present: PresentTurn
    world: World  # after what the player's words do; not yet true
    replaced: bool = False  # an earlier line that was never answered gave way to this one
    question: str | None = None


class Engine:
    """A run of a story."""

    story_changed = False  # the author's files are not those the run follows

    def __init__(self, ledger: Ledger, run: RunId, *, tokens: int | None = None) -> None:
        self.ledger = ledger
        self.run = run
        self.tokens = tokens
        self._state = self._opened()
        self._state.decide_answered()

    # ── the turn ─────────────────────────────────────────────────────────────────────────────

    def opening(self) -> Turn:
        """The turn before the first: the story begins, and nobody has said anything."""
        if self._state.world.pending is None and not self._state.past.turns:
            self._append([InputReceived(TurnNo(0), self._player(None), "")])
        return self.turn()

    def begin(self, text: str, *, player: str | None = None) -> Turn:
        """Take the player's words, commit the turn before, and assemble the narrator's window."""
        who = self._player(player)
        _refuse_unplayable(text)
        pending = self._state.world.pending
        replaced = pending is not None and not pending.take and bool(pending.text)
        self._append([InputReceived(self._next_turn(), who, text)])
        self._state.decide_answered()
        return self._assembled(replaced=replaced)

    def turn(self) -> Turn:
        """The turn under way, also after reopening."""
        if self._state.world.pending is None:
            raise NoSuchTurn("no turn is under way; call begin() with the player's words")
        return self._assembled()

    def render(self, turn: Turn | int, prose: str, *, narrator: str = "") -> None:
        """Show prose to the player. Calling again for the same turn replaces it (a swipe)."""
        pending = self._under_way(turn)
        known = turn if isinstance(turn, Turn) else self._assembled()
        records: list[AnyRecord] = []
        if pending.take:
            records.append(Swiped(pending.turn, pending.take))
        else:
            records.append(_assembly(known))
        self._write([*records, Rendered(pending.turn, pending.takes + 1, prose, narrator)])

    def reject(self, turn: Turn | int | None = None, *, why: str = "") -> None:
        """Drop the turn under way: the story stands where it stood before the player's words."""
        pending = self._under_way(turn)
        self._write([Rejected(pending.turn, max(1, pending.take), why)])

    def end_scene(self) -> None:
        """Commit the turn under way explicitly, if it was shown."""
        pending = self._state.world.pending
        if pending is not None and pending.take:
            self._state.decide(pending)
        self._write([])

    def close(self) -> None:
        """Commit what was shown, save a snapshot, and let go of the file."""
        self.end_scene()
        self._save()
        self.ledger.close()

    # ── the past corrected ───────────────────────────────────────────────────────────────────

    def edit(self, turn_no: int, prose: str) -> Correction:
        """Change the prose of a committed turn, on record; what followed is derived again."""
        return self._correct(TurnEdited(self.last_turn(), TurnNo(turn_no), prose))

    def retract(self, turn_no: int, *, why: str = "") -> Correction:
        """Take a committed turn back, on record; what followed is derived again."""
        return self._correct(TurnRetracted(self.last_turn(), TurnNo(turn_no), why))

    def _correct(self, record: TurnEdited | TurnRetracted) -> Correction:
        self._write([])
        correction = rederive([e.record for e in self.ledger.read(self.run)], record)
        self._append(correction.records)
        self._state = self._reread()
        self._state.decide_answered()
        return correction

    # ── looking ──────────────────────────────────────────────────────────────────────────────

    def window(
        self, audience: str = NARRATOR, *, text: str = "", tokens: int | None = None
    ) -> Window:
        """What somebody would get to see now, without playing."""
        self._known_audience(audience)
        world = self._state.world
        if not text and world.pending is not None and world.pending.text:
            text = world.pending.text
        turn = Pending(self._next_turn(), self._player(None), text)
        return self._window(turn, self._state, audience=audience, tokens=tokens)[0]

    def window_of(self, turn_no: int) -> Window:
        """The narrator's window of a turn, made again from what the ledger holds."""
        pending = self._state.world.pending
        if pending is not None and pending.turn == turn_no:
            return self._assembled().window
        records = [entry.record for entry in self.ledger.read(self.run)]
        for recorded, then in at_windows(records):
            if recorded.turn == turn_no:
                return self._made_again(recorded, then)
        raise NoSuchTurn(f"run {self.run} has no window for turn {turn_no}")

    def _made_again(self, recorded: WindowAssembled, then: Running) -> Window:
        turn = then.world.pending
        assert turn is not None
        return self._window(turn, then, audience=recorded.audience, tokens=recorded.budget)[0]

    def brief(self, who: str, text: str = "", *, tokens: int | None = None) -> Window:
        """What one character may know of the moment, with sources."""
        limit = tokens or self._state.world.plan.story.budget.brief_tokens
        return self.window(who, text=text, tokens=limit)

    def world(self, *, at: int | None = None) -> World:
        """The world now, or after a past turn."""
        if at is None:
            return self._state.world
        return remembered(self._records_upto(at))[0]

    def knows(self, who: str, *, at: int | None = None) -> dict[str, Known]:
        """The facts somebody knows or suspects, by id, with how they were learned."""
        self._known_audience(who)
        known = self.world(at=at).known.get(EntityId(who), Map())
        return {fact: known[fact] for fact in sorted(known)}

    def history(self) -> Sequence[PastTurn]:
        """The last turns with their words, oldest first."""
        return tuple(self._state.past.turns)

    # ── the run ──────────────────────────────────────────────────────────────────────────────

    def fork(self, *, at: int, name: str) -> RunInfo:
        """A run that shares this one's records up to and including a turn."""
        self._write([])
        return self.ledger.fork(self.run, RunId(name), at=TurnNo(at))

    def adopt(self, record: StoryAdopted) -> None:
        """Follow an edited version of the story from here on, on record."""
        self._write([record])

    def replay(self) -> Replayed:
        """Fold again from zero and make every window again; raises if anything differs."""
        records = [entry.record for entry in self.ledger.read(self.run)]
        again, live = Running(self._state.version, *remembered(records)), self._state
        again.decide_answered()
        if dump(again.world) != dump(live.world) or again.past.turns != live.past.turns:
            raise ReplayDiffers(f"run {self.run}: folding from zero gave another world; run verify")
        windows = 0
        for recorded, then in at_windows(records):
            if self._made_again(recorded, then).digest != recorded.window:
                raise ReplayDiffers(
                    f"run {self.run}: the window of turn {recorded.turn} is not the one shown;"
                    " it was made by another version, or the ledger was changed: run verify"
                )
            windows += 1
        return Replayed(len(records), windows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    def _opened(self) -> Running:
        head = self.ledger.head(self.run)
        adopted = self.ledger.last(self.run, kind="story-adopted")
        saved = self.ledger.snapshot(self.run)
        if saved is None or adopted is None or not isinstance(adopted.record, StoryAdopted):
            return self._reread()
        known = restore(saved, plan(adopted.record))
        tail = [e.record for e in self.ledger.read(self.run, after=saved.version)]
        if known is None or any(isinstance(r, TurnEdited | TurnRetracted) for r in tail):
            return self._reread()
        world, past = remembered(tail, *known)
        return Running(head.version, world, past)

    def _reread(self) -> Running:
        entries = list(self.ledger.read(self.run))
        world, past = remembered([entry.record for entry in entries])
        return Running(entries[-1].version, world, past)

    def _records_upto(self, turn: int) -> list[AnyRecord]:
        """The records of a run as they stood when a turn had become fact."""
        records: list[AnyRecord] = []
        for entry in self.ledger.read(self.run):
            if entry.record.turn > turn and not isinstance(entry.record, InputReceived):
                break
            if entry.record.turn <= turn:
                records.append(entry.record)
        return records

    def _assembled(self, *, replaced: bool = False) -> Turn:
        pending = self._state.world.pending
        assert pending is not None
        window, present, world = self._window(
            pending, self._state, audience=NARRATOR, tokens=self.tokens
        )
        return Turn(pending.turn, window, present, world, replaced)

    def _window(
        self, turn: Pending, then: Running, *, audience: str, tokens: int | None
    ) -> tuple[Window, PresentTurn, World]:
        unfolding = play_out(then.world, turn)
        beat = next_beat(unfolding.world)
        beats = () if beat is None else (beat,)
        decided = tuple(unfolding.records)
        present = PresentTurn(turn.turn, turn.player, turn.text, decided, beats)
        count = counter(unfolding.world.plan.story.budget.encoding)
        window = assemble(
            unfolding.world, then.past.turns, present,
            audience=audience, tokens=tokens, count=count,
        )  # fmt: skip
        return window, present, unfolding.world

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
        self._state.decided.clear()
        self._state.take(records)
        if records and self._state.world.now % SNAPSHOT_EVERY == 0:
            self._save()

    def _save(self) -> None:
        head = self.ledger.head(self.run)
        if head.version == self._state.version:
            state = self._state
            self.ledger.put_snapshot(
                self.run, save(state.world, state.past, version=head.version, link=head.link)
            )

    def _player(self, name: str | None) -> EntityId:
        players = self._state.world.plan.players
        if name is None:
            return players[0]
        if name not in players:
            raise UnknownPerson(f"{name} is not played by anybody; there is {', '.join(players)}")
        return EntityId(name)

    def _known_audience(self, name: str) -> None:
        cast = self._state.world.plan.cast
        if name != NARRATOR and name not in cast:
            raise UnknownPerson(
                f"nobody called {name} is in this story; there is {', '.join(sorted(cast))}"
            )

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
        return pending


def _assembly(turn: Turn) -> WindowAssembled:
    window = turn.window
    return WindowAssembled(
        turn.number, NARRATOR, window.digest, window.receipt_digest, Tokens(window.tokens),
        window.shown, SceneId(turn.world.scene or ""), window.receipt.spent.budget,
    )  # fmt: skip


def _refuse_unplayable(text: str) -> None:
    if not text.strip():
        raise InputRefused("an empty line is not a turn; say or do something")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_INPUT_BYTES:
        raise InputRefused(
            f"the line is {size:,} bytes, the limit is {MAX_INPUT_BYTES:,}; split it up"
        )
