"""A database and the connections to it that this process shares.

    with database.unit(tenant, Begin.WRITING) as connection: …    one transaction, a unit of work

Each transaction names its tenant by a literal SET LOCAL, which ends with it: nothing of it is left
on a connection that goes back to the pool, or to a pooler in between. The role must be one that
row-level security binds; others are refused before anything is asked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from enum import Enum
from typing import Any, Self, TypeVar

import psycopg
from psycopg import ClientCursor, Connection, Cursor, errors, pq, sql
from psycopg_pool import ConnectionPool

from storykeeper.errors import (
    LedgerBusy,
    LedgerFromTheFuture,
    LedgerReadOnly,
    NotALedger,
)
from storykeeper.ledger.postgres.errors import translated
from storykeeper.ledger.postgres.place import shown
from storykeeper.ledger.postgres.steps import NEWEST, SETTING

T = TypeVar("T")
MOST_CONNECTIONS = 16
WAIT_SECONDS = 5.0  # for a connection, or for a server that is being started again
LOCK_SECONDS = 10  # for somebody else's transaction
IDLE_SECONDS = 30  # between two statements: a client that was cut off holds nothing for longer

logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())  # errors are raised
MARK = "storykeeper schema "  # in the comment on the table of ledgers
_LOOK = """
SELECT
  (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user),
  (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user),
  session_user,
  (SELECT pg_has_role(session_user, c.relowner, 'MEMBER') FROM pg_class c WHERE c.oid = t.oid),
  obj_description(t.oid, 'pg_class'),
  current_setting('synchronous_commit') = 'off',
  EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
