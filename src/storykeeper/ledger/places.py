"""Where ledgers are, a file or a place in a database, and how one is opened that is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.errors import LedgerError
from storykeeper.ledger.port import Clock, Nonces
from storykeeper.ledger.postgres.place import DatabasePlace, is_address, place
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.tabled import TabledLedger

if TYPE_CHECKING:
    from storykeeper.ledger.postgres.ledger import PostgresLedger

Place = Path | DatabasePlace


def place_of(text: str | Path) -> Place:
    """The place that a path or an address names."""
    return place(text) if isinstance(text, str) and is_address(text) else Path(text)


def open_at(
    at: Place, *, clock: Clock, nonces: Nonces, create: bool = False, read_only: bool = False,
    salvage: bool = False,
) -> TabledLedger:  # fmt: skip
    """The ledger of a place; with `create`, a new one. `salvage`: only read, whatever is odd."""
    if isinstance(at, DatabasePlace):
        return in_database().open(
            at, clock=clock, nonces=nonces, create=create, read_only=read_only or salvage
        )
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


def in_database() -> type[PostgresLedger]:
    """What keeps ledgers in a database, which comes with an extra."""
    try:
        from storykeeper.ledger.postgres.ledger import PostgresLedger
    except ImportError as error:
        raise LedgerError(
            f"a run in a database needs {error.name}: pip install 'storykeeper[postgres]'"
        ) from error
    return PostgresLedger
