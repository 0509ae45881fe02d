"""Days, months, years, seasons, weekdays, holidays and the clock, as they are written.

Every reader takes the words and a place, and gives what stands there and the place after it.
"""

from __future__ import annotations

from calendar import monthrange

from storykeeper.language.time.lexer import CARDINALS, Token, count_at, ordinal_at
from storykeeper.language.time.names import (
    HOLIDAYS,
    MONTHS,
    PARTS,
    PLAIN_MONTHS,
    SEASONS,
    THIRDS,
    WEEKDAYS,
    WHICH,
)
from storykeeper.language.time.values import (
    Clock,
    Day,
    Holiday,
    Month,
    Numeric,
    Part,
    Season,
    Span,
    Stamp,
    Value,
    Weekday,
    Which,
    Years,
)

Found = tuple[Value, int]
_YEARS = range(1, 10_000)
_BARE_YEARS = range(1000, 2200)  # a number is a year by itself only if it looks like one


def word_at(words: list[Token], i: int) -> str:
    """The word at a place; none beyond either end."""
    return words[i].word if 0 <= i < len(words) else ""


def _longest(month: int, year: int | None) -> int:
    """How many days a month has, at most if no year is said."""
    return monthrange(2000 if year is None or year not in _YEARS else year, month)[1]


def _day(month: int, day: int, year: int | None) -> Day | None:
    """The day, if the calendar has it: there is no 31 February."""
    known = 1 <= month <= 12 and (year is None or year in _YEARS)
    return Day(month, day, year) if known and 1 <= day <= _longest(month, year) else None


def year_at(words: list[Token], i: int) -> tuple[int, int] | None:
    """A year after a month or a day: 2023, with or without a comma or "of"."""
    j = i + 1 if word_at(words, i) in (",", "of") else i
    if j < len(words) and words[j].tag == "number" and len(words[j].word) == 4:
        return int(words[j].word), j + 1
    return None


def month_at(words: list[Token], i: int) -> tuple[int, int] | None:
    """A month's name, and the place after it and its full stop."""
    month = MONTHS.get(word_at(words, i))
    if month is None or words[i].tag != "word":
        return None
    short = words[i].word != "may" and len(words[i].word) <= 4
    return month, i + 2 if short and word_at(words, i + 1) == "." else i + 1


def number_at(words: list[Token], i: int) -> tuple[int, int] | None:
    """A day's number: 8, 8th, eighth."""
    if i < len(words) and words[i].tag == "number" and len(words[i].word) <= 2:
        return int(words[i].word), i + 1
    return ordinal_at(words, i)


def written(words: list[Token], i: int) -> Found | None:
    """A date in figures: 2023-05-08, 8/5/2023, seconds since 1970."""
    token = words[i]
    if token.tag == "iso":
        year, month, day = (int(part) for part in token.word.split("-"))
        found = _day(month, day, year)
        return (found, i + 1) if found else None
    if token.tag == "slash":
        first, second, year = (int(part) for part in token.word.replace("/", ".").split("."))
        if year < 100:
            year += 2000 if year < 70 else 1900
        if _day(second, first, year) or _day(first, second, year):
            return Numeric(first, second, year), i + 1
    if token.tag == "number" and len(token.word) in (10, 13) and token.word[0] in "123":
        return Stamp(int(token.word[:10])), i + 1
    return None


def day(words: list[Token], i: int) -> Found | None:
    """8 May 2023, the 8th of May, May 8th, May eighth, 2023."""
    if (number := number_at(words, i)) is not None:
        j = number[1] + 1 if word_at(words, number[1]) == "of" else number[1]
        month = month_at(words, j)
        numbered = number[0]
    elif (month := month_at(words, i)) is not None:
        j = month[1] + 1 if word_at(words, month[1]) == "the" else month[1]
        number = number_at(words, j)
        if number is None:
            return None
        numbered, month = number[0], (month[0], number[1])
    if month is None:
        return None
    year, after = year_at(words, month[1]) or (None, month[1])
    found = _day(month[0], numbered, year)
    return (found, after) if found else None


def month(words: list[Token], i: int, *, led: bool) -> Found | None:
    """May 2023, last May, early June. A bare name that is also a person's needs a word before."""
    which = WHICH.get(word_at(words, i), Which.NEAR)
    at = i if which is Which.NEAR else i + 1
    found = month_at(words, at)
    if found is None or (at > 0 and words[at - 1].tag in ("number", "ordinal")):
        return None  # a day that the month does not have: 31 February
    year = year_at(words, found[1])
    name = words[at].word
    plain = name in PLAIN_MONTHS and words[at].capital
    if year is None and which is Which.NEAR and not led and not plain:
        return None
    value = Month(found[0], year[0] if year else None, which)
    return value, year[1] if year else found[1]


def _part_of_month(words: list[Token], i: int) -> Found | None:
    """Early June, the end of May, the first half of September, the second week of November."""
    third = THIRDS.get(word_at(words, i).removesuffix("-"))
    if third is not None:
        j = i + 2 if word_at(words, i + 1) in ("of", "in", "-") else i + 1
        return _third(words, j, third)
    numbered = ordinal_at(words, i)
    if numbered is None or word_at(words, numbered[1]) not in ("half", "week"):
        return None
    if word_at(words, numbered[1] + 1) not in ("of", "in"):
        return None
    found = month(words, numbered[1] + 2, led=True)
    if found is None or not isinstance(found[0], Month):
        return None
    length = 15 if words[numbered[1]].word == "half" else 7
    first = 1 + length * (numbered[0] - 1)
    end = _longest(found[0].month, found[0].year)
    if first > end:
        return None
    last = end if length == 15 and first > 1 else min(first + length - 1, end)
    of, year = found[0].month, found[0].year
    return Span(Day(of, first, year), Day(of, last, year)), found[1]


