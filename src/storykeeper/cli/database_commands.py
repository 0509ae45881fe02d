"""`database`: the tables in PostgreSQL, made, brought up to date and looked over by who owns it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from storykeeper.cli.say import say, say_json, say_lines
from storykeeper.errors import SettingsInvalid

app = typer.Typer(help="The tables in a PostgreSQL database, for whoever owns it.",
                  no_args_is_help=True)  # fmt: skip
Owner = Annotated[
    str,
    typer.Argument(metavar="URL", help="postgresql://OWNER@HOST/DATABASE, as who owns the tables."),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON, for programs.")]
PARTITIONS = 16
ROLE = "storykeeper"


def register(main: typer.Typer) -> None:
    """Add the commands."""
    main.add_typer(app, name="database")


@app.command("prepare")
def prepare_tables(
    url: Owner,
    role: Annotated[
        str, typer.Option(metavar="NAME", help="The role that may use them; made if not there.")
    ] = ROLE,
    partitions: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=256, help="Of the table of records; 0 on a cluster."),
    ] = PARTITIONS,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Do it, take it back, and print the statements.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Make the tables, or bring older ones up to this storykeeper; all steps or none.

    Run it again after an upgrade. Services connect as a role that was granted NAME and owns
    nothing: a role that row-level security does not bind is refused.
    """
    with _extra():
        from storykeeper.ledger.postgres.preparing import prepare
    done = prepare(url, role=role, partitions=partitions, dry_run=dry_run)
    if json:
        say_json(done)
        return
    if dry_run:
        say_lines(f"{statement};" for statement in done.statements)
    would = "would go" if dry_run else "went"
    say(
        f"the tables {would} from schema {done.before} to {done.after}; services connect as a role"
        f" that was granted {role}:\n  CREATE ROLE service LOGIN PASSWORD '…' IN ROLE {role};",
        err=dry_run,
    )


@app.command("check")
def check(url: Owner, role: Annotated[
        str, typer.Option(metavar="NAME", help="The role that may use them.")
    ] = ROLE, json: AsJson = False) -> None:  # fmt: skip
    """Look the tables over. Exits with 1 if rows of tenants could be mixed.

    Every table, key and constraint has the tenant in it, row-level security is on and forced, the
    role cannot bypass it and has no more rights than it needs; and the statements that the server
    has counted (pg_stat_statements) name the tenant.
    """
    with _extra():
        from storykeeper.ledger.postgres.oversight import look_over
    found = look_over(url, role=role)
    if json:
        say_json(found)
    else:
        say_lines(found.problems)
        counted = "not counted" if found.statements is None else f"{found.statements} statements"
        say(f"{found.tables} tables, {counted}, {len(found.problems)} problems")
    if found.problems:
        raise typer.Exit(1)


@app.command("scrub")
def scrub_tables(url: Owner) -> None:
    """Write the tables anew, so that no byte of erased text is left in them.

    Each is locked meanwhile, and takes its size again on disk. The server's log of changes and
    backups made before are not reached: let them run out.
    """
    with _extra():
        from storykeeper.ledger.postgres.scrubbing import scrub
    say(f"written anew: {', '.join(scrub(url))}")


@contextmanager
def _extra() -> Iterator[None]:
    """An import of what comes with the extra."""
    try:
        yield
    except ImportError as error:
        raise SettingsInvalid(
            f"PostgreSQL needs {error.name}: pip install 'storykeeper[postgres]'"
        ) from error
