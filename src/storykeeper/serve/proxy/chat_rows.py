"""The two tables of an index of chats: in a file of a tenant's, or in the service's database.

A statement is written once, with `?` for a value and marks for the tenant, of whom a file knows
nothing: {of} in a condition, {t} before the columns of a row and {v} before its values.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from storykeeper.ledger.places import service_tables

if TYPE_CHECKING:
    from psycopg import Connection

_SCHEMA = """
create table if not exists chats (
    run text primary key, who text not null, touched integer not null
) strict, without rowid;
create table if not exists rounds (
    run text not null, n integer not null, turn integer not null,
    line_key text not null, prose_key text not null, primary key (run, n)
) strict, without rowid;
create index if not exists rounds_by_content on rounds (line_key, prose_key);
"""


class ChatRows(Protocol):
    """Where an index of chats is kept."""

    def whole(self) -> Any:
        """All of some changes, or none: a context."""

    def execute(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """What a statement gives; nothing, if it changes something."""

    def close(self) -> None:
        """Let go of it."""


class SqliteRows:
    """In a file, which is made if it is not there."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._db.executescript(_SCHEMA)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The file at a path."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma busy_timeout = 5000")
        return cls(connection)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All of some changes, or none."""
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    def execute(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """What a statement gives."""
        return self._db.execute(statement.format(of="", t="", v=""), values).fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


class DatabaseRows:
    """In the service's database, keyed by the tenant."""

    def __init__(self, conninfo: str, tenant: str) -> None:
        self._tables = service_tables(conninfo)
        self._tenant = tenant
        self._under_way: Connection[Any] | None = None
        name = f"'{tenant}'"  # an id, which has nothing in it to be quoted
        self._marks = {"of": f"tenant = {name} and ", "t": "tenant, ", "v": f"{name}, "}

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All of some changes, or none."""
        with self._tables.writing(self._tenant) as connection:
            self._under_way = connection
            try:
                yield
            finally:
                self._under_way = None

    def execute(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """What a statement gives."""
        asked = statement.format(**self._marks).replace("%", "%%").replace("?", "%s")
        if self._under_way is not None:
            return _rows(self._under_way, asked, values)
        with self._tables.reading(self._tenant) as connection:
            return _rows(connection, asked, values)

    def close(self) -> None:
        """Let go of the database."""
        self._tables.close()


def _rows(
    connection: Connection[Any], asked: str, values: Sequence[object]
) -> list[tuple[Any, ...]]:  # fmt: skip
    done = connection.execute(asked, values)
    return [] if done.description is None else done.fetchall()
