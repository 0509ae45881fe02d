"""A segment: up to 65,536 rows that never change, what is true of them and what derives from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numkong
import numpy as np
from numpy.typing import NDArray

from storykeeper.memory.index.arrays import Arrays, Damaged
from storykeeper.memory.index.values import NOBODY, Floats, Int8, Rows, Shape
from storykeeper.memory.index.words import Codes, Keys

MOST_ROWS = 1 << 16
EPSILON = 1e-8
_NOTES = ("notes", "seams")  # not in files of rows that have none


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What was added. Everything else in a segment is made from this."""

    full: Int8  # rows × dims
    classes: NDArray[np.int32]
    columns: NDArray[np.float64]  # rows × columns
    keys: Keys  # every word here, ascending
    ends: NDArray[np.uint32]  # words of row i: terms[ends[i]:ends[i + 1]]
    terms: NDArray[np.uint32]  # places in keys, ascending in a row
    codes: Codes
    blobs: NDArray[np.uint8]  # what else the owner keeps: of row i, blobs[cuts[i]:cuts[i + 1]]
    cuts: NDArray[np.int64]
    notes: NDArray[np.uint8]  # and what it wants back as a whole: notes[seams[i]:seams[i + 1]]
    seams: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Derived:
    """What search runs on: prefixes, norms, and who has which word."""

    slices: tuple[Int8, ...]  # the dimensions of each tier that the one before has not
    norms: tuple[Floats, ...]  # 1/√(‖v_{1:k}‖² + ε²) for each tier, and for the whole
    ends: NDArray[np.uint32]  # rows with word i: rows[ends[i]:ends[i + 1]]
    rows: NDArray[np.uint16]
    codes: Codes

    @cached_property
    def packed(self) -> numkong.PackedMatrix:
        """The first tier, laid out to be scanned: two thirds of the time, from the second on."""
        return numkong.dots_pack(self.slices[0])

    @cached_property
    def foremost(self) -> dict[tuple[int, int], tuple[list[int], list[float]]]:
        """What `lexical.foremost` found here, by the place of a word and how many were asked for.

        Only where all of it may be seen.
        """
        return {}


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Rows base … base + rows − 1."""

    base: int
    truth: Truth
    derived: Derived
    name: str = ""  # of its files; none while it is only in memory
    clean: bool = False  # the derived file is as it should be

    @classmethod
    def of(cls, base: int, truth: Truth, shape: Shape) -> Self:
        """A new one, in memory."""
        return cls(base, truth, derive(truth, shape))

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.truth.full)

    @property
    def end(self) -> int:
        """The row after its last."""
        return self.base + self.rows


def derive(truth: Truth, shape: Shape) -> Derived:
    """Tiers and inverted lists, from the truth."""
    starts = (0, *shape.tiers)
    slices = tuple(
        np.ascontiguousarray(truth.full[:, a:b]) for a, b in zip(starts, shape.tiers, strict=False)
    )
    order = np.argsort(truth.terms, kind="stable")  # rows stay ascending in every list
    row_of = np.repeat(np.arange(len(truth.full), dtype=np.uint16), np.diff(truth.ends))
    found = np.bincount(truth.terms, minlength=len(truth.keys))
    ends = np.concatenate([[0], np.cumsum(found)]).astype(np.uint32)
    return Derived(slices, inverse_norms(truth.full, shape), ends, row_of[order],
                   truth.codes[order])  # fmt: skip


def inverse_norms(vectors: Int8, shape: Shape) -> tuple[Floats, ...]:
    """1/√(‖v_{1:k}‖² + ε²) for every tier k and for the whole.   L §4."""
    squares = np.zeros(len(vectors), np.int64)
    norms: list[Floats] = []
    start = 0
    for end in (*shape.tiers, shape.dims):
        part = vectors[:, start:end].astype(np.int32)
        squares = squares + np.einsum("ij,ij->i", part, part)
        norms.append((1.0 / np.sqrt(squares + EPSILON**2)).astype(np.float32))
        start = end
    return tuple(norms)


def joined(parts: Sequence[Segment], shape: Shape) -> Segment:
    """Neighbours as one."""
    truths = [part.truth for part in parts]
    keys, places = np.unique(np.concatenate([t.keys for t in truths]), return_inverse=True)
    places = places.astype(np.uint32)
    firsts = np.cumsum([0, *(len(t.keys) for t in truths)])
    terms = [places[first:][t.terms] for first, t in zip(firsts, truths, strict=False)]
    counts = np.concatenate([np.diff(t.ends) for t in truths])
    truth = Truth(
        full=np.concatenate([t.full for t in truths]),
        classes=np.concatenate([t.classes for t in truths]),
        columns=np.concatenate([t.columns for t in truths]),
        keys=keys,
        ends=np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
        terms=np.concatenate(terms),
        codes=np.concatenate([t.codes for t in truths]),
        blobs=np.concatenate([t.blobs for t in truths]),
        cuts=_ends(np.concatenate([np.diff(t.cuts) for t in truths])),
        notes=np.concatenate([t.notes for t in truths]),
        seams=_ends(np.concatenate([np.diff(t.seams) for t in truths])),
    )
    return Segment.of(parts[0].base, truth, shape)


def blanked(segment: Segment, rows: Rows, shape: Shape) -> Segment:
    """The same without a trace of some rows: no vector, no words, no numbers, seen by nobody."""
    truth, gone = segment.truth, np.zeros(segment.rows, np.bool_)
    gone[rows - segment.base] = True
    counts = np.diff(truth.ends)
    stays = ~np.repeat(gone, counts)
    used, terms = np.unique(truth.terms[stays], return_inverse=True)
    full, classes, columns = truth.full.copy(), truth.classes.copy(), truth.columns.copy()
    full[gone], classes[gone], columns[gone] = 0, NOBODY, 0.0
    ends = np.concatenate([[0], np.cumsum(np.where(gone, 0, counts))]).astype(np.uint32)
    left = Truth(full, classes, columns, truth.keys[used], ends, terms.astype(np.uint32),
                 truth.codes[stays], *_without(gone, truth.blobs, truth.cuts),
                 *_without(gone, truth.notes, truth.seams))  # fmt: skip
    return Segment.of(segment.base, left, shape)


def _without(
    gone: NDArray[np.bool_], data: NDArray[np.uint8], cuts: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Bytes of rows, and where each row's are, with nothing of some rows."""
    sizes = np.diff(cuts)
    return data[~np.repeat(gone, sizes)], _ends(np.where(gone, 0, sizes))


