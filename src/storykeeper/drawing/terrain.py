"""A landscape as a terrain: how deep the ground is drawn down by what pulls, in contours.

well_s(x) = M·e²/(|x − x_s|² + e²)       at every scene that pulls, as wide as it is heavy
depth(x) = (Σ well_s(x)³)^⅓              many that are far away do not make an abyss

The levels are the same in every landscape, so that two of them can be compared. Contours are closed
lines around all that is at least so deep; filled by the even-odd rule they are the ground.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from storykeeper.drawing.chart import HEIGHT, MOST_SHOWN, WIDTH, Disc, Point

LEVELS = (0.1, 0.16, 0.24, 0.34, 0.46, 0.62, 0.82, 1.1, 1.5, 2.0)
STEP = 12.0  # pixels between two places where the depth is taken
RIM = 14  # of these, in which the land rises to the rim
REACH = (26.0, 34.0)  # the width of a well: of no mass, and more for each unit of it
Field = npt.NDArray[np.float64]
_Edge = tuple[int, int, int]  # row, column, and which side: 0 along the row, 1 down the column
# For each way in which the corners of a square lie (1, 2, 4, 8: upper left, upper right, lower
# right, lower left are deep), the sides that a contour joins: top, right, bottom, left.
_JOINS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 5: ((3, 0), (1, 2)), 6: ((0, 2),),
    7: ((3, 2),), 8: ((2, 3),), 9: ((2, 0),), 10: ((0, 1), (2, 3)), 11: ((2, 1),), 12: ((1, 3),),
    13: ((1, 0),), 14: ((0, 3),),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contour:
    """All that is at least so deep: closed lines, holes among them."""

    level: float
    rings: tuple[tuple[Point, ...], ...]


def contours(discs: Sequence[Disc]) -> tuple[Contour, ...]:
    """The ground under these scenes, the shallowest first; none where nothing pulls."""
    ground = depth(discs)
    if not ground.any():
        return ()
    found = (Contour(level, tuple(_rings(ground, level))) for level in LEVELS)
    return tuple(each for each in found if each.rings)


def depth(discs: Sequence[Disc]) -> Field:
    """(Σ well³)^⅓ on a grid; level at its rim, so that every contour closes."""
    xs = np.arange(-STEP, WIDTH + 2 * STEP, STEP)
    ys = np.arange(-STEP, HEIGHT + 2 * STEP, STEP)
    ground = np.zeros((len(ys), len(xs)))
    narrow = sqrt(min(1.0, MOST_SHOWN / max(1, len(discs))))
    for disc in discs:
        if disc.spot.attractor is not None:
            mass = disc.spot.attractor.mass.total
            wide = (narrow * (REACH[0] + REACH[1] * mass)) ** 2
            away = (xs[None, :] - disc.x) ** 2 + (ys[:, None] - disc.y) ** 2
            ground += (mass * wide / (away + wide)) ** 3
    return np.cbrt(ground) * np.outer(_taper(len(ys)), _taper(len(xs)))


def _taper(count: int) -> Field:
    """1, and down to 0 at both ends: the land is level at the rim of the sheet."""
    from_rim = np.minimum(np.arange(count), np.arange(count)[::-1])
    found: Field = np.clip(from_rim / RIM, 0.0, 1.0)
    return found * found * (3.0 - 2.0 * found)


def _rings(ground: Field, level: float) -> Iterator[tuple[Point, ...]]:
    """Marching squares: the sides that a level crosses, joined to closed lines."""
    after = dict(_crossings(ground >= level))
    while after:
        edge, following = after.popitem()
        ring = [edge]
        while following in after:
            ring.append(following)
            following = after.pop(following)
        if len(ring) > 3:
            yield tuple(_point(ground, each, level) for each in ring)


def _crossings(deep: npt.NDArray[np.bool_]) -> Iterator[tuple[_Edge, _Edge]]:
    lies = (1 * deep[:-1, :-1] + 2 * deep[:-1, 1:] + 4 * deep[1:, 1:] + 8 * deep[1:, :-1]).astype(
        int
    )
    for row, column in zip(*np.nonzero((lies > 0) & (lies < 15)), strict=True):
        for one, other in _JOINS[int(lies[row, column])]:
            yield _side(int(row), int(column), one), _side(int(row), int(column), other)


def _side(row: int, column: int, side: int) -> _Edge:
    return ((row, column, 0), (row, column + 1, 1), (row + 1, column, 0), (row, column, 1))[side]


def _point(ground: Field, edge: _Edge, level: float) -> Point:
    """Where on a side of a square the ground is as deep as the level."""
    row, column, down = edge
    here = ground[row, column]
    there = ground[row + down, column + 1 - down]
    share = float((level - here) / (there - here)) if there != here else 0.5
    x, y = column + share * (1 - down), row + share * down
    return round((x - 1) * STEP, 1), round((y - 1) * STEP, 1)
