"""What the times in a question do to a search: nothing, raise what was said then, or be the answer.

- No question, or no time in it: the search is as ever.
- A question of time alone ("what did we talk about two sessions ago?"): everything in the window
  is the answer, in the order in which it was said.
- A time of the talking ("what did Ana say about the key last Tuesday?"): what was said then is
  raised and looked at however unlike; it may be read wrongly, so nothing else is shut out.
- A time of what happened ("where did Ana go in May?"): it may have been told later, so the window
  only raises what lies in it, and for a while after it.
- A time beside an event ("before the wedding"): the event is looked up first (`beside`).

A window in which nothing was said raises what is near.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from storykeeper.language.time.calendar import DAY_MS
from storykeeper.language.time.grammar import find_in
from storykeeper.language.time.inquiry import (
    asks,
    is_between_us,
    is_of_talk,
    outside,
    subjects,
    without,
)
from storykeeper.language.time.lexer import Token, tokens
from storykeeper.language.time.resolving import resolve
from storykeeper.language.time.timeline import Asked, Timeline
from storykeeper.language.time.values import Event, Expression, Kind
from storykeeper.language.time.whens import Axis, Session, When, Window

_TOLD_LATER_MS = 14 * DAY_MS  # by then half as likely
_NUMBERED = (Kind.SESSION, Kind.TURN)
_LOOSE = ("time", "times")
_TOLD_BEFORE_MS = 3 * DAY_MS  # plans are told before


class Use(StrEnum):
    """What a question's times come to."""

    NONE = "none"
    PURE = "pure"
    TALK = "talk"
    BOOST = "boost"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Boost:
    """Windows that make an item likelier, and those near them a little."""

    windows: tuple[Window, ...]

    def at(self, *, at_ms: int | None, session: str = "", turn: int | None = None) -> float:
        """1 inside; outside ½^(distance/half), half being 14 days after and 3 days before."""
        if any(w.holds(at_ms=at_ms, session=session, turn=turn) for w in self.windows):
            return 1.0
        wall = [w for w in self.windows if w.axis is Axis.WALL]
        return max((_nearness(w, at_ms) for w in wall), default=0.0) if at_ms is not None else 0.0


def _nearness(window: Window, at_ms: int) -> float:
    if window.last is not None and at_ms > window.last:
        return float(0.5 ** ((at_ms - window.last) / _TOLD_LATER_MS))
    if window.first is not None and at_ms < window.first:
        return float(0.5 ** ((window.first - at_ms) / _TOLD_BEFORE_MS))
    return 1.0


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What to search in, what to raise, and what is left to search for."""

    kind: Use
    rest: str  # what to look for: the question without its times, but with its event
    when: When | None = None  # in which it was said; of PURE and TALK
    boost: Boost | None = None
    event: Event | None = None
    explanation: str = ""


def narrow(
    query: str,
    *,
    now: int | None,
    sessions: Timeline | Iterable[Session] | Callable[[], Timeline] = (),
    turns: int | None = None,
    running: str | None = None,
    names: Collection[str] | Callable[[], Collection[str]] = (),
) -> Narrowing:
    """What the times in a question do to its search.

    `now` in milliseconds; `sessions` those that the asker may know, in order; `turns` the last turn
    told; `running` the session in which it is asked, if it is one of them; `names` those whose
    talk it is, so that "what did Ana and Bo discuss" asks for no subject. Sessions and names may
    be functions, which are called only if there is a time in the question.
    """
    words = tokens(query)
    expressions = find_in(query, words) if asks(query, words) else ()
    if not expressions:
        return Narrowing(Use.NONE, query)
    known = sessions() if callable(sessions) else Timeline.of(sessions)
    asked = Asked(now, known, turns, running)
    placed = [(e, when) for e in expressions if (when := resolve(e, asked)) is not None]
    timed = [(e, when) for e, when in placed if when.windows]
    if not timed:
        return _by_event(query, placed)
    return _by_window(query, words, timed, names() if callable(names) else names)


def _by_event(query: str, placed: list[tuple[Expression, When]]) -> Narrowing:
    for _, when in placed:
        if when.event is not None:
            return Narrowing(Use.EVENT, query, event=when.event, explanation=when.explanation)
    return Narrowing(Use.NONE, query)


def _by_window(
    query: str,
    words: list[Token],
    timed: list[tuple[Expression, When]],
    names: Collection[str],
) -> Narrowing:
    windows = _together(timed)
    expressions = [expression for expression, _ in timed]
    rest = without(query, expressions)
    said = "; ".join(when.explanation for _, when in timed)
    if not all(when.hard for _, when in timed):
        return Narrowing(Use.BOOST, rest, boost=Boost(windows), explanation=said)
    when = When(windows, hard=True, explanation=said)
    if _is_pure(words, expressions, names):
        return Narrowing(Use.PURE, rest, when, explanation=said)
    if all(_of_talk(words, expression) for expression in expressions):
        return Narrowing(Use.TALK, rest, when, explanation=said)
    return Narrowing(Use.BOOST, rest, boost=Boost(windows), explanation=said)


def _is_pure(words: list[Token], times: list[Expression], names: Collection[str]) -> bool:
    """ "What did Ana and Bo discuss": yes. "Where was Bo": no, though only his name is left."""
    left = outside(words, times)
    if subjects(left, names=names):
        return False
    return is_between_us(left, numbered=all(time.kind in _NUMBERED for time in times))


def _of_talk(words: list[Token], expression: Expression) -> bool:
    """ "What helped last time" is of no talk; "in our last session", always."""
    loose = tokens(expression.text)[-1].word in _LOOSE
    return (expression.kind in _NUMBERED and not loose) or is_of_talk(words, expression)


def _together(timed: list[tuple[Expression, When]]) -> tuple[Window, ...]:
    """Times beside each other add up; limits ("after May", "before July") cut each other short."""
    limits = [w for e, when in timed if e.kind is Kind.LIMIT for w in when.windows]
    points = [w for e, when in timed if e.kind is not Kind.LIMIT for w in when.windows]
    bound = _narrowest(limits) if limits else None
    if bound is None:
        return tuple(points or limits)
    if not points:
        return (bound,)
    cut = [w for point in points if (w := _narrowest([point, bound])) is not None]
    return tuple(cut or points)


def _narrowest(windows: list[Window]) -> Window | None:
    """What lies in all of them, if they can be compared and anything does."""
    if len({w.axis for w in windows}) != 1:
        return None
    first = max((w.first for w in windows if w.first is not None), default=None)
    last = min((w.last for w in windows if w.last is not None), default=None)
    if first is not None and last is not None and first > last:
        return None
    ids = frozenset.intersection(*(w.sessions for w in windows))
    return Window(windows[0].axis, first, last, ids)
