"""`storykeeper eval`: the quality figures of a run, or of policies on a field."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storykeeper.bench.quality.figures import GATES
from storykeeper.bench.quality.suite import TURNS, failed, line, of_log, of_suite
from storykeeper.canon.modes import Mode
from storykeeper.canon.turn_log import read_log
from storykeeper.cli.say import say, say_json
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.models.entailment import OnnxEntailment


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    target: Annotated[
        Path,
        typer.Argument(metavar="RUN|SUITE", help="A log of `field run`, or the folder of a field."),
    ],
    turns: Annotated[
        int, typer.Option(min=1, metavar="N", help="Of a folder: turns that each policy plays.")
    ] = TURNS,
    seed: Annotated[int, typer.Option(metavar="N", help="Of policies, and of intervals.")] = 1,
    mode: Annotated[Mode, typer.Option(metavar="MODE", help="neutral or fan.")] = Mode.NEUTRAL,
    entailment: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A model of entailment in ONNX, asked as well."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON, for programs.")] = False,
) -> None:
    """Say how well actors keep to canon and to their personas, and how large briefs are.

    Of a log: its figures; ends with 1 if one is out of bounds. Of a folder: of a faithful policy,
    the same in its own words, and three that ignore canon, read minds and drift; ends with 1 if the
    faithful one is out of bounds.
    """
    reader, model = MiniLM(), None if entailment is None else OnnxEntailment(entailment)
    if target.is_dir():
        quiet = None if json else say
        found = of_suite(
            target, reader=reader, mode=mode, turns=turns, seed=seed, say=quiet or (lambda _: None),
            entailment=model,
        )  # fmt: skip
        judged = found["faithful"]
        if json:
            say_json(found)
    else:
        judged = of_log(read_log(target), reader=reader, seed=seed, entailment=model)
        if json:
            say_json(judged)
        else:
            say(line("run", judged))
    for name in failed(judged, tuple(GATES.items())):
        say(f"out of bounds: {name}")
        raise typer.Exit(1)
