"""Rows that an embedder would not take: they are found by words alone, and who asks is told so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.memory.holding import BATCH

if TYPE_CHECKING:
    from storykeeper.memory.index.index import Index


@dataclass(slots=True)
class Refusals:
    """The rows without a vector, once they were asked for."""

    rows: set[int] | None = None

    def of(self, index: Index, *, pending: set[int]) -> set[int]:
        """All of them; those that wait for a vector are none."""
        if self.rows is None:
            self.rows = set()
            for first in range(0, index.rows, BATCH):
                self.take(index, first=first, end=min(first + BATCH, index.rows), pending=pending)
        return self.rows

    def take(self, index: Index, *, first: int, end: int, pending: set[int]) -> None:
        """Remember which of some rows have no vector; nothing, before they were asked for."""
        import numpy as np

        if self.rows is not None:
            vectors = index.vectors_of(np.arange(first, end))
            rows = (first + np.flatnonzero(~vectors.any(axis=1))).tolist()
            self.rows |= {*rows} - pending
