"""Numbers of every row, kept in memory: its audience class, and what the owner named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from storykeeper.memory.index.segments import Truth
from storykeeper.memory.index.values import NOBODY, Bools, RowData, Rows

MOST_CLASSES = 1 << 24
_MASKS = 8  # sets of classes whose masks are remembered


class Columns:
    """Arrays that grow with the rows."""

    def __init__(self, names: tuple[str, ...], parts: Sequence[Truth] = ()) -> None:
        self._names = names
        self.rows = sum(len(p.classes) for p in parts)
        self._classes = np.concatenate([np.zeros(0, np.int32), *(p.classes for p in parts)])
        # Columns × rows: one is read for all rows more often than all of a row.
        tables = (np.zeros((len(names), 0)), *(p.columns.T for p in parts))
        self._table = np.ascontiguousarray(np.concatenate(tables, axis=1))
        self._masks: dict[frozenset[int] | None, Bools] = {}

    @property
    def classes(self) -> NDArray[np.int32]:
        """The audience class of every row."""
        return self._classes[: self.rows]

    @property
    def table(self) -> NDArray[np.float64]:
        """Rows × columns."""
        return self._table[:, : self.rows].T

    def column(self, name: str) -> NDArray[np.float64]:
        """One of them, by its name."""
        return self._table[self._names.index(name), : self.rows]

    def add(self, rows: Sequence[RowData]) -> None:
        """The numbers of new rows."""
        for row in rows:
            if not 0 <= row.audience < MOST_CLASSES or not set(row.columns) <= set(self._names):
                raise ValueError(f"audience {row.audience} or columns {sorted(row.columns)}")
        end = self.rows + len(rows)
        if end > len(self._classes):
            more = max(end, 2 * len(self._classes), 1024) - len(self._classes)
            self._classes = np.concatenate([self._classes, np.zeros(more, np.int32)])
            self._table = np.concatenate([self._table, np.zeros((len(self._names), more))], axis=1)
        self._classes[self.rows : end] = [row.audience for row in rows]
        for place, name in enumerate(self._names):
            self._table[place, self.rows : end] = [row.columns.get(name, 0.0) for row in rows]
        self.rows = end

    def hide(self, rows: Rows) -> None:
        """Seen by nobody, and no number left."""
        self._classes[rows] = NOBODY
        self._table[:, rows] = 0.0
        self._masks.clear()

    def mask(self, classes: frozenset[int] | None) -> Bools:
        """Which rows are of these classes; of any, if none are named. Extended as rows come."""
        known = self._masks.pop(classes, np.zeros(0, np.bool_))
        if len(known) < self.rows:
            new = self._classes[len(known) : self.rows]
            known = np.concatenate([known, _among(new, classes)])
        self._masks[classes] = known  # the last used stands last
        if len(self._masks) > _MASKS:
            self._masks.pop(next(iter(self._masks)))
        return known


def _among(here: NDArray[np.int32], classes: frozenset[int] | None) -> Bools:
    if classes is None:
        return np.not_equal(here, NOBODY)
    table: Bools = np.zeros(int(here.max(initial=0)) + 2, np.bool_)
    for each in classes:
        if 0 <= each < len(table) - 1:
            table[each] = True
    seen: Bools = table[here]  # −1 is the last place, which stays false
    return seen
