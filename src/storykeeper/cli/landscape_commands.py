"""`storykeeper landscape`: where a run is heading, as a table, a map or a picture."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.cli.landscape_map import drawn
from storykeeper.cli.landscape_png import png
from storykeeper.cli.landscape_table import scene_lines, table
from storykeeper.cli.run_commands import AsJson, At, Run, looking
from storykeeper.cli.say import say, say_json
from storykeeper.drawing.seen import Seen, as_data, scene_data, seen
from storykeeper.drawing.svg import svg
from storykeeper.units import SceneId

KINDS = (".svg", ".png")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("landscape")(landscape)


def landscape(
    run: Run,
    at: At = None,
    scene: Annotated[
        str | None, typer.Option(metavar="ID", help="One scene, with all the terms of its pull.")
    ] = None,
    map_: Annotated[bool, typer.Option("--map", help="Draw it in the terminal.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw it to a file: x.svg, or x.png (needs an extra)."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All scenes, not only those that pull most.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show where the story is heading: what each scene weighs, how far it is, how hard it pulls.

    For the author: it names scenes that have not come yet.
    """
    _refuse_mixed(scene=scene, map_=map_, out=out, json=json)
    with looking(run) as keeper:
        found = seen(keeper.world(at=at), keeper.landscape(at=at))
    if scene is not None:
        _one(found, scene, json=json)
    elif json:
        say_json(as_data(found))
    elif out is not None:
        _write(svg(found, everything=everything), out)
    elif map_:
        say(drawn(found, colour=_coloured(), everything=everything), coloured=True)
    else:
        say(table(found, everything=everything))


def _refuse_mixed(*, scene: str | None, map_: bool, out: Path | None, json: bool) -> None:
    if out is not None and out.suffix.lower() not in KINDS:
        raise typer.BadParameter(f"{out} is neither .svg nor .png: name it one or the other")
    if map_ + (out is not None) + (json or scene is not None) > 1:
        raise typer.BadParameter("one at a time: --map, --out, --json or --scene")


def _one(found: Seen, scene: str, *, json: bool) -> None:
    spot = next((each for each in found.spots if each.scene == scene), None)
    if spot is None:
        near = get_close_matches(scene, [each.scene for each in found.spots])
        maybe = f"; did you mean {' or '.join(near)}?" if near else ""
        raise typer.BadParameter(f"the story has no scene {scene}{maybe}")
    if json:
        say_json(scene_data(spot))
    else:
        say(scene_lines(found, SceneId(scene)))


def _write(picture: str, out: Path) -> None:
    made = png(picture) if out.suffix.lower() == ".png" else picture.encode("utf-8")
    out.write_bytes(made)
    say(f"written to {out}")


def _coloured() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
