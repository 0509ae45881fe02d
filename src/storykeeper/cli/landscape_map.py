"""A landscape drawn with characters: here at the left, and how far each scene is felt to be."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from storykeeper.drawing.labels import cell, label
from storykeeper.drawing.seen import OUT_OF_REACH, VISITED, Seen
from storykeeper.gravity.landscape import Attractor
from storykeeper.gravity.pull import APPROACHING_FROM, IMMINENT_FROM, Band

WIDTH = 80
MOST_SHOWN = 20
NAME, AXIS, BAR = 18, 36, 16
_BORDERS = tuple(round((1 - edge) * (AXIS - 1)) for edge in (IMMINENT_FROM, APPROACHING_FROM))
_EIGHTHS = " ▏▎▍▌▋▊▉"
_SIZES = "•●◉"  # light, middling, heavy
_COLOURS = {
    Band.IMMINENT.value: "31",
    Band.APPROACHING.value: "33",
    Band.DISTANT.value: "34",
    Band.RESOLVED.value: "2",
    Band.ACTIVE.value: "1",
}
_HEADINGS = {Band.RESOLVED.value: "over", VISITED: "left early", OUT_OF_REACH: OUT_OF_REACH}


def drawn(found: Seen, *, colour: bool = False, everything: bool = False) -> str:
    """The map: scenes ahead along an axis, then what is behind, what leans in, and gates."""
    most = None if everything else MOST_SHOWN
    lines = [
        *_frame(found, colour=colour),
        *_axis(found, most, colour=colour),
        *_others(found, most, colour=colour),
        *_leaning(found),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _painted(text: str, band: str, *, colour: bool) -> str:
    return f"\x1b[{_COLOURS[band]}m{text}\x1b[0m" if colour and band in _COLOURS else text


def _frame(found: Seen, *, colour: bool) -> Iterator[str]:
    turn = f"turn {found.landscape.turn}"
    here = f"{found.landscape.here}: {found.title(found.landscape.here)}"
    inside = f"{cell(here, WIDTH - 5 - len(turn))} {turn}"
    yield f"╭{'─' * (WIDTH - 2)}╮"
    yield f"│ {_painted(inside, Band.ACTIVE.value, colour=colour)} │"
    yield f"╰{'─' * (WIDTH - 2)}╯"


# ── scenes ahead ─────────────────────────────────────────────────────────────────────────────


def _axis(found: Seen, most: int | None, *, colour: bool) -> Iterator[str]:
    shown = [(spot, each) for spot in found.ahead[:most] if (each := spot.attractor) is not None]
    if not shown:
        yield "nothing pulls"
        return
    near, far = _BORDERS
    words = (
        f"{'imminent':<{near}}┊{' approaching':<{far - near - 1}}┊{' distant':<{AXIS - far - 1}}"
    )
    yield f"{'':<{NAME + 2}} {words}  pull ▕ of its mass"
    heaviest = max(1.0, *(each.mass.total for _, each in shown))
    strongest = found.landscape.strongest
    for spot, each in shown:
        mark = "▸" if strongest is not None and spot.scene == strongest.scene else " "
        row = f"{mark} {cell(spot.scene, NAME)} {_stem(each, heaviest)}"
        yield f"{_painted(row, spot.standing, colour=colour)} {_bar(each, heaviest)}"
    if len(found.ahead) > len(shown):
        yield f"  … and {len(found.ahead) - len(shown)} more"
    yield f"  {'┄ beside the way':<{NAME}} • ● ◉ by mass"


def _stem(each: Attractor, heaviest: float) -> str:
    """A line from here to where the scene is felt to be."""
    at = round((1 - each.nearness) * (AXIS - 1))
    line = ["┊" if place in _BORDERS else " " for place in range(AXIS)]
    line[:at] = ("┄" if each.way.lateral else "─") * at
    heavy = int(len(_SIZES) * each.mass.total / heaviest)
    line[at] = _SIZES[min(heavy, len(_SIZES) - 1)]
    return "".join(line)


def _bar(each: Attractor, heaviest: float) -> str:
    """The pull, and the mass that it is a part of."""
    whole, eighths = divmod(round(8 * BAR * each.pull / heaviest), 8)
    full = "█" * whole + _EIGHTHS[eighths].strip()
    shade = round(BAR * each.mass.total / heaviest)
    return f"{each.pull:5.3f} {full:░<{max(len(full), shade)}}"


# ── the rest ─────────────────────────────────────────────────────────────────────────────────


def _others(found: Seen, most: int | None, *, colour: bool) -> Iterator[str]:
    for standing, heading in _HEADINGS.items():
        ids = [spot.scene for spot in found.others if spot.standing == standing]
        more = len(ids) - len(ids[:most])
        listed = ", ".join(ids[:most]) + (f", … and {more} more" if more else "")
        if ids:
            lines = wrap(f"{heading}: {listed}", WIDTH, subsequent_indent="  ")
            yield from (_painted(line, standing, colour=colour) for line in lines)


def _leaning(found: Seen) -> Iterator[str]:
    for felt in found.landscape.layers:
        name = label(found.world.plan.layers[felt.layer].name, cells=30)
        inside = "in " if felt.active else ""
        yield (
            f"{inside}layer {cell(name, 30)} ψ {_gauge(felt.psi)} {felt.psi:.2f}"
            f"  C {felt.mass.total:.2f}"
        )
    for each in found.landscape.prophecies:
        yield (
            f"foretold {label(each.prophecy, cells=24)} ┄▶ {label(each.target, cells=24)}"
            f"  {each.magnitude:.2f}"
        )
    gates = found.landscape.gates
    for gate in gates[:MOST_SHOWN]:
        yield f"gate {cell(gate.gate, 24)} {_gauge(gate.share)} {gate.share:4.0%}"
    if len(gates) > MOST_SHOWN:
        yield f"… and {len(gates) - MOST_SHOWN} more gates"


def _gauge(share: float, width: int = 10) -> str:
    return f"{'█' * round(share * width):░<{width}}"
