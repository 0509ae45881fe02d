"""What a service keeps in a database besides runs: names, small files, and answers given before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from psycopg import Connection

from storykeeper.errors import LedgerBusy
from storykeeper.ledger.postgres.database import Begin, Database, InDoubt
from storykeeper.ledger.postgres.errors import translated
from storykeeper.ledger.postgres.place import shown

_OF = "tenant = %s AND name = %s"
_PUT_NOTE = """
INSERT INTO notes AS old (tenant, name, body, edition) VALUES (%s, %s, %s, 1)
ON CONFLICT (tenant, name) DO UPDATE SET body = excluded.body, edition = old.edition + 1
WHERE old.edition = %s
"""
_ANSWER = "tenant = %s AND key = %s"
# A request that nobody answered for so long was broken off with its process.
_CLAIM = """
INSERT INTO answers AS old (tenant, key, fingerprint, at) VALUES (%s, %s, %s, %s)
ON CONFLICT (tenant, key) DO UPDATE SET fingerprint = excluded.fingerprint, at = excluded.at,
  status = NULL, headers = NULL, body = NULL
WHERE old.status IS NULL AND old.at < %s OR old.at < %s
"""


class ServiceTables:
    """The tables of a service, on connections that it shares with its runs."""

    def __init__(self, conninfo: str) -> None:
        self._database: Database | None = Database.of(conninfo)
        self._here = shown(conninfo)

    def close(self) -> None:
        """Let go of the database."""
        database, self._database = self._database, None
        if database is not None:
            database.release()

    @contextmanager
    def unit(self, tenant: str, begin: Begin) -> Iterator[Connection[Any]]:
        """One transaction of a tenant's."""
        if self._database is None:
            raise LedgerBusy(f"{self._here}: was closed here; open it again")
        with translated(self._here):
            try:
                with self._database.unit(tenant, begin) as connection:
                    yield connection
            except InDoubt as doubt:
                said = f"{self._here}: the connection was cut ({doubt}); retry"
                raise LedgerBusy(said) from doubt

    def reading(self, tenant: str) -> AbstractContextManager[Connection[Any]]:
        """A transaction that changes nothing."""
        return self.unit(tenant, Begin.READING)

    def writing(self, tenant: str) -> AbstractContextManager[Connection[Any]]:
        """A transaction that may."""
        return self.unit(tenant, Begin.WRITING)

    def names(self, tenant: str, folder: str) -> list[str]:
        """The names of a tenant's ledgers below a part of a name, in order."""
        with self.unit(tenant, Begin.READING) as connection:
            rows = connection.execute(
                "SELECT run FROM ledgers WHERE tenant = %s AND starts_with(run, %s) ORDER BY run",
                (tenant, f"{folder}/"),
            )
            return [str(run).removeprefix(f"{folder}/") for (run,) in rows]

    # ── small files ──────────────────────────────────────────────────────────────────────────

    def note(self, tenant: str, name: str) -> tuple[int, bytes]:
        """The edition and the bytes of a small file; 0 if it was never written."""
        with self.unit(tenant, Begin.READING) as connection:
            row = connection.execute(
                f"SELECT edition, body FROM notes WHERE {_OF}", (tenant, name), binary=True
            ).fetchone()
        return (0, b"") if row is None else (int(row[0]), bytes(row[1]))

    def put_note(self, tenant: str, name: str, body: bytes, *, edition: int) -> bool:
        """Write the next edition of it; not, if somebody else was quicker."""
        with self.unit(tenant, Begin.WRITING) as connection:
            done = connection.execute(_PUT_NOTE, (tenant, name, body, edition))
            return done.rowcount == 1

    # ── answers ──────────────────────────────────────────────────────────────────────────────

    def claim(
        self, tenant: str, key: str, fingerprint: str, *, now: int, stale: int, gone: int
    ) -> tuple[str, int | None, str | None, bytes | None] | None:
        """The answer to a request that was answered before, or is being; None: it is ours.

        One that was begun before `stale` is being answered no more; what is from before `gone` is
        not given again.
        """
        with self.unit(tenant, Begin.WRITING) as connection:
            if connection.execute(_CLAIM, (tenant, key, fingerprint, now, stale, gone)).rowcount:
                return None
            row = connection.execute(
                f"SELECT fingerprint, status, headers, body FROM answers WHERE {_ANSWER}",
                (tenant, key),
            ).fetchone()
        return (fingerprint, None, None, None) if row is None else row

    def keep_answer(self, tenant: str, key: str, *, status: int, headers: str, body: bytes) -> None:
        """Keep an answer, so that it can be given again."""
        with self.unit(tenant, Begin.WRITING) as connection:
            connection.execute(
                f"UPDATE answers SET status = %s, headers = %s, body = %s WHERE {_ANSWER}",
                (status, headers, body, tenant, key),
            )

    def drop_claim(self, tenant: str, key: str) -> None:
        """Nothing was kept: it may be asked again."""
        with self.unit(tenant, Begin.WRITING) as connection:
            connection.execute(
                f"DELETE FROM answers WHERE {_ANSWER} AND status IS NULL", (tenant, key)
            )
