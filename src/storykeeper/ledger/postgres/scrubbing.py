"""Leaving no byte of what was erased in the tables: they are written anew, by their owner.

Blanking a record leaves its older row in the table's file until that room is used again. What lies
outside the tables is not reached: the server's log of changes, its replicas' and every backup.
"""

from __future__ import annotations

import psycopg

from storykeeper.ledger.postgres.errors import translated
from storykeeper.ledger.postgres.place import shown

_WITH_WORDS = ("records", "snapshots", "vectors", "answers")


def scrub(conninfo: str) -> tuple[str, ...]:
    """Write the tables anew that hold words, or what was made of them; each is locked meanwhile."""
    with translated(shown(conninfo)), psycopg.connect(conninfo, autocommit=True) as connection:
        for table in _WITH_WORDS:
            connection.execute(f"VACUUM (FULL) {table}")
        connection.execute("CHECKPOINT")
    return _WITH_WORDS
