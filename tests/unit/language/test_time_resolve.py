"""When words say it was: the rules, one by one."""

from datetime import UTC, datetime

import pytest

from storykeeper.language.time import Asked, Axis, Session, Timeline, beside, find, resolve
from storykeeper.language.time.calendar import easter, written
from storykeeper.language.time.values import Event, Side
from strategies.tables import table


def ms(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def session(number, at, minutes=30):
    return Session(f"s{number}", ms(at), ms(at) + minutes * 60_000)


DAYS = ["2022-12-26T09", "2023-05-08T14", "2023-06-09T20", "2023-10-10T19", "2023-10-17T21",
        "2023-10-20T08", "2023-10-22T09"]  # fmt: skip
TIMELINE = Timeline(session(n, at) for n, at in enumerate(DAYS, 1))
NOW = ms("2023-10-22T12")  # a Sunday


def read(words, *, now=NOW, timeline=TIMELINE, **more):
    (expression,) = find(words)
    return resolve(expression, Asked(now, timeline, **more))


def wall(words, **more):
    """First and last moment, as written."""
    (window,) = read(words, **more).windows
    assert window.axis is Axis.WALL
    return tuple(
        None if at is None else datetime.fromtimestamp(at / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M")
        for at in (window.first, window.last)
    )


def days(words, **more):
    return tuple(at and at[:10] for at in wall(words, **more))


@table(
    "words, first, last",
    [
        ("last Tuesday", "2023-10-17", "2023-10-17"),
        ("last Sunday", "2023-10-15", "2023-10-15"),  # strictly before today
        ("on Sunday", "2023-10-22", "2023-10-22"),
        ("this Wednesday", "2023-10-18", "2023-10-18"),
        ("next Sunday", "2023-10-29", "2023-10-29"),
        ("May 8th", "2023-05-08", "2023-05-08"),
        ("December 26th", "2022-12-26", "2022-12-26"),
        ("in October", "2023-10-01", "2023-10-31"),
        ("in December", "2022-12-01", "2022-12-31"),
        ("last October", "2022-10-01", "2022-10-31"),
        ("last winter", "2022-12-01", "2023-02-28"),
        ("late February 2024", "2024-02-21", "2024-02-29"),
        ("at Christmas", "2022-12-24", "2022-12-26"),
        ("5 months ago", "2023-05-01", "2023-05-31"),
        ("11 months ago", "2022-11-01", "2022-11-30"),
        ("last month", "2023-09-01", "2023-09-30"),
        ("this year", "2023-01-01", "2023-12-31"),
        ("last week", "2023-10-09", "2023-10-15"),
        ("last weekend", "2023-10-14", "2023-10-15"),
        ("the last week", "2023-10-15", "2023-10-22"),
        ("the last 2 days", "2023-10-20", "2023-10-22"),
        ("the past month", "2023-09-22", "2023-10-22"),
        ("between December 26th and May 8th", "2022-12-26", "2023-05-08"),
        ("from 26 December 2022 to May 8", "2022-12-26", "2023-05-08"),
        ("from August 1 to May 8", "2022-08-01", "2023-05-08"),  # the August before that May
        ("since May", "2023-05-01", None),
        ("before 9 June", None, "2023-06-08"),
        ("after June 9th", "2023-06-10", None),
        ("until May", None, "2023-05-31"),
        ("the week before June 9", "2023-06-02", "2023-06-08"),
        ("the Tuesday before 20 October", "2023-10-17", "2023-10-17"),
    ],
)
def test_days(words, first, last):
    assert days(words) == (first, last)


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("this morning", "2023-10-22 00:00", "2023-10-22 11:59"),
        ("last night", "2023-10-21 18:00", "2023-10-22 05:59"),
        ("that night", "2023-10-21 18:00", "2023-10-22 05:59"),  # tonight has not begun
        ("tonight", "2023-10-22 18:00", "2023-10-23 05:59"),
        ("last Tuesday at 9 pm", "2023-10-17 20:30", "2023-10-17 21:30"),
        ("two hours ago", "2023-10-22 09:30", "2023-10-22 10:30"),
        ("the last two hours", "2023-10-22 10:00", "2023-10-22 12:00"),
    ],
)
def test_hours(words, first, last):
    assert wall(words, timeline=Timeline()) == (first, last)


