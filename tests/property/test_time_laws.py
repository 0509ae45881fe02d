"""Laws of time in words: found where it stands, read as written, and never a crash."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.language.time import (
    Asked,
    Axis,
    Boost,
    Session,
    Timeline,
    Use,
    Window,
    anchors,
    find,
    narrow,
    resolve,
    slots,
)
from storykeeper.language.time.calendar import DAY_MS, day_of, written
from storykeeper.language.time.lexer import CARDINALS, ORDINALS

DATES = st.dates(date(1970, 1, 2), date(2100, 12, 31))
WORDS = """
    the last of 3 may May 31 february between and before first session sessions earlier that one
    ago a to - – June twenty-first 5 pm half past Sunday since 年 昨日 вчера 12/13/2023 0 00:00
    weeks days turns this week night the our ? . , before Christmas 2023 mid-May 99999999999
    what did we say about key Ana after until day month year time we talked yesterday
    2023-02-30 2024-02-29 scene 1990s ’s I
"""
PIECES = st.sampled_from(WORDS.split())
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=14).map(" ".join))
SPELLINGS = (
    lambda d: f"{d.day} {d:%B} {d.year:04}",
    lambda d: f"{d:%B} {d.day}, {d.year:04}",
    lambda d: f"the {d.day}{suffix(d.day)} of {d:%B} {d.year:04}",
    lambda d: f"{d:%b} {d.day} {d.year:04}",
    lambda d: f"{d:%B} {word(d.day)}, {d.year:04}",
    lambda d: d.isoformat(),
)


def suffix(n):
    return "th" if n in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def word(n):
    return next(name for name, number in ORDINALS.items() if number == n)


def ms(day, hour=0):
    return int(datetime(day.year, day.month, day.day, hour, tzinfo=UTC).timestamp() * 1000)


def session(day, name="s"):
    return Session(name, ms(day, 10), ms(day, 11))


def read(words, asked):
    (expression,) = find(words)
    return resolve(expression, asked)


@given(TEXTS)
def test_expressions_stand_where_they_say(text):
    found = find(text)
    assert all(text[e.start : e.end] == e.text and e.text for e in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert 0 <= anchors(text) <= len(found)
    assert len(slots(text)) <= 4
    assert all(slot in text for slot in slots(text))


@given(
    TEXTS,
    st.one_of(st.none(), st.integers(-(10**17), 10**17), DATES.map(ms)),
    st.lists(DATES, max_size=4),
    st.one_of(st.none(), st.integers(0, 50)),
    st.sampled_from([None, "s0", "s2", "other"]),
)
def test_any_question_is_answered_and_says_why(text, now, days, turn, running):
    sessions = [session(day, f"s{n}") for n, day in enumerate(sorted(days))]
    found = narrow(text + "?", now=now, sessions=sessions, turns=turn, running=running)
    when = found.when or found.boost
    assert (when is not None) == (found.kind in (Use.PURE, Use.TALK, Use.BOOST))
    assert bool(found.explanation) == (found.kind is not Use.NONE)
    for window in when.windows if when else ():
        ordered = window.first is None or window.last is None or window.first <= window.last
        assert ordered or window.axis is Axis.SESSION
    assert found == narrow(text + "?", now=now, sessions=sessions, turns=turn, running=running)


@given(DATES, st.sampled_from(SPELLINGS), DATES)
def test_a_date_is_read_as_it_is_written(day, spelling, now):
    when = read(f"on {spelling(day)}", Asked(ms(now), Timeline()))
    (window,) = when.windows
    assert (window.first, window.last) == (ms(day), ms(day) + DAY_MS - 1)


@given(DATES, st.integers(0, 9_000), st.booleans())
def test_so_many_days_ago_is_that_day(now, count, spelled):
    name = next((w for w, n in CARDINALS.items() if n == count), str(count)) if spelled else count
    (window,) = read(f"{name} days ago", Asked(ms(now, 15), Timeline())).windows
    assert written(day_of(window.first)) == now - timedelta(days=count)
    assert window.last == window.first + DAY_MS - 1


@given(DATES, st.integers(0, 6))
def test_the_last_weekday_is_within_the_week_before_today(now, number):
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    (window,) = read(f"last {names[number]}", Asked(ms(now, 9), Timeline())).windows
    day = written(day_of(window.first))
    assert day.weekday() == number
    assert now - timedelta(days=7) <= day < now


@given(st.integers(1, 60), st.integers(1, 60))
def test_sessions_are_counted_from_both_ends(total, back):
    days = [date(2023, 1, 1) + timedelta(days=n) for n in range(total)]
    asked = Asked(ms(date(2024, 1, 1)), Timeline(session(d, str(n)) for n, d in enumerate(days, 1)))
    when = read(f"{back} sessions ago", asked)
    if back > total:
        assert when is None
        return
    (window,) = when.windows
    assert window.sessions == {str(total - back + 1)}
    assert read(f"session {total - back + 1}", asked).windows == when.windows


@given(DATES, st.integers(0, 364), st.integers(0, 364))
def test_between_two_days_lie_both_and_nothing_else(now, near, far):
    first, last = now - timedelta(days=max(near, far)), now - timedelta(days=min(near, far))
    words = f"between {first:%B} {first.day} and {last:%B} {last.day}"
    (window,) = read(words, Asked(ms(now, 12), Timeline())).windows
    if (first.month == 2 and first.day == 29) or (last.month == 2 and last.day == 29):
        return
    assert (window.first, window.last) == (ms(first), ms(last) + DAY_MS - 1)


@given(DATES, st.lists(DATES, min_size=1, max_size=5), TEXTS)
def test_hard_only_where_something_was_said(now, days, text):
    timeline = Timeline(session(day, str(n)) for n, day in enumerate(sorted(days)))
    for expression in find(text):
        when = resolve(expression, Asked(ms(now), timeline))
        if when is None or not when.hard:
            continue
        (window,) = when.windows
        if window.axis is Axis.WALL:
            assert timeline.touches(window.first, window.last)
        elif window.axis is Axis.SESSION:
            assert window.sessions


@given(st.integers(0, 10**13), st.integers(0, 10**12), st.integers(0, 10**12))
def test_nearer_is_never_raised_less(first, near, far):
    boost = Boost((Window(Axis.WALL, first, first + DAY_MS),))
    near, far = min(near, far), max(near, far)
    assert boost.at(at_ms=first) == 1.0
    after = [boost.at(at_ms=first + DAY_MS + by) for by in (near, far)]
    before = [boost.at(at_ms=first - by) for by in (near, far)]
    assert 1.0 >= after[0] >= after[1] >= 0.0
    assert 1.0 >= before[0] >= before[1] >= 0.0
    assert after[0] >= before[0]


SPANS = st.tuples(st.integers(0, 60), st.integers(0, 40))


@given(st.lists(SPANS, max_size=8), SPANS)
def test_the_timeline_knows_what_a_walk_would_find(spans, asked):
    sessions = [Session("", start, start + length) for start, length in spans]
    first, last = asked[0], asked[0] + asked[1] // 8
    walked = any(s.start_ms <= last and s.end_ms >= first for s in sessions)
    assert Timeline(sessions).touches(first, last) is walked
