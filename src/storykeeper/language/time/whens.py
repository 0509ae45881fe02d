"""When something was: windows of wall time, of sessions or of turns; and who is asking when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from storykeeper.language.time.values import Event


class Axis(StrEnum):
    """What a window is measured in."""

    WALL = "wall"  # milliseconds since 1970 as the clock there showed
    SESSION = "session"  # the numbers of sessions or scenes, from 1
    TURN = "turn"  # turns of the story


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a chat or a scene of a story: where it begins and ends."""

    id: str
    start_ms: int | None = None
    end_ms: int | None = None
    first_turn: int | None = None
    last_turn: int | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of one axis, both ends meant; None is open."""

    axis: Axis
    first: int | None
    last: int | None
    sessions: frozenset[str] = frozenset()  # on the axis of sessions: their ids

    def holds(self, *, at_ms: int | None, session: str = "", turn: int | None = None) -> bool:
        """Whether an item lies inside; one without a place on this axis does not."""
        if self.axis is Axis.SESSION:
            return session in self.sessions
        place = at_ms if self.axis is Axis.WALL else turn
        if place is None:
            return False
        return (self.first is None or place >= self.first) and (
            self.last is None or place <= self.last
        )


@dataclass(frozen=True, slots=True)
class When:
    """What an expression comes to.

    Hard: nothing outside is meant. Soft: outside is less likely. With an event there is no window
    until the event is found (`beside`).
    """

    windows: tuple[Window, ...]
    hard: bool
    explanation: str
    event: Event | None = None

    def holds(self, *, at_ms: int | None, session: str = "", turn: int | None = None) -> bool:
        """Whether an item lies in any of the windows."""
        return any(w.holds(at_ms=at_ms, session=session, turn=turn) for w in self.windows)
