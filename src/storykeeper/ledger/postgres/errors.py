"""What PostgreSQL says, in our words: what happened, where, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from storykeeper.errors import (
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerFull,
    LedgerReadOnly,
    NotALedger,
)

_NOT_PREPARED = (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName)
_NO_ROOM = (errors.DiskFull, errors.OutOfMemory)
_IN_THE_WAY = (
    errors.LockNotAvailable, errors.QueryCanceled, errors.DeadlockDetected,
    errors.SerializationFailure, errors.TooManyConnections,
)  # fmt: skip
_DAMAGE = (errors.DataCorrupted, errors.IndexCorrupted)


@contextmanager
def translated(where: object) -> Iterator[None]:
    """Run something on a database; its errors come out as ours."""
    try:
        yield
    except psycopg.Error as error:
        raise translation(error, where) from error


def translation(error: psycopg.Error, where: object) -> LedgerError:
    """Our error for PostgreSQL's."""
    said = str(error).strip().split("\n", 1)[0]
    match error:
        case errors.ReadOnlySqlTransaction():
            return LedgerReadOnly(
                f"{where}: this server takes no writes ({said}); nothing was written. Connect to"
                " the primary to write"
            )
        case errors.InsufficientPrivilege():
            return LedgerReadOnly(
                f"{where}: the database refuses it ({said}); nothing was written. The role needs"
                " the one that `storykeeper database prepare` grants to"
            )
        case PoolTimeout():
            return LedgerBusy(f"{where}: no connection in time ({said}); nothing was done; retry")
    if isinstance(error, _NOT_PREPARED):
        return NotALedger(
            f"{where}: no tables of storykeeper here ({said}); whoever owns the database makes them"
            " with `storykeeper database prepare`"
        )
    if isinstance(error, _NO_ROOM):
        return LedgerFull(f"{where}: no room to write ({said}); nothing was written. Free some")
    if isinstance(error, _IN_THE_WAY):
        return LedgerBusy(f"{where}: held by somebody else ({said}); nothing was written; retry")
    if isinstance(error, _DAMAGE):
        return LedgerDamaged(f"{where}: damaged ({said}); restore a backup of the database")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return LedgerBusy(f"{where}: the database cannot be reached ({said}); retry")
    return LedgerError(f"{where}: refused by the database: {said}")
