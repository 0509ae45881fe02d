"""The plane: how far, in which direction, and what stands between. Floats in, floats out."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, hypot, pi

from storykeeper.canon.brief import Band, Bearing, Point
from storykeeper.canon.situation import Barrier, WorldState

HERE_WITHIN = 1.5
_ROUND = (
    Bearing.E,
    Bearing.NE,
    Bearing.N,
    Bearing.NW,
    Bearing.W,
    Bearing.SW,
    Bearing.S,
    Bearing.SE,
)


def distance(one: Point, other: Point) -> float:
    """√((x₁ − x₂)² + (y₁ − y₂)²)"""
    return hypot(one.x - other.x, one.y - other.y)


def band(away: float, world: WorldState) -> Band:
    """How far that is, as people say it."""
    if away <= HERE_WITHIN:
        return Band.HERE
    if away <= world.near:
        return Band.NEAR
    return Band.MIDDLE if away <= world.far else Band.FAR


def bearing(start: Point, to: Point) -> Bearing:
    """In which of eight directions; in none, if it is here. North is up."""
    if distance(start, to) <= HERE_WITHIN:
        return Bearing.NONE
    eighth = round(atan2(to.y - start.y, to.x - start.x) / (pi / 4)) % 8
    return _ROUND[eighth]


def in_between(one: Point, other: Point, barriers: Iterable[Barrier]) -> list[Barrier]:
    """The barriers that a line from one to the other crosses or touches."""
    return [each for each in barriers if _cross(one, other, each.from_, each.to)]


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments ab and cd have a point in common."""
    one, two = _side(a, b, c), _side(a, b, d)
    three, four = _side(c, d, a), _side(c, d, b)
    if one * two < 0 and three * four < 0:
        return True
    on = ((one, a, b, c), (two, a, b, d), (three, c, d, a), (four, c, d, b))
    return any(side == 0 and _within(p, q, r) for side, p, q, r in on)


def _side(a: Point, b: Point, c: Point) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def _within(a: Point, b: Point, c: Point) -> bool:
    """Whether c, which is on the line through a and b, lies between them."""
    return min(a.x, b.x) <= c.x <= max(a.x, b.x) and min(a.y, b.y) <= c.y <= max(a.y, b.y)
