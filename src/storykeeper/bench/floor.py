"""The floors: the least that a durable ledger could do."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def bare_table(path: Path) -> sqlite3.Connection:
    """The floor: a table with one column, as durable as ours."""
    floor = sqlite3.connect(path, isolation_level=None)
    floor.execute("PRAGMA journal_mode=WAL")
    floor.execute("PRAGMA synchronous=FULL")
    floor.execute("CREATE TABLE bare(id INTEGER PRIMARY KEY, payload BLOB NOT NULL) STRICT")
    return floor
