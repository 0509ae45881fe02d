"""Times counted from now, and sessions, scenes and turns by their number."""

from __future__ import annotations

from storykeeper.language.time.dates import Found, word_at
from storykeeper.language.time.lexer import Counted, Token, count_at, listed, ordinal_at
from storykeeper.language.time.names import (
    FORTNIGHTS,
    OUR_SESSIONS,
    SCENES,
    SESSIONS,
    TURNS,
    UNITS,
    WHICH,
)
from storykeeper.language.time.values import (
    Duration,
    Nth,
    Offset,
    Rolling,
    Running,
    Unit,
    Which,
)

_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_AGO = ("ago", "earlier", "back", "previously")
_MET = frozenset(
    listed("talked talk spoke speak chatted chat met meet discussed conversed played sat")
)
_VERBS = frozenset(("talk", "talks", "chat", "chats"))  # "did we talk three days ago"
_ENDS = frozenset(".?!,;:")
_WHOLE = frozenset((Unit.DAY, Unit.WEEKEND, Unit.WEEK, Unit.MONTH, Unit.YEAR, Unit.DECADE))
_NUMBERED = frozenset((Unit.SESSION, Unit.SCENE, Unit.TURN))


def told_unit(words: list[Token], i: int, *, ours: bool = False) -> Unit | None:
    """Whether a word counts sessions, scenes or turns."""
    word = word_at(words, i)
    if word in (OUR_SESSIONS if ours else SESSIONS):
        return Unit.SESSION
    if word in SCENES:
        return Unit.SCENE
    return Unit.TURN if word in TURNS else None


def unit_at(words: list[Token], i: int, *, ours: bool = False) -> tuple[Unit, int] | None:
    """A unit and how many of it a word is: a fortnight is two weeks."""
    word = word_at(words, i)
    if word in FORTNIGHTS:
        return Unit.WEEK, 2
    unit = UNITS.get(word) or told_unit(words, i, ours=ours)
    return None if unit is None else (unit, 1)


def near_day(words: list[Token], i: int) -> Found | None:
    """Yesterday, today, tomorrow, the day before yesterday, the other day."""
    word = word_at(words, i)
    if word in _DAYS:
        return Offset(Unit.DAY, _DAYS[word]), i + 1
    if word == "day" and word_at(words, i + 1) in ("before", "after"):
        step = -1 if words[i + 1].word == "before" else 1
        if _DAYS.get(word_at(words, i + 2)) == step:
            return Offset(Unit.DAY, 2 * step), i + 3
    if word == "other" and word_at(words, i + 1) in ("day", "night", "week"):
        return Rolling(Unit.WEEK, 2 if words[i + 1].word == "week" else 1), i + 2
    return None


def ago(words: list[Token], i: int, *, ours: bool = False) -> Found | None:
    """Two sessions ago, 167 days ago, a fortnight ago, three turns back; or how long."""
    count = count_at(words, i)
    if count is None:
        return None
    unit = unit_at(words, count.after, ours=ours)
    if unit is None:
        return None
    after, number = count.after + 1, count.number * unit[1]
    if word_at(words, after) in _AGO and not _opens_anew(words, after):
        if unit[0] in _NUMBERED:
            return (Nth(unit[0], -number, -number), after + 1) if number else None
        return Offset(unit[0], -number, about=True), after + 1
    if unit[0] in _NUMBERED:
        return None
    return Duration(unit[0], number), after


def _opens_anew(words: list[Token], i: int) -> bool:
    """ "A talk earlier this morning": the word belongs to what follows."""
    return word_at(words, i) == "earlier" and word_at(words, i + 1) in (
        "in", "on", "this", "that", "today", "tonight", "during",
    )  # fmt: skip


def relative_unit(words: list[Token], i: int, *, rolling: bool) -> Found | None:
    """Last week, this month, the last three days, the last two sessions, the past year."""
    which = WHICH.get(word_at(words, i))
    if which is None:
        return None
    j = i + 1
    if which is Which.THIS and word_at(words, j) in ("last", "past", "previous"):
        which, rolling, j = Which.LAST, True, j + 1
    count = count_at(words, j)
    single = count is None or word_at(words, j) in ("a", "an")
    number = Counted(1, j, about=False) if count is None or single else count
    unit = unit_at(words, number.after, ours=True)
    if unit is None or (single and word_at(words, number.after) == "night"):
        return None  # "last night" is a part of a day
    after = number.after + 1
    if unit[0] in _NUMBERED:
        return _last_told(unit[0], which, number.number, after)
    return _of_calendar(
        unit[0], which, number.number * unit[1], after, rolling=rolling or not single
    )


