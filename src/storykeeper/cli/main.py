"""`storykeeper`: the front door for people and scripts.

Exit codes: 0 all is well, 1 something was found (problems, a bad record), 2 it could not be done.
"""

from __future__ import annotations

import os
import sys

import typer

from storykeeper import __version__
from storykeeper.cli import bench_commands, ledger_commands, run_commands, story_commands
from storykeeper.errors import StorykeeperError

app = typer.Typer(
    name="storykeeper",
    help="The memory of a story told by a language model.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
run_commands.register(app)
story_commands.register(app)
ledger_commands.register(app)
bench_commands.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"storykeeper {__version__}")
        raise typer.Exit


@app.callback()
def front(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """The memory of a story told by a language model."""


def run() -> None:
    """Entry point: refusals as one line on standard error, never a traceback."""
    try:
        app()
    except StorykeeperError as error:
        typer.echo(f"storykeeper: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:  # somebody read enough: `storykeeper log run.db | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        sys.exit(130)


if __name__ == "__main__":
    run()
