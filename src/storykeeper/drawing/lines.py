"""Lines that give way to names: where a name stands, a line has a gap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

Point = tuple[float, float]
SHORTEST = 4.0  # pixels; a shorter stump of a line says nothing
AIR = 2.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """The area in common."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)

    def wider(self, by: float) -> Box:
        """The same with so much air around it."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


def within(start: Point, end: Point, box: Box) -> tuple[float, float] | None:
    """From where to where a line is in a rectangle, in shares of its length; None if nowhere."""
    first, last = 0.0, 1.0
    for at, by, low, high in (
        (start[0], end[0] - start[0], box.left, box.right),
        (start[1], end[1] - start[1], box.top, box.bottom),
    ):
        if by == 0.0:
            if not low < at < high:
                return None
            continue
        one, other = (low - at) / by, (high - at) / by
        first, last = max(first, min(one, other)), min(last, max(one, other))
    return (first, last) if first < last else None


def crossed(start: Point, end: Point, box: Box) -> float:
    """How much of a line lies in a rectangle, in pixels."""
    found = within(start, end, box)
    length = hypot(end[0] - start[0], end[1] - start[1])
    return 0.0 if found is None else (found[1] - found[0]) * length


def broken(points: Sequence[Point], boxes: Iterable[Box]) -> tuple[tuple[Point, ...], ...]:
    """A line through some points as the pieces of it that lie in none of these rectangles."""
    around = [box.wider(AIR) for box in boxes]
    parts: list[list[Point]] = []
    for start, end in pairwise(points):
        for one, other in _free(start, end, around):
            if parts and parts[-1][-1] == one:
                parts[-1].append(other)
            else:
                parts.append([one, other])
    return tuple(tuple(part) for part in parts if _length(part) >= SHORTEST)


def _free(start: Point, end: Point, boxes: Sequence[Box]) -> Iterator[tuple[Point, Point]]:
    """The parts of a straight line that are in no rectangle."""
    taken = sorted(filter(None, (within(start, end, box) for box in boxes)))
    at = 0.0
    for first, last in (*taken, (1.0, 1.0)):
        if first > at:
            yield _along(start, end, at), _along(start, end, first)
        at = max(at, last)


def _along(start: Point, end: Point, share: float) -> Point:
    if share in (0.0, 1.0):
        return end if share else start
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _length(points: Sequence[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def curve(start: Point, end: Point, bend: float, *, steps: int = 20) -> tuple[Point, ...]:
    """Points of an arc from one place to another, its middle so far to the left of the way."""
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    far = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    over = 2 * bend / far
    lift = middle[0] + (end[1] - start[1]) * over, middle[1] - (end[0] - start[0]) * over
    return tuple(_bent(start, lift, end, i / steps) for i in range(steps + 1))


def _bent(start: Point, lift: Point, end: Point, t: float) -> Point:
    one, two, three = (1 - t) ** 2, 2 * t * (1 - t), t**2
    return (one * start[0] + two * lift[0] + three * end[0],
            one * start[1] + two * lift[1] + three * end[1])  # fmt: skip
