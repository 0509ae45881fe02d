"""What goes into the index and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Int8: TypeAlias = NDArray[np.int8]
Floats: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

NOBODY = -1  # the class of a row that was hidden for good


@dataclass(frozen=True, slots=True)
class Shape:
    """What a folder is made for; one made for another shape is discarded."""

    space: str  # the embedder's space: vectors of two spaces are never mixed
    dims: int
    tiers: tuple[int, ...] = ()  # lengths of the prefixes, ascending
    columns: tuple[str, ...] = ()  # numbers kept for every row, by name

    def __post_init__(self) -> None:
        ends = (0, *self.tiers, self.dims)
        if any(a >= b for a, b in pairwise(ends)):
            raise ValueError(f"tiers {self.tiers} must ascend from 1 to below {self.dims} dims")


@dataclass(frozen=True, slots=True)
class Stamp:
    """How far the index reaches: given with a commit, given back on opening."""

    version: int = 0  # of the ledger
    link: bytes = b""  # of its chain there, so that another ledger's index is noticed
    note: bytes = b""  # whatever else the owner wants back, small


@dataclass(frozen=True, slots=True)
class RowData:
    """One row, but for its vector."""

    terms: Sequence[str] = ()  # its words, already stemmed, with repeats
    audience: int = 0  # the class of eyes that may see it, 0 and up
    length: int | None = None  # in words, if not the number of terms
    columns: Mapping[str, float] = field(default_factory=dict)  # those not named are 0
    blob: bytes = b""  # whatever else the owner wants back for many rows at once
    note: bytes = b""  # and for one


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Rows found, best first, the older first among equals."""

    rows: Rows
    scores: Floats
    tier: int = 0  # the last tier looked at; 0 the shortest prefix


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """What may be seen, as of now: made by `Index.allowed`, used for one search."""

    mask: Bools  # one for each row
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of some rows: those of the i-th are keys[offsets[i]:offsets[i + 1]]."""

    offsets: NDArray[np.int64]
    keys: NDArray[np.uint64]  # see `words.key_of`
    counts: NDArray[np.uint16]
    lengths: NDArray[np.uint16]  # of the row each key belongs to
