"""Windows in plain words, for the receipt."""

from __future__ import annotations

from storykeeper.language.time.calendar import DAY_MS, MINUTE_MS, month_days, written, year_days
from storykeeper.language.time.lexer import listed
from storykeeper.language.time.timeline import Timeline
from storykeeper.language.time.whens import Axis, Window

_MONTHS = listed(
    "January February March April May June July August September October November December"
)
_WEEKDAYS = listed("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")


def in_words(window: Window, timeline: Timeline) -> str:
    """What a window is, as one would say it."""
    if window.axis is Axis.WALL:
        return _wall(window.first, window.last)
    if window.axis is Axis.TURN:
        return _counted("turn", window.first, window.last)
    said = _counted("session", window.first, window.last)
    return f"{said} of {len(timeline)}"


def _counted(unit: str, first: int | None, last: int | None) -> str:
    if first is None:
        return f"every {unit} up to {last}" if last is not None else f"every {unit}"
    if last is None:
        return f"every {unit} from {first} on"
    return f"{unit} {first}" if first == last else f"{unit}s {first} to {last}"


def _wall(first: int | None, last: int | None) -> str:
    if first is None:
        return "any time" if last is None else f"any time up to {_moment(last, ends=True)}"
    if last is None:
        return f"any time from {_moment(first, ends=False)} on"
    days = first // DAY_MS, last // DAY_MS
    date = written(days[0])
    whole = first % DAY_MS == 0 and (last + 1) % DAY_MS == 0
    if whole and days == year_days(date.year, date.year):
        return str(date.year)
    if whole and days == month_days(date.year, date.month):
        return f"{_MONTHS[date.month - 1]} {date.year}"
    if whole and days[0] == days[1]:
        return f"{_WEEKDAYS[date.weekday()]} {_date(days[0])}"
    return f"{_moment(first, ends=False)} to {_moment(last, ends=True)}"


def _moment(ms: int, *, ends: bool) -> str:
    """A day; with the hour, if it does not begin (or end) there."""
    day, rest = divmod(ms + (1 if ends else 0), DAY_MS)
    if not rest:
        return _date(day - 1 if ends else day)
    minutes = ms % DAY_MS // MINUTE_MS
    return f"{_date(ms // DAY_MS)}, {minutes // 60}:{minutes % 60:02}"


def _date(day: int) -> str:
    date = written(day)
    return f"{date.day} {_MONTHS[date.month - 1]} {date.year}"
