"""What SQLite says, in our words: what happened to which file, and what to do next."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storykeeper.errors import (
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerFull,
    LedgerReadOnly,
)

# A write that failed for want of room: SQLite says FULL for a full disk, and an I/O error for a
# quota, a limit on file size, or a shared-memory file that cannot grow.
_NO_ROOM = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_TRUNCATE,
}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Run something on the file; its errors come out as ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise translation(error, path) from error
    except UnicodeDecodeError as error:  # SQLite's own message quotes what is damaged
        raise damaged(path, "names in it are not text") from error


def translation(error: sqlite3.Error, path: Path) -> LedgerError:
    """Our error for SQLite's."""
    extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if extended in _NO_ROOM:
        return LedgerFull(
            f"{path}: no room to write ({error}); nothing was written. Free some space and retry"
        )
    match extended & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LedgerBusy(
                f"{path}: another process holds it ({error}); wait for it to finish and retry"
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return read_only(path)
        case sqlite3.SQLITE_CANTOPEN:
            return LedgerReadOnly(
                f"{path}: cannot be opened ({error}); look at the permissions of the file and of"
                " its folder, or copy the file, with its -wal if there is one, to another folder"
            )
        case sqlite3.SQLITE_INTERRUPT:  # nobody else interrupts (ledger/bounded.py)
            return damaged(path, "reading it takes more steps than a file of its size can need")
    return _damage_or_worse(error, path)


def _damage_or_worse(error: sqlite3.Error, path: Path) -> LedgerError:
    if isinstance(error, sqlite3.ProgrammingError | sqlite3.IntegrityError):
        return LedgerError(f"{path}: refused by the ledger: {error}")
    return damaged(path, str(error))


def damaged(path: Path, why: str) -> LedgerDamaged:
    """The file is not what was written."""
    return LedgerDamaged(
        f"{path}: damaged ({why}); `storykeeper verify {path}` says where; restore a backup"
    )


def read_only(path: Path) -> LedgerReadOnly:
    """Reading works, writing does not."""
    return LedgerReadOnly(
        f"{path}: cannot be written; nothing was. It can be read; to write, make the file and its"
        " folder writable, or copy it to another folder"
    )
