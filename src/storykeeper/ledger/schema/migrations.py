"""A file of an older schema, brought up to the newest: a copy first, then all steps or none."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

from storykeeper.errors import LedgerDamaged, LedgerFromTheFuture
from storykeeper.ledger import mark
from storykeeper.ledger.opening import connect, connect_for_reading, new_file
from storykeeper.ledger.schema.conformity import refuse_foreign
from storykeeper.ledger.schema.steps import NEWEST, STEPS
from storykeeper.ledger.sqlite_errors import damaged
from storykeeper.ledger.sqlite_tables import Tables


def schema_of(connection: sqlite3.Connection, path: Path) -> int:
    """The schema a file has; refuses one that this program does not know."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > NEWEST:
        raise LedgerFromTheFuture(
            f"{path}: a ledger of schema {version}, this storykeeper knows up to {NEWEST};"
            " upgrade storykeeper. The file was left as it is"
        )
    if version < 1:
        raise damaged(path, f"schema {version}")
    return int(version)


def checked(connection: sqlite3.Connection, path: Path, *, records_only: bool = False) -> int:
    """The schema a file has, once nothing in the file is found that we did not put there."""
    schema = schema_of(connection, path)
    refuse_foreign(connection, path, records_only=records_only)
    return schema


def migrate(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Bring a file up to the newest schema; the copy made before, if there was anything to do."""
    if checked(connection, path) == NEWEST:
        return None
    copy = _copy(connection, path)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(schema_of(connection, path), NEWEST):  # others may have come first
            for statement in STEPS[number]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {NEWEST}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return copy


def _copy(connection: sqlite3.Connection, path: Path) -> Path:
    """A copy beside the file, under the first free name."""
    number = 1
    while True:
        tail = "" if number == 1 else f"-{number}"
        target = path.with_name(f"{path.name}.before-v{NEWEST}{tail}")
        number += 1
        if target.exists():
            continue
        try:
            with new_file(target) as unfinished, closing(connect(unfinished, mode="rwc")) as copy:
                connection.backup(copy)
        except FileExistsError:
            continue
        return target


def connected(path: Path, *, writable: bool, salvage: bool, seconds: float) -> sqlite3.Connection:
    """A connection to a file that is one of ours, brought up to the newest schema."""
    noted = mark.noted(path)  # before anything else is looked at: others may be writing
    if not writable:
        connection = connect_for_reading(path, busy_seconds=seconds)
    else:
        connection = connect(path, mode="rw", busy_seconds=seconds)
    with ExitStack() as unless_good:
        unless_good.callback(connection.close)
        if writable:
            migrate(connection, path)
        else:
            checked(connection, path, records_only=salvage)
        missing = "" if salvage else mark.problem(noted, Tables(connection), path)
        if missing:
            raise LedgerDamaged(f"{path}: {missing}")
        unless_good.pop_all()
    return connection
