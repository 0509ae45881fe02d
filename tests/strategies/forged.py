"""Ledger files as somebody with bad intentions would make them."""

import hashlib
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
PAGE = 4096
DEPTH, WIDTH = 15, 400  # pages below each other, and how often each names the next


def changed_schema(path: Path, *statements: str) -> None:
    """Statements run with the rules of the schema off."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)


def endless_table(path: Path, table: str) -> None:
    """A table whose tree of pages has WIDTH ** DEPTH leaves, in a file of a few hundred kB."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        find = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (root,) = connection.execute(find, (table,)).fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    at, first = (root - 1) * PAGE, len(content) // PAGE + 1
    last = bytes(content[at : at + PAGE])
    content[at : at + PAGE] = _of_one_child(first)
    for number in range(first, first + DEPTH):
        content += _of_one_child(number + 1)
    content += last
    content[28:32] = struct.pack(">I", len(content) // PAGE)
    path.write_bytes(content)


def _of_one_child(child: int) -> bytes:
    """An inner page all of whose cells lead to one and the same page."""
    cell = struct.pack(">IB", child, 0x7F)
    start = PAGE - len(cell) * WIDTH
    places = (start + len(cell) * each for each in range(WIDTH))
    head = struct.pack(">BHHHBI", 5, 0, WIDTH, start, 0, child)
    pointers = b"".join(struct.pack(">H", place) for place in places)
    return (head + pointers).ljust(start, b"\0") + cell * WIDTH


def put_snapshot(path: Path, body: bytes) -> None:
    """A snapshot of the newest version with a right digest and link, in place of all others."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        version, link = connection.execute("SELECT version, link FROM runs").fetchone()
        connection.execute("DELETE FROM snapshots")
        row = (version, link, hashlib.sha256(body).digest(), body)
        connection.execute("INSERT INTO snapshots VALUES (1, ?, ?, ?, ?)", row)
