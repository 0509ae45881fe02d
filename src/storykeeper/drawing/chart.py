"""Where everything goes in a drawn landscape: shapes with places, and no colours yet.

The present scene is in the middle, the others around it: the farther out the less near, r = r₀ +
(R − r₀)·(1 − nearness), each at an angle of its own that stays the same all through the story.
What does not pull stands on the rim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin, sqrt

from storykeeper.drawing.seen import Seen, Spot
from storykeeper.gravity.pull import APPROACHING_FROM, IMMINENT_FROM, Band
from storykeeper.world.plan import Plan

WIDTH, HEIGHT = 1200.0, 1000.0
CENTRE = (600.0, 500.0)
INNER, OUTER, RIM = 70.0, 380.0, 420.0
HEAVIEST, LIGHTEST, HERE, ASIDE = 38.0, 5.0, 24.0, 6.0  # radii
SCALE = 2.5  # the mass of the heaviest; one scale for all landscapes that are not heavier
FORETOLD = 5.0  # how far around a scene the ring of a prophecy is
ROW, ROWS = 14.0, 5  # where there are too many to stand side by side
MARGIN = 14.0  # around the scenes of a layer
MOST_SHOWN = 40
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Disc:
    """A scene."""

    spot: Spot
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Link:
    """A way from one scene to another, from rim to rim."""

    start: Point
    end: Point
    crosses: bool  # into a layer or out of it
    from_here: bool


@dataclass(frozen=True, slots=True)
class Hull:
    """The ground of a layer."""

    layer: str
    corners: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A landscape, laid out."""

    seen: Seen
    discs: tuple[Disc, ...]
    links: tuple[Link, ...]
    hulls: tuple[Hull, ...]
    left_out: int  # scenes
    lettering: float = 1.0  # how large names are written: larger, where it is shown small


def chart(found: Seen, *, everything: bool = False, lettering: float = 1.0) -> Chart:
    """The present scene, the strongest, and as many of the others as there is room for."""
    spots = found.spots if everything else found.spots[:MOST_SHOWN]
    discs = tuple(_discs(found.world.plan, spots))
    at: dict[str, Disc] = {disc.spot.scene: disc for disc in discs}
    return Chart(
        found,
        discs,
        tuple(_links(found.world.plan, at, found.landscape.here)),
        tuple(_hulls(found.world.plan, at)),
        len(found.spots) - len(spots),
        lettering,
    )


def gaps(discs: Sequence[Disc], away: float) -> list[Point]:
    """The places on a ring, halfway between two angles of scenes, the farthest from any first."""
    count = max(1, len(discs))
    angles = [2 * pi * (i + 0.5) / count - pi / 2 for i in range(count)]
    places = [(CENTRE[0] + away * cos(a), CENTRE[1] + away * sin(a)) for a in angles]
    return sorted(places, key=lambda p: -round(min((_room(d, p) for d in discs), default=0.0)))


def _room(disc: Disc, place: Point) -> float:
    return hypot(disc.x - place[0], disc.y - place[1]) - disc.radius


def ring(nearness: float) -> float:
    """r₀ + (R − r₀)·(1 − nearness): how far from the middle."""
    return INNER + (OUTER - INNER) * (1 - nearness)


RINGS = ((IMMINENT_FROM, "imminent"), (APPROACHING_FROM, "approaching"), (0.0, "distant"))


# ── scenes ───────────────────────────────────────────────────────────────────────────────────


def _discs(plan: Plan, spots: Sequence[Spot]) -> Iterator[Disc]:
    shown = {spot.scene for spot in spots}
    slots = [scene for scene in _round(plan) if scene in shown]
    angles = {scene: 2 * pi * i / len(slots) - pi / 2 for i, scene in enumerate(slots)}
    heaviest = max((s.attractor.mass.total for s in spots if s.attractor), default=SCALE)
    crowded = sqrt(min(1.0, MOST_SHOWN / max(1, len(spots))))
    for spot in spots:
        radius, away = crowded * _size(spot, max(SCALE, heaviest)), _away(spot)
        angle = angles[spot.scene]
        if crowded < 1.0 and away > OUTER - ROW:  # so far away all are as far: they stand in rows
            away += ROW * (slots.index(spot.scene) % ROWS)
        yield Disc(spot, CENTRE[0] + away * cos(angle), CENTRE[1] + away * sin(angle), radius)


def _round(plan: Plan) -> list[str]:
    """Scenes in the order they are walked through from the start, each way to its end first."""
    after: dict[str, list[str]] = {scene: [] for scene in plan.scenes}
    for one, other, _ in transitions(plan):
        after[one].append(other)
    found: dict[str, None] = {}
    for start in (plan.story.start, *plan.scenes):
        waiting = [start]
        while waiting:
            scene = waiting.pop()
            if scene not in found and scene in after:
                found[scene] = None
                waiting += reversed(after[scene])
    return list(found)


def _size(spot: Spot, heaviest: float) -> float:
    """A radius whose square, the area, goes with the mass."""
    if spot.attractor is None:
        return HERE if spot.standing == Band.ACTIVE else ASIDE
    return max(LIGHTEST, HEAVIEST * sqrt(spot.attractor.mass.total / heaviest))


def _away(spot: Spot) -> float:
    if spot.attractor is None:
        return 0.0 if spot.standing == Band.ACTIVE else RIM
    return ring(spot.attractor.nearness)


# ── ways ─────────────────────────────────────────────────────────────────────────────────────


def transitions(plan: Plan) -> Iterator[tuple[str, str, bool]]:
    """Every way from a scene to a scene, and whether it crosses the boundary of a layer."""
    for scene in plan.scenes.values():
        yield from ((scene.id, way.to, False) for way in scene.leads_to)
    for layer in plan.layers.values():
        yield from ((way.from_, way.to, True) for way in (*layer.portals, *layer.exits))


def _links(plan: Plan, at: dict[str, Disc], here: str) -> Iterator[Link]:
    for one, other, crosses in dict.fromkeys(transitions(plan)):
        if one in at and other in at:
            start, end = at[one], at[other]
            apart = hypot(end.x - start.x, end.y - start.y)
            if apart > start.radius + end.radius + 8:
                yield Link(
                    _toward(start, end, start.radius + 2, apart),
                    _toward(end, start, end.radius + 4, apart),
                    crosses,
                    one == here,
                )


def _toward(one: Disc, other: Disc, by: float, apart: float) -> Point:
    share = by / apart
    return one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share


# ── layers ───────────────────────────────────────────────────────────────────────────────────


def _hulls(plan: Plan, at: dict[str, Disc]) -> Iterator[Hull]:
    for layer in plan.layers.values():
        around = [
            (disc.x + (disc.radius + MARGIN) * cos(a), disc.y + (disc.radius + MARGIN) * sin(a))
            for scene in layer.scenes
            if (disc := at.get(scene)) is not None
            for a in (2 * pi * i / 16 for i in range(16))
        ]
        if around:
            yield Hull(layer.id, tuple(_convex(around)))


def _convex(points: list[Point]) -> list[Point]:
    """The corners of the smallest convex shape around some points, one way round."""
    ordered = sorted(set(points))
    lower, upper = _half(ordered), _half(ordered[::-1])
    return lower[:-1] + upper[:-1]


def _half(points: list[Point]) -> list[Point]:
    found: list[Point] = []
    for point in points:
        while len(found) > 1 and _turn(found[-2], found[-1], point) <= 0:
            found.pop()
        found.append(point)
    return found


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
