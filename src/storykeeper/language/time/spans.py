"""Values of the calendar as stretches of time, given when "now" is.

Rules where words are open: a day, month, season or holiday without a year is the latest that has
come, and if nothing was said then, the latest at which something was. "Last Tuesday" is the one
before today, "on Tuesday" may be today; "last month" is the month before, "the last month" the
thirty days or so up to now; so many months ago is that month, so many weeks ago a week around the
day. Weeks begin on Monday, winter on 1 December.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from storykeeper.language.time.calendar import (
    DAY_MS,
    MINUTE_MS,
    Days,
    day_number,
    day_of,
    holiday_days,
    month_days,
    thirds,
    weekday_of,
    written,
    year_days,
)
from storykeeper.language.time.names import PARTS, SEASONS
from storykeeper.language.time.timeline import Timeline
from storykeeper.language.time.values import (
    At,
    Clock,
    Day,
    Holiday,
    Month,
    Numeric,
    Offset,
    Part,
    Rolling,
    Season,
    Shift,
    Side,
    Span,
    Stamp,
    Unit,
    Value,
    Weekday,
    Which,
    Years,
)

Stretch = tuple[int, int]  # milliseconds, both meant
_SHORT_MS = {Unit.SECOND: 1000, Unit.MINUTE: MINUTE_MS, Unit.HOUR: 60 * MINUTE_MS}
_FURTHEST_YEARS = 100
_MOST_UNITS = 1_000_000


@dataclass(frozen=True, slots=True)
class Now:
    """The moment from which words are read."""

    ms: int
    today: int
    timeline: Timeline

    @classmethod
    def at(cls, ms: int | None, timeline: Timeline) -> Now | None:
        """None where the calendar has no such moment."""
        today = None if ms is None else day_of(ms)
        return None if ms is None or today is None else cls(ms, today, timeline)


def whole(days: Days) -> Stretch:
    """Days as milliseconds, from the first moment of the first to the last of the last."""
    return days[0] * DAY_MS, (days[1] + 1) * DAY_MS - 1


def stretch(value: Value, now: Now) -> Stretch | None:
    """The stretch of time that a value of the calendar means."""
    if isinstance(value, Part):
        return _nearest_part(value, now)
    if isinstance(value, Clock):
        return _about(now.today, value)
    if isinstance(value, At):
        return _at(value, now)
    if isinstance(value, Offset) and value.unit in _SHORT_MS:
        size = _SHORT_MS[value.unit]
        middle = now.ms + value.count * size
        return middle - size // 2, middle + size // 2
    if isinstance(value, Rolling):
        return _rolling(value, now)
    if isinstance(value, Span):
        return _span(value, now)
    if isinstance(value, Stamp):
        return value.seconds * 1000, value.seconds * 1000 + MINUTE_MS
    days = _days(value, now)
    return None if days is None else whole(days)


def _days(value: Value, now: Now) -> Days | None:
    """Whole days."""
    if isinstance(value, Day):
        return _dated(value, now)
    if isinstance(value, Numeric):
        return _numeric(value, now)
    if isinstance(value, Month):
        return _month(value, now)
    if isinstance(value, Years):
        found = year_days(value.first, value.last)
        return None if found is None else thirds(found, value.third)
    if isinstance(value, Season):
        return _season(value, now)
    if isinstance(value, Holiday):
        return _yearly(lambda year: holiday_days(value.name, year), value.year, value.which, now)
    if isinstance(value, Weekday):
        return _weekday(value, now.today)
    if isinstance(value, Offset):
        return offset(value, now.today)
    return _shift(value, now) if isinstance(value, Shift) else None


def _yearly(
    days: Callable[[int], Days | None], year: int | None, which: Which, now: Now
) -> Days | None:
    """That of the year said; else the latest that has come, and at which something was said."""
    if year is not None:
        return days(year)
    this = written(now.today).year
    if which is Which.THIS:
        return days(this)
    if which is Which.NEXT:
        later = (days(y) for y in (this, this + 1))
        return next((d for d in later if d is not None and d[0] > now.today), None)
    latest = None
    for y in range(this, _earliest_year(now) - 1, -1):
        found = days(y)
        if found is None or found[0] > now.today:
            continue
        if which is Which.LAST and found[1] >= now.today:
            continue
        latest = latest or found
        if not now.timeline.dated or now.timeline.touches(*whole(found)):
            return found
    return latest


def _earliest_year(now: Now) -> int:
    """How far back a year is looked for: nine years (a leap day), or where sessions begin."""
    this = written(now.today).year
    first = None if now.timeline.begin_ms is None else day_of(now.timeline.begin_ms)
    begun = this if first is None else written(first).year
    return max(min(this - 9, begun - 1), this - _FURTHEST_YEARS)


def _dated(value: Day, now: Now) -> Days | None:
    def days(year: int) -> Days | None:
        number = day_number(year, value.month, value.day)
        return None if number is None else (number, number)

    return _yearly(days, value.year, Which.NEAR, now)


def _numeric(value: Numeric, now: Now) -> Days | None:
    """Day first, unless only month first is a date, or only then was anything said."""
    readings = [
        (number, number)
        for month, day in ((value.second, value.first), (value.first, value.second))
        if (number := day_number(value.year, month, day)) is not None
    ]
    met = [days for days in readings if now.timeline.touches(*whole(days))]
    return next(iter(met or readings), None)


def _month(value: Month, now: Now) -> Days | None:
    days = _yearly(lambda y: month_days(y, value.month), value.year, value.which, now)
    return None if days is None else thirds(days, value.third)


def _season(value: Season, now: Now) -> Days | None:
    def days(year: int) -> Days | None:
        begin = month_days(year, SEASONS[value.name])
        end = month_days(year, SEASONS[value.name] + 2)
        return None if begin is None or end is None else (begin[0], end[1])

    return _yearly(days, value.year, value.which, now)


def _weekday(value: Weekday, today: int) -> Days:
    back = (weekday_of(today) - value.day) % 7
    if value.which is Which.LAST:
        day = today - (back or 7)
    elif value.which is Which.NEXT:
        day = today - back + 7
    elif value.which is Which.THIS:
        day = today - weekday_of(today) + value.day
    else:
        day = today - back
    return day, day


def offset(value: Offset, today: int) -> Days | None:
    """A whole unit of the calendar, so many from this one."""
    if abs(value.count) > _MOST_UNITS:
        return None
    monday = today - weekday_of(today)
    if value.unit is Unit.DAY:
        return today + value.count, today + value.count
    if value.unit is Unit.WEEK and value.about:
        return today + 7 * value.count - 3, today + 7 * value.count + 3
    if value.unit is Unit.WEEK:
        return monday + 7 * value.count, monday + 7 * value.count + 6
    if value.unit is Unit.WEEKEND:
        return monday + 7 * value.count + 5, monday + 7 * value.count + 6
    date = written(today)
    if value.unit is Unit.MONTH:
        return month_days(date.year, date.month + value.count)
    size = {Unit.YEAR: 1, Unit.DECADE: 10, Unit.CENTURY: 100}.get(value.unit, 1)
    first = date.year // size * size + size * value.count
    return year_days(first, first + size - 1)


def _rolling(value: Rolling, now: Now) -> Stretch | None:
    """From the day so many units back, all of it, up to now."""
    if value.count > _MOST_UNITS:
        return None
    if value.unit in _SHORT_MS:
        return now.ms - value.count * _SHORT_MS[value.unit], now.ms
    if value.unit in (Unit.DAY, Unit.WEEK, Unit.WEEKEND):
        back = value.count * (1 if value.unit is Unit.DAY else 7)
        return (now.today - back) * DAY_MS, now.ms
    months = value.count * {Unit.MONTH: 1, Unit.YEAR: 12, Unit.DECADE: 120}.get(value.unit, 1200)
    date = written(now.today)
    found = month_days(date.year, date.month - months)
    return None if found is None else (min(found[0] + date.day - 1, found[1]) * DAY_MS, now.ms)


def _nearest_part(value: Part, now: Now) -> Stretch:
    """Last night is yesterday's, tonight is today's; else the latest that has begun."""
    if value.which is Which.LAST:
        return _part(value.name, now.today - 1)
    today = _part(value.name, now.today)
    begun = value.which is Which.NEXT or today[0] <= now.ms
    return today if begun else _part(value.name, now.today - 1)


def _part(name: str, day: int) -> Stretch:
    first, last = PARTS[name]
    return day * DAY_MS + first * MINUTE_MS, day * DAY_MS + last * MINUTE_MS - 1


def _about(day: int, clock: Clock) -> Stretch:
    """Half an hour either side."""
    middle = day * DAY_MS + clock.minutes * MINUTE_MS
    return middle - 30 * MINUTE_MS, middle + 30 * MINUTE_MS


def _at(value: At, now: Now) -> Stretch | None:
    days = _days(value.day, now)
    if days is None:
        return None
    if isinstance(value.time, Clock):
        return _about(days[0], value.time)
    return _part(value.time.name, days[0])


def _span(value: Span, now: Now) -> Stretch | None:
    """The end is the latest that has come; the beginning the latest before that."""
    if getattr(value.first, "year", None) is not None and hasattr(value.last, "year"):
        first = stretch(value.first, now)
        last = _first_after(value.last, first, now) if first is not None else None
    else:
        last = stretch(value.last, now)
        at_end = None if last is None else Now.at(last[1], now.timeline)
        counted = isinstance(value.first, Offset | Rolling | Weekday | Part)
        first = None if at_end is None else stretch(value.first, now if counted else at_end)
    if first is None or last is None:
        return None
    return (first[0], last[1]) if first[0] <= last[1] else (last[0], first[1])


def _first_after(value: Value, first: Stretch, now: Now) -> Stretch | None:
    """A date without a year, after a beginning that has one: the first that follows."""
    if getattr(value, "year", None) is not None:
        return stretch(value, now)
    for years in (1, 2):
        ahead = Now.at(first[0] + 366 * years * DAY_MS, Timeline())
        found = None if ahead is None else stretch(value, ahead)
        if found is not None and found[1] >= first[0]:
            return found
    return None


def _shift(value: Shift, now: Now) -> Days | None:
    """The days so far before or after others."""
    base = stretch(value.value, now)
    first, last = (None, None) if base is None else (day_of(base[0]), day_of(base[1]))
    if first is None or last is None or value.count > _MOST_UNITS:
        return None
    early = value.side is Side.BEFORE
    if value.weekday is not None:
        if early:
            day = first - ((weekday_of(first) - value.weekday) % 7 or 7)
        else:
            day = last + ((value.weekday - weekday_of(last)) % 7 or 7)
        return day, day
    size = {Unit.DAY: 1, Unit.WEEK: 7, Unit.WEEKEND: 7, Unit.MONTH: 30, Unit.YEAR: 365}.get(
        value.unit or Unit.DAY
    )
    if size is None:
        return None
    if value.count == 1:
        return (first - size, first - 1) if early else (last + 1, last + size)
    middle = first - size * value.count if early else last + size * value.count
    return middle - size // 2, middle + size // 2
