"""Where a memory's items are: the ledger that holds them, and the index made from it.

The ledger is the truth. The index says how far into it it reaches; opening adds what came after,
and an index of another past is made anew. Whatever is written goes to the ledger first, so a crash
in between costs a little work and no item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
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
from storykeeper.language.time import anchors
from storykeeper.ledger.port import Entry, Ledger
from storykeeper.ledger.vectors import Kept, SqliteVectors
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.meaning import Meaning, Meant
from storykeeper.memory.remembering import id_of, item_of
from storykeeper.memory.signals import item_terms, key_text
from storykeeper.memory.signals.marks import marks
from storykeeper.memory.signals.query import name_words
from storykeeper.memory.tables import COLUMNS, KINDS, Tables, entity_term
from storykeeper.memory.view import View
from storykeeper.models.embedders.cache import Progress
from storykeeper.units import RunId, Version

if TYPE_CHECKING:
    from storykeeper.memory.index.index import Index
    from storykeeper.models.embedders.port import Vectors

BATCH = 256  # entries that are embedded and indexed at a time
COMMIT_EVERY = 256  # rows that may have to be indexed again after a crash
REST_SECONDS = 10.0  # after a failure, nothing is asked of an embedder for so long
LEXICAL_SPACE = "words@1"  # the space of a memory that is searched by words alone
WORD_DIMS = 8  # of vectors that are all zero

Count = Callable[[str], int]


@dataclass(slots=True)
class FileShelf:
    """A ledger file's vectors as a shelf; whoever embeds says whose words they are first."""

    vectors: SqliteVectors
    turns: Mapping[bytes, int] = field(default_factory=dict)

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are there."""
        return self.vectors.get(space, keys)

    def put(self, space: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep these, with the turn of their words."""
        self.vectors.put(
            space,
            [Kept(k, v, self.turns.get(k, 0), self.turns.get(k, 0)) for k, v in vectors.items()],
        )


