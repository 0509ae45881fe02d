"""Where the names in a drawn landscape go, so that they do not lie on one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from textwrap import wrap

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
    Hull,
    Link,
    gaps,
    ring,
)
from storykeeper.drawing.labels import label
from storykeeper.drawing.lines import Box, Point, crossed, within
from storykeeper.drawing.seen import Seen, Spot

TITLE_CELLS = 24
CELL, LINE = 7.2, 15.0  # pixels
GAP = 2.0
PLAIN_FROM = 2.0  # lettering of this size and more leaves numbers out
FAR = 12.0  # pixels between a disc and its name from which a line joins them
STRUCK = 4.0  # square pixels of a taken place that one pixel of a line is as bad as
_SHIFTS = (0.0, -LINE, LINE, -2 * LINE, 2 * LINE)
_APART = (0.0, 14.0, 34.0)  # pixels farther from the disc, if there is no room beside it
_FARTHER = (70.0, 110.0, 160.0)  # where names are written large
HALF_CELLS = 13  # of a line of a name that is written large
CLEARLY = 1.25  # times as far as its own another disc must be from a name
LED, ACROSS, ASTRAY = 3.0, 60.0, 400.0  # square pixels that a pixel of a leader is as bad as, …


@dataclass(frozen=True, slots=True)
class Name:
    """A name beside its disc, or led to it by a line."""

    disc: Disc
    lines: tuple[str, ...]
    box: Box
    anchor: str  # start, middle or end, as SVG has it
    titles: int = 1  # how many of its lines the title takes; what is below them is small
    astray: bool = False  # another disc stands nearer, or as near: it would be taken for that one's

    @property
    def leader(self) -> tuple[Point, Point] | None:
        """A line to its disc, if that is not right beside it, or not it alone."""
        x, y = _nearest(self.box, self.disc)
        away = hypot(x - self.disc.x, y - self.disc.y)
        if not self.astray and away < self.disc.radius + FORETOLD + FAR:
            return None
        share = min(1.0, (self.disc.radius + GAP) / (away or 1.0))
        start = (self.disc.x + (x - self.disc.x) * share, self.disc.y + (y - self.disc.y) * share)
        return start, (x, y)

    @property
    def x(self) -> float:
        """Where the text is anchored."""
        at = {"start": self.box.left, "end": self.box.right}
        return at.get(self.anchor, (self.box.left + self.box.right) / 2)


def _nearest(box: Box, disc: Disc) -> Point:
    """The point of a rectangle that is nearest to the middle of a disc."""
    return min(max(disc.x, box.left), box.right), min(max(disc.y, box.top), box.bottom)


def _between(box: Box, disc: Disc) -> float:
    """How far it is from a name to the rim of a disc; below 0 it lies on it."""
    x, y = _nearest(box, disc)
    return hypot(x - disc.x, y - disc.y) - disc.radius


@dataclass(frozen=True, slots=True)
class RingName:
    """What a ring is called, in the middle of its box."""

    word: str
    box: Box


@dataclass(frozen=True, slots=True)
class HullName:
    """What a layer is called, above it."""

    hull: Hull
    words: str
    box: Box


CANVAS = Box(4.0, 60.0, WIDTH - 4.0, HEIGHT - 70.0)


def ring_names(drawn: Chart) -> Iterator[RingName]:
    """A name for each ring, where there is most room, and none on another's."""
    taken: list[Box] = []
    for edge, word in RINGS:
        half, high = CELL * drawn.lettering * len(word) / 2, LINE * drawn.lettering
        places = [
            Box(x - half, y - high / 2, x + half, y + high / 2)
            for x, y in (
                (min(max(x, CANVAS.left + half), CANVAS.right - half), y)
                for x, y in gaps(drawn.discs, ring(edge))
            )
        ]
        free = (place for place in places if not any(map(place.overlap, taken)))
        box = next(free, places[0])
        taken.append(box)
        yield RingName(word, box)


def hull_names(drawn: Chart) -> Iterator[HullName]:
    """A name above each layer, or below it, with what it weighs and how open its boundary is.

    One that has no room there goes without.
    """
    taken = [*(each.box for each in ring_names(drawn)), *_disc_boxes(drawn)]
    for hull in drawn.hulls:
        words = _layer_words(drawn, hull.layer)
        places = _beside_hull(hull, words, drawn.lettering)
        box = next((p for p in places if not any(map(p.overlap, taken))), None)
        if box is not None:
            taken.append(box)
        yield HullName(hull, "" if box is None else words, box or Box(0.0, 0.0, 0.0, 0.0))


def _layer_words(drawn: Chart, layer: str) -> str:
    name = label(drawn.seen.world.plan.layers[layer].name, cells=TITLE_CELLS)
    felt = next((f for f in drawn.seen.landscape.layers if f.layer == layer), None)
    if felt is None or drawn.lettering >= PLAIN_FROM:
        return name
    return f"{name} · C {felt.mass.total:.2f} · ψ {felt.psi:.2f}"


def _beside_hull(hull: Hull, words: str, size: float) -> Iterator[Box]:
    half, high = CELL * size * cell_len(words) / 2, LINE * size
    for pick, top in ((min, -high - 2), (max, 2.0)):
        x, y = pick(hull.corners, key=lambda corner: (corner[1], corner[0]))
        x = min(max(x, CANVAS.left + half), CANVAS.right - half)
        yield Box(x - half, y + top, x + half, y + top + high)


