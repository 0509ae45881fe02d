"""Values of time made windows, against now and the sessions, with the reading said in words."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.language.time.calendar import DAY_MS, MINUTE_MS
from storykeeper.language.time.spans import Now, stretch
from storykeeper.language.time.timeline import Asked, Timeline
from storykeeper.language.time.values import (
    At,
    Clock,
    Duration,
    Earlier,
    Event,
    Expression,
    Holiday,
    Limit,
    Month,
    Nth,
    Offset,
    Part,
    Rolling,
    Running,
    Season,
    Shift,
    Side,
    Span,
    Unit,
    Value,
    Weekday,
    Which,
)
from storykeeper.language.time.whens import Axis, When, Window
from storykeeper.language.time.wording import in_words

_SITTING_MS = 30 * MINUTE_MS  # a session that ended less long ago still counts as the present one


def resolve(expression: Expression, asked: Asked) -> When | None:
    """What an expression comes to; None for one that cannot be placed ("for three weeks")."""
    value = expression.value
    if isinstance(value, Event):
        if value.side is Side.DURING:
            return None  # it is told where the event is: the words find both
        said = f"“{expression.text}”: {value.side} “{value.phrase}”, once that is found"
        return When((), hard=False, explanation=said, event=value)
    window = _window(value, asked)
    if window is None:
        return None
    window, widened = _widened(value, window, asked)
    met = _met(window, asked.timeline)
    if not met and isinstance(value, Holiday):
        return None  # "what do you eat at Christmas" means none in particular
    said = f"“{expression.text}” is read as {in_words(window, asked.timeline)}"
    if widened:
        said += " (widened: nothing was said more exactly then)"
    elif not met:
        said += ", when nothing was said"
    return When((window,), hard=met, explanation=said)


def beside(
    event: Event, *, at_ms: int | None = None, turn: int | None = None, asked: Asked
) -> When | None:
    """Before, after or around an event that was found at a moment or in a turn.

    Soft: what was found may be another event, and people tell of things after they happened.
    """
    axis, place = (Axis.TURN, turn) if at_ms is None else (Axis.WALL, at_ms)
    if place is None:
        return None
    day = DAY_MS if axis is Axis.WALL else 0
    first, last = {
        Side.BEFORE: (None, place - 1),
        Side.UNTIL: (None, place),
        Side.AFTER: (place + 1, None),
        Side.SINCE: (place, None),
        Side.DURING: (place - day, place + day),
    }[event.side]
    window = Window(axis, first, last)
    said = f"{event.side} “{event.phrase}” is read as {in_words(window, asked.timeline)}"
    return When((window,), hard=False, explanation=said)


def _met(window: Window, timeline: Timeline) -> bool:
    """Whether anything was said then, as far as the sessions tell."""
    if window.axis is Axis.WALL:
        return not timeline.dated or timeline.touches(window.first, window.last)
    return window.axis is Axis.TURN or bool(window.sessions)


def _window(value: Value, asked: Asked) -> Window | None:
    if isinstance(value, Nth):
        return _numbered(value, asked)
    if isinstance(value, Running):
        place = asked.timeline.place(asked.running) or len(asked.timeline)
        return asked.timeline.window(place, place) if place else None
    if isinstance(value, Limit):
        window = _window(value.value, asked)
        return None if window is None else _beside(window, value.side, asked.timeline)
    if isinstance(value, Earlier):
        return _earlier(value, asked)
    if isinstance(value, Span) and isinstance(value.first, Nth | Running):
        return _from_to(_window(value.first, asked), _window(value.last, asked), asked.timeline)
    now = _now(asked)
    if now is None or isinstance(value, Duration) or (asked.now_ms is None and _counted(value)):
        return None
    found = stretch(value, now)
    return None if found is None else Window(Axis.WALL, *found)


def _counted(value: Value) -> bool:
    """Whether it says nothing without a now: yesterday, last week, this morning."""
    if isinstance(value, At):
        return _counted(value.day)
    if isinstance(value, Shift):
        return _counted(value.value)
    if isinstance(value, Span):
        return _counted(value.first) or _counted(value.last)
    recurring = isinstance(value, Month | Season | Holiday) and value.which is not Which.NEAR
    return recurring or isinstance(value, Offset | Rolling | Weekday | Part | Clock)


def _now(asked: Asked) -> Now | None:
    """When it is asked; unsaid, when the last session ended."""
    return Now.at(
        asked.now_ms if asked.now_ms is not None else asked.timeline.end_ms, asked.timeline
    )


def _numbered(value: Nth, asked: Asked) -> Window | None:
    """By number; from the end, the session that is under way does not count."""
    if value.unit is Unit.TURN:
        total = asked.turn
    else:
        running = asked.timeline.place(asked.running)
        total = len(asked.timeline) if running is None else running - 1
    if not total and value.first < 0:
        return None
    first, last = (n if n > 0 else (total or 0) + n + 1 for n in (value.first, value.last))
    first, last = min(first, last), max(first, last)
    if last < 1:
        return None
    if value.unit is Unit.TURN:
        return Window(Axis.TURN, max(first, 1), last)
    return asked.timeline.window(max(first, 1), last)


def _from_to(first: Window | None, last: Window | None, timeline: Timeline) -> Window | None:
    if first is None or last is None or first.axis != last.axis:
        return None
    if first.axis is Axis.SESSION:
        return timeline.window(first.first, last.last)
    return Window(first.axis, first.first, last.last)


def _beside(window: Window, side: Side, timeline: Timeline) -> Window | None:
    """The side of a window that is meant."""
    first, last = window.first, window.last
    if side is Side.BEFORE:
        first, last = None, None if first is None else first - 1
    elif side is Side.AFTER:
        first, last = None if last is None else last + 1, None
    elif side is Side.SINCE:
        last = None
    elif side is Side.UNTIL:
        first = None
    if window.axis is Axis.SESSION:
        return timeline.window(first, last) if last is None or last > 0 else None
    return Window(window.axis, first, last)


def _earlier(value: Earlier, asked: Asked) -> Window | None:
    """Without the present sitting: the running session, or one that has only just ended."""
    now = _now(asked)
    if now is None:
        return _earlier_told(asked)
    window = _window(value.value, asked)
    if window is None or window.axis is not Axis.WALL or not asked.timeline.sessions:
        return window
    place = asked.timeline.place(asked.running) or len(asked.timeline)
    sitting = asked.timeline.sessions[place - 1]
    start, end = (
        sitting.start_ms,
        sitting.end_ms if sitting.end_ms is not None else sitting.start_ms,
    )
    if start is None or end is None or (asked.running is None and now.ms - end > _SITTING_MS):
        return window
    cut = Window(Axis.WALL, window.first, start - 1)
    rest = _widened(value.value, cut, asked)[0]
    clipped = Window(Axis.WALL, rest.first, min(rest.last or start, start - 1))
    return clipped if _met(clipped, asked.timeline) else window


def _earlier_told(asked: Asked) -> Window | None:
    """In a story without dates: the scene that is under way, before this turn."""
    if not asked.timeline.sessions or asked.turn is None:
        return None
    place = asked.timeline.place(asked.running) or len(asked.timeline)
    return Window(Axis.TURN, asked.timeline.sessions[place - 1].first_turn, asked.turn - 1)


def _widened(value: Value, window: Window, asked: Asked) -> tuple[Window, bool]:
    """Where nothing was said: the whole day for a part of it, the days beside for "ago"."""
    if _met(window, asked.timeline) or window.axis is not Axis.WALL:
        return window, False
    if window.first is None or window.last is None:
        return window, False
    for wider in _wider(value, first=window.first, last=window.last):
        if _met(wider, asked.timeline):
            return wider, True
    return window, False


def _wider(value: Value, *, first: int, last: int) -> Iterator[Window]:
    """Ever wider windows; so many days ago may be a twentieth more or less."""
    if isinstance(value, At | Part):
        day = first // DAY_MS
        yield Window(Axis.WALL, day * DAY_MS, (day + 1) * DAY_MS - 1)
    if not isinstance(value, Offset) or not value.about:
        return
    days = max(1, (last - first) // (2 * DAY_MS), abs(value.count) // 20)
    if value.unit is not Unit.DAY:
        yield Window(Axis.WALL, first - days * DAY_MS, last + days * DAY_MS)
        return
    for by in range(1, min(days, 30) + 1):
        yield Window(Axis.WALL, first - by * DAY_MS, last + by * DAY_MS)