def test_a_day_on_which_something_was_said_is_preferred():
    told = Timeline([session(1, "2021-05-08T10")])
    assert days("on May 8th", timeline=told) == ("2021-05-08", "2021-05-08")
    assert days("in May", timeline=told) == ("2021-05-01", "2021-05-31")
    assert days("on May 8th", timeline=Timeline()) == ("2023-05-08", "2023-05-08")


def test_a_date_in_figures_is_day_first_unless_only_the_other_way_fits():
    assert days("3/4/2023") == ("2023-04-03", "2023-04-03")
    assert days("10/20/2023") == ("2023-10-20", "2023-10-20")
    assert days("6/9/2023") == ("2023-06-09", "2023-06-09")  # something was said then


def test_a_leap_day_is_the_latest_that_there_was():
    assert days("on 29 February") == ("2020-02-29", "2020-02-29")


def test_ago_is_widened_to_the_nearest_day_on_which_something_was_said():
    assert days("12 days ago") == ("2023-10-10", "2023-10-10")
    when = read("11 days ago")
    assert when.hard
    assert "widened" in when.explanation
    assert days("11 days ago") == ("2023-10-10", "2023-10-12")
    assert days("8 days ago") == ("2023-10-14", "2023-10-14")
    assert not read("8 days ago").hard


def test_ago_is_widened_no_further_than_it_must():
    told = Timeline([session(1, "2023-07-10T10"), session(2, "2023-07-12T10")])
    assert days("100 days ago", timeline=told) == ("2023-07-12", "2023-07-16")
    assert days("105 days ago", timeline=told) == ("2023-07-08", "2023-07-10")


def test_a_part_of_a_day_is_widened_to_the_day():
    assert days("on the morning of 8 May") == ("2023-05-08", "2023-05-08")
    assert wall("on the afternoon of 8 May") == ("2023-05-08 12:00", "2023-05-08 17:59")


def test_a_time_at_which_nothing_was_said_is_soft():
    when = read("on 3 March 2023")
    assert not when.hard
    assert "nothing was said" in when.explanation


def test_earlier_leaves_out_the_sitting_that_is_not_over():
    told = Timeline([session(1, "2023-10-22T09"), session(2, "2023-10-22T11:25")])
    assert wall("earlier today", timeline=told) == ("2023-10-22 00:00", "2023-10-22 11:24")
    assert wall("today", timeline=told)[1] == "2023-10-22 23:59"
    later = ms("2023-10-22T15")
    assert wall("earlier today", timeline=told, now=later)[1] == "2023-10-22 23:59"
    assert wall("earlier today", timeline=told, now=later, running="s2")[1] == "2023-10-22 11:24"
    assert wall("earlier this afternoon", timeline=told)[1] == "2023-10-22 11:24"


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("two sessions ago", {"s6"}),
        ("last time", {"s7"}),
        ("the first conversation", {"s1"}),
        ("sessions 2 through 4", {"s2", "s3", "s4"}),
        ("the last two sessions", {"s6", "s7"}),
        ("before our third session", {"s1", "s2"}),
        ("since the sixth session", {"s6", "s7"}),
        ("this session", {"s7"}),
        ("sessions 6 to 60", {"s6", "s7"}),
    ],
)
def test_sessions(words, ids):
    (window,) = read(words).windows
    assert window.sessions == ids
    assert all(window.holds(at_ms=None, session=each) for each in ids)
    assert not window.holds(at_ms=NOW, session="s5" if "s5" not in ids else "")


def test_the_running_session_does_not_count_from_the_end():
    (window,) = read("last time", running="s7").windows
    assert window.sessions == {"s6"}
    (window,) = read("this session", running="s5").windows
    assert window.sessions == {"s5"}


