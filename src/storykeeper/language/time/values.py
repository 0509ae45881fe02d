"""What an expression of time says, before it is known when "now" is.

A value is what the words mean by themselves: "last Tuesday" is a weekday and which one, "two
sessions ago" a count from the end. `resolving` turns values into windows.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of expression it is."""

    DATE = "date"  # 8 May 2023, May 8th, 2023-05-08
    MONTH = "month"  # in May, early June 2022
    YEAR = "year"  # in 2022, the 1920s
    SEASON = "season"  # last summer
    WEEKDAY = "weekday"  # last Tuesday
    CLOCK = "clock"  # at half past four
    PART = "part"  # this morning, last night
    RELATIVE = "relative"  # yesterday, a fortnight ago, this week
    ROLLING = "rolling"  # over the last three days
    SESSION = "session"  # two sessions ago, the first conversation, scene 3
    TURN = "turn"  # three turns ago, turns 4 to 9
    HOLIDAY = "holiday"  # at Christmas
    SPAN = "span"  # between May 8th and June 9th
    LIMIT = "limit"  # since May, before 8 June
    EVENT = "event"  # before the wedding
    DURATION = "duration"  # for three weeks: how long, not when
    STAMP = "stamp"  # seconds since 1970


class Which(StrEnum):
    """Which of those that come round again."""

    NEAR = "near"  # "on Friday": the latest that has come
    LAST = "last"
    THIS = "this"
    NEXT = "next"


class Side(StrEnum):
    """On which side of a moment."""

    BEFORE = "before"  # ends before it begins
    AFTER = "after"  # begins after it ends
    SINCE = "since"  # from its beginning on
    UNTIL = "until"  # up to its end
    DURING = "during"


class Unit(StrEnum):
    """What time is counted in."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"
    SESSION = "session"
    SCENE = "scene"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar; without a year, the latest that has come."""

    month: int
    day: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Numeric:
    """3/4/2023: two numbers that may be day and month either way round."""

    first: int
    second: int
    year: int


@dataclass(frozen=True, slots=True)
class Month:
    """A month, or the early, middle or late third of it."""

    month: int
    year: int | None = None
    which: Which = Which.NEAR
    third: int | None = None  # 0 early, 1 middle, 2 late


@dataclass(frozen=True, slots=True)
class Years:
    """A year, a part of one, or a run of them."""

    first: int
    last: int
    third: int | None = None


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a year: winter belongs to the year in which it begins."""

    name: str
    year: int | None = None
    which: Which = Which.NEAR


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week, Monday being 0."""

    day: int
    which: Which = Which.NEAR


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a day."""

    name: str
    which: Which = Which.THIS


@dataclass(frozen=True, slots=True)
class Clock:
    """A time by the clock, in minutes after midnight."""

    minutes: int


@dataclass(frozen=True, slots=True)
class At:
    """A part of a day, or a time by the clock, on a day said beside it."""

    day: Value
    time: Part | Clock


@dataclass(frozen=True, slots=True)
class Offset:
    """A whole unit so many units from now: yesterday, this week, five months ago."""

    unit: Unit
    count: int
    about: bool = False  # "ago", "a few": near it will do


@dataclass(frozen=True, slots=True)
class Rolling:
    """The time that ends now: the last three days."""

    unit: Unit
    count: int


@dataclass(frozen=True, slots=True)
class Nth:
    """Sessions, scenes or turns by number: from 1 on, or from −1 back."""

    unit: Unit
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Running:
    """The session or scene that is under way: "this session"."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Earlier:
    """A time of which only what came before the present sitting is meant: "earlier today"."""

    value: Value


@dataclass(frozen=True, slots=True)
class Holiday:
    """A day with a name."""

    name: str
    year: int | None = None
    which: Which = Which.NEAR


@dataclass(frozen=True, slots=True)
class Span:
    """From the beginning of one to the end of another."""

    first: Value
    last: Value


@dataclass(frozen=True, slots=True)
class Limit:
    """On one side of a time."""

    side: Side
    value: Value


@dataclass(frozen=True, slots=True)
class Shift:
    """So many units, or a weekday, before or after a time: "two weeks before 11 August"."""

    unit: Unit | None  # none: a weekday
    count: int
    side: Side
    value: Value
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Beside something that happened, which must be looked up: "before the wedding"."""

    side: Side
    phrase: str


@dataclass(frozen=True, slots=True)
class Duration:
    """How long: no time of its own."""

    unit: Unit
    count: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """Seconds since 1970."""

    seconds: int


Value = (
    Day
    | Numeric
    | Month
    | Years
    | Season
    | Weekday
    | Part
    | Clock
    | At
    | Offset
    | Rolling
    | Nth
    | Running
    | Earlier
    | Holiday
    | Span
    | Limit
    | Shift
    | Event
    | Duration
    | Stamp
)

_KINDS: dict[type, Kind] = {
    Day: Kind.DATE,
    Numeric: Kind.DATE,
    Month: Kind.MONTH,
    Years: Kind.YEAR,
    Season: Kind.SEASON,
    Weekday: Kind.WEEKDAY,
    Part: Kind.PART,
    Clock: Kind.CLOCK,
    Offset: Kind.RELATIVE,
    Rolling: Kind.ROLLING,
    Running: Kind.SESSION,
    Holiday: Kind.HOLIDAY,
    Span: Kind.SPAN,
    Limit: Kind.LIMIT,
    Shift: Kind.RELATIVE,
    Event: Kind.EVENT,
    Duration: Kind.DURATION,
    Stamp: Kind.STAMP,
}


def kind_of(value: Value) -> Kind:
    """What sort of expression says this."""
    if isinstance(value, At):
        return kind_of(value.day)
    if isinstance(value, Earlier):
        return kind_of(value.value)
    if isinstance(value, Nth):
        return Kind.TURN if value.unit is Unit.TURN else Kind.SESSION
    if isinstance(value, Offset) and value.unit in (Unit.SESSION, Unit.SCENE):
        return Kind.SESSION
    return _KINDS[type(value)]


@dataclass(frozen=True, slots=True)
class Expression:
    """Words of a text that say when: `text[start:end]`."""

    start: int
    end: int
    text: str
    kind: Kind
    value: Value
