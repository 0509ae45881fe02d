"""A ledger in a database: the same as `run.db`, for many processes on many machines.

One transaction is one unit of work. Whoever appends to a run holds its row until that is done, so
of two writers one wins and the other sees the head it left; whoever erases holds all runs of the
tree. If the connection is lost while a commit is under way, nobody knows yet whether it was done:
then the run is looked at again, once the old transaction can do nothing more, and the random links
of what was written tell.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Self

from storykeeper.errors import LedgerBusy, LedgerError, LedgerReadOnly, NotALedger
from storykeeper.ledger.port import Clock, Nonces
from storykeeper.ledger.postgres.database import Begin, Database, InDoubt
from storykeeper.ledger.postgres.errors import translated
from storykeeper.ledger.postgres.place import DatabasePlace
from storykeeper.ledger.postgres.tables import Tables
from storykeeper.ledger.postgres.vectors import PostgresVectors
from storykeeper.ledger.sqlite_file import remove_folder
from storykeeper.ledger.tabled import TabledLedger

_TRIES = 4  # to find out what became of a commit


class PostgresLedger(TabledLedger):
    """The port of a ledger, kept in a database. Threads may share one."""

    def __init__(
        self,
        database: Database,
        place: DatabasePlace,
        *,
        writable: bool,
        clock: Clock,
        nonces: Nonces,
        sleep: Callable[[float], None],
        caches: Path | None = None,
    ) -> None:
        """Use `PostgresLedger.open`."""
        self._caches = caches
        super().__init__(place, writable=writable, clock=clock, nonces=nonces, sleep=sleep)
        self._database: Database | None = database
        self._at = place
        self._tables: Tables | None = None  # of the transaction under way

    @classmethod
    def open(
        cls,
        place: DatabasePlace,
        *,
        clock: Clock,
        nonces: Nonces,
        create: bool = False,
        read_only: bool = False,
        sleep: Callable[[float], None] = time.sleep,
        caches: Path | None = None,
    ) -> Self:
        """Open a ledger; with `create`, begin one without runs.

        `caches`: a folder for what is made from ledgers, which can be deleted.
        """
        database = Database.of(place.conninfo)
        ledger = cls(
            database,
            place,
            writable=not read_only,
            clock=clock,
            nonces=nonces,
            sleep=sleep,
            caches=caches,
        )
        with ExitStack() as unless_good:
            unless_good.callback(ledger.close)
            if not ledger._is_there() and not (create and not read_only and ledger._make()):
                raise NotALedger(f"{place}: nothing there; check the name, or begin a run there")
            unless_good.pop_all()
        return ledger

    @classmethod
    def is_at(cls, place: DatabasePlace) -> bool:
        """Whether there is a ledger at a place."""
        with closing(cls._only_read(place)) as looking:
            return looking._is_there()

    @classmethod
    @contextmanager
    def new(cls, place: DatabasePlace) -> Iterator[tuple[Self, Tables]]:
        """One that is filled and checked in one transaction: nobody sees it before it is whole."""
        with closing(cls._only_read(place)) as made:
            made.writable = True
            with made._writing() as tables:
                if not tables.make():
                    raise LedgerError(f"{place}: exists already, and is left; choose a new name")
                yield made, tables

    @classmethod
    def _only_read(cls, place: DatabasePlace) -> Self:
        return cls(
            Database.of(place.conninfo), place, writable=False, clock=lambda: 0, nonces=bytes,
            sleep=time.sleep,
        )  # fmt: skip

    def _is_there(self) -> bool:
        with self._using() as tables:
            return tables.exists()

    def _make(self) -> bool:
        with self._writing() as tables:
            tables.make()  # or somebody else was quicker: open theirs
        return True

    def remove(self) -> None:
        """All of it, for good."""
        with self._writing() as tables:
            tables.hold()
            tables.remove()
        if self._is_there():
            raise LedgerBusy(f"{self.place}: was not removed; retry")

    # ── transactions ─────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _using(self) -> Iterator[Tables]:
        """In the transaction under way in this thread; else each statement in one of its own."""
        with self._lock, translated(self.place):
            yield self._tables or Tables(self._at, partial(self._opened().ask, self._at.tenant))

    @contextmanager
    def _reading(self) -> Iterator[Tables]:
        with self._lock, ExitStack() as stack:
            yield self._tables or stack.enter_context(self._unit(Begin.AT_ONE_MOMENT))

    @contextmanager
    def _writing(self) -> Iterator[Tables]:
        if not self.writable:
            raise LedgerReadOnly(f"{self.place}: opened to be read; nothing was written")
        with self._lock:
            self._written.clear()
            try:
                with self._unit(Begin.WRITING) as tables:
                    yield tables
            except InDoubt as doubt:
                self._find_out(doubt)

    @contextmanager
    def _unit(self, begin: Begin) -> Iterator[Tables]:
        with self._lock, translated(self.place), self._opened().unit(self._at.tenant, begin) as c:
            before, self._tables = self._tables, Tables(self._at, c)
            try:
                yield self._tables
            finally:
                self._tables = before

    def _opened(self) -> Database:
        if self._database is None:
            raise LedgerBusy(f"{self.place}: was closed here; open it again")
        return self._database

    def _find_out(self, doubt: InDoubt) -> None:
        """Whether what was being committed is there; refuses if it is not, or nobody can say."""
        wrote = self._written[-1:]
        for tried in range(_TRIES):
            try:
                with self._unit(Begin.WRITING) as tables:
                    tables.hold()  # what holds any of it has ended, one way or the other
                    links = [self._link_at(tables, run, head.version) for run, head in wrote
                             if tables.branch(run) is not None]  # fmt: skip
                    if links == [head.link for _, head in wrote]:
                        return
                    break
            except (InDoubt, LedgerBusy):
                self._sleep(0.1 * 2**tried)
        else:
            raise LedgerBusy(
                f"{self.place}: the connection was cut while it was being written ({doubt}), and"
                " nobody can be asked whether it was; read the run again before writing more"
            ) from doubt
        raise LedgerBusy(
            f"{self.place}: the connection was cut ({doubt}); nothing was written; retry"
        ) from doubt

    # ── beside the records ───────────────────────────────────────────────────────────────────

    @property
    def cache(self) -> Path | None:
        """A folder of this machine's, if it has one for that; else it stays in memory."""
        if self._caches is None:
            return None
        name = hashlib.sha256(self._at.address.encode()).hexdigest()[:32]
        return self._caches / self._at.tenant / name

    def vectors(self) -> PostgresVectors:
        """Those in the same database."""
        return PostgresVectors(self._at, writable=self.writable)

    def _forget_erased(self) -> None:
        """Other machines let go of theirs when they next open it."""
        if self.cache is not None:
            remove_folder(self.cache)

    def _clear_erased(self) -> None:
        """The owner of the tables does that, for all runs at once: docs/how-to/postgresql.md."""

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            database, self._database = self._database, None
            if database is not None:
                database.release()
