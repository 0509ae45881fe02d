"""`storykeeper`: the front door for people and scripts.

Exit codes: 0 all is well, 1 something was found (problems, a bad record), 2 it could not be done,
130 somebody pressed Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import typer

from storykeeper import __version__
from storykeeper.cli import (
    bench_commands,
    canon_commands,
    database_commands,
    eval_commands,
    field_commands,
    inspect_commands,
    landscape_commands,
    ledger_commands,
    memory_commands,
    model_commands,
    run_commands,
    serve_commands,
    story_commands,
    term_commands,
)
from storykeeper.cli.say import say
from storykeeper.errors import StorykeeperError

CODES = (
    "Exit codes: 0 all is well, 1 something was found (problems, a bad record), 2 it could not be"
    " done; the reason is on standard error. 130 after Ctrl-C: nothing is lost by it."
)

app = typer.Typer(
    name="storykeeper",
    help="The memory of a story told by a language model.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
run_commands.register(app)
landscape_commands.register(app)
story_commands.register(app)
ledger_commands.register(app)
memory_commands.register(app)
model_commands.register(app)
canon_commands.register(app)
field_commands.register(app)
eval_commands.register(app)
term_commands.register(app)
serve_commands.register(app)
database_commands.register(app)
inspect_commands.register(app)
bench_commands.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"storykeeper {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def front(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """The memory of a story told by a language model."""
    if context.invoked_subcommand is None:
        say(context.get_help())


def run() -> None:
    """Entry point: refusals as one line on standard error, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that has no “ shows ? instead
    try:
        app()
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            sys.exit(0)  # somebody read enough: `storykeeper log run.db | head`
        raise
    except StorykeeperError as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{error.filename or 'the system'}: {error.strerror or error}")
    except Exception as error:
        if os.environ.get("STORYKEEPER_TRACE"):
            raise
        _refuse(
            f"this is a fault of storykeeper, not yours: {type(error).__name__}: {error};"
            " what was shown is kept. STORYKEEPER_TRACE=1 shows where it happened"
        )


def _refuse(reason: str) -> NoReturn:
    say(f"storykeeper: {reason}", err=True)
    sys.exit(2)


if __name__ == "__main__":
    run()
