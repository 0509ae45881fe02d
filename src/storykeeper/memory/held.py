"""Items searched as those of a file are, and kept with their index: the past of a run of a story.

There is no ledger of their own behind them; whoever holds them makes them again. In a folder they
are as durable as the last commit; without one, or where it cannot be written, they are in memory.

Imported when something is first recalled: it needs numpy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from storykeeper.errors import UNREADABLE, MemoryProblem, ModelUnavailable
from storykeeper.language.time import anchors
from storykeeper.memory.holding import BATCH, FileShelf, Holding
from storykeeper.memory.index.index import Index
from storykeeper.memory.index.values import Stamp
from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.naming import folder_of
from storykeeper.memory.tables import COLUMNS, NO_TURN, Tables
from storykeeper.scoring.narrative import narrative_weights

Floats = NDArray[np.float64]
READ = 1_024  # items that are kept as values


class _Note(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An item beside its row; its place is that of the row."""

    id: str
    text: str
    kind: Kind
    part: Part
    speaker: str
    at_ms: int | None
    turn: int | None
    session: str
    namespace: str
    audience: frozenset[str] | None
    entities: tuple[str, ...]
    weight: float
    sources: tuple[str, ...]
    links: tuple[str, ...]
    confidence: float | None
    brief: str
    hint: str


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """The note of a stamp."""

    tables: bytes
    more: bytes


_read = msgspec.msgpack.Decoder(_Note).decode
_written = msgspec.msgpack.Encoder().encode


class _Weighed(Index):
    """An index whose narrative weights may change: a scene that is being played grows denser."""

    weights: Floats | None = None

    def column(self, name: str) -> Floats:
        """A number for every row."""
        known = super().column(name)
        return known if name != "weight" or self.weights is None else self.weights


class Held(Holding):
    """Items in order, each for those who may know it."""

    index: _Weighed

    def __init__(
        self, *, meaning: Meaning | None = None, shelf: FileShelf | None = None,
        folder: Path | None = None, read_only: bool = False,
    ) -> None:  # fmt: skip
        """What was kept in the folder, each space in one of its own; empty without one.

        `shelf` is the one behind `meaning`, if it wants to know whose words it keeps.
        """
        super().__init__(meaning=meaning, shelf=shelf)
        self._read = lru_cache(maxsize=READ)(self._item)
        self.more = b""  # what was given with the last commit
        self.uncommitted = 0  # rows
        try:
            self.index = self._opened(folder, read_only=read_only)
        except ModelUnavailable as error:
            self.meaning, self.unavailable = None, str(error)
            self.index = self._opened(None)
        if self.index.rows:
            try:
                kept = msgspec.msgpack.decode(self.index.stamp.note, type=_Kept)
                self.tables, self.more = Tables(kept.tables), kept.more
            except UNREADABLE:  # another edition wrote it
                self.empty()

    def _opened(self, folder: Path | None, *, read_only: bool = False) -> _Weighed:
        columns = (*COLUMNS, "turn")
        here = None if folder is None else folder / folder_of(self.space)
        try:
            return self._indexed(_Weighed, here, columns, read_only=read_only)
        except (MemoryProblem, OSError):  # something else lies there, or the disk is full
            return self._indexed(_Weighed, None, columns)

    @property
    def rows(self) -> int:
        """How many items there are."""
        return self.index.rows

    def item(self, row: int, /) -> Item:
        """The item of a row, with what it weighs now."""
        item, weights = self._read(row), self.index.weights
        if weights is None or weights[row] == item.weight:
            return item
        return replace(item, weight=float(weights[row]))

    def _item(self, row: int) -> Item:
        n = _read(self.index.note_of(row))
        return Item(
            n.id, n.text, row + 1, n.kind, n.part, n.speaker, n.at_ms, n.turn, n.session,
            n.namespace, n.audience, n.entities, n.weight, n.sources, n.links, n.confidence,
            n.brief, n.hint,
        )  # fmt: skip

    def anchors(self, row: int, /) -> int:
        """How many dates and times the item of a row names: read when a question of time comes."""
        return _anchors(self._read(row).text)

    def _anchored(self, item: Item) -> int:
        return 0  # to read them takes longer than all the rest, and few questions are of time

    def add(self, items: Iterable[Item]) -> None:
        """More items, behind those that are there."""
        new = list(items)
        for start in range(0, len(new), BATCH):
            self._add(new[start : start + BATCH])

    def weigh(self, densities: Mapping[str, float], *, thematic: Collection[int]) -> None:
        """Give items their narrative weight as it stands now, by scene and by turn (F2.1b)."""
        numbers = self.tables.sessions
        dense = np.zeros(len(numbers))
        for scene, density in densities.items():
            if scene in numbers:
                dense[numbers[scene]] = density
        turns = np.maximum(self.index.column("turn"), NO_TURN).astype(np.int64)
        images = np.zeros(int(turns.max(initial=0)) + 2, np.bool_)  # the last is of no turn
        there = np.fromiter(thematic, np.int64, len(thematic))
        images[there[there < len(images) - 1]] = True
        scenes = self.index.column("session").astype(np.int64)
        self.index.weights = narrative_weights(dense[scenes], thematic=images[turns])

    def _add(self, items: Sequence[Item]) -> None:
        meant = self._embedded(items, turns=[item.turn or 0 for item in items])
        if meant is None:  # searched by words alone from here on, and that is said
            self.meaning, meant = None, self._meaningless(items)
        rows = [
            self._row_of(item, each, version=row, note=_noted(item), turn=_turn(item))
            for row, (item, each) in enumerate(zip(items, meant, strict=True), start=self.rows + 1)
        ]
        self.index.add(np.stack([each.whole for each in meant]), rows)
        self.uncommitted += len(rows)
        self.index.weights = None
        self._views.clear()

    # ── the folder ───────────────────────────────────────────────────────────────────────────

    def commit(self, stamp: Stamp) -> None:
        """Make it durable if it can be; the stamp's note is given back as `more`.

        Not if words could not be embedded: then it has rows that mean nothing.
        """
        if self.index.writable and not self.unavailable:
            note = _written(_Kept(self.tables.note(), stamp.note))
            self.index.commit(replace(stamp, note=note))
            self.uncommitted = 0

    def empty(self) -> None:
        """Nothing is left of it, in the folder too."""
        self.index.empty()
        self.tables, self.more, self.uncommitted = Tables(), b"", 0
        self._views.clear()
        self._read.cache_clear()

    def close(self) -> None:
        """Let go of the folder."""
        self.index.close()


def _noted(item: Item) -> bytes:
    return _written(
        _Note(
            item.id, item.text, item.kind, item.part, item.speaker, item.at_ms, item.turn,
            item.session, item.namespace, item.audience, item.entities, item.weight, item.sources,
            item.links, item.confidence, item.brief, item.hint,
        )
    )  # fmt: skip


@lru_cache(maxsize=4_096)
def _anchors(text: str) -> int:
    return anchors(text)


def _turn(item: Item) -> int:
    return NO_TURN if item.turn is None else item.turn
