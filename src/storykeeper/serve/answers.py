"""Answers that were given and may be asked for again: in a tenant's folder, or in a database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from storykeeper.ledger.places import service_tables

KEPT_SECONDS = 86_400
ALIVE_SECONDS = 4  # how often whoever answers says that they are at it
PATIENCE_SECONDS = 15  # without a word from them, after which they have died
_SCHEMA = """create table if not exists answers (
    key text primary key, fingerprint text not null, at integer not null,
    status integer, headers text, body blob) strict, without rowid"""


@dataclass(frozen=True, slots=True)
class Claim:
    """A request that is ours to answer."""

    broken_off_ms: int | None = None  # when it was begun before, and never answered


class UnderWay(Exception):
    """Another process is answering it."""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, to the request of a fingerprint."""

    fingerprint: str
    status: int
    headers: str
    body: bytes


class Answers(Protocol):
    """Where answers are kept for a day, those of each tenant apart."""

    def claim(self, tenant: str, key: str, fingerprint: str) -> Claim | Given:
        """The answer that was given to this key, else it is ours; raises UnderWay."""

    def still_at_it(self, tenant: str, key: str) -> None:
        """Whoever claimed it is alive."""

    def keep(self, tenant: str, key: str, given: Given | None) -> None:
        """Keep what was answered, before the client hears it; None: it may be asked again."""


def answers(*, folder: Path, database: str) -> Answers:
    """Those of a service."""
    return InDatabase(database) if database else InFolder(folder)


class InFolder:
    """In DATA/tenants/NAME/answers.db. One process answers; it knows itself what is under way.

    Of a request that was not answered yet the column of headers says when it was begun.
    """

    def __init__(self, data: Path) -> None:
        self._data = data

    def claim(self, tenant: str, key: str, fingerprint: str) -> Claim | Given:
        """The answer that was given to this key, else it is ours."""
        now_ms = time.time_ns() // 1_000_000
        with self._opened(tenant) as kept:
            kept.execute("delete from answers where at < ?", (now_ms // 1_000 - KEPT_SECONDS,))
            new = kept.execute(
                "insert or ignore into answers values (?, ?, ?, null, ?, null)",
                (key, fingerprint, now_ms // 1_000, str(now_ms)),
            ).rowcount
            if new:
                return Claim()
            said, status, headers, body = kept.execute(
                "select fingerprint, status, headers, body from answers where key = ?", (key,)
            ).fetchone()
        if status is None and said == fingerprint:
            return Claim(int(headers))
        return Given(said, status or 0, headers, body or b"")

    def still_at_it(self, tenant: str, key: str) -> None:
        """Nobody else asks."""

    def keep(self, tenant: str, key: str, given: Given | None) -> None:
        """Keep what was answered."""
        if given is None:
            return
        with self._opened(tenant) as kept:
            kept.execute(
                "insert or replace into answers values (?, ?, ?, ?, ?, ?)",
                (key, given.fingerprint, int(time.time()), given.status, given.headers, given.body),
            )

    @contextmanager
    def _opened(self, tenant: str) -> Iterator[sqlite3.Connection]:
        path = self._data / "tenants" / tenant / "answers.db"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as kept:
            kept.execute("pragma journal_mode = wal")
            kept.execute(_SCHEMA)
            yield kept


class InDatabase:
    """In the table of answers: whichever process is asked, one answers."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    def claim(self, tenant: str, key: str, fingerprint: str) -> Claim | Given:
        """The answer that was given to this key, else it is ours; raises UnderWay."""
        now_ms = time.time_ns() // 1_000_000
        with closing(service_tables(self._conninfo)) as tables:
            found = tables.claim(
                tenant, key, fingerprint, now_ms=now_ms, patience=PATIENCE_SECONDS,
                kept=KEPT_SECONDS,
            )  # fmt: skip
        if found.ours:
            return Claim(None if found.begun_ms == now_ms else found.begun_ms)
        if found.status is None and found.fingerprint == fingerprint:
            raise UnderWay
        return Given(found.fingerprint, found.status or 0, found.headers or "", found.body or b"")

    def still_at_it(self, tenant: str, key: str) -> None:
        """Whoever claimed it is alive."""
        with closing(service_tables(self._conninfo)) as tables:
            tables.still_at_it(tenant, key, now=int(time.time()))

    def keep(self, tenant: str, key: str, given: Given | None) -> None:
        """Keep what was answered, or let go of the claim."""
        with closing(service_tables(self._conninfo)) as tables:
            if given is None:
                tables.break_off(tenant, key)
            else:
                tables.keep_answer(
                    tenant, key, status=given.status, headers=given.headers, body=given.body
                )
