"""The course of a run: its turns by their place, where the ledger has each, and what weighs.

It holds no words. Turns that were told long ago are read from the ledger when they are asked for; a
few hundred are kept at hand. What else depends on the whole past, which things earned their place
and which turns are images, is gathered as records come.

It can be kept in a folder, and then says how far it reaches. Whoever holds that folder's lock is
the one who keeps anything of this run; erasing deletes it, and then nothing of it is trusted.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from storykeeper.context.history import PastTurn
from storykeeper.errors import UNREADABLE, MemoryProblem
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import StoryAdopted, TextErased, TurnEdited, TurnRetracted
from storykeeper.ledger.port import Entry, Ledger
from storykeeper.play.following import Following, Places, Told, told
from storykeeper.play.weighing import Weighing
from storykeeper.units import EntityId, RunId, TurnNo, Version
from storykeeper.world.fold import retracted_turns, straightened

if TYPE_CHECKING:
    from storykeeper.memory.index.index import Index
    from storykeeper.memory.index.values import Stamp

AT_HAND = 512  # turns that are kept in memory
BATCH = 1_024  # turns that are taken in at a time
_SPACE = "turns@1"


class _Note(msgspec.Struct, frozen=True, array_like=True):
    """What is kept beside the rows."""

    changed: int = 0
    in_order: bool = True
    open: Places = ()
    promoted: list[EntityId] = []
    images: list[int] = []


class Course:
    """The turns of one run, as far as it was followed."""

    def __init__(
        self, ledger: Ledger, run: RunId, *, folder: Path | None = None, read_only: bool = False
    ) -> None:
        """As it was kept, if the ledger still has that past; nothing is read on yet.

        `folder` is the run's: what others keep of it stands beside its turns.
        """
        self._ledger, self._run = ledger, run
        self.folder, self._read_only = folder, read_only
        self._at_hand: OrderedDict[int, PastTurn] = OrderedDict()  # by place
        self.index, kept = self._opened()
        self.version = Version(self.index.stamp.version)
        self.changed = kept.changed  # the last version at which the past became another
        self._in_order = kept.in_order  # what came of turns stands in the order of the turns
        self.weighing = Weighing(kept.promoted, kept.images)
        self._following = Following()
        for entry in self._read(kept.open):
            self._following.take(entry.version, entry.record)
        self._kept = self.version
        self.durable = self.index.writable

    # ── turns ────────────────────────────────────────────────────────────────────────────────

    def __len__(self) -> int:
        """How many turns are fact, and on record."""
        return self.index.rows

    def at(self, place: int) -> PastTurn:
        """A turn by its place."""
        known = self._at_hand.get(place)
        if known is None:
            known = told(self._read(self._places(place)))
            assert known is not None, f"the turn at {place} is on record"
            self._remember(place, known)
        return known

    def numbered(self, number: TurnNo) -> PastTurn | None:
        """A turn by its number; none if it is not fact."""
        import numpy as np

        numbers = self.index.column("turn")
        place = int(np.searchsorted(numbers, number))  # they ascend
        if place < len(numbers) and numbers[place] == number:
            return self.at(place)
        return None

    def since(self, place: int) -> Iterator[PastTurn]:
        """The turns from a place on, in order."""
        end = len(self)
        if not self._in_order or end - place <= AT_HAND:
            yield from (self.at(each) for each in range(place, end))
            return
        following, after = Following(), Version(self._places(place)[0] - 1)
        for entry in self._ledger.read(self._run, after=after, upto=self.version):
            done = following.take(entry.version, entry.record)
            if done is not None:
                yield done.turn
        done = following.end()
        if done is not None:
            yield done.turn

    def then(self, records: Iterable[AnyRecord]) -> list[PastTurn]:
        """The turns that would be fact with these records, which are not written yet."""
        following = self._following.copy()
        found = [following.take(0, record) for record in records]
        return [each.turn for each in (*found, following.end()) if each is not None]

    # ── following the ledger ─────────────────────────────────────────────────────────────────

    def follow(self, upto: Version) -> bool:
        """Take in what the ledger has and this has not; whether the past became another by it."""
        if upto < self.version:  # others have gone on, and whoever asks has not: not from here
            self.folder = None
        elif not self.durable or self.index.writable:
            return upto > self.version and self._take_new(upto)
        # Or it was deleted: something was erased.
        self._forget()
        self._take_all(upto)
        return True

    def _take_new(self, upto: Version) -> bool:
        """Record by record, until one says that what is before it changes."""
        fresh: list[Told] = []
        following, before = self._following, self.version
        anew = False
        for entry in self._ledger.read(self._run, after=before, upto=upto):
            record = entry.record
            if isinstance(record, TurnEdited | TurnRetracted | TextErased):
                self._forget()
                self._take_all(upto)
                return True
            if isinstance(record, StoryAdopted):
                self.changed, anew = entry.version, before > 0  # things may have other names now
            self.weighing.take(record)
            done = following.take(entry.version, record)
            if done is not None:
                fresh.append(done)
                if len(fresh) >= BATCH:
                    self._add(fresh)
                    fresh = []
        done = following.end()
        self._add([*fresh, done] if done is not None else fresh)
        self.version = upto
        return anew

    def _take_all(self, upto: Version) -> None:
        """Everything, corrections taken in."""
        entries = list(self._ledger.read(self._run, upto=upto))
        records = [entry.record for entry in entries]
        edits = {
            e.record.of: (int(e.version), e.record.prose)
            for e in entries
            if isinstance(e.record, TurnEdited)
        }
        following = Following(edits=edits, gone=retracted_turns(records))
        version_of = {id(entry.record): entry.version for entry in entries}
        found: list[Told | None] = []
        for record in straightened(records):
            self.weighing.take(record)
            found.append(following.take(version_of[id(record)], record))
        found.append(following.end())
        self._add([each for each in found if each is not None])
        self._following = following
        self.version = upto
        changing = StoryAdopted | TurnEdited | TurnRetracted | TextErased
        self.changed = max(e.version for e in entries if isinstance(e.record, changing))
        self._in_order = straightened(records) is records

    def _add(self, turns: Sequence[Told]) -> None:
        import numpy as np

        from storykeeper.memory.index.values import RowData

        if not turns:
            return
        first = len(self)
        rows = [
            RowData(columns={"turn": each.turn.turn}, note=_packed(each.places)) for each in turns
        ]
        self.index.add(np.zeros((len(rows), 1), np.int8), rows)
        for place, each in enumerate(turns[-AT_HAND:], start=first + max(0, len(rows) - AT_HAND)):
            self._remember(place, each.turn)

    def _remember(self, place: int, turn: PastTurn) -> None:
        self._at_hand[place] = turn
        if len(self._at_hand) > AT_HAND:
            self._at_hand.popitem(last=False)

    def _places(self, place: int) -> Places:
        return _unpacked(self.index.note_of(place))

    def _read(self, places: Places) -> Iterator[Entry]:
        for first, last in _stretches(places):
            yield from self._ledger.read(self._run, after=Version(first - 1), upto=Version(last))

    # ── the folder ───────────────────────────────────────────────────────────────────────────

    @property
    def keeps(self) -> bool:
        """Whether anything of this run is kept from here: the folder is ours, and still there."""
        return self.durable and self.index.writable

    def head(self) -> Version:
        """Where the ledger stands."""
        return self._ledger.head(self._run).version

    def keep(self) -> bool:
        """Make it durable as far as it reaches; false if nothing of this run is to be kept."""
        if not self.keeps:
            return False
        if self.version != self._kept:
            note = _Note(
                self.changed, self._in_order, self._following.open,
                list(self.weighing.promoted), sorted(self.weighing.images),
            )  # fmt: skip
            if not self.index.commit(self.stamp(msgspec.msgpack.encode(note))):
                return False
            self._kept = self.version
        return True

    def stamp(self, note: bytes) -> Stamp:
        """How far it reaches, for what is kept beside it."""
        from storykeeper.memory.index.values import Stamp

        return Stamp(self.version, self._ledger.link(self._run, at=self.version) or b"", note)

    def holds(self, stamp: Stamp) -> bool:
        """Whether what was kept with a stamp is of this past, and that has not changed since."""
        if not self.changed <= stamp.version <= self.version:
            return False
        return self._ledger.link(self._run, at=Version(stamp.version)) == stamp.link

    def close(self) -> None:
        """Let others keep it."""
        self.index.close()

    def _opened(self) -> tuple[Index, _Note]:
        """What is there, if it is of this past and can be read; else nothing."""
        index = self._indexed(self.folder)
        stamp = index.stamp
        try:
            kept = msgspec.msgpack.decode(stamp.note, type=_Note) if stamp.version else None
        except UNREADABLE:  # another edition wrote it
            kept = None
        if kept and self._ledger.link(self._run, at=Version(stamp.version)) == stamp.link:
            return index, kept
        if index.rows or stamp.version:
            index.empty()
        return index, _Note()

    def _forget(self) -> None:
        """Begin again; and in the folder too, if it is ours."""
        self.index.close()
        self.index = self._indexed(self.folder if self.durable else None)
        self.index.empty()
        self._at_hand.clear()
        self.weighing, self._following = Weighing(), Following()
        self.version = self._kept = Version(0)
        self.changed, self._in_order = 0, True
        self.durable = self.index.writable

    def _indexed(self, folder: Path | None) -> Index:
        from storykeeper.memory.index.index import Index

        opened = partial(
            Index.open, space=_SPACE, dims=1, columns=("turn",), read_only=self._read_only
        )
        try:
            return opened(None if folder is None else folder / "turns")
        except (MemoryProblem, OSError):  # something else lies there, or the disk is full
            return opened(None)


def _packed(places: Places) -> bytes:
    return msgspec.msgpack.encode([each for pair in _stretches(places) for each in pair])


def _unpacked(note: bytes) -> Places:
    ends = msgspec.msgpack.decode(note, type=list[int])
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return tuple(place for first, last in pairs for place in range(first, last + 1))


def _stretches(places: Places) -> list[tuple[int, int]]:
    """Versions that follow on each other, from the first to the last."""
    if not places:
        return []
    gaps = [i for i, (one, next_) in enumerate(pairwise(places), start=1) if next_ != one + 1]
    starts = [0, *gaps]
    ends = [*(gap - 1 for gap in gaps), len(places) - 1]
    return [(places[a], places[b]) for a, b in zip(starts, ends, strict=True)]
