"""Until when something is remembered: a moment, or so long after it was said."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import Final, Literal

from storykeeper.errors import ItemRefused
from storykeeper.memory.moments import moment

Expiry = str | float | datetime | timedelta


class Same(Enum):
    """What is not to be changed."""

    AS_IT_IS = "as it is"

    def __repr__(self) -> str:
        return "AS_IT_IS"


AS_IT_IS: Final = Same.AS_IT_IS
Kept = Literal[Same.AS_IT_IS]


def until_or_refuse(
    expires: Expiry | None, *, at_ms: int | None, now_ms: int | None
) -> int | None:  # fmt: skip
    """The moment from which something is not found; None: it stays."""
    if expires is None:
        return None
    if not isinstance(expires, timedelta):
        return max(1, moment(expires))
    since = now_ms if at_ms is None else at_ms
    if expires <= timedelta(0):
        raise ItemRefused(f"it would be gone before it is there: it expires after {expires}")
    if since is None:
        raise ItemRefused(f"it expires after {expires}, but since when? say `at` as well")
    return max(1, since + expires // timedelta(milliseconds=1))


def until_or_same(
    expires: Expiry | Kept | None, *, at_ms: int | None, now_ms: int | None
) -> int | Kept | None:  # fmt: skip
    """The same, where it may also stay as it is."""
    if expires is AS_IT_IS:
        return AS_IT_IS
    return until_or_refuse(expires, at_ms=at_ms, now_ms=now_ms)
