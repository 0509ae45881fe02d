"""Where a memory's items are: the ledger that holds them, and the index made from it.

The ledger is the truth. The index says how far into it it reaches; opening adds what came after,
and an index of another past is made anew. Whatever is written goes to the ledger first, so a crash
in between costs a little work and no item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from storykeeper.errors import ModelUnavailable, NoSuchItem, WrongExpectedVersion
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import (
    EmbedderChosen,
    MemoryAdded,
    MemoryRepeated,
    MemoryRetired,
    MemoryShown,
    MemorySummarised,
)
from storykeeper.events.turns import TextErased
from storykeeper.ledger.port import Entry, Ledger
from storykeeper.memory.holding import BATCH, FileShelf, Holding
from storykeeper.memory.items import Item
from storykeeper.memory.last_said import LastSaid
from storykeeper.memory.leftovers import sweep
from storykeeper.memory.meaning import Meaning, Meant
from storykeeper.memory.patience import Patience
from storykeeper.memory.refusals import Refusals
from storykeeper.memory.remembering import item_of, nameless, parts_of
from storykeeper.memory.repeats import likeness
from storykeeper.memory.sieve import NEVER
from storykeeper.memory.tables import COLUMNS, Tables, id_of
from storykeeper.models.embedders.cache import Progress
from storykeeper.units import RunId, Version

if TYPE_CHECKING:
    from storykeeper.memory.index.index import Index
    from storykeeper.memory.index.values import RowData
    from storykeeper.models.embedders.port import Vectors

COMMIT_EVERY = 256  # rows that may have to be indexed again after a crash

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
        self._patience = Patience()
        self._refusals = Refusals()
        self._said: LastSaid | None = None  # once it was asked for
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

    def record(self, row: int) -> MemoryAdded | MemorySummarised:
        """The record that a row was made of."""
        version = Version(int(self.index.column("version")[row]))
        for entry in self.ledger.read(self.run, after=Version(version - 1), upto=version):
            if isinstance(entry.record, MemoryAdded | MemorySummarised):
                return entry.record
        raise NoSuchItem("it was deleted or forgotten")

    def _item(self, row: int) -> Item:
        return item_of(self.record(row), self.called)

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
        rows = np.flatnonzero((self.index.classes == eyes) & (self.index.column("nth") == nth))
        if not len(rows):
            raise NoSuchItem(f"{item} was deleted or forgotten; history() has what is left of it")
        return int(rows[-1])

    def last_said(self, classes: frozenset[int], *, dated: bool = False) -> int | None:
        """The row of the newest thing of these classes that was said; with a moment, if asked."""
        if self._said is None:
            self._said = LastSaid()
            self._said.take(self.index, first=0, leave=self.tables.origins)
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
        return self._refusals.of(self.index, pending=self.tables.pending)

    def items(self) -> Iterator[Item]:
        """Every item that is searched, in the order in which they were told."""
        return (item for _, item in self.told())

    def told(self) -> Iterator[tuple[int, Item]]:
        """The same, with their rows."""
        view = self.view(frozenset(self.tables.eyes.values()))
        for row in view.told.tolist():
            yield row, replace(self.item(row), order=1 + self.tables.origins.get(row, row))

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
        self._patience.begin(soon=soon)
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
        self._patience.forget()
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
                tables = Tables(stamp.note)
                self.index.conceal(tables.gone)
                return self.index, tables
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
                    if isinstance(entry.record, MemoryAdded) and entry.record.replaces:
                        self._add(new)
                        new = []
                        self._replaced(entry.record)
                case (
                    MemoryRetired() | MemoryRepeated() | MemoryShown() | TextErased()
                    | EmbedderChosen()
                ):  # fmt: skip
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
            self._conceal(number - 1 for number in record.of)
        elif isinstance(record, MemoryRepeated):
            self._conceal(number - 1 for number in record.gone)
        elif isinstance(record, MemoryShown):
            self.tables.use((number - 1 for number in record.of), by=record.to)
        elif isinstance(record, EmbedderChosen):
            self.tables.spaces.append(record.space)
        elif isinstance(record, TextErased):
            self._erased.append(record.of)

    def _replaced(self, record: MemoryAdded) -> None:
        """The version before a new one is found no more."""
        before, now = record.replaces - 1, record.turn - 1
        self.tables.replace(before, by=now)
        self._conceal([before])

    def _conceal(self, rows: Iterable[int]) -> None:
        """Rows that are found no more; their words are on record, and stay in the index."""
        gone = [*rows]
        if gone:
            self.index.conceal(gone)
            self.tables.gone.update(gone)
            self._changed()

    def _add(self, new: Sequence[tuple[Entry, Item]]) -> None:
        import numpy as np

        if not new:
            return
        first = self.rows
        meant = self._meant([item for _, item in new], first=first)
        rows = []
        for place, (entry, item) in enumerate(new, start=first):
            rows.append(self._indexable(item, meant[place - first], entry))
            self.tables.link(entry.record, place)
        self.index.add(np.stack([each.whole for each in meant]), rows)
        self._refusals.take(
            self.index, first=first, end=first + len(new), pending=self.tables.pending
        )
        self._views.clear()
        gone = [first + n for n, (_, item) in enumerate(new) if not item.text]
        if gone:
            self.index.hide(gone)  # erased: nothing of it is found
            self._changed()
        elif self._said is not None:
            self._said.take(self.index, first=first, leave=self.tables.origins)

    def _indexable(self, item: Item, meant: Meant, entry: Entry) -> RowData:
        """What the index keeps of an item, with what only a memory's own items have."""
        place = entry.record.place if isinstance(entry.record, MemoryAdded) else 0
        return self._row_of(
            item, meant, version=entry.version, place=place, note=item.metadata_json.encode(),
            until=NEVER if item.until_ms is None else item.until_ms, same=likeness(item.text),
        )  # fmt: skip

    def _changed(self) -> None:
        """What was looked up may be no more."""
        self._read.cache_clear()
        self._views.clear()
        self._said = None
        self._refusals.rows = None

    def _meant(self, items: Sequence[Item], *, first: int) -> list[Meant]:
        slow = self.meaning is not None and self.meaning.may_refuse
        if self.meaning is None or self._patience.allows(slow=slow):
            turns, soon = [item.order for item in items], self._patience.soon
            meant = self._embedded(items, turns=turns, soon=soon)
            if meant is not None:
                return meant
            self._patience.rest()
        self.tables.pending.update(range(first, first + len(items)))
        return self._meaningless(items)