def _ends(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where pieces of these sizes begin, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def truth_arrays(truth: Truth) -> Arrays:
    """As they stand in a file; notes only where there are any."""
    left_out = () if len(truth.notes) else _NOTES
    return {e.name: getattr(truth, e.name) for e in fields(truth) if e.name not in left_out}


def truth_from(arrays: Arrays, shape: Shape) -> Truth:
    """Back from a file; Damaged if it is not of this shape."""
    if not any(name in arrays for name in _NOTES) and "classes" in arrays:
        seams = np.zeros(len(arrays["classes"]) + 1, np.int64)
        arrays = arrays | dict(zip(_NOTES, (np.zeros(0, np.uint8), seams), strict=True))
    try:
        truth = Truth(**arrays)
    except TypeError as error:
        raise Damaged(str(error)) from error
    rows = len(truth.full)
    expected: list[tuple[NDArray[Any], tuple[int, ...]]] = [
        (truth.full, (rows, shape.dims)),
        (truth.classes, (rows,)),
        (truth.columns, (rows, len(shape.columns))),
        (truth.ends, (rows + 1,)),
        (truth.codes, truth.terms.shape),
        (truth.cuts, (rows + 1,)),
        (truth.blobs, (int(truth.cuts[-1]) if len(truth.cuts) else -1,)),
        (truth.seams, (rows + 1,)),
        (truth.notes, (int(truth.seams[-1]) if len(truth.seams) else -1,)),
    ]
    if any(array.shape != wanted for array, wanted in expected) or rows > MOST_ROWS:
        raise Damaged("rows of another shape")
    return truth


def derived_arrays(derived: Derived) -> Arrays:
    """As they stand in a file."""
    tiers = {f"slice{i}": s for i, s in enumerate(derived.slices)}
    norms = {f"norm{i}": n for i, n in enumerate(derived.norms)}
    return tiers | norms | {name: getattr(derived, name) for name in ("ends", "rows", "codes")}


def derived_from(arrays: Arrays, truth: Truth, shape: Shape) -> Derived:
    """Back from a file; Damaged if it does not belong to that truth."""
    count = len(shape.tiers)
    try:
        derived = Derived(
            tuple(arrays[f"slice{i}"] for i in range(count)),
            tuple(arrays[f"norm{i}"] for i in range(count + 1)),
            arrays["ends"], arrays["rows"], arrays["codes"],
        )  # fmt: skip
    except KeyError as error:
        raise Damaged(f"{error} is missing") from error
    sizes = {len(s) for s in derived.slices} | {len(n) for n in derived.norms}
    if sizes != {len(truth.full)} or len(derived.ends) != len(truth.keys) + 1:
        raise Damaged("derived from other rows")
    if len(derived.rows) != len(truth.terms) or len(derived.codes) != len(truth.terms):
        raise Damaged("derived from other words")
    return derived


def renamed(segment: Segment, *, name: str, clean: bool) -> Segment:
    """The same, now on disk."""
    return replace(segment, name=name, clean=clean)
