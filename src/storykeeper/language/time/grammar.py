"""Finding the expressions of time in a text: points, spans between them, and sides of them.

The text is read once from left to right; at each word the longest kind of expression is tried
first, and none looks further ahead than a dozen words, so the work grows with the text alone.
"""

from __future__ import annotations

from dataclasses import replace

from storykeeper.language.time.counts import (
    ago,
    near_day,
    numbered,
    relative_unit,
    told_unit,
    unit_at,
)
from storykeeper.language.time.dates import (
    Found,
    calendar_point,
    clock,
    day,
    month_at,
    number_at,
    part,
    word_at,
)
from storykeeper.language.time.events import event_phrase
from storykeeper.language.time.lexer import CARDINALS, Token, count_at, listed, tokens
from storykeeper.language.time.names import (
    ARTICLES,
    MONTHS,
    SIDES,
    STARTERS,
    WEEKDAYS,
)
from storykeeper.language.time.values import (
    At,
    Clock,
    Day,
    Duration,
    Earlier,
    Event,
    Expression,
    Limit,
    Month,
    Nth,
    Offset,
    Part,
    Shift,
    Side,
    Span,
    Unit,
    Value,
    Weekday,
    Which,
    kind_of,
)

_LEADS = frozenset(
    listed(
        "in on at of over around during from across throughout within since until till by before "
        "after to through between"
    )
)
_TAKEN = frozenset(listed("in on at over around during from across throughout within for of"))
_JOINS = frozenset(("to", "through", "thru", "until", "till", "-", "–", "—"))
_DAYLIKE = (Day, Weekday, Offset)
_ROLLS = frozenset(("the", "this"))
_THAT = ("that", "it", "this")


def find(text: str) -> tuple[Expression, ...]:
    """Every expression of time in a text, in order, none overlapping another."""
    return find_in(text, tokens(text))


def find_in(text: str, words: list[Token]) -> tuple[Expression, ...]:
    """The expressions of a text whose words are known."""
    found: list[Expression] = []
    i = 0
    while i < len(words):
        again = _before_that(words, i, found)
        if again is not None:
            start, end = found[-1].start, words[again[1] - 1].end
            found[-1] = Expression(start, end, text[start:end], kind_of(again[0]), again[0])
            i = again[1]
            continue
        hit = _at(words, i, listed_on=_goes_on(words, i, found))
        if hit is None:
            i += 1
            continue
        value, after = hit
        led = not isinstance(value, Limit | Event)
        begin = _with_lead(words, i, at_least=found[-1].end if found else 0) if led else i
        start, end = words[begin].start, words[after - 1].end
        found.append(Expression(start, end, text[start:end], kind_of(value), value))
        i = after
    return tuple(found)


def _with_lead(words: list[Token], i: int, *, at_least: int) -> int:
    """Back over "in", "over the", "on": an article and a preposition belong to the expression."""
    for taken in (ARTICLES, _TAKEN):
        if i and words[i - 1].start >= at_least and words[i - 1].word in taken:
            i -= 1
    return i


def _before_that(words: list[Token], i: int, found: list[Expression]) -> Found | None:
    """The last session, or rather the one before that; last week and the week before that."""
    if not found or word_at(words, i + 1) != "before" or word_at(words, i + 2) not in _THAT:
        return None
    value, word = found[-1].value, word_at(words, i)
    both = any(word_at(words, i - n) == "and" for n in (1, 2))
    same = word == "one" or told_unit(words, i, ours=True) == getattr(value, "unit", "")
    if isinstance(value, Nth) and value.first != 1 and same:
        first = value.first - 1
        return Nth(value.unit, first, value.last if both else first), i + 3
    if isinstance(value, Offset) and (word == "one" or unit_at(words, i) == (value.unit, 1)):
        before = replace(value, count=value.count - 1)
        return (Span(before, value) if both else before), i + 3
    return None


def _goes_on(words: list[Token], i: int, found: list[Expression]) -> bool:
    """Whether a list of times goes on here: "in May and June"."""
    joined = word_at(words, i - 1) in ("and", "or", ",")
    return joined and bool(found) and i > 1 and found[-1].end == words[i - 2].end


def _at(words: list[Token], i: int, *, listed_on: bool) -> Found | None:
    """The expression that begins at a word, if one does."""
    if not _may_begin(words, i):
        return None
    led = listed_on or (i > 0 and _leads(words, i - 1))
    return (
        _between(words, i)
        or _shifted(words, i)
        or _sided(words, i)
        or _earlier(words, i)
        or _joined(words, i, led=led)
    )