def _third(words: list[Token], i: int, third: int) -> Found | None:
    found = month(words, i, led=True) or year(words, i, led=True)
    if found is None:
        return None
    value, after = found
    if isinstance(value, Month):
        return Month(value.month, value.year, value.which, third), after
    return (Years(value.first, value.last, third), after) if isinstance(value, Years) else None


def _mid(words: list[Token], i: int) -> Found | None:
    """Mid-May, written as one word."""
    token = words[i]
    if token.tag != "word" or not token.word.startswith("mid-"):
        return None
    bare = token._replace(word=token.word.removeprefix("mid-"))
    found = _third([bare, *words[i + 1 : i + 4]], 0, 1)
    return None if found is None else (found[0], found[1] + i)


def year(words: list[Token], i: int, *, led: bool) -> Found | None:
    """In 2022, the year 2022, the 1920s."""
    if i >= len(words):
        return None
    token = words[i]
    if token.tag == "decade":
        first = int(token.word[:4])
        return Years(first, first + 9), i + 1
    if token.word == "year":
        i, led = i + 1, True
    if led and i < len(words) and words[i].tag == "number" and len(words[i].word) == 4:
        value = int(words[i].word)
        return (Years(value, value), i + 1) if value in _BARE_YEARS else None
    return None


def season(words: list[Token], i: int, *, led: bool) -> Found | None:
    """Last summer, in the fall, summer 2021, spring of 1923."""
    which = WHICH.get(word_at(words, i), Which.NEAR)
    at = i if which is Which.NEAR else i + 1
    if word_at(words, at) not in SEASONS:
        return None
    found = year_at(words, at + 1)
    bare = found is None and which is Which.NEAR
    if bare and (not led or word_at(words, at + 1) == "of"):
        return None  # "the fall of Rome"
    name = words[at].word
    return Season(name, found[0] if found else None, which), found[1] if found else at + 1


def weekday(words: list[Token], i: int) -> Found | None:
    """Last Tuesday, on Friday, Sunday."""
    which = WHICH.get(word_at(words, i), Which.NEAR)
    at = i if which is Which.NEAR else i + 1
    number = WEEKDAYS.get(word_at(words, at))
    return None if number is None else (Weekday(number, which), at + 1)


def holiday(words: list[Token], i: int) -> Found | None:
    """Christmas, last Easter, New Year's Eve 2023."""
    which = WHICH.get(word_at(words, i), Which.NEAR)
    at = i if which is Which.NEAR else i + 1
    for size in (3, 2, 1):
        name = HOLIDAYS.get(tuple(token.word for token in words[at : at + size]))
        if name is not None and at + size <= len(words):
            found = year_at(words, at + size)
            value = Holiday(name, found[0] if found else None, which)
            return value, found[1] if found else at + size
    return None


def part(words: list[Token], i: int, *, led: bool) -> Found | None:
    """This morning, last night, tonight, in the evening, that night."""
    word = word_at(words, i)
    if word == "tonight":
        return Part("night", Which.NEXT), i + 1
    which = Which.THIS if word == "that" else WHICH.get(word)
    at = i if which is None else i + 1
    if word_at(words, at) not in PARTS or (which is None and not led):
        return None
    return Part(words[at].word, which or Which.NEAR), at + 1


def clock(words: list[Token], i: int) -> Found | None:
    """5 pm, 17:30, half past four, nine o'clock."""
    token = words[i]
    if token.tag == "clock":
        minutes = _minutes(token.word)
        return None if minutes is None else (Clock(minutes), i + 1)
    shift = 0
    if token.word == "a" and word_at(words, i + 1) == "quarter":
        i, token = i + 1, words[i + 1]
    if token.word in ("half", "quarter") and word_at(words, i + 1) in ("past", "to"):
        amount = 30 if token.word == "half" else 15
        shift = amount if words[i + 1].word == "past" else -amount
        i += 2
    count = count_at(words, i)
    if count is None or not 1 <= count.number <= 12 or words[i].word in ("a", "an"):
        return None
    after = count.after
    if word_at(words, after) in ("o'clock", "oclock"):
        after += 1
    elif not shift or (words[i].word not in CARDINALS and words[i].tag != "number"):
        return None
    return Clock((60 * count.number + shift) % 1440), after


def _minutes(written_clock: str) -> int | None:
    text = written_clock.replace(".", "").replace(" ", "")
    late, early = text.endswith("pm"), text.endswith("am")
    pieces = [int(piece) for piece in text.removesuffix("pm").removesuffix("am").split(":")]
    hour, minute = pieces[0], pieces[1] if len(pieces) > 1 else 0
    if hour > 23 or ((late or early) and not 1 <= hour <= 12):
        return None
    if late or early:
        hour = hour % 12 + (12 if late else 0)
    return 60 * hour + minute


def calendar_point(words: list[Token], i: int, *, led: bool) -> Found | None:
    """Whatever of the calendar stands at a place."""
    return (
        written(words, i)
        or day(words, i)
        or _part_of_month(words, i)
        or _mid(words, i)
        or weekday(words, i)
        or holiday(words, i)
        or month(words, i, led=led)
        or season(words, i, led=led)
        or year(words, i, led=led)
        or clock(words, i)
        or part(words, i, led=led and not _of(words, i))
    )


def _of(words: list[Token], i: int) -> bool:
    """ "A picture of the sunset" says what, and not when."""
    return "of" in (word_at(words, i - 1), word_at(words, i - 2))