class Store:
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
        self.ledger = ledger
        self.run = run
        self.meaning = meaning
        self._shelf = shelf
        self.count = count
        self._folder = folder
        self._since_commit = 0
        self._whole = True  # the index has all of what it says it has
        self._views: dict[frozenset[int], View] = {}
        self._rest_until = 0.0
        self._last_said: dict[int, int] | None = None  # the last row of each class, once asked for
        self.unavailable = ""  # why words could not be embedded, the last time it was tried
        self.index, self.tables = self._opened()
        self.item = lru_cache(maxsize=4_096)(self._item)

    @property
    def space(self) -> str:
        """The space of its vectors."""
        return LEXICAL_SPACE if self.meaning is None else self.meaning.space

    @property
    def rows(self) -> int:
        """How many items there are, retired ones included."""
        return self.index.rows

    # ── reading ──────────────────────────────────────────────────────────────────────────────

    def _item(self, row: int) -> Item:
        """The item of a row, from the ledger."""
        version = Version(int(self.index.column("version")[row]))
        for entry in self.ledger.read(self.run, after=Version(version - 1), upto=version):
            if isinstance(entry.record, MemoryAdded | MemorySummarised):
                return item_of(entry.record)
        raise NoSuchItem(f"{id_of(row + 1)} was retired")

    def view(self, classes: frozenset[int]) -> View:
        """What those see who may see these classes; the same until something is added."""
        if classes not in self._views:
            self._views[classes] = View(self.index, self.tables, self.item, classes)
        return self._views[classes]

    def last_said(self, classes: frozenset[int]) -> Item | None:
        """The newest thing of these classes that was said, documents and summaries apart."""
        if self._last_said is None:
            self._last_said = self._last_of_each()
        rows = [self._last_said[each] for each in classes if each in self._last_said]
        return self.item(max(rows)) if rows else None

    def _last_of_each(self) -> dict[int, int]:
        import numpy as np

        said = self.index.column("kind") == KINDS.index(Kind.SAID)
        rows = np.flatnonzero(said & (self.index.classes >= 0))
        return dict(zip(self.index.classes[rows].tolist(), rows.tolist(), strict=True))

    def embedded(self, texts: Sequence[str]) -> Vectors:
        """Whole vectors of texts that are not remembered; zeros if nothing can embed them."""
        import numpy as np

        try:
            if self.meaning is not None:
                return np.asarray(self.meaning.embedder.passages(texts))
        except ModelUnavailable as error:
            self.unavailable = str(error)
        return np.zeros((len(texts), self.index.shape.dims), np.int8)

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

    def catch_up(self, progress: Progress | None = None) -> None:
        """Index what the ledger has and the index has not."""
        if not self._whole:  # broken off half-way (Ctrl-C): back to what was committed
            self.index.close()
            self.index, self.tables = self._opened()
            self._changed()
        head = self.ledger.head(self.run).version
        if head == self.index_version:
            return
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
        if progress is not None:
            progress(total, total)

    def commit(self) -> None:
        """Make the index as durable as the ledger is."""
        from storykeeper.memory.index.values import Stamp

        if self._since_commit and self._whole:
            link = self.ledger.link(self.run, at=Version(self.index_version)) or b""
            self.index.commit(Stamp(self.index_version, link, self.tables.note()))
            self._since_commit = 0

    def rebuild(self, progress: Progress | None = None) -> None:
        """Make the index again from the ledger; what is on the shelf is not embedded again."""
        self.index.close()
        self._forget()
        self.index, self.tables = self._fresh()
        self._changed()
        self._rest_until = 0.0
        self.catch_up(progress)
        self.commit()

    def close(self) -> None:
        """Let go of the index and the file."""
        if self.index.writable:
            self.commit()
        self.index.close()
        if self._shelf is not None:
            self._shelf.vectors.close()
        self.ledger.close()

    def discard(self) -> None:
        """Let go, and leave nothing of this space: another is searched from here on."""
        self.index.close()
        self._forget()
        if self._shelf is not None:
            self._shelf.vectors.drop(self.space)
            self._shelf.vectors.close()
        self.ledger.close()

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    def _opened(self) -> tuple[Index, Tables]:
        index, tables = self._fresh()
        self._whole, self._since_commit = True, 0
        stamp = index.stamp
        self.index_version = stamp.version
        if stamp.version:
            link = self.ledger.link(self.run, at=Version(stamp.version))
            if link == stamp.link:
                return index, Tables(stamp.note)
            index.close()
            self._forget()
            index, tables = self._fresh()
        return index, tables

    def _fresh(self) -> tuple[Index, Tables]:
        from storykeeper.memory.index.index import Index

        embedder = None if self.meaning is None else self.meaning.embedder
        index = Index.open(
            self._folder,
            space=self.space,
            dims=WORD_DIMS if embedder is None else embedder.dims,
            tiers=() if embedder is None else embedder.tiers,
            columns=COLUMNS,
        )
        return index, Tables()

    def _forget(self) -> None:
        """Delete the folder of an index that cannot be used."""
        import shutil

        self.index_version = 0
        self._since_commit = 0
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _take(self, entries: Sequence[Entry]) -> None:
        """Index some entries that follow what is indexed."""
        self._whole = False
        new: list[tuple[Entry, Item]] = []
        for entry in entries:
            match entry.record:
                case MemoryAdded() | MemorySummarised():
                    new.append((entry, item_of(entry.record)))
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

    def _add(self, new: Sequence[tuple[Entry, Item]]) -> None:
        import numpy as np

        from storykeeper.memory.index.values import RowData

        if not new:
            return
        first = self.rows
        meant = self._meant([item for _, item in new], first=first)
        rows = []
        for place, (entry, item) in enumerate(new, start=first):
            numbers = self.tables.columns_of(
                item, version=entry.version, anchors=anchors(item.text), marks=marks(item.text)
            )
            terms = (*item_terms(item), *map(entity_term, item.entities))
            pieces = meant[place - first].pieces.tobytes()
            rows.append(RowData(terms, self.tables.eyes_of(item), columns=numbers, blob=pieces))
            self._link(entry.record, place)
        self.index.add(np.stack([each.whole for each in meant]), rows)
        self._views.clear()
        if self._last_said is not None:
            said = [n for n, (_, item) in enumerate(new, start=first) if item.kind is Kind.SAID]
            self._last_said |= {int(self.index.classes[row]): row for row in said}
        gone = [first + n for n, (_, item) in enumerate(new) if not item.text]
        if gone:
            self.index.hide(gone)  # erased: nothing of it is found
            self._changed()

    def _changed(self) -> None:
        """What was looked up may be no more."""
        self.item.cache_clear()
        self._views.clear()
        self._last_said = None

    def _link(self, record: AnyRecord, row: int) -> None:
        if isinstance(record, MemorySummarised):
            self.tables.sources[row] = [number - 1 for number in record.over or record.of]
        elif isinstance(record, MemoryAdded) and record.links:
            self.tables.links[row] = [number - 1 for number in record.links]

    def _meant(self, items: Sequence[Item], *, first: int) -> list[Meant]:
        import numpy as np

        nothing = Meant(np.zeros(self.index.shape.dims, np.int8), np.zeros((0, 0), np.int8))
        if self.meaning is None:
            return [nothing] * len(items)
        texts = [key_text(item) for item in items]
        if self._shelf is not None:
            keys = (self.meaning.key(text) for text in texts)
            self._shelf.turns = {key: item.order for key, item in zip(keys, items, strict=True)}
        leave = {text: name_words(item.speaker) for text, item in zip(texts, items, strict=True)}
        try:
            if monotonic() >= self._rest_until:
                return self.meaning.passages(texts, leave=leave)
        except ModelUnavailable as error:
            self.unavailable = str(error)
            self._rest_until = monotonic() + REST_SECONDS
        self.tables.pending.update(range(first, first + len(items)))
        return [nothing] * len(items)
