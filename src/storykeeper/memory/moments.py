"""Moments as people and programs write them, as milliseconds on the clock that was looked at.

A moment without a zone is taken as it stands; one with a zone is brought to UTC. Two moments of one
chat are then as far apart as its clocks said.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from storykeeper.errors import ItemRefused

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 10**11  # a whole number above this counts milliseconds: 1973 in them
_FORMS = (
    "%B %d, %Y %I:%M%p", "%B %d, %Y", "%d %B %Y", "%d %B, %Y", "%b %d, %Y",
    "%I:%M %p on %d %B, %Y", "%Y/%m/%d %H:%M", "%Y/%m/%d",
)  # fmt: skip
_TAVERN = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s.*")


def moment(value: str | float | datetime) -> int:
    """A moment as milliseconds since 1970; refuses what is none."""
    found = _read(value)
    if found is None:
        raise ItemRefused(
            f"{value!r} is no moment; write it as 2024-05-07T10:00, or in seconds since 1970"
        )
    return found


def shown(at_ms: int) -> datetime:
    """The clock that was looked at."""
    return _EPOCH + timedelta(milliseconds=at_ms)


def _read(value: str | float | datetime) -> int | None:
    if isinstance(value, datetime):
        return _milliseconds(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    text = " ".join(value.split())
    if re.fullmatch(r"\d{9,14}(\.\d+)?", text):
        return _from_number(float(text))
    tavern = _TAVERN.fullmatch(text)
    try:
        if tavern:
            year, month, day, hour, minute, second = map(int, tavern.groups())
            return _milliseconds(datetime(year, month, day, hour, minute, second, tzinfo=UTC))
        return _milliseconds(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return _by_form(text)


def _by_form(text: str) -> int | None:
    for form in _FORMS:
        try:
            return _milliseconds(datetime.strptime(text, form).replace(tzinfo=UTC))
        except ValueError:
            continue
    return None


def _from_number(value: float) -> int | None:
    scaled = value if abs(value) >= _MILLISECONDS_FROM else value * 1_000
    try:
        shown(int(scaled))
    except (OverflowError, ValueError):
        return None
    return int(scaled)


def _milliseconds(at: datetime) -> int | None:
    try:
        aware = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return (aware - _EPOCH) // timedelta(milliseconds=1)
