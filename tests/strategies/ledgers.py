"""Ledgers to try things on, and short ways to write and compare them."""

import hashlib
import io
import itertools
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import Rendered, StoryAdopted
from storykeeper.ledger.memory import MemoryLedger
from storykeeper.ledger.port import Ledger
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.transfer import export
from storykeeper.units import MAIN, RunId


def no_sleep(_seconds: float) -> None:
    pass


def sqlite_ledger(path: Path, **options) -> SqliteLedger:
    ticks = itertools.count(1_700_000_000_000)
    options = {"create": not options.get("read_only", False)} | options
    return SqliteLedger.open(path, clock=lambda: next(ticks), nonces=os.urandom, **options)


def memory_ledger() -> MemoryLedger:
    ticks = itertools.count(1_700_000_000_000)
    return MemoryLedger(clock=lambda: next(ticks), nonces=os.urandom, sleep=no_sleep)


def shown(turn: int, prose: str = "The lamp went out.", *, take: int = 1) -> Rendered:
    return Rendered(turn=turn, take=take, prose=prose)


def adopted(story: str = "harrow", *, turn: int = 0) -> StoryAdopted:
    return StoryAdopted(turn=turn, story=story, version="1", digest="00", body="{}")


def told(ledger: Ledger, *, turns: int = 5, run: RunId = MAIN) -> Ledger:
    """A begun ledger with two records a turn, each with words that are found nowhere else."""
    ledger.begin(run, [adopted()])
    for turn in range(1, turns + 1):
        add(ledger, shown(turn, f"prose of {turn}"), shown(turn, f"again of {turn}", take=2))
    return ledger


def add(ledger: Ledger, *records: AnyRecord, run: RunId = MAIN) -> int:
    return ledger.append(run, records, expected=ledger.head(run).version)


def exported(ledger: Ledger, run: RunId | None = None) -> bytes:
    out = io.BytesIO()
    export(ledger, out, run=run)
    return out.getvalue()


@contextmanager
def tampering(path: Path) -> Iterator[sqlite3.Connection]:
    """The file with its guards off: what somebody with a database tool can do."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        guards = guards.fetchall()
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in guards:
            connection.execute(sql)
        connection.execute("COMMIT")


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
