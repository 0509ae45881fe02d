"""A run's past, turn by turn, for looking back: any moment of it without folding from zero.

Records are folded once, and every few turns the world and what is at hand of the past are put
aside, sharing all that did not change. A moment between two of them is folded on from the first.
Windows were made from the past as it then was: a correction begins another line of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from storykeeper.context.history import PastTurn
from storykeeper.context.window import Window
from storykeeper.errors import NoSuchTurn
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import (
    StoryAdopted,
    TextErased,
    TurnCommitted,
    TurnEdited,
    TurnRetracted,
    WindowAssembled,
)
from storykeeper.language.reading import Reader
from storykeeper.play.past import Past, edited_prose, remembered
from storykeeper.play.presence import Present, presence
from storykeeper.play.remembering import WholePast
from storykeeper.play.replaying import after_correction, made_again
from storykeeper.play.running import Running
from storykeeper.units import EntityId, SceneId, TurnNo, Version
from storykeeper.world.fold import bundle, retracted_turns, straightened
from storykeeper.world.state import World

EVERY = 8  # turns between two moments that are put aside
STATES = ("asleep", "hidden", "away", "unsure")
_CHANGES_THE_PAST = (TurnEdited, TurnRetracted, TextErased)


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where somebody was after a turn, and how: in the open, or one of `STATES`."""

    place: EntityId | None
    state: str = ""
    body: EntityId | None = None  # of who is in a tale: where their body is


