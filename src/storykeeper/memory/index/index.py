"""`Index`: rows in, rows out. The theory stands at the head of the package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from storykeeper.memory.index import dense, lexical
from storykeeper.memory.index.cascade import Cascade, shipped
from storykeeper.memory.index.columns import Columns
from storykeeper.memory.index.folder import Folder
from storykeeper.memory.index.segments import MOST_ROWS, Segment, Truth, blanked, joined, renamed
from storykeeper.memory.index.values import (
    Allowed,
    Bools,
    Floats,
    Hits,
    Int8,
    RowData,
    Rows,
    Shape,
    Stamp,
    Words,
)
from storykeeper.memory.index.words import encoded, keys_of

WAITING = 128  # rows that are gathered before they become a segment in memory
SEARCHED = 32  # of them; when there are more a search makes them one: the rest it makes each time
STEEP = 3  # a segment joins those after it unless it is more than so many times their sum

WeightedTerms = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A row that is in no segment yet."""

    vector: Int8
    keys: NDArray[np.uint64]
    codes: NDArray[np.uint16]
    blob: bytes
    note: bytes


class Index:
    """Vectors, words, audiences and numbers of rows, searched; a cache of what the ledger holds."""

    def __init__(self, shape: Shape, folder: Folder | None, cascade: Cascade) -> None:
        self.shape = shape
        self.cascade = cascade
        self._folder = folder
        self._segments: list[Segment] = []
        self._waiting: list[_Waiting] = []
        self._tail: Segment | None = None  # the waiting rows, as searched; none if out of date
        self._kept = 0  # how many segments the last commit covers
        self.stamp = Stamp()
        self._columns = Columns(shape.columns)
        self._load()

    @classmethod
    def open(
        cls,
        folder: Path | None,
        *,
        space: str,
        dims: int,
        tiers: tuple[int, ...] = (),
        columns: tuple[str, ...] = (),
        cascade: Cascade | None = None,
        read_only: bool = False,
    ) -> Self:
        """What the last commit left there; empty if that was of another shape. None: in memory."""
        shape = Shape(space, dims, tuple(t for t in tiers if t != dims), columns)
        with ExitStack() as undone:
            held = None if folder is None else Folder(folder, shape, read_only=read_only)
            if held is not None:
                undone.callback(held.close)  # the lock, should opening fail
            index = cls(shape, held, cascade or shipped())
            undone.pop_all()
            return index

    @property
    def rows(self) -> int:
        """How many, hidden ones included: the next row added has this number."""
        return self._columns.rows

    @property
    def writable(self) -> bool:
        """Whether commits reach the disk; if not, another process writes or there is no folder."""
        return self._folder is not None and self._folder.writable

    def add(self, vectors: Int8, rows: Sequence[RowData]) -> None:
        """Rows, after those that are there. Found at once, durable with the next commit."""
        if vectors.shape != (len(rows), self.shape.dims) or vectors.dtype != np.int8:
            raise ValueError(
                f"{len(rows)} rows need int8 vectors of {self.shape.dims} dims, "
                f"not {vectors.dtype} {vectors.shape}"
            )
        self._columns.add(rows)
        self._tail = None  # what a search made of the rows that were waiting until now
        for vector, row in zip(vectors, rows, strict=True):
            words, counts = encoded(row.terms, row.length)
            keys, codes = np.array(words, np.uint64), np.array(counts, np.uint16)
            self._waiting.append(_Waiting(vector.copy(), keys, codes, row.blob, row.note))
            if len(self._waiting) >= WAITING:
                self._settle(self._kept)

    def commit(self, stamp: Stamp) -> bool:
        """Make all of it durable at once, reaching up to `stamp`; false if it stays in memory."""
        self._settle(self._kept)
        if self._folder is not None and self._folder.writable:
            before = list(self._segments)
            self._settle(0)
            try:
                self._segments = self._folder.save(self._segments, stamp)
            except OSError:
                self._segments = before
                return False
            self._kept = len(self._segments)
        self.stamp = stamp
        return self.writable

    def hide(self, rows: Iterable[int]) -> None:
        """Rows never to be found again: no vector, word or number of theirs stays in the folder."""
        gone = np.array(sorted({int(r) for r in rows}), np.int64)
        if len(gone) and not 0 <= gone[0] <= gone[-1] < self.rows:
            raise ValueError(f"rows {gone[0]} to {gone[-1]} are not all among the {self.rows} here")
        gone = gone[self._columns.classes[gone] >= 0]
        if not len(gone):
            return
        self._settle(self._kept)
        for segment, here in dense.split(self._segments, gone):
            place = self._segments.index(segment)
            self._segments[place] = blanked(segment, gone[here], self.shape)
        self._columns.hide(gone)
        if self._folder is not None and self._folder.writable:
            try:
                kept = self._folder.save(self._segments[: self._kept], self.stamp)
                self._segments[: self._kept] = kept
            except OSError:  # then nothing may stay there, or what was erased would
                self._folder.clear()
                self._segments = [renamed(s, name="", clean=False) for s in self._segments]
                self._kept = 0

    def allowed(self, classes: Iterable[int] | None, *, only: Bools | None = None) -> Allowed:
        """What may be seen: rows of these classes, or all not hidden; only those, if given."""
        mask = self._columns.mask(None if classes is None else frozenset(classes))
        if only is not None:
            mask = mask & only
        return Allowed(mask, int(np.count_nonzero(mask)))

    def dense(self, query: Int8, *, allowed: Allowed, k: int) -> Hits:
        """The k nearest in meaning, by way of the prefixes. A zero query finds nothing."""
        self._check(query, allowed, k)
        tiers = len(self.shape.tiers)
        return dense.cascade(
            self.segments, query, allowed=allowed, k=k, tiers=tiers, settings=self.cascade
        )

    def exact(self, query: Int8, *, allowed: Allowed, k: int) -> Hits:
        """The k nearest in meaning, by looking at every allowed row: what `dense` is held to."""
        self._check(query, allowed, k)
        return dense.exact(self.segments, query, allowed=allowed, k=k, tiers=len(self.shape.tiers))

    def lexical(self, terms: WeightedTerms, *, allowed: Allowed, k: int) -> Hits:
        """The k best by words, each with the weight that it has for who asks."""
        self._check(None, allowed, k)
        return lexical.lexical(self.segments, lexical.query_of(terms), allowed=allowed, k=k)

    def foremost(self, terms: Sequence[str], *, allowed: Allowed, k: int) -> list[Rows]:
        """For each of many terms the rows that `lexical` finds for it alone, ascending."""
        self._check(None, allowed, k)
        return lexical.foremost(self.segments, keys_of(terms), allowed=allowed, k=k)

    def similarity(self, query: Int8, rows: Rows) -> Floats:
        """Full cosines of given rows, in their order."""
        order, ascending = self._ascending(rows)
        found = np.empty(len(rows), np.float32)
        found[order] = dense.cosines(self.segments, query, ascending)
        return found

    def lexical_of(self, terms: WeightedTerms, rows: Rows) -> Floats:
        """The lexical scores of given rows, in their order; 0 without any of the words."""
        order, ascending = self._ascending(rows)
        found = np.empty(len(rows), np.float32)
        found[order] = lexical.scores_of(self.segments, lexical.query_of(terms), ascending)
        return found

    def impacts_of(self, terms: Sequence[str], rows: Rows) -> Floats:
        """tf·(κ+1)/(tf + …) for given rows and distinct terms: rows × terms, 0 where absent."""
        order, ascending = self._ascending(rows)
        found = np.empty((len(rows), len(terms)), np.float32)
        found[order] = lexical.impacts_of(self.segments, keys_of(terms), ascending)
        return found

    def having(self, terms: Sequence[str], *, allowed: Allowed) -> list[int]:
        """In how many allowed rows each term stands."""
        self._check(None, allowed, 1)
        return lexical.having(self.segments, keys_of(terms), allowed=allowed)

    def vectors_of(self, rows: Rows) -> Int8:
        """The vectors of given rows, in their order."""
        order, ascending = self._ascending(rows)
        found = np.empty((len(rows), self.shape.dims), np.int8)
        for segment, here in dense.split(self.segments, ascending):
            found[order[here]] = segment.truth.full[ascending[here] - segment.base]
        return found

    def blobs_of(self, rows: Rows, *, unit: int = 1) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """What the owner keeps for given rows, which must ascend: units × bytes; how many each."""
        _, ascending = self._ascending(rows)
        if not np.array_equal(ascending, rows):
            raise ValueError("the rows whose blobs are asked for must ascend")
        return lexical.blobs_of(self.segments, ascending, unit)

    def note_of(self, row: int) -> bytes:
        """What the owner keeps for one row; nothing, if it was hidden."""
        settled = self._segments[-1].end if self._segments else 0
        if settled <= row < self.rows:
            return self._waiting[row - settled].note
        ((segment, _),) = dense.split(self._segments, np.array([row], np.int64))
        truth, local = segment.truth, row - segment.base
        return truth.notes[truth.seams[local] : truth.seams[local + 1]].tobytes()

    def notes(self, first: int = 0) -> Iterator[bytes]:
        """What the owner keeps for each row from one on, in order; nothing of what was hidden."""
        for segment in self._segments:
            if segment.end > first:
                data = segment.truth.notes.tobytes()
                seams = segment.truth.seams[max(first - segment.base, 0) :].tolist()
                yield from (data[start:end] for start, end in pairwise(seams))
        settled = self._segments[-1].end if self._segments else 0
        yield from (row.note for row in self._waiting[max(first - settled, 0) :])

    def conceal(self, rows: Iterable[int]) -> None:
        """Rows not to be found again; what is kept of them stays until `hide`, or an end.

        Whoever owns the index says so again after opening it.
        """
        self._columns.hide(np.array(sorted({*rows}), np.int64))

    def terms_of(self, rows: Rows) -> Words:
        """The words of given rows, which must ascend."""
        _, ascending = self._ascending(rows)
        if not np.array_equal(ascending, rows):
            raise ValueError("the rows whose words are asked for must ascend")
        return lexical.words_of(self.segments, ascending)

    def column(self, name: str) -> NDArray[np.float64]:
        """A number for every row; not to be written to."""
        return self._columns.column(name)

    @property
    def classes(self) -> NDArray[np.int32]:
        """The audience class of every row, −1 for what is hidden; not to be written to."""
        return self._columns.classes

    def repair(self) -> None:
        """Read everything on disk against its sums; what is derived is made again if it is wrong.

        Rows that are themselves damaged cannot be made from here: the index is then empty, and
        whoever owns it adds them again from the ledger. Uncommitted rows are dropped.
        """
        self._load(check=True)

    def empty(self) -> None:
        """No row is left, here or in the folder if it is ours."""
        if self._folder is not None and self._folder.writable:
            self._folder.clear()
        self._segments, self._waiting, self._tail, self._kept = [], [], None, 0
        self._columns = Columns(self.shape.columns)
        self.stamp = Stamp()

    def close(self) -> None:
        """Let others write. What was not committed is gone."""
        if self._folder is not None:
            self._folder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def _load(self, *, check: bool = False) -> None:
        if self._folder is not None:
            self._segments, self.stamp = self._folder.load(check=check)
            self._waiting, self._tail = [], None
            self._kept = len(self._segments)
            self._columns = Columns(self.shape.columns, [s.truth for s in self._segments])

    @property
    def segments(self) -> list[Segment]:
        """Everything that can be found, the waiting rows as a segment of their own."""
        if len(self._waiting) >= SEARCHED:
            self._settle(self._kept)
        if not self._waiting:
            return self._segments
        if self._tail is None:
            self._tail = self._segment_of(self._waiting)
        return [*self._segments, self._tail]

    def _segment_of(self, waiting: Sequence[_Waiting]) -> Segment:
        base = self._segments[-1].end if self._segments else 0
        here = slice(base, base + len(waiting))
        keys, terms = np.unique(np.concatenate([row.keys for row in waiting]), return_inverse=True)
        truth = Truth(
            full=np.stack([row.vector for row in waiting]),
            classes=self._columns.classes[here].copy(),
            columns=self._columns.table[here].copy(),
            keys=keys,
            ends=np.cumsum([0, *(len(row.keys) for row in waiting)]).astype(np.uint32),
            terms=terms.astype(np.uint32),
            codes=np.concatenate([row.codes for row in waiting]),
            blobs=np.frombuffer(b"".join(row.blob for row in waiting), np.uint8),
            cuts=np.cumsum([0, *(len(row.blob) for row in waiting)]).astype(np.int64),
            notes=np.frombuffer(b"".join(row.note for row in waiting), np.uint8),
            seams=np.cumsum([0, *(len(row.note) for row in waiting)]).astype(np.int64),
        )
        return Segment.of(base, truth, self.shape)

    def _settle(self, first: int) -> None:
        """Waiting rows become a segment, and the last segments from `first` on are joined."""
        if self._waiting:
            self._segments.append(self._tail or self._segment_of(self._waiting))
            self._waiting, self._tail = [], None
        start = _joining([s.rows for s in self._segments], first)
        if 0 <= start < len(self._segments) - 1:
            self._segments[start:] = [joined(self._segments[start:], self.shape)]

    def _ascending(self, rows: Rows) -> tuple[NDArray[np.int64], Rows]:
        rows = np.asarray(rows, np.int64)
        if len(rows) and not 0 <= rows.min() <= rows.max() < self.rows:
            raise ValueError(f"rows outside 0 … {self.rows - 1}")
        order = np.argsort(rows, kind="stable")
        return order, rows[order]

    def _check(self, query: Int8 | None, allowed: Allowed, k: int) -> None:
        if k < 1 or len(allowed.mask) != self.rows:
            raise ValueError(f"k is {k}; allowed is for {len(allowed.mask)} of {self.rows} rows")
        if query is not None and (query.shape != (self.shape.dims,) or query.dtype != np.int8):
            raise ValueError(f"the query must be int8 of {self.shape.dims} dims")


def _joining(sizes: Sequence[int], first: int) -> int:
    """Where the run begins that becomes one: after it, each is over thrice all that follow."""
    start, after = len(sizes) - 1, 0
    for place in range(len(sizes) - 1, first - 1, -1):
        if after + sizes[place] > MOST_ROWS:
            break
        if sizes[place] <= STEEP * after:
            start = place
        after += sizes[place]
    return start
