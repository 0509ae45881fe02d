"""Where the names in a drawn landscape go, so that they do not lie on one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from storykeeper.drawing.chart import (
    CENTRE,
    FORETOLD,
    HEIGHT,
    MOST_SHOWN,
    RINGS,
    WIDTH,
    Chart,
    Disc,
    gap,
    ring,
)
from storykeeper.drawing.labels import label
from storykeeper.drawing.seen import Seen, Spot

TITLE_CELLS = 24
CELL, LINE = 7.2, 15.0  # pixels
GAP = 2.0
_SHIFTS = (0.0, -LINE, LINE, -2 * LINE, 2 * LINE)


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


@dataclass(frozen=True, slots=True)
class Name:
    """A name beside its disc."""

    disc: Disc
    lines: tuple[str, ...]
    box: Box
    anchor: str  # start, middle or end, as SVG has it

    @property
    def x(self) -> float:
        """Where the text is anchored."""
        at = {"start": self.box.left, "end": self.box.right}
        return at.get(self.anchor, (self.box.left + self.box.right) / 2)


@dataclass(frozen=True, slots=True)
class RingName:
    """What a ring is called, in the middle of its box."""

    word: str
    box: Box


CANVAS = Box(4.0, 60.0, WIDTH - 4.0, HEIGHT - 70.0)


def ring_names(drawn: Chart) -> Iterator[RingName]:
    """A name for each ring, where there is most room."""
    for edge, word in RINGS:
        x, y = gap(drawn.discs, ring(edge))
        half = CELL * len(word) / 2
        yield RingName(word, Box(x - half, y - LINE / 2, x + half, y + LINE / 2))


def names(drawn: Chart) -> tuple[Name, ...]:
    """A name for each disc, the strongest first; beyond the first forty discs go without."""
    taken = [each.box for each in ring_names(drawn)]
    taken += [
        Box(d.x - d.radius, d.y - d.radius, d.x + d.radius, d.y + d.radius) for d in drawn.discs
    ]
    found: list[Name] = []
    for disc in drawn.discs[:MOST_SHOWN]:
        lines = tuple(_lines(drawn.seen, disc.spot))
        places = list(_places(disc, lines))
        best = min(places, key=lambda place: sum(map(place.box.overlap, taken)) + _outside(place))
        taken.append(best.box)
        found.append(best)
    return tuple(found)


def _lines(found: Seen, spot: Spot) -> Iterator[str]:
    yield label(spot.title, cells=TITLE_CELLS) or spot.scene
    each = spot.attractor
    more = [] if each is None else [f"{each.pull:.2f} of {each.mass.total:.2f}"]
    foretold = sum(p.magnitude for p in found.landscape.prophecies if p.target == spot.scene)
    more += [f"foretold {foretold:.2f}"] if foretold else []
    gates = [gate.share for gate in found.landscape.gates if gate.scene == spot.scene]
    more += [f"gate {max(gates):.0%}"] if gates else []
    if more:
        yield " · ".join(more)


def _places(disc: Disc, lines: tuple[str, ...]) -> Iterator[Name]:
    """Beside it, away from the middle first; then on the other side, below and above."""
    wide, high = CELL * max(map(cell_len, lines)), LINE * len(lines)
    out = disc.radius + FORETOLD + GAP
    right = disc.x + out, disc.y - high / 2, "start"
    left = disc.x - out - wide, disc.y - high / 2, "end"
    below = disc.x - wide / 2, disc.y + out, "middle"
    above = disc.x - wide / 2, disc.y - out - high, "middle"
    sides = (right, left) if disc.x >= CENTRE[0] else (left, right)
    for x, y, anchor in (*sides, below, above):
        for shift in _SHIFTS:
            if anchor != "middle" or not shift:
                box = Box(x, y + shift, x + wide, y + shift + high)
                yield Name(disc, lines, box, anchor)


def _outside(name: Name) -> float:
    box = name.box
    area = (box.right - box.left) * (box.bottom - box.top)
    return 10 * (area - box.overlap(CANVAS))
