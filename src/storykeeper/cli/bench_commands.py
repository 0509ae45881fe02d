"""`storykeeper bench NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storykeeper.bench.registry import BENCHES, Setup
from storykeeper.bootstrap import model_endpoint
from storykeeper.cli.say import say, say_json
from storykeeper.models.settings import ModelSettings

ModelUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="gradient: who renders; a URL, or local.")
]
ModelName = Annotated[str, typer.Option(metavar="NAME", help="gradient: which of its models.")]
Pairs = Annotated[
    int,
    typer.Option(min=0, metavar="N", help="gradient: pairs of renderings; preference: moments."),
]
AtOnce = Annotated[
    int, typer.Option(min=1, max=64, metavar="N", help="gradient: renderings asked for at a time.")
]
KeptIn = Annotated[
    Path | None, typer.Option(metavar="FILE", help="gradient: where prompts and prose are kept.")
]
PromptsTo = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", file_okay=False,
        help="gradient, preference: write what anybody is asked there, and stop.",
    ),
]  # fmt: skip
Answered = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE", exists=True, dir_okay=False,
        help="gradient, preference: measure what was answered in DIR; once for each file.",
    ),
]  # fmt: skip


def _listing() -> str:
    return "; ".join(f"{bench.name}: {bench.about}" for bench in BENCHES.values())


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench", help=f"Run one benchmark by name. {_listing()}.")(bench)


def bench(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which one.")],
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="STORYKEEPER_DATA", metavar="DIR", help="Folder with the evaluation data."
        ),
    ] = None,
    campaign: Annotated[
        bool, typer.Option(help="mentions: read a whole campaign as one run instead.")
    ] = False,
    sample: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="mentions: print N tracked things to judge by hand instead."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Which sample is drawn.")] = 1,
    fit: Annotated[
        bool,
        typer.Option(help="Refit what is learned, each time without what is then measured."),
    ] = False,
    model: ModelUrl = None,
    model_name: ModelName = "default",
    pairs: Pairs = 0,
    at_once: AtOnce = 1,
    out: KeptIn = None,
    prompts: PromptsTo = None,
    answers: Answered = None,
    quick: Annotated[
        bool, typer.Option(help="Small sizes, to see that it runs; the figures mean nothing.")
    ] = False,
) -> None:
    """Run one benchmark. The last line of the output is one JSON object."""
    if name not in BENCHES:
        raise typer.BadParameter(f"no benchmark called {name!r}; there is {', '.join(BENCHES)}")
    setup = Setup(
        say=lambda line: say(line, err=True), data=data, campaign=campaign, sample=sample,
        seed=seed, fit=fit, quick=quick, model_name=model_name, pairs=pairs, out=out,
        at_once=at_once, prompts=prompts, answers=tuple(answers or ()),
        model=None if model is None else model_endpoint(ModelSettings(url=model, name=model_name)),
    )  # fmt: skip
    figures = BENCHES[name].run(setup)
    if quick:
        figures["quick"] = True
    for system, values in figures.items():
        say(f"{system}")
        _print(values, depth=1)
    say_json(figures)


def _print(values: object, *, depth: int) -> None:
    if not isinstance(values, dict):
        say(f"{'  ' * depth}{values}")
        return
    for key, value in values.items():
        if isinstance(value, dict):
            say(f"{'  ' * depth}{key}")
            _print(value, depth=depth + 1)
        else:
            say(f"{'  ' * depth}{key:<18}{value:>12,}")