def test_sessions_that_never_were():
    assert read("30 sessions ago") is None
    assert not read("in our 30th session").hard
    assert read("two sessions ago", timeline=Timeline()) is None


def test_turns_of_a_story():
    scenes = Timeline([Session("a", None, None, 1, 20), Session("b", None, None, 21, 40)])
    (window,) = read("three turns ago", now=None, timeline=scenes, turn=40).windows
    assert (window.axis, window.first, window.last) == (Axis.TURN, 38, 38)
    assert window.holds(at_ms=None, turn=38)
    assert not window.holds(at_ms=None, turn=39)
    (window,) = read("earlier that night", now=None, timeline=scenes, turn=40).windows
    assert (window.axis, window.first, window.last) == (Axis.TURN, 21, 39)
    (window,) = read("in the first scene", now=None, timeline=scenes, turn=40).windows
    assert window.sessions == {"a"}


def test_without_a_now_only_what_needs_none_is_read():
    assert read("yesterday", now=None) is None
    assert read("last week", now=None) is None
    assert days("in May", now=None) == ("2023-05-01", "2023-05-31")
    (window,) = read("two sessions ago", now=None).windows
    assert window.sessions == {"s6"}
    assert read("in May", now=None, timeline=Timeline()) is None


def test_how_long_is_not_when():
    assert read("for three weeks") is None


def test_a_holiday_at_which_nothing_was_said_is_any():
    assert read("at Easter") is None


@pytest.mark.parametrize(
    ("side", "first", "last"),
    [(Side.BEFORE, None, 99), (Side.UNTIL, None, 100), (Side.AFTER, 101, None),
     (Side.SINCE, 100, None), (Side.DURING, 100, 100)],
)  # fmt: skip
def test_beside_an_event_that_was_found(side, first, last):
    when = beside(Event(side, "the wedding"), turn=100, asked=Asked())
    assert not when.hard
    (window,) = when.windows
    assert (window.axis, window.first, window.last) == (Axis.TURN, first, last)
    assert "the wedding" in when.explanation
    assert beside(Event(side, "the wedding"), asked=Asked()) is None


def test_an_event_is_to_be_looked_up():
    when = read("before the wedding")
    assert when.windows == ()
    assert (when.event.side, when.event.phrase) == (Side.BEFORE, "the wedding")


@pytest.mark.parametrize("now", [-(10**18), 10**18, ms("0001-01-01"), ms("9999-12-31")])
@pytest.mark.parametrize(
    "words", ["yesterday", "1000000 years ago", "next year", "last winter", "tomorrow", "in May"]
)
def test_the_ends_of_the_calendar(words, now):
    when = read(words, now=now)
    assert when is None or when.explanation


@pytest.mark.parametrize(
    ("year", "day"), [(1961, "1961-04-02"), (2000, "2000-04-23"), (2023, "2023-04-09"),
                      (2024, "2024-03-31"), (2038, "2038-04-25")],
)  # fmt: skip
def test_easter(year, day):
    assert written(easter(year)).isoformat() == day


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("last Tuesday", "“last Tuesday” is read as Tuesday 17 October 2023"),
        ("in May", "“in May” is read as May 2023"),
        ("in 2022", "“in 2022” is read as 2022"),
        ("two sessions ago", "“two sessions ago” is read as session 6 of 7"),
        ("since May", "“since May” is read as any time from 1 May 2023 on"),
        (
            "two hours ago",
            "“two hours ago” is read as 22 October 2023, 9:30 to 22 October 2023, 10:30",
        ),
    ],
)
def test_the_reading_in_words(words, said):
    assert read(words).explanation == said


def test_a_long_session_reaches_past_a_short_one_inside_it():
    timeline = Timeline([Session("long", 0, 100), Session("short", 10, 20)])
    assert timeline.touches(50, 60)
    assert not timeline.touches(101, 200)
    assert not Timeline().touches(None, None)
