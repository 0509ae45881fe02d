"""Days as numbers: the calendar's arithmetic, without a clock or a zone.

A day is its number since 1 January 1970; a moment is milliseconds since then, as the clock there
showed. What the calendar cannot hold (before year 1, after 9999) is None.
"""

from __future__ import annotations

from datetime import date

DAY_MS = 86_400_000
MINUTE_MS = 60_000
_EPOCH = date(1970, 1, 1).toordinal()
_FIRST, _LAST = date.min.toordinal() - _EPOCH, date.max.toordinal() - _EPOCH

Days = tuple[int, int]  # the first and the last, both meant


def day_number(year: int, month: int, day: int) -> int | None:
    """The number of a day, if there is such a day."""
    try:
        return date(year, month, day).toordinal() - _EPOCH
    except ValueError:
        return None


def day_of(moment_ms: int) -> int | None:
    """The day on which a moment falls."""
    day = moment_ms // DAY_MS
    return day if _FIRST <= day <= _LAST else None


def written(day: int) -> date:
    """A day's number as a date."""
    return date.fromordinal(min(max(day, _FIRST), _LAST) + _EPOCH)


def weekday_of(day: int) -> int:
    """0 for Monday."""
    return (day + 3) % 7


def month_days(year: int, month: int) -> Days | None:
    """All of a month; months beyond twelve run on into the years after."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    first = day_number(year, month, 1)
    after = day_number(year + month // 12, month % 12 + 1, 1)
    if first is None:
        return None
    return first, (after if after is not None else first + 31) - 1


def year_days(first: int, last: int) -> Days | None:
    """All of some years."""
    begin, end = day_number(first, 1, 1), day_number(last, 12, 31)
    return None if begin is None or end is None else (begin, end)


def thirds(days: Days, third: int | None) -> Days:
    """The early, middle or late third of some days."""
    if third is None:
        return days
    size = (days[1] - days[0] + 1) // 3
    cuts = (days[0], days[0] + size, days[1] - size + 1, days[1] + 1)
    return cuts[third], cuts[third + 1] - 1


def easter(year: int) -> int | None:
    """Easter Sunday of a year of the Gregorian calendar."""
    golden, century = year % 19, year // 100
    epact = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    full = epact - (epact // 28) * (1 - (29 // (epact + 1)) * ((21 - golden) // 11))
    sunday = full - (year + year // 4 + full + 2 - century + century // 4) % 7
    month = 3 + (sunday + 40) // 44
    return day_number(year, month, sunday + 28 - 31 * (month // 4))


def _thanksgiving(year: int) -> int | None:
    first = day_number(year, 11, 1)
    return None if first is None else first + (3 - weekday_of(first)) % 7 + 21


_FIXED = {
    "Christmas Eve": (12, 24),
    "Christmas Day": (12, 25),
    "Boxing Day": (12, 26),
    "New Year’s Eve": (12, 31),
    "New Year’s Day": (1, 1),
    "Valentine’s Day": (2, 14),
    "Halloween": (10, 31),
    "Independence Day": (7, 4),
}


def holiday_days(name: str, year: int) -> Days | None:
    """The days of a holiday in a year; Christmas is the 24th to the 26th, Easter four days."""
    if name == "Easter":
        sunday = easter(year)
        return None if sunday is None else (sunday - 2, sunday + 1)
    if name == "Christmas":
        eve = day_number(year, 12, 24)
        return None if eve is None else (eve, eve + 2)
    day = _thanksgiving(year) if name == "Thanksgiving" else day_number(year, *_FIXED[name])
    return None if day is None else (day, day)