def _may_begin(words: list[Token], i: int) -> bool:
    """Whether a word can begin an expression at all: most words of a text cannot."""
    if words[i].word in ARTICLES:
        i += 1
    if i >= len(words):
        return False
    token = words[i]
    if token.tag == "word":
        return token.word in STARTERS or token.word.startswith("mid-")
    return token.tag != "mark"


def _leads(words: list[Token], i: int) -> bool:
    """Whether a preposition stands here, or an article after one."""
    word = words[i].word
    return word in _LEADS or (word in ARTICLES and i > 0 and words[i - 1].word in _LEADS)


def point(words: list[Token], i: int, *, led: bool = False) -> Found | None:
    """One time, after its article; with the part of the day or the hour said beside it."""
    ours = rolling = False
    if word_at(words, i) in ARTICLES:
        ours, rolling = words[i].word in ("our", "my"), words[i].word in _ROLLS
        i += 1
    if i >= len(words):
        return None
    ours = ours or word_at(words, i - 1) in ("our", "my")
    rolling = rolling or (i > 0 and words[i - 1].word in _ROLLS)
    found = (
        _time_first(words, i)
        or numbered(words, i, ours=ours)
        or near_day(words, i)
        or relative_unit(words, i, rolling=rolling)
        or ago(words, i, ours=ours)
        or calendar_point(words, i, led=led)
    )
    return None if found is None else _with_time(words, found)


def _time_first(words: list[Token], i: int) -> Found | None:
    """The evening of 7 July; 5 pm on Tuesday; half past four yesterday."""
    time = clock(words, i) or part(words, i, led=True)
    if time is None or not isinstance(time[0], Part | Clock):
        return None
    j = time[1]
    while word_at(words, j) in ("of", "on", "the", ",") and j - time[1] < 2:
        j += 1
    if j >= len(words) or (j == time[1] and isinstance(time[0], Part)):
        return None
    found = near_day(words, j) or calendar_point(words, j, led=True)
    if found is None or not isinstance(found[0], _DAYLIKE):
        return None
    return At(found[0], time[0]), found[1]


def _with_time(words: list[Token], found: Found) -> Found:
    """Yesterday evening; Tuesday at 5 pm; 8 May in the morning."""
    value, after = found
    if not isinstance(value, _DAYLIKE) or (isinstance(value, Offset) and value.unit != Unit.DAY):
        return found
    i = after
    while word_at(words, i) in ("at", "in", "the", ",", "around", "about") and i - after < 2:
        i += 1
    time = (part(words, i, led=True) or clock(words, i)) if i < len(words) else None
    if time is None or not isinstance(time[0], Part | Clock):
        return found
    if isinstance(time[0], Part) and time[0].which not in (Which.NEAR, Which.THIS):
        return found
    return At(value, time[0]), time[1]


def _between(words: list[Token], i: int) -> Found | None:
    """Between A and B, from A to B."""
    word = word_at(words, i)
    if word not in ("between", "from"):
        return None
    joins = frozenset(("and",)) if word == "between" else _JOINS | {"and"}
    return _span(words, i + 1, joins)


def _joined(words: list[Token], i: int, *, led: bool) -> Found | None:
    """A through B, or A alone."""
    return _span(words, i, _JOINS) or point(words, i, led=led)


def _span(words: list[Token], i: int, joins: frozenset[str]) -> Found | None:
    if word_at(words, i) in ARTICLES:
        i += 1
    if i >= len(words):
        return None
    short = _short_span(words, i, joins)
    if short is not None:
        return short
    first = point(words, i, led=True)
    if first is None or word_at(words, first[1]) not in joins:
        return None
    last = point(words, first[1] + 1, led=True) or _bare_day(words, first[1] + 1, first[0])
    if last is None or isinstance(first[0], Duration) or isinstance(last[0], Duration):
        return None
    if isinstance(first[0], Nth) and isinstance(last[0], Nth):
        if first[0].unit != last[0].unit:
            return None
        return Nth(first[0].unit, first[0].first, last[0].last), last[1]
    return Span(first[0], last[0]), last[1]


def _bare_day(words: list[Token], i: int, first: Value) -> Found | None:
    """June 3 to 7: the second number is a day of the same month; "sessions 1 to 3" likewise."""
    if isinstance(first, Nth):
        count = count_at(words, i)
        if count is not None and count.number and not count.about:
            return Nth(first.unit, count.number, count.number), count.after
    if isinstance(first, Day) and (number := number_at(words, i)) is not None:
        found = day([*_as_day(number[0], first.month), *words[number[1] : number[1] + 2]], 0)
        if found is not None:
            return found[0], number[1] + found[1] - 2
    return None


