"""A landscape as a table, and one scene of it with all of its terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from storykeeper.drawing.labels import cell, isolated, label
from storykeeper.drawing.seen import Seen, Spot
from storykeeper.gravity.distance import WEIGHTS, Distance
from storykeeper.gravity.landscape import Attractor
from storykeeper.gravity.mass import Mass
from storykeeper.gravity.pull import FADING, Band
from storykeeper.units import SceneId

MOST_SHOWN = 20
TITLE_CELLS = 24
NAME_CELLS = 60
_TERMS = {"base": "base", "structural": "structure", "dynamic": "approach",
          "prophetic": "prophecies", "event": "events",
          "connective": "connective space"}  # fmt: skip
_DIMENSIONS = ("information", "emotional", "relational", "physical")
_MEANS = {
    Band.ACTIVE.value: "the story is here",
    Band.RESOLVED.value: "it is over, and acts through memory alone",
    "visited": "it was left before its end, and does not pull",
    "out of reach": "no way leads there that is not closed for good",
}


def table(found: Seen, *, everything: bool = False) -> str:
    """Every scene with its mass, distance and pull; then layers, prophecies and gates."""
    rows = [*_rows(found, None if everything else MOST_SHOWN)]
    blocks = ["\n".join((_head(found), "", *rows))]
    parts = (_layers(found), _prophecies(found), _gates(found, everything=everything))
    blocks += filter(None, map("\n".join, parts))
    return "\n\n".join(blocks)


def _head(found: Seen) -> str:
    landscape = found.landscape
    here = f"turn {landscape.turn}, in {_named(found, landscape.here)}"
    strongest = landscape.strongest
    if strongest is None:
        return f"{here}; nothing pulls"
    return f"{here}; drawn most toward {_named(found, strongest.scene)}"


def _named(found: Seen, scene: str) -> str:
    return f"{scene} ({isolated(label(found.title(scene), cells=TITLE_CELLS))})"


# ── scenes ───────────────────────────────────────────────────────────────────────────────────


def _rows(found: Seen, most: int | None) -> Iterator[str]:
    here = [found.here] if found.here is not None else []
    ahead, others = found.ahead[:most], found.others[:most]
    shown = (*here, *ahead, *others)
    width = max(len(word) for word in ("scene", *(spot.scene for spot in shown)))
    yield (f"  {'scene':<{width}}  {'title':<{TITLE_CELLS}}   mass  dist.  steps   pull  band")
    strongest = found.landscape.strongest
    for spot in (*here, *ahead):
        first = strongest is not None and spot.scene == strongest.scene
        yield f"{'▸' if first else ' '} {_row(spot, width)}"
    yield from _more(len(found.ahead) - len(ahead))
    for spot in others:
        yield f"  {_row(spot, width)}"
    yield from _more(len(found.others) - len(others))
    if any(spot.attractor is not None and spot.attractor.way.lateral for spot in ahead):
        yield "  ~ beside the way: steps back, and then forward"


def _row(spot: Spot, width: int) -> str:
    name = f"{spot.scene:<{width}}  {cell(spot.title, TITLE_CELLS)}"
    each = spot.attractor
    if each is None:
        return f"{name}      ·      ·      ·      ·  {spot.standing}"
    steps = f"{'~' if each.way.lateral else ''}{each.way.steps}"
    return (
        f"{name}  {each.mass.total:5.2f}  {each.distance.total:5.2f}  {steps:>5}"
        f"  {each.pull:5.3f}  {spot.standing}"
    )


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield f"  … and {count} more (--all lists them)"


# ── layers, prophecies, gates ────────────────────────────────────────────────────────────────


def _layers(found: Seen) -> Iterator[str]:
    if found.landscape.layers:
        yield "layers"
    for each in found.landscape.layers:
        name = isolated(label(found.world.plan.layers[each.layer].name, cells=NAME_CELLS))
        inside = ", the story is in it" if each.active else ""
        yield f"  {each.layer} ({name}){inside}"
        yield f"      C {each.mass.total:.2f} · ψ {each.psi:.2f} = {each.strength:.2f}"


def _prophecies(found: Seen) -> Iterator[str]:
    if found.landscape.prophecies:
        yield "prophecies"
    for each in found.landscape.prophecies:
        yield f"  {each.prophecy}  {each.magnitude:.2f} on {_named(found, each.target)}"


def _gates(found: Seen, *, everything: bool) -> Iterator[str]:
    gates = found.landscape.gates if everything else found.landscape.gates[:MOST_SHOWN]
    if gates:
        yield "gates"
    for gate in gates:
        where = _named(found, gate.scene)
        yield f"  {gate.gate}  {found.waits(gate)}, in {where}; it waits for"
        yield from (f"      {label(each, cells=10 * NAME_CELLS)}" for each in found.unmet(gate))
    yield from _more(len(found.landscape.gates) - len(gates))


# ── one scene ────────────────────────────────────────────────────────────────────────────────


def scene_lines(found: Seen, scene: SceneId) -> str:
    """One scene: what its mass and its distance are made of, and what leans on it."""
    spot = next(each for each in found.spots if each.scene == scene)
    lines = [f"{scene}: {label(spot.title, cells=NAME_CELLS)}"]
    if spot.attractor is None:
        lines.append(f"{spot.standing}: {_MEANS[spot.standing]}")
    else:
        lines += _pulling(spot.attractor)
    lines += [
        f"foretold   {each.prophecy} {each.magnitude:.2f}"
        for each in found.landscape.prophecies
        if each.target == scene
    ]
    for gate in found.landscape.gates:
        if gate.scene == scene:
            lines.append(f"gate       {gate.gate} {found.waits(gate)}; it waits for")
            lines += [f"             {label(e, cells=10 * NAME_CELLS)}" for e in found.unmet(gate)]
    return "\n".join(lines)


def _pulling(each: Attractor) -> Iterator[str]:
    steps = f"{each.way.steps} step{'' if each.way.steps == 1 else 's'}"
    where = "beside the way" if each.way.lateral else "ahead"
    faded = FADING ** max(0, each.way.steps - 1)
    yield f"{each.band.value}, {steps} {where}"
    yield f"pull       {each.pull:.3f} = mass {each.mass.total:.2f} · nearness {each.nearness:.3f}"
    yield (
        f"nearness   {each.nearness:.3f} = {each.nearness / faded:.3f} by distance"
        f" · {faded:.3f} for {steps}"
    )
    yield f"mass       {each.mass.total:.2f}{_sum(each.mass)}"
    yield f"distance   {each.distance.total:.2f}{_mean(each.distance)}"


def _sum(mass: Mass) -> str:
    terms = [f"{word} {getattr(mass, name):.2f}" for name, word in _TERMS.items()]
    if mass.stated is None:
        return f" = {' + '.join(terms)}"
    return " as the author states, whatever its terms"


def _mean(distance: Distance) -> str:
    if distance.stated is not None:
        return " as the author states, whatever its dimensions"
    known = [
        (name, weight, value)
        for name, weight in zip(_DIMENSIONS, WEIGHTS[distance.kind], strict=True)
        if (value := structs.asdict(distance)[name]) is not None
    ]
    return _weighed(known) if known else ": the scene states nothing to be near to"


def _weighed(known: Sequence[tuple[str, float, float]]) -> str:
    whole = sum(weight for _, weight, _ in known)
    each = " + ".join(f"{weight:g} · {name} {value:.2f}" for name, weight, value in known)
    return f" = ({each}) / {whole:g}"
