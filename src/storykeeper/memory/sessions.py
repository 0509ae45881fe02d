"""Which session something belongs to when nobody says.

To that of what was said before it, unless a long silence lies between: since the last line of which
somebody said when. Before it stands only what everybody knows who may know it too: else sessions
would tell them of what they may not know. A session is called after the line that began it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from storykeeper.memory.chats import Said

NEW_SESSION_MS = 6 * 3_600_000  # a chat that fell silent for so long begins anew

Audience = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Before:
    """What was said before something: in which session, and when, as far as anybody said."""

    session: str
    at_ms: int | None


@dataclass(frozen=True, slots=True)
class _Last:
    """The place and session of the last line for somebody, and the last moment among theirs."""

    place: int
    session: str
    dated: tuple[int, int] | None  # its place, too


class Sessions:
    """The sessions of some lines, told one after another."""

    def __init__(self, recorded: Callable[[Audience], Before | None]) -> None:
        """`recorded` is what was last on record of what all of an audience know."""
        self._recorded = recorded
        self._told = 0
        self._last: dict[Audience, _Last] = {}  # of these lines, by who knows them

    def of(self, said: Said, *, item: str) -> str:
        """The session of the next line, which will be called `item`."""
        before = self._before(said.audience)
        session = said.session or _following(before, said.at_ms, f"s{item[1:]}")
        self._told += 1
        mine = self._last.get(said.audience)
        dated = None if mine is None else mine.dated
        if said.at_ms is not None:
            dated = (self._told, said.at_ms)
        self._last[said.audience] = _Last(self._told, session, dated)
        return session

    def _before(self, audience: Audience) -> Before | None:
        known = [last for eyes, last in self._last.items() if knows_all(eyes, of=audience)]
        if not known:
            return self._recorded(audience)
        session = max(known, key=lambda last: last.place).session
        dated = max((last.dated for last in known if last.dated is not None), default=None)
        if dated is not None:
            return Before(session, dated[1])
        recorded = self._recorded(audience)
        return Before(session, None if recorded is None else recorded.at_ms)


def knows_all(eyes: Audience, *, of: Audience) -> bool:
    """Whether everybody of one audience is in the other too."""
    return eyes is None or (of is not None and of <= eyes)


def _following(before: Before | None, at_ms: int | None, new: str) -> str:
    if before is None or not before.session:
        return new
    if before.at_ms is None or at_ms is None:
        return before.session
    return new if at_ms - before.at_ms > NEW_SESSION_MS else before.session
