"""What one audience sees of a memory: its rows, who stands beside whom, when there were sessions.

Everything here is a function of the rows that the audience may see. A hidden row between two that
are not leaves them neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.tables import KINDS, PARTS, Tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.language.time import Timeline
    from storykeeper.memory.index.index import Index
    from storykeeper.memory.index.values import Allowed

    Rows = NDArray[np.int64]

REACH = 8  # how many visible rows back and forth a neighbour of the same session is looked for
_NONE = -1


class View:
    """One audience's rows, as of now."""

    def __init__(
        self, index: Index, tables: Tables, item: Callable[[int], Item], classes: frozenset[int]
    ) -> None:
        self.index = index
        self.classes = classes
        self._tables = tables
        self._item = item

    @cached_property
    def session_names(self) -> list[str]:
        """Sessions by their number."""
        return list(self._tables.sessions)

    @cached_property
    def every(self) -> Allowed:
        """All that may be seen."""
        return self.index.allowed(self.classes)

    @cached_property
    def rows(self) -> Rows:
        """All that may be seen, ascending."""
        import numpy as np

        return np.flatnonzero(self.every.mask)

    @cached_property
    def searched(self) -> Allowed:
        """V: what may be seen, but for what is always shown."""
        variant = self.index.column("part") == PARTS.index(Part.VARIANT)
        return self.index.allowed(self.classes, only=variant)

    def without(self, leave: frozenset[int]) -> Allowed:
        """V_rest: V without the recent turns that are shown, and without summaries of them."""
        import numpy as np

        gone = set(leave)
        for row, sources in self._tables.sources.items():
            if not gone.isdisjoint(sources):
                gone.add(row)
        if not gone:
            return self.searched
        only = np.ones(self.index.rows, np.bool_)
        only[sorted(gone)] = False
        return self.index.allowed(self.classes, only=only & self.searched.mask)

    def neighbours(self, rows: Rows, *, step: int) -> Rows:
        """The row `step` visible rows of the same session away; −1 where there is none."""
        import numpy as np

        sessions = self.index.column("session")
        kinds = self.index.column("kind")
        side, wanted = (1 if step > 0 else -1), abs(step)
        place = np.searchsorted(self.rows, rows)
        found = np.full(len(rows), _NONE, np.int64)
        seen = np.zeros(len(rows), np.int64)
        for reach in range(1, REACH * wanted + 1):
            there = place + side * reach
            inside = (there >= 0) & (there < len(self.rows))
            other = self.rows[np.where(inside, there, 0)]
            same = inside & (sessions[other] == sessions[rows]) & (kinds[other] == kinds[rows])
            seen += same
            hit = same & (seen == wanted) & (found == _NONE)
            found[hit] = other[hit]
            if (seen >= wanted).all():
                break
        return found

    @cached_property
    def timeline(self) -> Timeline:
        """The sessions it knows of, in the order in which they began."""
        import numpy as np

        from storykeeper.language.time import Session, Timeline

        names = self.session_names
        sessions = self.index.column("session")[self.rows].astype(np.int64)
        said = self.index.column("said")[self.rows]
        spoken = self.index.column("kind")[self.rows] == KINDS.index(Kind.SAID)
        sessions, said = sessions[spoken], said[spoken]
        order, firsts = np.unique(sessions, return_index=True)
        made: list[Session] = []
        ends = _extent(sessions, said, len(names))
        for number in order[np.argsort(firsts, kind="stable")]:
            first, last = ends[0][number], ends[1][number]
            dated = first >= 0
            made.append(
                Session(names[number], int(first) if dated else None, int(last) if dated else None)
            )
        made.sort(key=lambda s: s.start_ms if s.start_ms is not None else -1)
        return Timeline(made)

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Those whose words it has."""
        import numpy as np

        names = list(self._tables.speakers)
        here = np.unique(self.index.column("speaker")[self.rows]).astype(np.int64)
        return tuple(names[number] for number in here if names[number])

    def part(self, part: Part) -> list[Item]:
        """What belongs to a part, in written order."""
        import numpy as np

        here = self.index.column("part")[self.rows] == PARTS.index(part)
        return [self._item(int(row)) for row in self.rows[np.flatnonzero(here)]]

    def recent(self, most: int, *, session: str = "") -> list[Item]:
        """The last things said, oldest first; of one session, if it is named."""
        kinds, sessions = self.index.column("kind"), self.index.column("session")
        wanted = self._tables.sessions.get(session, _NONE)
        found: list[Item] = []
        for row in reversed(self.rows.tolist()):
            if kinds[row] == KINDS.index(Kind.SAID) and (not session or sessions[row] == wanted):
                found.append(self._item(row))
                if len(found) >= most:
                    break
        return found[::-1]


def _extent(
    sessions: Rows, said: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first and last moment of each session; −1 where nobody said when."""
    import numpy as np

    dated = said >= 0
    first, last = np.full(count, np.inf), np.full(count, -1.0)
    np.minimum.at(first, sessions[dated], said[dated])
    np.maximum.at(last, sessions[dated], said[dated])
    first[np.isinf(first)] = -1.0
    return first, last
