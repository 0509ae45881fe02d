"""What one audience sees of a memory: its rows, who stands beside whom, when there were sessions.

Everything here is a function of the rows that the audience may see. A hidden row between two that
are not leaves them neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.tables import KINDS, NO_TURN, PARTS, UNDATED, Tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.language.time import Timeline, Window
    from storykeeper.memory.index.index import Index
    from storykeeper.memory.index.values import Allowed

    Bools = NDArray[np.bool_]
    Rows = NDArray[np.int64]

REACH = 8  # how many visible rows back and forth a neighbour of the same session is looked for
_NONE = -1


class Place(NamedTuple):
    """When something was, on each axis that it has a place on."""

    at_ms: int | None
    session: str
    turn: int | None


class View:
    """One audience's rows, as of now."""

    def __init__(
        self, index: Index, tables: Tables, item: Callable[[int], Item], classes: frozenset[int],
        *, only: Bools | None = None,
    ) -> None:  # fmt: skip
        """Of what these classes may see, only some rows, if they are given."""
        self.index = index
        self._only = only
        self.classes = classes
        self._tables = tables
        self._item = item
        self._counted: dict[str, int] = {}

    def having(self, terms: Sequence[str], allowed: Allowed) -> list[int]:
        """In how many allowed rows each term stands; of all that may be seen, counted once."""
        if allowed is not self.every:
            return self.index.having(terms, allowed=allowed)
        new = [term for term in terms if term not in self._counted]
        if new:
            self._counted.update(zip(new, self.index.having(new, allowed=allowed), strict=True))
        return [self._counted[term] for term in terms]

    @cached_property
    def session_names(self) -> list[str]:
        """Sessions by their number."""
        return list(self._tables.sessions)

    @cached_property
    def every(self) -> Allowed:
        """All that may be seen."""
        return self.index.allowed(self.classes, only=self._only)

    @cached_property
    def rows(self) -> Rows:
        """All that may be seen, ascending."""
        import numpy as np

        return np.flatnonzero(self.every.mask)

    @cached_property
    def told(self) -> Rows:
        """The same in the order in which they were told: a later version stands for its first."""
        import numpy as np

        origins = self._tables.origins
        if not origins:
            return self.rows
        first = np.array([origins.get(row, row) for row in self.rows.tolist()], np.int64)
        return np.asarray(self.rows[np.argsort(first, kind="stable")])

    def order_of(self, rows: Sequence[int] | Rows) -> Rows:
        """The places of rows among all that may be seen, as they were told, from 0."""
        import numpy as np

        at = np.searchsorted(self.rows, np.asarray(rows, np.int64))
        return at if self.told is self.rows else self._ranks[at]

    @cached_property
    def _ranks(self) -> Rows:
        import numpy as np

        ranks = np.empty(len(self.rows), np.int64)
        ranks[np.searchsorted(self.rows, self.told)] = np.arange(len(self.rows))
        return ranks

    @cached_property
    def searched(self) -> Allowed:
        """V: what may be seen, but for what is always shown."""
        variant = self.index.column("part") == PARTS.index(Part.VARIANT)
        return self.index.allowed(self.classes, only=variant & self.every.mask)

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

    def beside(self, rows: Rows) -> Rows:
        """Who stands beside each row in its session: one before, one after, two before, two after.

        −1 where nobody does, or where so much of other sessions was said in between that they are
        more than eight visible rows away.
        """
        import numpy as np

        place = self.order_of(rows)
        one_before, two_before = self._sides(rows, place, -1)
        one_after, two_after = self._sides(rows, place, 1)
        return np.stack([one_before, one_after, two_before, two_after], axis=1)

    def _sides(self, rows: Rows, place: Rows, side: int) -> tuple[Rows, Rows]:
        """The first and the second of the same session and kind, on one side."""
        import numpy as np

        first, second = (self._next(place + side * step) for step in (1, 2))
        near = self._alike(rows, first) & self._alike(rows, second)
        far = np.flatnonzero(~near)  # mostly they are the very next
        first[far], second[far] = self._within_reach(rows[far], place[far], side)
        return first, second

    def _next(self, there: Rows) -> Rows:
        """The visible rows at some places; −1 for none."""
        import numpy as np

        inside = (there >= 0) & (there < len(self.rows))
        return np.where(inside, self.told.take(there, mode="clip"), _NONE)

    def _alike(self, rows: Rows, others: Rows) -> NDArray[np.bool_]:
        """Which of the others are of the same session and kind; none is not."""
        found: NDArray[np.bool_] = others >= 0
        for name in ("session", "kind"):
            column = self.index.column(name)
            found &= column[rows] == column[others]
        return found

    def _within_reach(self, rows: Rows, place: Rows, side: int) -> tuple[Rows, Rows]:
        import numpy as np

        sessions, kinds = self.index.column("session"), self.index.column("kind")
        there = place[:, None] + side * np.arange(1, REACH + 1)
        inside = (there >= 0) & (there < len(self.rows))
        other = self.told[np.where(inside, there, 0)]
        same = inside & (sessions[other] == sessions[rows][:, None])
        same &= kinds[other] == kinds[rows][:, None]
        count = same.cumsum(axis=1)
        found = []
        for wanted in (1, 2):
            hit = same & (count == wanted)
            at = hit.argmax(axis=1)
            each = np.arange(len(rows))
            found.append(np.where(hit[each, at], other[each, at], _NONE))
        return found[0], found[1]

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
        numbers, firsts = np.unique(sessions, return_index=True)
        order = numbers[np.argsort(firsts, kind="stable")]
        begin, end = (each[order].tolist() for each in _extent(sessions, said, len(names)))
        made = [
            Session(names[number], int(first), int(last))
            if isfinite(first)
            else Session(names[number], None, None)
            for number, first, last in zip(order.tolist(), begin, end, strict=True)
        ]
        made.sort(key=lambda s: s.start_ms if s.start_ms is not None else UNDATED)
        return Timeline(made)

    def places(self, rows: Rows, windows: Sequence[Window]) -> list[Place]:
        """When each row was, as far as these windows ask."""
        import numpy as np

        from storykeeper.language.time import Axis

        said, sessions = self.index.column("said")[rows], self.index.column("session")[rows]
        turns = np.full(len(rows), NO_TURN)  # a chat has none
        if any(window.axis is Axis.TURN for window in windows):
            turns = self.index.column("turn")[rows].astype(np.int64)
        return [
            Place(
                int(at) if at > UNDATED else None,
                self.session_names[int(session)],
                None if turn == NO_TURN else int(turn),
            )
            for at, session, turn in zip(said, sessions, turns.tolist(), strict=True)
        ]

    @cached_property
    def spoken(self) -> Rows:
        """How many rows are of each speaker, by their number."""
        import numpy as np

        return np.bincount(self.index.column("speaker")[self.rows].astype(np.int64))

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Those whose words it has."""
        names = list(self._tables.speakers)
        return tuple(names[number] for number in self.spoken.nonzero()[0] if names[number])

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
        for row in reversed(self.told.tolist()):
            if kinds[row] == KINDS.index(Kind.SAID) and (not session or sessions[row] == wanted):
                found.append(self._item(row))
                if len(found) >= most:
                    break
        return found[::-1]


def _extent(
    sessions: Rows, said: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first and last moment of each session; infinite where nobody said when."""
    import numpy as np

    dated = np.isfinite(said)
    first, last = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(first, sessions[dated], said[dated])
    np.maximum.at(last, sessions[dated], said[dated])
    return first, last
