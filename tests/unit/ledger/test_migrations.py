"""An older file becomes a newer one, after a copy, whole or not at all."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storykeeper.errors import LedgerBusy, LedgerDamaged, LedgerFromTheFuture
from storykeeper.ledger.port import Snapshot
from storykeeper.ledger.schema import migrations, steps
from storykeeper.units import MAIN
from strategies.ledgers import add, exported, fingerprint, shown, sqlite_ledger

KEPT = Path(__file__).parents[2] / "data" / "ledger-v1.db"


@pytest.fixture
def old(tmp_path) -> Path:
    return Path(shutil.copy(KEPT, tmp_path / "run.db"))


def schema(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_the_copy_is_made_first_and_is_the_old_file(old):
    with sqlite_ledger(old, read_only=True) as ledger:
        before = exported(ledger)
    with sqlite_ledger(old) as ledger:
        assert exported(ledger) == before
        assert ledger.verify(MAIN).good
        head = ledger.head(MAIN)
        ledger.put_snapshot(MAIN, Snapshot(head.version, head.link, b"world"))
        assert ledger.snapshot(MAIN).body == b"world"
    copy = old.with_name("run.db.before-v3")
    assert (schema(old), schema(copy)) == (steps.NEWEST, 1)
    with sqlite_ledger(copy, read_only=True) as ledger:
        assert exported(ledger) == before


def test_opening_again_makes_no_second_copy(old):
    for _ in range(2):
        sqlite_ledger(old).close()
    assert sorted(p.name for p in old.parent.iterdir()) == ["run.db", "run.db.before-v3"]


def test_a_copy_that_is_there_is_never_overwritten(old):
    there = old.with_name("run.db.before-v3")
    there.write_text("somebody's")
    sqlite_ledger(old).close()
    assert there.read_text() == "somebody's"
    assert schema(old.with_name("run.db.before-v3-2")) == 1


def test_a_step_that_fails_leaves_the_old_file(old, monkeypatch):
    broken = (*steps.STEPS[:1], (*steps.STEPS[1], "CREATE TABLE runs (x)"))
    monkeypatch.setattr(migrations, "STEPS", broken)
    with pytest.raises(LedgerDamaged, match="already exists"):
        sqlite_ledger(old)
    monkeypatch.undo()
    assert schema(old) == 1
    with sqlite_ledger(old) as ledger:
        add(ledger, shown(9))
        assert ledger.verify(MAIN).good


def test_a_file_that_is_held_is_not_migrated(old):
    with closing(sqlite3.connect(old, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerBusy):
            sqlite_ledger(old, busy_seconds=0.05)
        other.execute("ROLLBACK")
    assert schema(old) == 1


def test_a_newer_file_is_refused_and_left(tmp_path):
    path = tmp_path / "run.db"
    sqlite_ledger(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = fingerprint(path)
    for read_only in (False, True):
        with pytest.raises(LedgerFromTheFuture, match=r"99.*upgrade"):
            sqlite_ledger(path, read_only=read_only)
    assert fingerprint(path) == before


def test_a_migrated_file_is_the_same_as_a_new_one(old, tmp_path):
    sqlite_ledger(old).close()
    sqlite_ledger(tmp_path / "new.db").close()

    def tables(path: Path) -> list:
        with closing(sqlite3.connect(path)) as connection:
            query = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
            return connection.execute(query).fetchall()

    assert tables(old) == tables(tmp_path / "new.db")
