"""The ledger in one SQLite file: the default, and what `run.db` is.

WAL and synchronous=FULL: when `append` returns, the records have been through fsync. Writing is one
BEGIN IMMEDIATE transaction, so of two writers one wins and the other sees the head it left.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

from storykeeper.errors import LedgerDamaged
from storykeeper.ledger import mark, opening, verification
from storykeeper.ledger.port import Clock, Nonces, Verdict
from storykeeper.ledger.schema.migrations import connected
from storykeeper.ledger.sqlite_errors import read_only, translated
from storykeeper.ledger.sqlite_file import (
    CACHE_SUFFIX,
    drop_cache,
    file_problem,
    scrub,
    transaction,
)
from storykeeper.ledger.sqlite_tables import Tables
from storykeeper.ledger.tabled import TabledLedger
from storykeeper.ledger.vectors import SqliteVectors
from storykeeper.units import RunId


class SqliteLedger(TabledLedger):
    """The port of a ledger, kept in a file. Threads may share one; each process opens its own."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        path: Path,
        writable: bool,
        clock: Clock,
        nonces: Nonces,
        sleep: Callable[[float], None],
    ) -> None:
        """Use `SqliteLedger.open`."""
        super().__init__(path, writable=writable, clock=clock, nonces=nonces, sleep=sleep)
        self.path = path
        self._connection = connection
        self._tables = Tables(connection)

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        clock: Clock,
        nonces: Nonces,
        create: bool = False,
        read_only: bool = False,
        salvage: bool = False,
        sleep: Callable[[float], None] = time.sleep,
        busy_seconds: float = opening.BUSY_SECONDS,
    ) -> Self:
        """Open a file; with `create`, make it. One whose tables are not ours is refused; with
        `salvage` it is opened to be read if those that hold its records are.

        A file of an older schema is migrated, after a copy, unless it is opened to be read. Where
        nothing can be written it is opened for reading; writing then raises LedgerReadOnly.
        """
        path = Path(path)
        if create and not read_only and not path.exists():
            with suppress(FileExistsError):  # somebody else was quicker: open theirs
                opening.create(path)
        opening.recognise(path)
        writable = not (read_only or salvage) and opening.is_writable(path)
        with translated(path):
            connection = connected(path, writable=writable, salvage=salvage, seconds=busy_seconds)
        return cls(
            connection, path=path, writable=writable, clock=clock, nonces=nonces, sleep=sleep
        )

    def verify(self, run: RunId) -> Verdict:
        """Recompute the chain and compare; then have SQLite look at the file itself."""
        verdict, noted = Verdict(run, 0, 0), mark.noted(self.path)
        try:
            with self._reading() as tables:
                verdict = verification.verify(self, run)
                if verdict.good:
                    more = mark.problem(noted, tables, self.path) or file_problem(tables)
                    verdict = replace(verdict, problem=more)
        except LedgerDamaged as damage:  # which ending the look may raise too, having found it
            if verdict.good:
                verdict = replace(verdict, problem=verification.in_short(damage))
        return verdict

    @contextmanager
    def _using(self) -> Iterator[Tables]:
        """The tables, for one thread at a time; errors come out as ours."""
        with self._lock, translated(self.path):
            yield self._tables

    @contextmanager
    def _reading(self) -> Iterator[Tables]:
        """The tables as they stand at one moment, whoever writes meanwhile."""
        with self._using() as tables, transaction(self._connection, "BEGIN"):
            yield tables

    @contextmanager
    def _writing(self) -> Iterator[Tables]:
        """The tables, with the write lock: all of it is done and on disk, or none of it."""
        if not self.writable:
            raise read_only(self.path)
        with self._using() as tables:
            self._written.clear()
            with transaction(self._connection, "BEGIN IMMEDIATE"):
                yield tables
            for run, head in self._written[-1:]:
                mark.note(self.path, mark.Mark(run, head.version, head.link))

    # ── beside the records ───────────────────────────────────────────────────────────────────

    @property
    def cache(self) -> Path:
        """The folder beside the file."""
        return self.path.with_name(self.path.name + CACHE_SUFFIX)

    def vectors(self) -> SqliteVectors:
        """Those in the file, on this connection: no more files are held open."""
        return SqliteVectors.beside(
            self._connection, path=self.path, writable=self.writable, lock=self._lock
        )

    def _forget_erased(self) -> None:
        drop_cache(self.path)

    def _clear_erased(self) -> None:
        with self._lock:
            scrub(self._connection, self.path)
            drop_cache(self.path)

    def close(self) -> None:
        """Let go of the file."""
        with self._using():
            self._connection.close()
        if self.writable:
            mark.close(self.path)
