"""What a service keeps in a database besides runs: names, small files, and answers given before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
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
_FORGET = "DELETE FROM answers WHERE tenant = %s AND at < %s AND status IS NOT NULL"
_CLAIM = """
INSERT INTO answers (tenant, key, fingerprint, at, begun_ms) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (tenant, key) DO NOTHING
"""
_TAKE_OVER = f"""
UPDATE answers SET at = %s WHERE {_ANSWER} AND fingerprint = %s AND status IS NULL AND at < %s
"""
_KNOWN = f"SELECT fingerprint, status, headers, body, begun_ms FROM answers WHERE {_ANSWER}"


@dataclass(frozen=True, slots=True)
class Claimed:
    """What is on record of a request."""

    ours: bool  # to be answered by whoever asked
    fingerprint: str
    status: int | None
    headers: str | None
    body: bytes | None
    begun_ms: int


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
        self, tenant: str, key: str, fingerprint: str, *, now_ms: int, patience: int, kept: int
    ) -> Claimed:
        """A request that somebody wants to answer: theirs, if it is new, or was broken off.

        `patience`: seconds after which nobody is at it who did not say so; `kept`: for which
        answers are.
        """
        now = now_ms // 1_000
        with self.unit(tenant, Begin.WRITING) as connection:
            connection.execute(_FORGET, (tenant, now - kept))
            new = connection.execute(_CLAIM, (tenant, key, fingerprint, now, now_ms)).rowcount
            over = (now, tenant, key, fingerprint, now - patience)
            taken = new or connection.execute(_TAKE_OVER, over).rowcount
            row = connection.execute(_KNOWN, (tenant, key), binary=True).fetchone()
        assert row is not None
        return Claimed(bool(taken), *row)

    def still_at_it(self, tenant: str, key: str, *, now: int) -> None:
        """Whoever answers a request is alive."""
        self._change(tenant, f"UPDATE answers SET at = %s WHERE {_ANSWER}", now, tenant, key)

    def keep_answer(self, tenant: str, key: str, *, status: int, headers: str, body: bytes) -> None:
        """Keep an answer, so that it can be given again."""
        change = f"UPDATE answers SET status = %s, headers = %s, body = %s WHERE {_ANSWER}"
        self._change(tenant, change, status, headers, body, tenant, key)

    def break_off(self, tenant: str, key: str) -> None:
        """Nothing was kept: it may be asked again, at once."""
        change = f"UPDATE answers SET at = 0 WHERE {_ANSWER} AND status IS NULL"
        self._change(tenant, change, tenant, key)

    def _change(self, tenant: str, change: str, *values: object) -> None:
        with self.unit(tenant, Begin.WRITING) as connection:
            connection.execute(change, values)
