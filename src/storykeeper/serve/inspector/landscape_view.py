"""The landscape as a page draws it: a terrain, and all that stands on it, with places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

from storykeeper.drawing.chart import (
    CENTRE,
    FORETOLD,
    HEIGHT,
    MOST_SHOWN,
    RINGS,
    WIDTH,
    Chart,
    Disc,
    chart,
    ring,
)
from storykeeper.drawing.condition_words import in_words
from storykeeper.drawing.lines import Box, Point, broken, curve
from storykeeper.drawing.naming import Name, hull_names, name_boxes, names, ring_names
from storykeeper.drawing.seen import Seen, as_data, seen
from storykeeper.drawing.svg import path
from storykeeper.drawing.terrain import contours
from storykeeper.gravity.distance import WEIGHTS
from storykeeper.gravity.landscape import landscape
from storykeeper.play.moments import Moments
from storykeeper.world.state import World

BEND = 0.16  # of the way: how far an arc bulges
ARC = 48  # points of a ring
MOST_POINTS = 200  # of a line through time
MOST_LINES = 8
MOST_WAYS = 150
DIMENSIONS = ("information", "emotional", "relational", "physical")


def drawn_landscape(world: World, *, lettering: float = 1.0) -> dict[str, Any]:
    """Where the story is heading after a turn, with every term and every place."""
    found = seen(world, landscape(world))
    drawn = chart(found, everything=True, lettering=lettering)
    named = names(drawn)
    boxes = name_boxes(drawn, named)
    data = as_data(found)
    places = {disc.spot.scene: disc for disc in drawn.discs}
    said = {name.disc.spot.scene: name for name in named}
    scenes: Any = data["scenes"]
    return data | {
        "width": WIDTH,
        "height": HEIGHT,
        "centre": CENTRE,
        "lettering": lettering,
        "ground": [
            {"level": each.level, "d": path(each.rings, closed=True)}
            for each in contours(drawn.discs)
        ],
        "rings": list(_rings(drawn, boxes)),
        "sheets": list(_sheets(drawn, boxes)),
        "ways": list(_ways(drawn, boxes)),
        "pulls": list(_pulls(drawn, boxes)),
        "arcs": list(_arcs(found, places, boxes)),
        "scenes": [
            each | _scene(found, places[each["scene"]], said.get(each["scene"])) for each in scenes
        ],
        "gates": list(_gates(found)),
    }  # fmt: skip


def _scene(found: Seen, disc: Disc, name: Name | None) -> dict[str, Any]:
    """What the author says of a scene, and where it and its name stand."""
    scene = found.world.plan.scenes[disc.spot.scene]
    each = disc.spot.attractor
    layer = found.world.plan.layer_of.get(scene.id)
    return {
        "x": round(disc.x, 1), "y": round(disc.y, 1), "r": round(disc.radius, 1),
        "type": scene.type.value, "ending": scene.ending, "required": scene.required,
        "temperature": scene.temperature, "themes": scene.themes, "layer": layer,
        "setting": scene.setting, "tone": scene.tone, "stakes": scene.stakes,
        "name": None if name is None else _name(name),
        "weights": None if each is None
        else dict(zip(DIMENSIONS, WEIGHTS[each.distance.kind], strict=True)),
    }  # fmt: skip


def _name(name: Name) -> dict[str, Any]:
    return {"x": round(name.x, 1), "y": round(name.box.top, 1), "anchor": name.anchor,
            "lines": name.lines, "titles": name.titles,
            "leader": None if name.leader is None else path([name.leader])}  # fmt: skip


# ── lines ────────────────────────────────────────────────────────────────────────────────────


def _rings(drawn: Chart, boxes: Sequence[Box]) -> Iterator[dict[str, Any]]:
    said = {each.word: each for each in ring_names(drawn)}
    for edge, word in RINGS:
        points = _circle(*CENTRE, ring(edge))
        box = said[word].box
        yield {"word": word, "d": path(broken(points, boxes)),
               "x": (box.left + box.right) / 2, "y": box.bottom - 4}  # fmt: skip


def _circle(x: float, y: float, radius: float) -> list[Point]:
    turns = [2 * pi * i / ARC for i in range(ARC + 1)]
    return [(x + radius * cos(a), y + radius * sin(a)) for a in turns]


def _sheets(drawn: Chart, boxes: Sequence[Box]) -> Iterator[dict[str, Any]]:
    plan = drawn.seen.world.plan
    for named in hull_names(drawn):
        corners = named.hull.corners
        felt = next((f for f in drawn.seen.landscape.layers if f.layer == named.hull.layer), None)
        yield {
            "layer": named.hull.layer, "words": named.words,
            "kind": plan.layers[named.hull.layer].kind.value,
            "fill": path([corners], closed=True), "d": path(broken((*corners, corners[0]), boxes)),
            "x": (named.box.left + named.box.right) / 2, "y": named.box.bottom - 2,
            "psi": None if felt is None else felt.psi,
        }  # fmt: skip


def _ways(drawn: Chart, boxes: Sequence[Box]) -> Iterator[dict[str, Any]]:
    few = len(drawn.links) <= MOST_WAYS  # of more only those that can be taken now are drawn
    for link in (each for each in drawn.links if few or each.from_here):
        parts = broken((link.start, link.end), boxes)
        if parts:
            yield {"d": path(parts), "crosses": link.crosses, "from_here": link.from_here,
                   "tip": _tip(link.start, link.end, parts)}  # fmt: skip


def _tip(start: Point, end: Point, parts: Sequence[Sequence[Point]]) -> list[float] | None:
    """Where an arrow points, and in which direction; none, if a name stands there."""
    if parts[-1][-1] != end:
        return None
    far = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return [round(end[0], 1), round(end[1], 1),
            round((end[0] - start[0]) / far, 3), round((end[1] - start[1]) / far, 3)]  # fmt: skip


def _pulls(drawn: Chart, boxes: Sequence[Box]) -> Iterator[dict[str, Any]]:
    """From the present scene to each that pulls, as strong as it pulls."""
    for disc in drawn.discs[:MOST_SHOWN]:
        each = disc.spot.attractor
        if each is not None and each.pull > 0:
            parts = broken(_short(CENTRE, (disc.x, disc.y), disc.radius), boxes)
            yield {"scene": disc.spot.scene, "pull": each.pull, "d": path(parts)}


def _short(start: Point, end: Point, by: float) -> tuple[Point, ...]:
    """A gentle bow that ends at the rim."""
    points = curve(start, end, 0.06 * hypot(end[0] - start[0], end[1] - start[1]))
    return tuple(p for p in points if hypot(p[0] - end[0], p[1] - end[1]) > by) or points[:2]


def _arcs(found: Seen, places: dict[Any, Disc], boxes: Sequence[Box]) -> Iterator[dict[str, Any]]:
    """A prophecy: a high arc over the land, from here to the scene it leans on."""
    for number, each in enumerate(found.landscape.prophecies):
        disc = places.get(each.target)
        if disc is None:
            continue
        far = hypot(disc.x - CENTRE[0], disc.y - CENTRE[1])
        bend = (BEND + 0.09 * number) * far * (-1) ** number
        points = curve(CENTRE, (disc.x, disc.y), bend)
        parts = broken([p for p in points if _clear(p, disc)], boxes)
        authored = found.world.plan.prophecies[each.prophecy]
        event = found.world.plan.events.get(authored.source)
        yield {
            "prophecy": each.prophecy, "target": each.target, "magnitude": each.magnitude,
            "says": "; ".join(authored.imagery), "event": "" if event is None else event.summary,
            "d": path(parts),
        }  # fmt: skip


def _clear(point: Point, disc: Disc) -> bool:
    return hypot(point[0] - disc.x, point[1] - disc.y) > disc.radius + FORETOLD


def _gates(found: Seen) -> Iterator[dict[str, Any]]:
    for gate in found.landscape.gates:
        authored = found.world.plan.gates[gate.gate]
        yield {
            "gate": gate.gate, "scene": gate.scene, "share": gate.share, "close": gate.close,
            "waits": found.waits(gate), "unmet": found.unmet(gate), "means": authored.means,
            "asks": [in_words(found.world.plan, each) for each in authored.conditions],
        }  # fmt: skip


# ── through time ─────────────────────────────────────────────────────────────────────────────


def through_time(moments: Moments) -> dict[str, Any]:
    """How hard the strongest scenes pulled, turn by turn, or at as many turns as a line shows."""
    stood = [each.turn for each in moments.line.stood]
    step = max(1, -(-len(stood) // MOST_POINTS))
    turns = stood[::step] if step > 1 else stood
    if step > 1:
        worlds = list(moments.line.kept())
        every = max(1, -(-len(worlds) // MOST_POINTS))
        worlds = worlds[::every]
    else:
        worlds = [moments.world(turn) for turn in turns]
    fields = [landscape(world) for world in worlds]
    pulls = [{str(each.scene): each.pull for each in field.attractors} for field in fields]
    best: dict[str, float] = {}
    for at in pulls:
        for scene, value in at.items():
            best[scene] = max(best.get(scene, 0.0), value)
    titles = worlds[-1].plan.scenes if worlds else {}
    shown = sorted(best, key=lambda scene: (-best[scene], scene))[:MOST_LINES]
    return {
        "turns": [world.now for world in worlds],
        "lines": [
            {"scene": s, "title": titles[s].title if s in titles else s,
             "pull": [at.get(s) for at in pulls]} for s in shown
        ],
        "changes": sum(a.here != b.here for a, b in pairwise(fields)),
    }  # fmt: skip