def _as_day(number: int, month: int) -> list[Token]:
    """A day and its month as words, so that a year that follows is read as everywhere."""
    name = next(name for name, n in MONTHS.items() if n == month)
    return [
        Token(str(number), 0, 0, "number", str(number)),
        Token(name, 0, 0, "word", name.capitalize()),
    ]


def _short_span(words: list[Token], i: int, joins: frozenset[str]) -> Found | None:
    """3 to 7 June; the first through third sessions; sessions 1 and 3 after "between"."""
    first = number_at(words, i) or _cardinal(words, i)
    if first is None or word_at(words, first[1]) not in joins:
        return None
    j = first[1] + 1
    if word_at(words, j) in ARTICLES:
        j += 1
    last = number_at(words, j) or _cardinal(words, j)
    if last is None:
        return None
    unit = told_unit(words, last[1], ours=True)
    if unit is not None and first[0] and last[0]:
        return Nth(unit, first[0], last[0]), last[1] + 1
    month = month_at(words, last[1] + (word_at(words, last[1]) == "of"))
    found = day(words, j)
    if month is None or found is None or not isinstance(found[0], Day):
        return None
    if first[0] > last[0] or not first[0]:
        return None
    return Span(replace(found[0], day=first[0]), found[0]), found[1]


def _cardinal(words: list[Token], i: int) -> tuple[int, int] | None:
    word = word_at(words, i)
    return (CARDINALS[word], i + 1) if word in CARDINALS else None


def _shifted(words: list[Token], i: int) -> Found | None:
    """Two weeks before 11 August; the week before 3 July; the Sunday before 25 October."""
    for skipped in (ARTICLES, ("last",)):
        i += word_at(words, i) in skipped
    weekday = WEEKDAYS.get(word_at(words, i))
    count = None if weekday is not None else count_at(words, i)
    j = count.after if count is not None else i
    unit = None if weekday is not None else unit_at(words, j)
    if weekday is None and unit is None:
        return None
    side = {"before": Side.BEFORE, "after": Side.AFTER}.get(word_at(words, j + 1))
    if side is None:
        return None
    number = count.number if count is not None else 1
    beside = point(words, j + 2, led=True)
    if beside is None or isinstance(beside[0], Duration):
        phrase = event_phrase(words, j + 2)
        return None if phrase is None or count is None else (Event(side, phrase[0]), phrase[1])
    if isinstance(beside[0], Offset) and unit is not None and unit[0] == beside[0].unit:
        return None  # "the day before yesterday" is a day of its own
    shown = unit[0] if unit is not None else None
    number *= unit[1] if unit is not None else 1
    return Shift(shown, number, side, beside[0], weekday), beside[1]


def _sided(words: list[Token], i: int) -> Found | None:
    """Since May, before 8 June, after the wedding."""
    word = word_at(words, i)
    side = SIDES.get(word)
    if side is None or _not_time(words, i):
        return None
    found = point(words, i + 1, led=word != "by" or word_at(words, i + 1) != "may")
    if found is not None and not isinstance(found[0], Duration):
        if side is Side.DURING:
            return found
        return _limit(side, found)
    if word in ("by", "following"):
        return None
    phrase = event_phrase(words, i + 1)
    return None if phrase is None else (Event(side, phrase[0]), phrase[1])


def _limit(side: Side, found: Found) -> Found:
    value, after = found
    if side is Side.SINCE and isinstance(value, Offset) and value.about:
        return Limit(side, replace(value, about=False)), after
    return Limit(side, value), after


def _not_time(words: list[Token], i: int) -> bool:
    """ "Named after", "long before", "look after": no side of a time."""
    before = word_at(words, i - 1)
    return words[i].word == "after" and before in (
        listed(
            "named look looks looked looking take takes took ask asks asked run ran chase chased"
        )
    )


def _earlier(words: list[Token], i: int) -> Found | None:
    """Earlier today, earlier this morning, earlier in the week, earlier that night."""
    if word_at(words, i) != "earlier":
        return None
    j = i + 1
    within = word_at(words, j) in ("in", "on", "during")
    if within:
        j += 1
    if within and word_at(words, j) in ("the", "this", "our") and j + 1 < len(words):
        unit = unit_at(words, j + 1)
        if unit is not None and unit[0] not in (Unit.SESSION, Unit.SCENE, Unit.TURN):
            return Earlier(Offset(unit[0], 0)), j + 2
    found = point(words, j, led=True)
    if found is None or isinstance(found[0], Duration | Nth):
        return None
    value = found[0]
    if isinstance(value, Part):
        value = replace(value, which=Which.THIS)
    if isinstance(value, Month | Weekday) and value.which is Which.NEAR and not within:
        return None
    return Earlier(value), found[1]
