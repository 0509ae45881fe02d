"""Vectors beside the records of a ledger file, by content: derived, and dear to make again.

They are kept in the same file, without waiting for the disk: what a power cut takes is computed
again. Each names the turns whose words it was made of, so that erasing
a turn erases what was made of it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from storykeeper.ledger import opening
from storykeeper.ledger.port import Kept
from storykeeper.ledger.schema.migrations import checked, schema_of
from storykeeper.ledger.schema.steps import WITH_VECTORS
from storykeeper.ledger.sqlite_errors import translated
from storykeeper.ledger.sqlite_file import transaction

_ASKED_AT_ONCE = 500  # keys in one query: SQLite's own limit is some thousands

_GET = "SELECT key, vector FROM vectors WHERE space = ? AND key IN ({})"
_NEXT = """
SELECT key, vector, first, last FROM vectors WHERE space = ? AND key > ? ORDER BY key LIMIT 500
"""
_PUT = """
INSERT INTO vectors (space, key, first, last, vector) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (space, key) DO UPDATE SET first = min(first, excluded.first),
  last = max(last, excluded.last), vector = excluded.vector
"""


class SqliteVectors:
    """The vectors of a ledger file."""

    def __init__(
        self, connection: sqlite3.Connection, *, path: Path, writable: bool,
        lock: threading.RLock | None = None,
    ) -> None:  # fmt: skip
        """Use `SqliteVectors.open` or `SqliteVectors.beside`."""
        self.path = path
        self.writable = writable
        self._connection = connection
        self._own = lock is None
        self._lock = threading.RLock() if lock is None else lock

    @classmethod
    def beside(
        cls, connection: sqlite3.Connection, *, path: Path, writable: bool, lock: threading.RLock
    ) -> Self:
        """The vectors of a ledger that is open, on its connection: no more files are held open."""
        with lock, translated(path):
            known = schema_of(connection, path) >= WITH_VECTORS
        return cls(connection, path=path, writable=writable and known, lock=lock)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The vectors of a ledger that is there; of one that cannot be written, for reading."""
        writable = opening.is_writable(path)
        with translated(path), ExitStack() as unless_good:
            if writable:
                connection = opening.connect(path, mode="rw")
            else:
                connection = opening.connect_for_reading(path, busy_seconds=opening.BUSY_SECONDS)
            unless_good.callback(connection.close)
            known = checked(connection, path) >= WITH_VECTORS
            unless_good.pop_all()
        return cls(connection, path=path, writable=writable and known)

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are there."""
        found: dict[bytes, bytes] = {}
        with self._lock, translated(self.path):
            if schema_of(self._connection, self.path) < WITH_VECTORS:
                return found
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                some = keys[start : start + _ASKED_AT_ONCE]
                query = _GET.format(", ".join("?" for _ in some))
                found.update(self._connection.execute(query, (space, *some)).fetchall())
        return found

    def put(self, space: str, vectors: Iterable[Kept]) -> None:
        """Keep these; where the file cannot be written, do nothing."""
        if not self.writable:
            return
        rows = [(space, v.key, v.first, v.last, v.vector) for v in vectors]
        with (
            self._lock, translated(self.path), self._unhurried(),
            transaction(self._connection, "BEGIN IMMEDIATE"),
        ):  # fmt: skip
            self._connection.executemany(_PUT, rows)

    @contextmanager
    def _unhurried(self) -> Iterator[None]:
        """Without waiting for the disk: on a connection whose records do."""
        self._connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self._connection.execute("PRAGMA synchronous = FULL")

    def drop(self, space: str) -> None:
        """Let go of a space that is not searched any more."""
        if self.writable:
            with self._lock, translated(self.path):
                self._connection.execute("DELETE FROM vectors WHERE space = ?", (space,))

    def count(self, space: str) -> int:
        """How many are kept of a space."""
        query = "SELECT count(*) FROM vectors WHERE space = ?"
        with self._lock, translated(self.path):
            if schema_of(self._connection, self.path) < WITH_VECTORS:
                return 0
            return int(self._connection.execute(query, (space,)).fetchone()[0])

    def spaces(self) -> tuple[str, ...]:
        """The spaces of which any are kept."""
        return tuple(str(row[0]) for row in self._rows("SELECT DISTINCT space FROM vectors"))

    def all(self, space: str) -> Iterator[Kept]:
        """Those of a space, by their keys."""
        after = b""
        while chunk := self._rows(_NEXT, space, after):
            yield from (Kept(*row) for row in chunk)
            after = chunk[-1][0]

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, translated(self.path):
            if schema_of(self._connection, self.path) < WITH_VECTORS:
                return []
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._own:
                self._connection.close()
