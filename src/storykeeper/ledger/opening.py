"""Opening a ledger file: is it one, is it ours, can it be written, is it of this schema.

A file is recognised by its first hundred bytes before SQLite touches it: another program's
database is never opened, so nothing in it can change. A new file is made under another name and
then put in place whole; whoever dies half-way leaves nothing that looks like a ledger.
"""

from __future__ import annotations

import errno
import itertools
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from storykeeper.errors import LedgerError, LedgerFull, LedgerReadOnly, NotALedger
from storykeeper.ledger.bounded import Bounded
from storykeeper.ledger.mark import forget
from storykeeper.ledger.schema.steps import APPLICATION_ID, NEWEST, STEPS
from storykeeper.ledger.sqlite_errors import damaged, translated

BUSY_SECONDS = 5.0
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_NO_SHM = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
_numbers = itertools.count()  # two threads may be making the same file
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def recognise(path: Path) -> None:
    """Refuse what is not a ledger, without touching it."""
    if path.is_dir():
        raise NotALedger(f"{path}: a folder, not a ledger; name the file inside it")
    if path.exists() and not path.is_file():
        raise NotALedger(f"{path}: a device or a pipe, not a ledger; check the name")
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError as error:
        raise NotALedger(f"{path}: no such file; check the name, or begin a run there") from error
    except PermissionError as error:
        raise LedgerReadOnly(f"{path}: may not be read; look at its permissions") from error
    except OSError as error:
        raise NotALedger(f"{path}: cannot be read ({error.strerror}); check the name") from error
    if not header:
        raise NotALedger(f"{path}: an empty file, not a ledger; delete it to begin a run there")
    if not header.startswith(_MAGIC):
        raise NotALedger(f"{path}: not a ledger, and left as it is; check the name")
    if len(header) < _HEADER_BYTES:
        raise damaged(path, "cut off in its first hundred bytes")
    if int.from_bytes(header[68:72]) != APPLICATION_ID:
        raise NotALedger(f"{path}: a database of another program, left as it is; check the name")


def connect(
    path: Path, *, mode: str, immutable: bool = False, busy_seconds: float = BUSY_SECONDS
) -> sqlite3.Connection:
    """A connection with everything set that makes an acknowledged record durable."""
    uri = f"{path.absolute().as_uri()}?mode={mode}{'&immutable=1' if immutable else ''}"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, timeout=busy_seconds, check_same_thread=False,
        factory=Bounded,
    )  # fmt: skip
    with ExitStack() as unless_good:
        unless_good.callback(connection.close)
        connection.bind(path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        unless_good.pop_all()
    return connection


def connect_for_reading(path: Path, *, busy_seconds: float) -> sqlite3.Connection:
    """A connection that cannot write.

    Where writing is possible SQLite may tidy up: whoever closes a file last moves its -wal into it.
    In a folder that cannot be written there is nowhere to put a -shm file; when there is no -wal
    either, nobody is writing, and the file can be read as it stands.
    """
    if is_writable(path):
        connection = connect(path, mode="rw", busy_seconds=busy_seconds)
        connection.execute("PRAGMA query_only = ON")
        return connection
    try:
        return _connect_and_look(path, busy_seconds=busy_seconds)
    except sqlite3.OperationalError as error:
        wal = path.with_name(path.name + "-wal")
        if error.sqlite_errorcode & 0xFF not in _NO_SHM or (wal.exists() and wal.stat().st_size):
            raise
    return connect(path, mode="ro", immutable=True, busy_seconds=busy_seconds)


def _connect_and_look(path: Path, *, busy_seconds: float) -> sqlite3.Connection:
    with ExitStack() as unless_good:
        connection = connect(path, mode="ro", busy_seconds=busy_seconds)
        unless_good.callback(connection.close)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        unless_good.pop_all()
    return connection


def is_writable(path: Path) -> bool:
    """Whether the file can be written, and its folder, where the -wal goes."""
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK | os.X_OK)


def create(path: Path, *, upto: int = NEWEST) -> None:
    """Make an empty ledger of a schema, unless somebody else just did."""
    with translated(path), new_file(path) as unfinished:
        make_tables(unfinished, upto=upto)


def make_tables(path: Path, *, upto: int = NEWEST) -> None:
    """An empty ledger at a path that nobody looks at yet."""
    with closing(connect(path, mode="rwc")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        for number in range(upto):
            for statement in STEPS[number]:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {upto}")
        connection.execute("COMMIT")


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A name beside `path` to make a file at; when it is done, it is put in place, durably.

    An existing file is never replaced: FileExistsError.
    """
    unfinished = path.with_name(f"{path.name}.unfinished-{os.getpid()}-{next(_numbers)}")
    try:
        discard(unfinished)
        yield unfinished
        sync(unfinished)
        _put_in_place(unfinished, path)
        forget(path)  # of a file that had the name before
        sync(path.absolute().parent)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise LedgerFull(f"{path}: no room to write ({error}); nothing was made") from error
        raise LedgerReadOnly(f"{path}: cannot be made ({error}); choose another folder") from error
    finally:
        with suppress(OSError):
            discard(unfinished)


def _put_in_place(unfinished: Path, path: Path) -> None:
    """Rename without ever replacing: a second name, then the first one goes."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        if path.exists():
            raise FileExistsError(f"{path} exists") from None
        unfinished.rename(path)


def discard(path: Path) -> None:
    """Remove a file of ours that nobody needs, with what SQLite put beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()


def sync(path: Path) -> None:
    """Make a file, or the names in a folder, outlast a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def only_new(path: Path) -> Iterator[Path]:
    """`new_file`, where a file that is there already is the caller's mistake."""
    if path.exists() or path.is_symlink():
        raise LedgerError(f"{path}: exists already, and is left as it is; choose a new name")
    try:
        with new_file(path) as unfinished:
            yield unfinished
    except FileExistsError as error:
        raise LedgerError(f"{path}: somebody else just made it; choose a new name") from error
