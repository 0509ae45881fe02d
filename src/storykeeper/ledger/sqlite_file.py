"""The file below the tables: is it sound, and is what was erased really gone from it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storykeeper.errors import LedgerBusy, LedgerError, LedgerFull
from storykeeper.ledger.schema.conformity import differences
from storykeeper.ledger.sqlite_errors import translated
from storykeeper.ledger.sqlite_tables import Tables

CACHE_SUFFIX = ".index"  # run.db.index/ is made from run.db, and can be deleted


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    """Commit what was done, or leave nothing of it."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def file_problem(tables: Tables) -> str:
    """What is wrong with the file though every record is right; nothing, if nothing is."""
    complaints = tables.complaints()
    if complaints:
        return f"the records are good, the file is not: {'; '.join(complaints)}; restore a backup"
    odd = differences(tables.connection)
    if odd:
        return (
            f"the records are good, but the tables or triggers that guard them were changed"
            f" ({', '.join(odd[:3])}); export the ledger and import it into a new file"
        )
    return ""


def scrub(connection: sqlite3.Connection, path: Path) -> None:
    """Leave no byte of what was blanked in the file or beside it.

    secure_delete overwrites what is freed, but not copies that SQLite left behind when a page was
    split, as happens when a run grows before its fork's records: one in 100 erased records was
    still to be found. VACUUM writes every page anew. Then the -wal, with its older pages, is
    emptied.
    """
    later = "The text is blanked and stays so; erase the turn again later to clear what is left"
    try:
        with translated(path):
            connection.execute("VACUUM")
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except LedgerFull as error:
        raise LedgerFull(f"{path}: no room to write the file anew. {later}") from error
    except LedgerBusy as error:
        raise LedgerBusy(f"{path}: another process holds the file. {later}") from error
    if busy:
        raise LedgerBusy(f"{path}: another process is reading from the -wal. {later}")


def drop_cache(path: Path) -> None:
    """The folder beside a file that is made from it, and may hold words that were erased."""
    remove_folder(path.with_name(path.name + CACHE_SUFFIX))


def remove_folder(folder: Path) -> None:
    """A folder that may hold words that were erased; refuses to go on where it cannot go."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        raise LedgerError(f"{folder}: may hold what was erased, and cannot be removed; delete it")
