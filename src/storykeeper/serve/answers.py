"""Answers that were given and may be asked for again: in a tenant's folder, or in a database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from storykeeper.ledger.places import service_tables

KEPT_SECONDS = 86_400
PATIENCE_SECONDS = 300  # for which another process may be at it; then it has died
_SCHEMA = """create table if not exists answers (
    key text primary key, fingerprint text not null, at integer not null,
    status integer, headers text, body blob) strict, without rowid"""


class Claim(Enum):
    """What became of wanting to answer a request."""

    OURS = "ours"
    UNDER_WAY = "under way"  # another process is answering it


UNDER_WAY = Claim.UNDER_WAY


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
        """The answer that was given to this key; else it is ours to answer, once."""

    def keep(self, tenant: str, key: str, given: Given | None) -> None:
        """Keep what was answered, before the client hears it; None: it may be asked again."""


def answers(*, folder: Path, database: str) -> Answers:
    """Those of a service."""
    return InDatabase(database) if database else InFolder(folder)


class InFolder:
    """In DATA/tenants/NAME/answers.db. One process answers; it knows itself what is under way."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def claim(self, tenant: str, key: str, fingerprint: str) -> Claim | Given:
        """The answer that was given to this key."""
        with self._opened(tenant) as kept:
            kept.execute("delete from answers where at < ?", (int(time.time()) - KEPT_SECONDS,))
            row = kept.execute(
                "select fingerprint, status, headers, body from answers where key = ?", (key,)
            ).fetchone()
        return Claim.OURS if row is None else Given(*row)

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
        """The answer that was given to this key; else it is ours to answer, once."""
        now = int(time.time())
        with closing(service_tables(self._conninfo)) as tables:
            row = tables.claim(
                tenant, key, fingerprint, now=now, stale=now - PATIENCE_SECONDS,
                gone=now - KEPT_SECONDS,
            )  # fmt: skip
        if row is None:
            return Claim.OURS
        said, status, headers, body = row
        if status is None or headers is None or body is None:
            return Claim.UNDER_WAY
        return Given(said, status, headers, body)

    def keep(self, tenant: str, key: str, given: Given | None) -> None:
        """Keep what was answered, or let go of the claim."""
        with closing(service_tables(self._conninfo)) as tables:
            if given is None:
                tables.drop_claim(tenant, key)
            else:
                tables.keep_answer(
                    tenant, key, status=given.status, headers=given.headers, body=given.body
                )
