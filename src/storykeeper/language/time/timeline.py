"""The sessions in order, so that "was there one then?" is a look-up and no walk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from storykeeper.language.time.whens import Axis, Session, Window


class Timeline:
    """Sessions (or scenes) as they followed each other; made once, asked often."""

    __slots__ = ("_ends", "_places", "_starts", "sessions")

    def __init__(self, sessions: Iterable[Session] = ()) -> None:
        """In the order in which they took place."""
        self.sessions = tuple(sessions)
        dated = sorted(
            (s.start_ms, s.end_ms if s.end_ms is not None else s.start_ms)
            for s in self.sessions
            if s.start_ms is not None
        )
        self._starts = [start for start, _ in dated]
        self._ends = list(accumulate((end for _, end in dated), max))
        self._places = {s.id: n for n, s in enumerate(self.sessions)}

    @classmethod
    def of(cls, sessions: Timeline | Iterable[Session]) -> Timeline:
        """As it is, or made of sessions."""
        return sessions if isinstance(sessions, Timeline) else cls(sessions)

    def __len__(self) -> int:
        return len(self.sessions)

    @property
    def dated(self) -> bool:
        """Whether any session has a time."""
        return bool(self._starts)

    @property
    def begin_ms(self) -> int | None:
        """When the first began."""
        return self._starts[0] if self._starts else None

    @property
    def end_ms(self) -> int | None:
        """When the last ended."""
        return self._ends[-1] if self._ends else None

    def touches(self, first_ms: int | None, last_ms: int | None) -> bool:
        """Whether any session reaches into this stretch of time."""
        begun = len(self._starts) if last_ms is None else bisect_right(self._starts, last_ms)
        return begun > 0 and (first_ms is None or self._ends[begun - 1] >= first_ms)

    def place(self, session: str | None) -> int | None:
        """The number of a session, from 1."""
        place = None if session is None else self._places.get(session)
        return None if place is None else place + 1

    def window(self, first: int | None, last: int | None) -> Window:
        """Sessions by number, from 1, both meant."""
        chosen = self.sessions[max((first or 1) - 1, 0) : last]
        return Window(Axis.SESSION, first, last, frozenset(s.id for s in chosen))


@dataclass(frozen=True, slots=True)
class Asked:
    """When a question is asked, and what there was before it, in order.

    `running` is the session in which it is asked; without one it is asked after them all, and
    "last time" is the newest of them.
    """

    now_ms: int | None = None
    timeline: Timeline = field(default_factory=Timeline)
    turn: int | None = None
    running: str | None = None
