"""A landscape as SVG: the same landscape, the same bytes. The only circles in it are scenes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from storykeeper.drawing.chart import (
    CENTRE,
    FORETOLD,
    HEIGHT,
    RINGS,
    WIDTH,
    Chart,
    Disc,
    Link,
    Point,
    chart,
    ring,
)
from storykeeper.drawing.labels import label
from storykeeper.drawing.lines import Box, broken
from storykeeper.drawing.naming import (
    LINE,
    HullName,
    Name,
    hull_names,
    name_boxes,
    names,
    ring_names,
)
from storykeeper.drawing.seen import OUT_OF_REACH, VISITED, Seen
from storykeeper.gravity.pull import Band

TITLE_CELLS = 60
COLOURS = {
    Band.ACTIVE.value: "#1f2933",
    Band.IMMINENT.value: "#c8451b",
    Band.APPROACHING.value: "#dba11c",
    Band.DISTANT.value: "#5b84b1",
    Band.RESOLVED.value: "#9aa5b1",
    VISITED: "#cbd2d9",
    OUT_OF_REACH: "#ffffff",
}
_TINTS = ("#3f9142", "#7048a8", "#b8336a", "#127b8a")
# By name, one of which nearly every machine has: what turns this into a PNG knows no other.
FONTS = (
    "'DejaVu Sans',Verdana,Arial,'Liberation Sans','Noto Sans',Helvetica,'Segoe UI',Ubuntu,"
    "Cantarell,FreeSans,sans-serif"
)
_STYLE = (
    f"text{{font-family:{FONTS};font-size:12px;fill:#1f2933;"
    "paint-order:stroke;stroke:#ffffff;stroke-width:3px;stroke-linejoin:round}"
    ".head{font-size:18px;font-weight:bold}.most{font-weight:bold}.small{font-size:11px;"
    "fill:#52606d}.ring{fill:none;stroke:#d5dbe1;stroke-dasharray:2 5}"
    ".way{fill:none;stroke:#9aa5b1;stroke-width:1}.from{stroke:#52606d;stroke-width:2}"
    ".crossing{stroke-dasharray:6 4}circle{stroke:#52606d;stroke-width:1}"
    ".leader{fill:none;stroke:#7b8794;stroke-width:.7}"
    ".foretold{fill:none;stroke:#7048a8;stroke-width:2;stroke-dasharray:3 3}"
)


def svg(found: Seen, *, everything: bool = False) -> str:
    """The map as a picture."""
    drawn = chart(found, everything=everything)
    named = names(drawn)
    return "\n".join((
        *_head(drawn), *_ground(drawn, named), *_scenes(drawn, named), *_legend(drawn), "</svg>\n",
    ))  # fmt: skip


def _head(drawn: Chart) -> Iterator[str]:
    found = drawn.seen.landscape
    story = label(drawn.seen.world.plan.story.title, cells=TITLE_CELLS)
    here = label(drawn.seen.title(found.here), cells=TITLE_CELLS)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}"'
        f' width="{WIDTH:.0f}" height="{HEIGHT:.0f}" role="img">'
    )
    yield f"<title>{escape(f'{story}, turn {found.turn}')}</title>"
    yield f"<style>{_STYLE}</style>"
    yield (
        '<defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="7"'
        ' markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">'
        '<path d="M0 0 6 3 0 6z" fill="#7b8794"/></marker></defs>'
    )
    yield f'<rect width="{WIDTH:.0f}" height="{HEIGHT:.0f}" fill="#ffffff"/>'
    yield _text(20, 34, story, "head")
    yield _text(20, 54, f"turn {found.turn}, here: {here}", "small")


def _ground(drawn: Chart, named: Sequence[Name]) -> Iterator[str]:
    """What lies under the scenes: rings, layers, ways."""
    x, y = CENTRE
    for edge, _ in RINGS:
        r = ring(edge)
        yield f'<ellipse class="ring" cx="{_n(x)}" cy="{_n(y)}" rx="{_n(r)}" ry="{_n(r)}"/>'
    for each in ring_names(drawn):
        middle = (each.box.left + each.box.right) / 2
        yield _text(middle, each.box.bottom - 4, each.word, "small", anchor="middle")
    for tint, hull in enumerate(hull_names(drawn)):
        yield from _layer(hull, _TINTS[tint % len(_TINTS)])
    boxes = name_boxes(drawn, named)
    yield from (part for link in drawn.links for part in _way(link, boxes))


def _layer(named: HullName, tint: str) -> Iterator[str]:
    corners = " ".join(f"{_n(x)},{_n(y)}" for x, y in named.hull.corners)
    yield (
        f'<polygon class="layer" points="{corners}" fill="{tint}" fill-opacity="0.12"'
        f' stroke="{tint}" stroke-opacity="0.5" stroke-linejoin="round"/>'
    )
    middle = (named.box.left + named.box.right) / 2
    if named.words:
        yield _text(middle, named.box.bottom - 2, named.words, "small", anchor="middle")


def _way(link: Link, boxes: Sequence[Box]) -> Iterator[str]:
    """A line with its tip; where a name stands, it has a gap."""
    kind = f"way{' from' * link.from_here}{' crossing' * link.crosses}"
    parts = broken((link.start, link.end), boxes)
    if parts:
        tip = ' marker-end="url(#tip)"' if parts[-1][-1] == link.end else ""
        yield f'<path class="{kind}" d="{path(parts)}"{tip}/>'


def path(parts: Iterable[Sequence[Point]], *, closed: bool = False) -> str:
    """Lines through points, as SVG has them."""
    end = "z" if closed else ""
    return "".join(f"M{' '.join(f'{_n(x)} {_n(y)}' for x, y in part)}{end}" for part in parts)


def _scenes(drawn: Chart, named: Sequence[Name]) -> Iterator[str]:
    foretold = {each.target for each in drawn.seen.landscape.prophecies}
    for disc in drawn.discs:
        yield _scene(disc)
        if disc.spot.scene in foretold:
            r = _n(disc.radius + FORETOLD)
            yield (
                f'<ellipse class="foretold" cx="{_n(disc.x)}" cy="{_n(disc.y)}" rx="{r}" ry="{r}"/>'
            )
    strongest = drawn.seen.landscape.strongest
    for name in named:
        most = strongest is not None and name.disc.spot.scene == strongest.scene
        yield from _name(name, most=most)


def _scene(disc: Disc) -> str:
    spot = disc.spot
    said = f"{spot.scene}: {label(spot.title, cells=TITLE_CELLS)}, {spot.standing}"
    if spot.attractor is not None:
        each = spot.attractor
        said += f", mass {each.mass.total:.2f}, pull {each.pull:.3f}, {each.way.steps} steps"
    return (
        f'<circle id="scene-{escape(spot.scene)}" cx="{_n(disc.x)}" cy="{_n(disc.y)}"'
        f' r="{_n(disc.radius)}" fill="{COLOURS[spot.standing]}">'
        f"<title>{escape(said)}</title></circle>"
    )


def _name(name: Name, *, most: bool) -> Iterator[str]:
    if name.leader is not None:
        yield f'<path class="leader" d="{path([name.leader])}"/>'
    for i, line in enumerate(name.lines):
        kind = "small" if i else "most" if most else ""
        y = name.box.top + LINE * i + 11
        yield _text(name.x, y, line, kind, anchor=name.anchor)


def _legend(drawn: Chart) -> Iterator[str]:
    x, y = 20.0, HEIGHT - 44
    for standing, colour in COLOURS.items():
        word = "here" if standing == Band.ACTIVE else standing
        yield (
            f'<rect x="{_n(x)}" y="{_n(y)}" width="11" height="11" fill="{colour}"'
            ' stroke="#52606d"/>'
        )
        yield _text(x + 16, y + 10, word, "small")
        x += 40 + 7 * len(word)
    said = (
        "Area: mass. From the middle outward: less near. Numbers: pull of mass."
        " Dashed line: into a layer or out of it. Dashed ring: foretold."
    )
    left_out = f" … and {drawn.left_out} more scenes." if drawn.left_out else ""
    yield _text(20, HEIGHT - 16, said + left_out, "small")


def _text(x: float, y: float, words: str, kind: str = "", *, anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    held = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{_n(x)}" y="{_n(y)}"{named}{held}>{escape(words)}</text>'


def _n(value: float) -> str:
    """A number to a tenth of a pixel, and never −0."""
    return f"{round(value, 1) + 0.0:g}"
