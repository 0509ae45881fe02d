"""Where a memory's items are: the ledger that holds them, and the index made from it.

The ledger is the truth. The index says how far into it it reaches; opening adds what came after,
and an index of another past is made anew. Whatever is written goes to the ledger first, so a crash
in between costs a little work and no item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from time import monotonic
from typing import TYPE_CHECKING

from storykeeper.errors import ModelUnavailable, NoSuchItem, WrongExpectedVersion
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import (
    EmbedderChosen,
    MemoryAdded,
    MemoryRetired,
    MemoryShown,
    MemorySummarised,
)
from storykeeper.events.turns import TextErased
from storykeeper.ledger.port import Entry, Ledger
from storykeeper.memory.holding import BATCH, FileShelf, Holding
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.leftovers import sweep
from storykeeper.memory.meaning import Meaning, Meant
from storykeeper.memory.remembering import item_of, nameless, parts_of
from storykeeper.memory.tables import COLUMNS, KINDS, UNDATED, Tables, id_of
from storykeeper.models.embedders.cache import Progress
from storykeeper.units import RunId, Version

if TYPE_CHECKING:
    from storykeeper.memory.index.index import Index
    from storykeeper.models.embedders.port import Vectors

COMMIT_EVERY = 256  # rows that may have to be indexed again after a crash
REST_SECONDS = 10.0  # after a failure, nothing is asked of an embedder for so long
WAIT_SECONDS = 5.0  # so long, and no longer, a search has others' words embedded

Count = Callable[[str], int]


class Store(Holding):
    """The items of one memory, in order."""

    def __init__(
        self,
        ledger: Ledger,
        run: RunId,
        *,
        folder: Path | None,
        meaning: Meaning | None,
        shelf: FileShelf | None = None,
        count: Count,
    ) -> None:
        """Nothing is read yet; `catch_up` does."""
        super().__init__(meaning=meaning, shelf=shelf)
        self.ledger = ledger
        self.run = run
        self.count = count
        self._folder = folder
        self._since_commit = 0
        self._whole = True  # the index has all of what it says it has
        self._swept = folder is None  # nothing is left of other spaces
        self._erased: list[int] = []  # numbers, as far as it was caught up the last time
        self._rest_until = 0.0
        self._wait_until: float | None = None  # nothing is embedded after, while somebody waits
        self._refused: set[int] | None = None  # rows without a vector, once they were asked for
        self._said: _LastSaid | None = None  # once it was asked for
        self._read = lru_cache(maxsize=4_096)(self._item)
        self.index, self.tables = self._opened()

    @property
    def rows(self) -> int:
        """How many items there are, retired ones included."""
        return self.index.rows

    # ── reading ──────────────────────────────────────────────────────────────────────────────

    def item(self, row: int, /) -> Item:
        """The item of a row, from the ledger."""
        return self._read(row)

    def _item(self, row: int) -> Item:
        version = Version(int(self.index.column("version")[row]))
        for entry in self.ledger.read(self.run, after=Version(version - 1), upto=version):
            if isinstance(entry.record, MemoryAdded | MemorySummarised):
                return item_of(entry.record, self.called)
        raise NoSuchItem("it was retired or erased")

    def called(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The ids of numbered things; what was retired or erased has none any more."""
        classes, nth = self.index.classes, self.index.column("nth")
        return tuple(
            id_of(int(nth[number - 1]), tag=self.tables.tag(int(classes[number - 1])))
            for number in numbers
            if classes[number - 1] >= 0
        )

    def row_of(self, item: str) -> int:
        """The row behind an id; refuses what is none, or is not there."""
        import numpy as np

        nth, tag = parts_of(item)
        eyes = self.tables.class_of(tag)
        if eyes is None or nth > self.tables.counts.get(eyes, 0):
            raise NoSuchItem(f"nothing is called {item}")
        rows = np.flatnonzero(self.index.classes == eyes)
        place = int(np.searchsorted(self.index.column("nth")[rows], nth))  # they ascend
        if place == len(rows) or self.index.column("nth")[rows[place]] != nth:
            raise NoSuchItem(f"{item} was retired or erased")
        return int(rows[place])

    def last_said(self, classes: frozenset[int], *, dated: bool = False) -> int | None:
        """The row of the newest thing of these classes that was said; with a moment, if asked."""
        if self._said is None:
            self._said = _LastSaid()
            self._said.take(self.index, first=0)
        of = self._said.dated if dated else self._said.every
        return max((of[each] for each in classes if each in of), default=None)

    def embedded(self, texts: Sequence[str]) -> Vectors:
        """Whole vectors of texts that are not remembered; zeros if nothing can embed them."""
        import numpy as np

        try:
            if self.meaning is not None:
                return self.meaning.wholes(texts)
        except ModelUnavailable as error:
            self.unavailable = str(error)
        return np.zeros((len(texts), self.index.shape.dims), np.int8)

    def refused(self) -> set[int]:
        """Rows that the embedder would not take: they are found by words alone."""
        if self.meaning is None or not self.meaning.may_refuse:
            return set()
        if self._refused is None:
            self._refused = set()
            for first in range(0, self.rows, BATCH):
                self._refuse(first=first, end=min(first + BATCH, self.rows))
        return self._refused

    def _refuse(self, *, first: int, end: int) -> None:
        """Remember which of some rows have no vector, and wait for none."""
        import numpy as np

        if self._refused is not None:
            vectors = self.index.vectors_of(np.arange(first, end))
            rows = (first + np.flatnonzero(~vectors.any(axis=1))).tolist()
            self._refused |= {*rows} - self.tables.pending

    def items(self) -> Iterator[Item]:
        """Every item that is searched, in order."""
        classes = self.index.classes
        for row in range(self.rows):
            if classes[row] >= 0:
                yield self.item(row)

    # ── writing ──────────────────────────────────────────────────────────────────────────────

    def append(self, make: Callable[[int], Sequence[AnyRecord]]) -> list[AnyRecord]:
        """Records made for the next free number, in one durable step; then indexed."""
        while True:
            self.catch_up()
            records = list(make(self.rows + 1))
            if not records:
                return records
            try:
                self.ledger.append(self.run, records, expected=Version(self.index_version))
            except WrongExpectedVersion:
                continue  # somebody else was quicker: their items come first
            self.catch_up()
            return records

    def catch_up(self, progress: Progress | None = None, *, soon: bool = False) -> None:
        """Index what the ledger has and the index has not.

        With `soon` somebody waits: what cannot be embedded at once is found by words for now.
        """
        self._wait_until = monotonic() + WAIT_SECONDS if soon else None
        if not self._whole:  # broken off half-way (Ctrl-C): back to what was committed
            self.index.close()
            self.index, self.tables = self._opened()
            self._changed()
        head = self.ledger.head(self.run).version
        if head == self.index_version:
            self._sweep()
            return
        known = self.rows
        self._erased.clear()
        total, done = head - self.index_version, 0
        batch: list[Entry] = []
        for entry in self.ledger.read(self.run, after=Version(self.index_version), upto=head):
            batch.append(entry)
            if len(batch) >= BATCH:
                self._take(batch)
                done += len(batch)
                batch = []
                if progress is not None:
                    progress(done, total)
        self._take(batch)
        if any(number <= known for number in self._erased):
            self.rebuild(soon=soon)  # their words are in the index, and in that of summaries
        self._sweep()
        if progress is not None:
            progress(total, total)

    def commit(self) -> None:
        """Make the index as durable as the ledger is."""
        from storykeeper.memory.index.values import Stamp

        if self._since_commit and self._whole:
            link = self.ledger.link(self.run, at=Version(self.index_version)) or b""
            self.index.commit(Stamp(self.index_version, link, self.tables.note()))
            self._since_commit = 0

    def rebuild(self, progress: Progress | None = None, *, soon: bool = False) -> None:
        """Make the index again from the ledger; what is on the shelf is not embedded again.

        While another process holds the folder, that is left alone, and it is made in memory.
        """
        self._forget()
        self.index, self.tables = self._empty()
        self._changed()
        self._rest_until = 0.0
        self.catch_up(progress, soon=soon)
        self.commit()

    def close(self) -> None:
        """Let go of the index and the file."""
        if self.index.writable:
            self.commit()
        self.index.close()
        self._let_go()

    def discard(self) -> None:
        """Let go, and leave nothing of this space: another is searched from here on."""
        self._forget()
        if self._shelf is not None:
            self._shelf.vectors.drop(self.space)
        self._let_go()

    def _let_go(self) -> None:
        if self._shelf is not None:
            self._shelf.vectors.close()
        self.ledger.close()
        if self.meaning is not None:
            self.meaning.close()

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    def _opened(self) -> tuple[Index, Tables]:
        self.index, tables = self._fresh(self._folder)
        self._whole, self._since_commit = True, 0
        stamp = self.index.stamp
        self.index_version = stamp.version
        if stamp.version:
            link = self.ledger.link(self.run, at=Version(stamp.version))
            if link == stamp.link:
                return self.index, Tables(stamp.note)
            self._forget()
            return self._empty()
        return self.index, tables

    def _fresh(self, folder: Path | None) -> tuple[Index, Tables]:
        from storykeeper.memory.index.index import Index

        return self._indexed(Index, folder, COLUMNS), Tables()

    def _empty(self) -> tuple[Index, Tables]:
        """An index with nothing in it; in memory, while another process holds the folder."""
        made = self._fresh(self._folder)
        if self._folder is None or (made[0].writable and not made[0].rows):
            return made
        made[0].close()
        return self._fresh(None)

    def _forget(self) -> None:
        """Close an index that cannot be used, and delete its folder unless others write to it."""
        self.index_version = 0
        self._since_commit = 0
        if self._folder is not None and self.index.writable:
            rmtree(self._folder, ignore_errors=True)  # before the lock is let go of
        self.index.close()

    def _sweep(self) -> None:
        """Once, when ours is the space in force: nothing stays of those before it."""
        spaces = self.tables.spaces
        if not self._swept and self._folder is not None and spaces[-1:] == [self.space]:
            self._swept = True
            former = sorted({*spaces} - {self.space})
            sweep(self._folder, former, self._shelf.vectors if self._shelf is not None else None)

    def _take(self, entries: Sequence[Entry]) -> None:
        """Index some entries that follow what is indexed."""
        self._whole = False
        new: list[tuple[Entry, Item]] = []
        for entry in entries:
            match entry.record:
                case MemoryAdded() | MemorySummarised():
                    new.append((entry, item_of(entry.record, nameless)))
                case MemoryRetired() | MemoryShown() | TextErased() | EmbedderChosen():
                    self._add(new)
                    new = []
                    self._note(entry.record)
        self._add(new)
        if entries:
            self.index_version = entries[-1].version
            self._since_commit += len(entries)
        self._whole = True
        if self._since_commit >= COMMIT_EVERY and self.index.writable:
            self.commit()

    def _note(self, record: AnyRecord) -> None:
        if isinstance(record, MemoryRetired):
            self.index.hide(number - 1 for number in record.of)
            self._changed()
        elif isinstance(record, MemoryShown):
            self.tables.use((number - 1 for number in record.of), by=record.to)
        elif isinstance(record, EmbedderChosen):
            self.tables.spaces.append(record.space)
        elif isinstance(record, TextErased):
            self._erased.append(record.of)

    def _add(self, new: Sequence[tuple[Entry, Item]]) -> None:
        import numpy as np

        if not new:
            return
        first = self.rows
        meant = self._meant([item for _, item in new], first=first)
        rows = []
        for place, (entry, item) in enumerate(new, start=first):
            rows.append(self._row_of(item, meant[place - first], version=entry.version))
            self._link(entry.record, place)
        self.index.add(np.stack([each.whole for each in meant]), rows)
        self._refuse(first=first, end=first + len(new))
        self._views.clear()
        gone = [first + n for n, (_, item) in enumerate(new) if not item.text]
        if gone:
            self.index.hide(gone)  # erased: nothing of it is found
            self._changed()
        elif self._said is not None:
            self._said.take(self.index, first=first)

    def _changed(self) -> None:
        """What was looked up may be no more."""
        self._read.cache_clear()
        self._views.clear()
        self._said = self._refused = None

    def _link(self, record: AnyRecord, row: int) -> None:
        if isinstance(record, MemorySummarised) and record.text:  # erased, it sums up nothing
            self.tables.sources[row] = [number - 1 for number in record.over or record.of]
        elif isinstance(record, MemoryAdded) and record.links:
            self.tables.links[row] = [number - 1 for number in record.links]

    def _meant(self, items: Sequence[Item], *, first: int) -> list[Meant]:
        if self.meaning is None or self._may_ask():
            turns, soon = [item.order for item in items], self._wait_until is not None
            meant = self._embedded(items, turns=turns, soon=soon)
            if meant is not None:
                return meant
            self._rest_until = monotonic() + REST_SECONDS
        self.tables.pending.update(range(first, first + len(items)))
        return self._meaningless(items)

    def _may_ask(self) -> bool:
        """Whether the embedder is asked: not after a failure, nor for long while somebody waits."""
        now = monotonic()
        late = self._wait_until is not None and now >= self._wait_until
        slow = self.meaning is not None and self.meaning.may_refuse
        return now >= self._rest_until and not (late and slow)


@dataclass(frozen=True, slots=True)
class _LastSaid:
    """The last row of each class that was said, and the last of those with a moment."""

    every: dict[int, int] = field(default_factory=dict)
    dated: dict[int, int] = field(default_factory=dict)

    def take(self, index: Index, *, first: int) -> None:
        """Go on with the rows from one on."""
        import numpy as np

        classes, at = index.classes[first:], index.column("said")[first:]
        said = (index.column("kind")[first:] == KINDS.index(Kind.SAID)) & (classes >= 0)
        for last, which in ((self.every, said), (self.dated, said & (at > UNDATED))):
            rows = np.flatnonzero(which)
            last.update(zip(classes[rows].tolist(), (rows + first).tolist(), strict=True))
