"""Where ledgers are, a file or a place in a database, and how one is opened that is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from storykeeper.errors import LedgerError
from storykeeper.ledger.port import Clock, Nonces
from storykeeper.ledger.postgres.place import DatabasePlace, is_address, place
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.sqlite_file import CACHE_SUFFIX
from storykeeper.ledger.tabled import TabledLedger

if TYPE_CHECKING:
    from storykeeper.ledger.postgres.ledger import PostgresLedger
    from storykeeper.ledger.postgres.service_tables import ServiceTables

Place = Path | DatabasePlace


def place_of(text: str | Place) -> Place:
    """The place that a path or an address names."""
    if isinstance(text, DatabasePlace):
        return text
    return place(text) if isinstance(text, str) and is_address(text) else Path(text)


def open_at(
    at: Place, *, clock: Clock, nonces: Nonces, create: bool = False, read_only: bool = False,
    salvage: bool = False, caches: Path | None = None,
) -> TabledLedger:  # fmt: skip
    """The ledger of a place; with `create`, a new one. `salvage`: only read, whatever is odd.

    `caches`: a folder for what is made from ledgers of databases; files have theirs beside them.
    """
    if isinstance(at, DatabasePlace):
        return in_database().open(
            at, clock=clock, nonces=nonces, create=create, read_only=read_only or salvage,
            caches=caches,
        )  # fmt: skip
    return SqliteLedger.open(
        at, clock=clock, nonces=nonces, create=create, read_only=read_only, salvage=salvage
    )


def open_to_check(at: Place) -> TabledLedger:
    """A ledger that is only read: it needs neither clock nor chance."""
    return open_at(at, clock=lambda: 0, nonces=bytes, salvage=True)


def is_there(at: Place) -> bool:
    """Whether there is anything at a place."""
    if isinstance(at, Path):
        return at.exists()
    return in_database().is_at(at)


def remove(at: Place) -> None:
    """A ledger with all that is beside it, for good."""
    if isinstance(at, DatabasePlace):
        with in_database().open(at, clock=lambda: 0, nonces=bytes) as ledger:
            ledger.remove()
        return
    rmtree(at.with_name(at.name + CACHE_SUFFIX), ignore_errors=True)
    for suffix in ("-wal", "-shm", ""):
        at.with_name(at.name + suffix).unlink(missing_ok=True)


def make_room(at: Place) -> None:
    """The folder of a file that is to be made."""
    if isinstance(at, Path):
        at.parent.mkdir(parents=True, exist_ok=True, mode=0o700)


def in_database() -> type[PostgresLedger]:
    """What keeps ledgers in a database."""
    with _extra():
        from storykeeper.ledger.postgres.ledger import PostgresLedger
    return PostgresLedger


def service_tables(conninfo: str) -> ServiceTables:
    """What a service keeps in a database; close it."""
    with _extra():
        from storykeeper.ledger.postgres.service_tables import ServiceTables
    return ServiceTables(conninfo)


@contextmanager
def _extra() -> Iterator[None]:
    """An import of what comes with an extra."""
    try:
        yield
    except ImportError as error:
        raise LedgerError(
            f"what is in a database needs {error.name}: pip install 'storykeeper[postgres]'"
        ) from error