FROM (SELECT to_regclass('ledgers') AS oid) AS t
"""


class Begin(Enum):
    """How a transaction begins."""

    READING = "BEGIN READ ONLY"
    AT_ONE_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    WRITING = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"


class InDoubt(Exception):
    """The connection was lost while a transaction was being committed."""


class Database:
    """The connections to one database."""

    _shared: dict[str, Self] = {}
    _sharing = threading.Lock()

    def __init__(self, conninfo: str) -> None:
        """Use `Database.of`."""
        self.conninfo = conninfo
        self.users = 0
        self._settings = ""
        self._looked = False
        self.pool: ConnectionPool[Connection[Any]] = ConnectionPool(
            conninfo, kwargs={"autocommit": True}, min_size=0, max_size=MOST_CONNECTIONS,
            timeout=WAIT_SECONDS, reconnect_timeout=WAIT_SECONDS, open=True, num_workers=2,
        )  # fmt: skip

    @classmethod
    def of(cls, conninfo: str) -> Self:
        """The database of a conninfo: one pool, however many ledgers use it. `release` it."""
        with cls._sharing:
            if conninfo not in cls._shared:
                with translated(shown(conninfo)):
                    cls._shared[conninfo] = cls(conninfo)
            found = cls._shared[conninfo]
            found.users += 1
            return found

    def release(self) -> None:
        """Whoever asked for it needs it no more; the last one closes it."""
        with self._sharing:
            self.users -= 1
            if not self.users:
                self._shared.pop(self.conninfo, None)
                self.pool.close()

    @contextmanager
    def unit(
        self, tenant: str, begin: Begin, *, unhurried: bool = False
    ) -> Iterator[Connection[Any]]:
        """One transaction of a tenant's; all of it is done, or nothing.

        `unhurried`: it need not be on disk at once. Raises InDoubt if nobody can say.
        """
        self._look()
        connection = self._begun(tenant, begin, unhurried=unhurried)
        try:
            yield connection
            with nullcontext() if begin is Begin.WRITING else suppress(InDoubt):
                _commit(connection)  # what was read is read
        finally:
            with suppress(psycopg.Error):
                if connection.info.transaction_status != pq.TransactionStatus.IDLE:
                    connection.execute("ROLLBACK")
            self.pool.putconn(connection)

    def ask(self, tenant: str, query: str, values: Sequence[object]) -> Cursor[Any]:
        """What one statement finds that changes nothing: a transaction in a single round trip."""
        self._look()
        whole = f"{Begin.READING.value}; {naming(tenant)}{self._settings}; {query}; COMMIT"

        def asked(connection: Connection[Any]) -> Cursor[Any]:
            return ClientCursor(connection).execute(whole, values)

        connection, cursor = self._alive(asked)
        self.pool.putconn(connection)
        while cursor.description is None and cursor.nextset():
            pass  # what the statements before it have to say
        return cursor

    def _begun(self, tenant: str, begin: Begin, *, unhurried: bool) -> Connection[Any]:
        """A connection on which the transaction has begun."""
        late = "; SET LOCAL synchronous_commit = off" if unhurried else self._settings
        beginning = (
            f"{begin.value}; {naming(tenant)}; SET LOCAL lock_timeout = '{LOCK_SECONDS}s';"
            f" SET LOCAL idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'{late}"
        )
        return self._alive(lambda connection: connection.execute(beginning))[0]

    def _alive(self, first: Callable[[Connection[Any]], T]) -> tuple[Connection[Any], T]:
        """A connection, and what came of the first thing that was asked on it.

        One that died unnoticed is thrown away for another: nothing was done on it yet.
        """
        said: psycopg.OperationalError | None = None
        for _ in range(MOST_CONNECTIONS + 2):
            connection = self.pool.getconn()
            good = False
            try:
                done = first(connection)
                good = True
            except psycopg.OperationalError as error:
                if not connection.closed:
                    raise
                said = error
            else:
                return connection, done
            finally:
                if not good:
                    self.pool.putconn(connection)
        raise LedgerBusy(f"{shown(self.conninfo)}: connections are cut ({said}); retry")

    def _look(self) -> None:
        """Once: are the tables those we know, and can this role see only what it should."""
        if self._looked:
            return
        with psycopg.connect(self.conninfo, connect_timeout=int(WAIT_SECONDS)) as connection:
            row = connection.execute(_LOOK).fetchone()
        assert row is not None
        bypasses, now_bypasses, who, owns, mark, hurried, citus = row
        here = shown(self.conninfo)
        refuse_unknown(mark, here)
        if bypasses or now_bypasses or owns:
            raise LedgerReadOnly(
                f"{here}: {who} is not bound by row-level security, so nothing was asked as it;"
                " connect as a role that owns nothing and was granted the one that `storykeeper"
                " database prepare` grants to"
            )
        self._settings = "; SET LOCAL synchronous_commit = on" if hurried else ""
        if citus:  # else the machines behind would not hear of it
            self._settings += "; SET LOCAL citus.propagate_set_commands = 'local'"
        self._looked = True


def naming(tenant: str) -> str:
    """The statement by which a transaction says whose it is: a literal, on purpose."""
    return f"SET LOCAL {SETTING} = {sql.quote(tenant)}"


def schema_of(mark: str | None) -> int:
    """The number of the schema that a comment says; 0 if there are no tables."""
    found = (mark or "").removeprefix(MARK)
    return int(found) if found.isdigit() else 0


def refuse_unknown(mark: str | None, here: str) -> None:
    """Refuse a database whose tables are not those that this program knows."""
    schema = schema_of(mark)
    if schema > NEWEST:
        raise LedgerFromTheFuture(
            f"{here}: tables of schema {schema}, this storykeeper knows up to {NEWEST}; upgrade"
            " storykeeper. Nothing was changed"
        )
    if schema < NEWEST:
        what = f"tables of schema {schema}" if schema else "no tables of storykeeper"
        raise NotALedger(
            f"{here}: {what} here; whoever owns the database makes them with `storykeeper database"
            " prepare`"
        )


def _commit(connection: Connection[Any]) -> None:
    try:
        done = connection.execute("COMMIT").statusmessage
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        if not connection.closed and not isinstance(error, errors.AdminShutdown):
            raise
        raise InDoubt(str(error)) from error
    if done != "COMMIT":
        raise errors.InFailedSqlTransaction("the transaction was rolled back")
