"""Making the tables of a database, and bringing older ones up to the newest: all steps or none."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg
from psycopg import Connection, sql

from storykeeper.errors import LedgerFromTheFuture
from storykeeper.ledger.postgres.database import MARK, schema_of
from storykeeper.ledger.postgres.errors import translated
from storykeeper.ledger.postgres.place import shown
from storykeeper.ledger.postgres.steps import GRANTS, NEWEST, steps

ROLE = "storykeeper"
PARTITIONS = 16
_ONE_AT_A_TIME = 0x53544B31  # of those who prepare this database
_MARKED = "SELECT obj_description(to_regclass('ledgers'), 'pg_class')"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was done, or would be."""

    before: int  # the schema it had; 0 if there were no tables
    after: int
    statements: tuple[str, ...]


def prepare(
    conninfo: str, *, role: str = ROLE, partitions: int = PARTITIONS, dry_run: bool = False
) -> Prepared:
    """Make the tables, or those that a newer schema adds, and let a role use them.

    With `dry_run` everything is done and taken back, so that what would fail does.
    """
    with translated(shown(conninfo)), psycopg.connect(conninfo) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_ONE_AT_A_TIME,))
        before = _schema(connection, conninfo)
        done = [each for step in steps(partitions)[before:] for each in step]
        done += _granting(connection, role)
        if before < NEWEST:
            done.append(f"COMMENT ON TABLE ledgers IS '{MARK}{NEWEST}'")
        for statement in done:
            connection.execute(statement)
        if dry_run:
            connection.rollback()
    return Prepared(before, NEWEST, tuple(statement.strip() for statement in done))


def _schema(connection: Connection[tuple[str | None]], conninfo: str) -> int:
    row = connection.execute(_MARKED).fetchone()
    schema = schema_of(row[0] if row is not None else None)
    if schema > NEWEST:
        raise LedgerFromTheFuture(
            f"{shown(conninfo)}: tables of schema {schema}, this storykeeper knows up to {NEWEST};"
            " upgrade storykeeper. Nothing was changed"
        )
    return schema


def _granting(connection: Connection[tuple[str | None]], role: str) -> list[str]:
    """A role that may use the tables, and is bound by their rules; made if it is not there."""
    name = sql.Identifier(role).as_string(connection)
    known = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    made = [] if known is not None else [f"CREATE ROLE {name} NOLOGIN NOBYPASSRLS"]
    return [*made, *(f"GRANT {what} ON {table} TO {name}" for table, what in GRANTS.items())]
