"""Which session something belongs to when nobody says.

To that of what was said before it, unless a long silence lies between. Before it stands only what
everybody knows who may know it too: else sessions would tell them of what they may not know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from storykeeper.memory.chats import Said

NEW_SESSION_MS = 6 * 3_600_000  # a chat that fell silent for so long begins anew

Audience = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Before:
    """Something said: its number, its session, and when it was, as far as anybody said."""

    number: int
    session: str
    at_ms: int | None


class Sessions:
    """The sessions of some lines, told one after another."""

    def __init__(self, recorded: Callable[[Audience], Before | None]) -> None:
        """`recorded` is the last thing on record that all of an audience know."""
        self._recorded = recorded
        self._last: dict[Audience, Before] = {}  # of these lines, by who knows it

    def of(self, said: Said, *, number: int) -> str:
        """The session of the next line."""
        before = self._before(said.audience)
        session = said.session or _following(before, said.at_ms, number)
        at_ms = said.at_ms if said.at_ms is not None or before is None else before.at_ms
        self._last[said.audience] = Before(number, session, at_ms)
        return session

    def _before(self, audience: Audience) -> Before | None:
        known = [last for eyes, last in self._last.items() if knows_all(eyes, of=audience)]
        return max(known, key=lambda b: b.number) if known else self._recorded(audience)


def knows_all(eyes: Audience, *, of: Audience) -> bool:
    """Whether everybody of one audience is in the other too."""
    return eyes is None or (of is not None and of <= eyes)


def _following(before: Before | None, at_ms: int | None, number: int) -> str:
    if before is None or not before.session:
        return f"s{number}"
    if before.at_ms is None or at_ms is None:
        return before.session
    return f"s{number}" if at_ms - before.at_ms > NEW_SESSION_MS else before.session