@dataclass(frozen=True, slots=True)
class Stood:
    """How things stood after a turn: the scene, and everybody of the cast in its order."""

    turn: TurnNo
    scene: SceneId
    people: tuple[Whereabouts, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A moment that was put aside: after so many records."""

    cut: int
    world: World | None
    past: Past


class Line:
    """Records without a correction, folded from a start on."""

    def __init__(
        self, world: World | None = None, past: Past | None = None,
        turns: dict[TurnNo, PastTurn] | None = None,
    ) -> None:  # fmt: skip
        self.records: list[AnyRecord] = []
        self.turns: dict[TurnNo, PastTurn] = turns or {}
        self.after: dict[TurnNo, int] = {}  # how many records there were when a turn was fact
        self.stood: list[Stood] = []
        start = past or Past()
        self._kept = [_Kept(0, world, start)]
        self._now = _Kept(0, world, start.copy())
        self._same: dict[Whereabouts, Whereabouts] = {}

    def extend(self, records: Iterable[AnyRecord]) -> None:
        """More records, each turn's bundle whole."""
        i = len(self.records)
        self.records += records
        while i < len(self.records):
            if isinstance(self.records[i], TurnCommitted):
                i += len(bundle(self.records, i))
                self._turn(TurnNo(self.records[i - 1].turn), i)
            else:
                i += 1

    def at(self, cut: int) -> tuple[World, Past]:
        """After so many records; a cut never parts what came of one turn."""
        kept = self._kept[bisect_right(self._kept, cut, key=lambda each: each.cut) - 1]
        if kept.cut == cut and kept.world is not None:
            return kept.world, kept.past.copy()
        return remembered(self.records[kept.cut : cut], kept.world, kept.past.copy())

    def kept(self) -> Iterator[World]:
        """The worlds that were put aside, in order."""
        yield from (each.world for each in self._kept if each.world is not None)

    def _turn(self, turn: TurnNo, end: int) -> None:
        now = self._now
        world, past = remembered(self.records[now.cut : end], now.world, now.past)
        self._now = _Kept(end, world, past)
        if past.turns and past.turns[-1].turn == turn:
            self.turns[turn] = past.turns[-1]
        self.after[turn] = end
        self.stood.append(self._stood(turn, world))
        if len(self.after) % EVERY == 0:
            self._kept.append(_Kept(end, world, past.copy()))

    def _stood(self, turn: TurnNo, world: World) -> Stood:
        people = (
            Whereabouts(world.places.get(w), state(world, w), world.bodies.get(w))
            for w in _cast(world)
        )
        one = self._same.setdefault
        return Stood(turn, world.scene or SceneId(""), tuple(one(each, each) for each in people))


def state(world: World, who: EntityId) -> str:
    """How somebody is there: in the open (nothing), or one of `STATES`."""
    return next((name for name in reversed(STATES) if who in getattr(world, name)), "")


def _cast(world: World) -> Iterator[EntityId]:
    return map(EntityId, world.plan.cast)


class Moments:
    """Every moment of a run, as far as its records were taken in."""

    def __init__(self, reader: Reader) -> None:
        self.version = Version(0)
        self.records: list[AnyRecord] = []
        self._reader = reader
        self._begin()

    def _begin(self) -> None:
        self.line = Line()  # corrections taken in
        self._epochs: dict[int, Line] = {}  # by where they start: between two corrections
        self._starts = [0]
        self._windows: dict[TurnNo, int] = {}
        self.edited: dict[TurnNo, str] = {}
        self.gone: set[TurnNo] = set()

    def take(self, records: Sequence[AnyRecord]) -> None:
        """What was written since."""
        before = len(self.records)
        self.records += records
        self.version = Version(len(self.records))
        if any(isinstance(each, _CHANGES_THE_PAST) for each in records):
            self._begin()
            before = 0
            self.line.extend(straightened(self.records))
            self.edited = dict(edited_prose(self.records))
            self.gone = retracted_turns(self.records)
        else:
            self.line.extend(records)
        self._index(before)

    def _index(self, before: int) -> None:
        i = before
        while i < len(self.records):
            record = self.records[i]
            if isinstance(record, TurnEdited | TurnRetracted):
                i = after_correction(self.records, i)
                self._starts.append(i)
                continue
            if isinstance(record, WindowAssembled):
                self._windows[record.turn] = i
            i += 1

    @property
    def last(self) -> TurnNo | None:
        """The last turn that is fact."""
        return self.line.stood[-1].turn if self.line.stood else None

    @property
    def adopted(self) -> tuple[TurnNo, ...]:
        """The turns at which a story, or an edited one, was adopted."""
        return tuple(r.turn for r in self.records if isinstance(r, StoryAdopted))

    def world(self, turn: int) -> World:
        """The world after a turn, corrections taken in."""
        return self.line.at(self._cut(turn))[0]

    def presence(self, turn: int, audience: str) -> tuple[Present, ...]:
        """Who was there after a turn, as an audience could tell."""
        world, past = self.line.at(self._cut(turn))
        return presence(world, list(past.turns), audience)

    def told(self, turn: int) -> PastTurn:
        """What was typed and told in a turn, and what came of it."""
        self._cut(turn)
        found = self.line.turns.get(TurnNo(turn))
        if found is None:
            raise NoSuchTurn(f"turn {turn} was taken back; nothing came of it")
        return found

    def _cut(self, turn: int) -> int:
        if turn not in self.line.after:
            last = "none is" if self.last is None else f"the last that is is {self.last}"
            raise NoSuchTurn(f"turn {turn} is not fact; {last}")
        return self.line.after[TurnNo(turn)]

    def has_window(self, turn: int) -> bool:
        """Whether a window is on record for a turn."""
        return turn in self._windows

    def window(self, turn: int, audience: str, *, tokens: int | None = None) -> Window:
        """The window of a turn as it was recorded; with other tokens, or another's, made so."""
        at = self._windows.get(TurnNo(turn))
        if at is None:
            raise NoSuchTurn(f"there is no window for turn {turn}")
        recorded = self.records[at]
        assert isinstance(recorded, WindowAssembled)
        start = self._starts[bisect_right(self._starts, at) - 1]
        line = self._epoch(start)
        world, past = line.at(at - start)
        then = Running(Version(at), world, _whole(past, line.turns), self._reader)
        return made_again(recorded, then, audience=audience, tokens=tokens)

    def _epoch(self, start: int) -> Line:
        """The line that begins there, as the past then was."""
        if len(self._starts) == 1:
            return self.line
        if start not in self._epochs:
            made = Line()
            if start:
                past = WholePast()
                world, _ = remembered(self.records[:start], past=past)
                made = Line(world, past.copy(), dict(past.by_number))
            later = (each for each in self._starts if each > start)
            made.extend(self.records[start : next(later, None)])
            self._epochs[start] = made
        return self._epochs[start]


def _whole(past: Past, turns: dict[TurnNo, PastTurn]) -> WholePast:
    """The same with every turn by its number: memory brings back what is not at hand."""
    made = WholePast(past.turns)
    made.chronicle, made.summaries, made.by_number = past.chronicle, past.summaries, turns
    return made