def _last_told(unit: Unit, which: Which, count: int, after: int) -> Found | None:
    if which is Which.LAST and count:
        return Nth(unit, -count, -1), after
    return (Running(unit), after) if which is Which.THIS and unit is not Unit.TURN else None


def _of_calendar(unit: Unit, which: Which, count: int, after: int, *, rolling: bool) -> Found:
    if which is Which.THIS:
        return Offset(unit, 0), after
    if which is Which.NEXT:
        return Offset(unit, count), after
    if rolling or unit not in _WHOLE:
        return Rolling(unit, count), after
    return Offset(unit, -count), after


def numbered(words: list[Token], i: int, *, ours: bool) -> Found | None:
    """The third session, session 3, the first two scenes, the session before last."""
    return (
        _by_order(words, i, ours=ours)
        or _by_number(words, i)
        or _before_last(words, i)
        or _meeting(words, i)
    )


def _by_order(words: list[Token], i: int, *, ours: bool) -> Found | None:
    """The first conversation, our 21st session, the second to last session, the first two."""
    if word_at(words, i) == "very":
        i += 1
    if word_at(words, i) == "last" and (unit := told_unit(words, i + 1, ours=True)):
        return Nth(unit, -1, -1), i + 2
    if word_at(words, i) == "penultimate" and (unit := told_unit(words, i + 1, ours=True)):
        return Nth(unit, -2, -2), i + 2
    order = ordinal_at(words, i)
    if order is None or not order[0]:
        return None
    number, j = order
    if word_at(words, j) in ("to", "from") and word_at(words, j + 1) in ("last", "the"):
        last = j + 2 if words[j + 1].word == "last" else j + 3
        unit = told_unit(words, last, ours=True)
        return (Nth(unit, -number, -number), last + 1) if unit else None
    if number == 1 and (count := count_at(words, j)) is not None and count.number:
        unit = told_unit(words, count.after, ours=True)
        return (Nth(unit, 1, count.number), count.after + 1) if unit else None
    unit = told_unit(words, j, ours=ours)
    return (Nth(unit, number, number), j + 1) if unit else None


def _by_number(words: list[Token], i: int) -> Found | None:
    """Session 3, scene twelve, turn number 40."""
    unit = told_unit(words, i)
    if unit is None or words[i].word in _VERBS:
        return None
    j = i + 2 if word_at(words, i + 1) in ("number", "no") else i + 1
    if word_at(words, j) in ("a", "an") or (count := count_at(words, j)) is None:
        return None
    if not count.number or count.about or unit_at(words, count.after, ours=True):
        return None
    return Nth(unit, count.number, count.number), count.after


def _before_last(words: list[Token], i: int) -> Found | None:
    """The session before last, the week before last, the one before the last one."""
    word = word_at(words, i)
    if word not in UNITS and told_unit(words, i, ours=True) is None and word != "one":
        return None
    j = i + 2
    if word_at(words, i + 1) != "before":
        return None
    if word_at(words, j) in ("the", "our"):
        j += 1
    if word_at(words, j) != "last":
        return None
    after = j + 2 if word_at(words, j + 1) in ("one", word) else j + 1
    unit = told_unit(words, i, ours=True) or (Unit.SESSION if word == "one" else None)
    if unit is not None:
        return Nth(unit, -2, -2), after
    return Offset(UNITS[word], -2), after


def _meeting(words: list[Token], i: int) -> Found | None:
    """Last time; the third time we talked. "The last time Ana laughed" is no session."""
    word = word_at(words, i)
    if word in ("last", "previous"):
        number, j = -1, i + 1
    elif (order := ordinal_at(words, i)) is not None and order[0]:
        number, j = order
    else:
        return None
    if word_at(words, j) not in ("time", "times"):
        return None
    before_last = number == -1 and word_at(words, j + 1) == "before"
    if word_at(words, j + 1) == "we" and word_at(words, j + 2) in _MET:
        about = word_at(words, j + 3) in ("about", "of", "the", "this", "that", "a", "my", "her")
        return None if about else (Nth(Unit.SESSION, number, number), j + 3)
    ended = j + 1 >= len(words) or word_at(words, j + 1) in _ENDS
    if number == -1 and ended and not before_last:
        return Nth(Unit.SESSION, -1, -1), j + 1
    return None
