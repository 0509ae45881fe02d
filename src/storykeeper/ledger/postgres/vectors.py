"""Vectors beside the records of a ledger in a database, without waiting for the disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg import Connection

from storykeeper.ledger.port import Kept
from storykeeper.ledger.postgres.database import Begin, Database, InDoubt
from storykeeper.ledger.postgres.errors import translated
from storykeeper.ledger.postgres.place import DatabasePlace

_AT_ONCE = 500  # fetched at a time
_OF_SPACE = "tenant = %s AND run = %s AND space = %s"
_GET = f"SELECT key, vector FROM vectors WHERE {_OF_SPACE} AND key = ANY(%s)"
_PUT = """
INSERT INTO vectors AS old (tenant, run, space, key, first, last, vector)
VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (tenant, run, space, key) DO UPDATE SET first = least(old.first, excluded.first),
  last = greatest(old.last, excluded.last), vector = excluded.vector
"""
_NEXT = f"""
SELECT key, vector, first, last FROM vectors WHERE {_OF_SPACE} AND key > %s
ORDER BY key LIMIT {_AT_ONCE}
"""


class PostgresVectors:
    """The vectors of a ledger in a database."""

    def __init__(self, place: DatabasePlace, *, writable: bool) -> None:
        self.place = place
        self.writable = writable
        self._database: Database | None = Database.of(place.conninfo)

    @contextmanager
    def _writing(self) -> Iterator[Connection[Any]]:
        with translated(self.place):
            try:
                with self._opened().unit(self.place.tenant, Begin.WRITING, unhurried=True) as c:
                    yield c
            except InDoubt:
                pass  # what is not there is computed again

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are there."""
        if not keys:
            return {}
        values = (self.place.tenant, self.place.run, space, list(keys))
        return dict(self._ask(_GET, values))

    def put(self, space: str, vectors: Iterable[Kept]) -> None:
        """Keep these; of a ledger that is only read, nothing."""
        of = (self.place.tenant, self.place.run, space)
        rows = [(*of, v.key, v.first, v.last, v.vector) for v in vectors]
        if self.writable and rows:
            with self._writing() as connection, connection.cursor() as cursor:
                cursor.executemany(_PUT, sorted(rows))  # in one order: nobody waits in a ring

    def drop(self, space: str) -> None:
        """Let go of a space that is not searched any more."""
        if self.writable:
            with self._writing() as connection:
                connection.execute(
                    f"DELETE FROM vectors WHERE {_OF_SPACE}",
                    (self.place.tenant, self.place.run, space),
                )

    def count(self, space: str) -> int:
        """How many are kept of a space."""
        return int(self._all(f"SELECT count(*) FROM vectors WHERE {_OF_SPACE}", space)[0][0])

    def spaces(self) -> tuple[str, ...]:
        """The spaces of which any are kept."""
        query = "SELECT DISTINCT space FROM vectors WHERE tenant = %s AND run = %s ORDER BY space"
        return tuple(str(row[0]) for row in self._all(query))

    def all(self, space: str) -> Iterator[Kept]:
        """Those of a space, by their keys."""
        after = b""
        while chunk := self._all(_NEXT, space, after):
            yield from (Kept(*row) for row in chunk)
            after = chunk[-1][0]

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._ask(query, (self.place.tenant, self.place.run, *values))

    def _ask(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        with translated(self.place):
            return self._opened().ask(self.place.tenant, query, values).fetchall()

    def _opened(self) -> Database:
        assert self._database is not None, "closed"
        return self._database

    def close(self) -> None:
        """Let go of the database."""
        database, self._database = self._database, None
        if database is not None:
            database.release()
