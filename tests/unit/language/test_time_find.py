"""Which words of a text say when, and what they say."""

from itertools import pairwise

from storykeeper.language.time import Kind, find
from storykeeper.language.time.values import (
    At,
    Clock,
    Day,
    Duration,
    Earlier,
    Event,
    Holiday,
    Limit,
    Month,
    Nth,
    Numeric,
    Offset,
    Part,
    Rolling,
    Running,
    Season,
    Shift,
    Side,
    Span,
    Stamp,
    Unit,
    Weekday,
    Which,
    Years,
)
from strategies.tables import table

DAY, WEEK, MONTH = Unit.DAY, Unit.WEEK, Unit.MONTH
SESSION, SCENE, TURN = Unit.SESSION, Unit.SCENE, Unit.TURN

VALUES = {
    # dates
    "8 May 2023": Day(5, 8, 2023),
    "8 May, 2023": Day(5, 8, 2023),
    "the 8th of May": Day(5, 8),
    "May 8th": Day(5, 8),
    "May the 8th": Day(5, 8),
    "May eighth, 2023": Day(5, 8, 2023),
    "October twenty-second": Day(10, 22),
    "October twenty second": Day(10, 22),
    "Sept. 3rd": Day(9, 3),
    "December 1,2023": Day(12, 1, 2023),
    "29 February": Day(2, 29),
    "2023-05-08": Day(5, 8, 2023),
    "8/5/2023": Numeric(8, 5, 2023),
    "8.5.23": Numeric(8, 5, 2023),
    "1696932000": Stamp(1696932000),
    # months, years, seasons, holidays
    "in May": Month(5),
    "in may": Month(5),
    "May 2023": Month(5, 2023),
    "last December": Month(12, which=Which.LAST),
    "early June 2022": Month(6, 2022, third=0),
    "the end of May": Month(5, third=2),
    "mid-May": Month(5, third=1),
    "the second week of November": Span(Day(11, 8), Day(11, 14)),
    "the second half of February 2023": Span(Day(2, 16, 2023), Day(2, 28, 2023)),
    "in 2022": Years(2022, 2022),
    "the year 1923": Years(1923, 1923),
    "the 1990s": Years(1990, 1999),
    "late 2022": Years(2022, 2022, third=2),
    "last summer": Season("summer", which=Which.LAST),
    "in the fall of 2021": Season("fall", 2021),
    "at Christmas": Holiday("Christmas"),
    "New Year's Eve 2022": Holiday("New Year’s Eve", 2022),
    # days and times of day
    "last Tuesday": Weekday(1, Which.LAST),
    "on Friday": Weekday(4),
    "yesterday": Offset(DAY, -1),
    "the day before yesterday": Offset(DAY, -2),
    "the day after tomorrow": Offset(DAY, 2),
    "this morning": Part("morning"),
    "last night": Part("night", Which.LAST),
    "that night": Part("night"),
    "in the evening": Part("evening", Which.NEAR),
    "yesterday evening": At(Offset(DAY, -1), Part("evening", Which.NEAR)),
    "the evening of 7 July, 2023": At(Day(7, 7, 2023), Part("evening", Which.NEAR)),
    "at 5 pm on Tuesday": At(Weekday(1), Clock(17 * 60)),
    "17:30": Clock(17 * 60 + 30),
    "12 a.m.": Clock(0),
    "half past four": Clock(4 * 60 + 30),
    "a quarter to nine": Clock(8 * 60 + 45),
    "nine o'clock": Clock(9 * 60),
    # counted from now
    "two weeks ago": Offset(WEEK, -2, about=True),
    "a fortnight ago": Offset(WEEK, -2, about=True),
    "a couple of months ago": Offset(MONTH, -2, about=True),
    "167 days ago": Offset(DAY, -167, about=True),
    "this week": Offset(WEEK, 0),
    "last month": Offset(MONTH, -1),
    "the week before last": Offset(WEEK, -2),
    "the last month": Rolling(MONTH, 1),
    "over the last 3 days": Rolling(DAY, 3),
    "over this last week": Rolling(WEEK, 1),
    "the past two years": Rolling(Unit.YEAR, 2),
    "earlier today": Earlier(Offset(DAY, 0)),
    "earlier this morning": Earlier(Part("morning")),
    "earlier in the week": Earlier(Offset(WEEK, 0)),
    "for three weeks": Duration(WEEK, 3),
    # spans and sides
    "between 3 and 7 June": Span(Day(6, 3), Day(6, 7)),
    "3-7 June 2023": Span(Day(6, 3, 2023), Day(6, 7, 2023)),
    "June 3 to 7, 2023": Span(Day(6, 3), Day(6, 7, 2023)),
    "May 8th through June 9th": Span(Day(5, 8), Day(6, 9)),
    "from May to July": Span(Month(5), Month(7)),
    "from 2019 to 2021": Span(Years(2019, 2019), Years(2021, 2021)),
    "since May": Limit(Side.SINCE, Month(5)),
    "before 8 June": Limit(Side.BEFORE, Day(6, 8)),
    "after our third session": Limit(Side.AFTER, Nth(SESSION, 3, 3)),
    "two weeks before August 11": Shift(WEEK, 2, Side.BEFORE, Day(8, 11)),
    "the Sunday before October 25": Shift(None, 1, Side.BEFORE, Day(10, 25), 6),
    "before the wedding": Event(Side.BEFORE, "the wedding"),
    "since starting boot camp": Event(Side.SINCE, "starting boot camp"),
    "three days after the fall of Rome": Event(Side.AFTER, "the fall of Rome"),
    # sessions, scenes, turns
    "two sessions ago": Nth(SESSION, -2, -2),
    "one session ago": Nth(SESSION, -1, -1),
    "the first conversation": Nth(SESSION, 1, 1),
    "our 21st session": Nth(SESSION, 21, 21),
    "our twenty-first discussion": Nth(SESSION, 21, 21),
    "in our very first chat": Nth(SESSION, 1, 1),
    "our last meeting": Nth(SESSION, -1, -1),
    "the session before last": Nth(SESSION, -2, -2),
    "the second to last session": Nth(SESSION, -2, -2),
    "the last three sessions": Nth(SESSION, -3, -1),
    "the first two scenes": Nth(SCENE, 1, 2),
    "session 3": Nth(SESSION, 3, 3),
    "sessions 1 through 3": Nth(SESSION, 1, 3),
    "from the first through third sessions": Nth(SESSION, 1, 3),
    "between sessions 3 and 5": Nth(SESSION, 3, 5),
    "last time": Nth(SESSION, -1, -1),
    "the third time we talked": Nth(SESSION, 3, 3),
    "this session": Running(SESSION),
    "not the last discussion, but the one before that": Nth(SESSION, -2, -2),
    "last week and the week before that": Span(Offset(WEEK, -2), Offset(WEEK, -1)),
    "three turns ago": Nth(TURN, -3, -3),
    "turns 3 to 9": Nth(TURN, 3, 9),
    "in the last scene": Nth(SCENE, -1, -1),
}


@table("words, value", VALUES.items())
def test_what_words_say(words, value):
    text = f"What did we do {words}?"
    (found,) = find(text)
    assert found.value == value
    assert found.text == text[found.start : found.end]
    assert found.text == words.removeprefix("not ")


@table(
    "text",
    [
        "",
        "What did June say about May and April?",
        "You may march on now, one by one.",
        "The last laugh was his, before and after.",
        "He was named after Ana.",
        "A picture of the sunset.",
        "the last time Ana laughed",
        "When was the last time we talked about the key?",
        "31 February",
        "2023-13-45",
        "99/99/2023",
        "in 99999",
        "25:00",
        "session",
        "昨日 вчера أمس",
        "She found 2077 coins.",
    ],
)
def test_what_says_nothing_of_when(text):
    assert find(text) == ()


def test_expressions_come_in_order_and_do_not_overlap():
    found = find("In May and on 3 June we met; last Tuesday too, and two sessions ago.")
    assert [e.kind for e in found] == [Kind.MONTH, Kind.DATE, Kind.WEEKDAY, Kind.SESSION]
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_a_long_text_takes_time_in_proportion():
    text = "the last one before 8 May to between earlier a half past " * 1_000
    assert len(find(text)) == 1_000