def names(drawn: Chart) -> tuple[Name, ...]:
    """A name for each disc, the strongest first; beyond the first forty discs go without.

    Where it stands it lies on no other name and on no disc, on as few lines as can be, and nearer
    to its own disc than to another, if there is such a place. Written large, some have no room:
    where the story is and what pulls hardest are named all the same.
    """
    taken = [*_ground_boxes(drawn)]
    taken += _disc_boxes(drawn)
    found: list[Name] = []
    strongest = drawn.seen.landscape.strongest
    always = {drawn.seen.landscape.here, None if strongest is None else strongest.scene}
    for disc in drawn.discs[:MOST_SHOWN]:
        best, near = _placed(drawn, disc, taken)
        if drawn.lettering == 1.0 or disc.spot.scene in always or _fits(best, near):
            taken.append(best.box)
            if (lead := best.leader) is not None:
                taken.append(_around([Box(x, y, x, y) for x, y in lead]))
            found.append(best)
    return tuple(found)


def _placed(drawn: Chart, disc: Disc, taken: Sequence[Box]) -> tuple[Name, list[Box]]:
    """The best place for a name, and what stands around there."""
    lines = tuple(_lines(drawn.seen, disc.spot))
    if drawn.lettering >= PLAIN_FROM:
        lines = tuple(wrap(lines[0], HALF_CELLS))
    places = list(_places(disc, lines, drawn.lettering))
    room = _around([place.box for place in places])
    near = [box for box in taken if room.overlap(box)]
    wide = room.wider(LINE * drawn.lettering)
    discs = [each for each in drawn.discs if each is not disc and _between(wide, each) <= 0]
    ways = [each for each in drawn.links if within(each.start, each.end, room)]
    placed = (_astray(place, discs, drawn.lettering) for place in places)
    return min(placed, key=lambda place: _cost(place, near, ways, discs)), near


def _astray(place: Name, others: Iterable[Disc], size: float) -> Name:
    """The same, as one that would be taken for another's, if it would."""
    own = _between(place.box, place.disc)
    clear = max(own, 0.0) * CLEARLY + GAP * size
    return replace(place, astray=any(_between(place.box, each) <= clear for each in others))


def name_boxes(drawn: Chart, named: Sequence[Name]) -> tuple[Box, ...]:
    """Where names stand, and no line may."""
    return *(each.box for each in named), *_ground_boxes(drawn)


def _ground_boxes(drawn: Chart) -> Iterator[Box]:
    """Where the names of rings and layers stand."""
    yield from (each.box for each in ring_names(drawn))
    yield from (each.box for each in hull_names(drawn))


def _disc_boxes(drawn: Chart) -> Iterator[Box]:
    for d in drawn.discs:
        yield Box(d.x - d.radius, d.y - d.radius, d.x + d.radius, d.y + d.radius)


def _around(boxes: Sequence[Box]) -> Box:
    return Box(
        min(box.left for box in boxes), min(box.top for box in boxes),
        max(box.right for box in boxes), max(box.bottom for box in boxes),
    )  # fmt: skip


def _fits(place: Name, taken: Iterable[Box]) -> bool:
    """Whether a name that is written large has room; else its scene goes without."""
    return sum(map(place.box.overlap, taken)) + _outside(place) < 1.0


def _cost(place: Name, taken: Iterable[Box], ways: Iterable[Link], others: Iterable[Disc]) -> float:
    """How much of a place is taken, how much of lines it would hide, and whose it seems to be."""
    struck = sum(crossed(each.start, each.end, place.box) for each in ways)
    cost = sum(map(place.box.overlap, taken)) + _outside(place) + STRUCK * struck
    if (lead := place.leader) is not None:
        boxes = (Box(d.x - d.radius, d.y - d.radius, d.x + d.radius, d.y + d.radius)
                 for d in others)  # fmt: skip
        cost += LED * hypot(lead[0][0] - lead[1][0], lead[0][1] - lead[1][1])
        cost += ACROSS * sum(crossed(*lead, box) for box in boxes)
    return cost + (ASTRAY if place.astray else 0.0)


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


def _places(disc: Disc, lines: tuple[str, ...], size: float) -> Iterator[Name]:
    """Beside it, away from the middle first; then on the other side, below and above."""
    wide, high = size * CELL * max(map(cell_len, lines)), size * LINE * len(lines)
    titles = len(lines) if size >= PLAIN_FROM else 1
    for apart in _APART if size == 1.0 else (*_APART, *_FARTHER):
        out = disc.radius + FORETOLD + GAP + apart
        right = disc.x + out, disc.y - high / 2, "start"
        left = disc.x - out - wide, disc.y - high / 2, "end"
        below = disc.x - wide / 2, disc.y + out, "middle"
        above = disc.x - wide / 2, disc.y - out - high, "middle"
        sides = (right, left) if disc.x >= CENTRE[0] else (left, right)
        for x, y, anchor in (*sides, below, above):
            for shift in _SHIFTS:
                if anchor != "middle" or not shift:
                    down = y + size * shift
                    box = Box(x, down, x + wide, down + high)
                    yield Name(disc, lines, box, anchor, titles)


def _outside(name: Name) -> float:
    box = name.box
    area = (box.right - box.left) * (box.bottom - box.top)
    return 10 * (area - box.overlap(CANVAS))
