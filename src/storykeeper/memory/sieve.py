"""Which rows a filter lets through, and which have expired: looked up in what the index keeps.

A name's values are gathered when it is first asked for, and then only for the rows that are new.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from storykeeper.memory.filters import Column, Where
from storykeeper.memory.metadata import read
from storykeeper.memory.tables import KINDS, UNDATED, Tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.index.index import Index

    Bools = NDArray[np.bool_]

NEVER = 0  # `until` of what does not expire


class Sieve:
    """What is known of the rows of one index."""

    def __init__(self, index: Index, tables: Tables) -> None:
        self.index = index
        self._tables = tables
        self._named: dict[str, _Values] = {}

    @property
    def rows(self) -> int:
        """How many there are."""
        return self.index.rows

    def column(self, name: str) -> Column:
        """The values of a name, for each row."""
        match name:
            case "@speaker":
                return self._numbered("speaker", list(self._tables.speakers))
            case "@session":
                return self._numbered("session", list(self._tables.sessions))
            case "@kind":
                return self._numbered("kind", [kind.value for kind in KINDS])
            case "@at":
                return self._moments()
        values = self._named.setdefault(name, _Values(name))
        values.extend(self.index)
        return Column(values.places, values.distinct, values.texts)

    def sifted(
        self, where: Where | None, at_ms: int | None
    ) -> tuple[Hashable, Bools] | None:  # fmt: skip
        """The rows that a filter lets through and that have not expired; None: all of them.

        With a key that is the same for the same rows, until rows are added or go.
        """
        gone = None if at_ms is None else self.expired(at_ms)
        if where is None:
            return None if gone is None else ((b"", int(gone.sum())), ~gone)
        mask = where.mask(self)
        if gone is None:
            return (where.key, 0), mask
        return (where.key, int(gone.sum())), mask & ~gone

    def expired(self, at_ms: int) -> Bools | None:
        """Rows that are found no more at a moment; None if there are none."""
        until = self.index.column("until")
        gone: Bools = (until != NEVER) & (until <= at_ms)
        return gone if gone.any() else None

    def _numbered(self, column: str, values: list[str]) -> Column:
        import numpy as np

        return Column(self.index.column(column).astype(np.int32), values)

    def _moments(self) -> Column:
        import numpy as np

        said = self.index.column("said")
        distinct, places = np.unique(said, return_inverse=True)
        values = [None if at == UNDATED else int(at) for at in distinct.tolist()]
        return Column(places.astype(np.int32), values)


class _Values:
    """The values of one name in metadata."""

    def __init__(self, name: str) -> None:
        import numpy as np

        self.places = np.zeros(0, np.int32)
        self.distinct: list[Any] = []
        self._name = name
        self.texts: dict[str, int] | None = {}  # where each text is; None if a value is a list
        self._known: dict[object, int] = {}

    def extend(self, index: Index) -> None:
        """Go on with the rows that are new."""
        import numpy as np

        if len(self.places) < index.rows:
            new = [self._place(note) for note in index.notes(len(self.places))]
            self.places = np.concatenate([self.places, np.array(new, np.int32)])

    def _place(self, note: bytes) -> int:
        if not note:
            return -1
        value = read(note.decode()).get(self._name)
        if value is None:
            return -1
        known = (type(value), tuple(value) if isinstance(value, list) else value)
        if known not in self._known:
            self._known[known] = len(self.distinct)
            self.distinct.append(value)
            if isinstance(value, list):
                self.texts = None
            elif isinstance(value, str) and self.texts is not None:
                self.texts[value] = self._known[known]
        return self._known[known]
