"""A -wal that is taken away: nothing is lost after a clean close; after a crash it is missed."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.errors import LedgerDamaged
from storykeeper.ledger import mark
from storykeeper.ledger.places import open_to_check
from storykeeper.ledger.transfer import export_file
from storykeeper.units import MAIN, RunId
from strategies.ledgers import add, shown, sqlite_ledger, told
from strategies.runs import kept


def crashed(path: Path, folder: Path) -> Path:
    """The files of a ledger that is in use, as a crash leaves them."""
    folder.mkdir()
    for each in (path, *path.parent.glob(f"{path.name}-*")):
        if not each.name.endswith("-shm"):
            shutil.copy(each, folder / each.name)
    return folder / path.name


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """After a crash: some records in the file, others in the -wal alone."""
    path = tmp_path / "run.db"
    told(sqlite_ledger(path), turns=2).close()
    with sqlite_ledger(path) as ledger:
        add(ledger, shown(3), shown(3, take=2))
        ledger.fork(MAIN, RunId("other"), at=2)
        return crashed(path, tmp_path / "after")


def test_after_a_clean_close_there_is_nothing_to_lose(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        keeper.render(keeper.begin("I look at the lamp"), "The lamp is out.")
        assert (tmp_path / "run.db-mark").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["run.db"]
    with Storykeeper.open(tmp_path / "run.db") as keeper:
        assert "The lamp is out." in keeper.window(text="I wait").text


def test_after_a_crash_it_is_missed(left):
    with sqlite_ledger(left) as ledger:  # with it, all is there
        assert ledger.head(MAIN).version == 8


def test_without_it_the_file_is_refused_until_it_is_back(left, tmp_path):
    wal = left.with_name("run.db-wal").rename(tmp_path / "elsewhere")
    for options in ({}, {"read_only": True}):
        with pytest.raises(LedgerDamaged, match=r"run other was written.*delete run\.db-mark"):
            sqlite_ledger(left, **options)
    with open_to_check(left) as ledger:
        assert "was taken away" in ledger.verify(MAIN).problem
        export_file(ledger, tmp_path / "out.jsonl")  # what is there can be had
    shutil.copy(wal, left.with_name("run.db-wal"))
    with sqlite_ledger(left) as ledger:
        assert ledger.verify(RunId("other")).good


def test_who_means_the_older_file_says_so(left):
    left.with_name("run.db-wal").unlink()
    left.with_name("run.db-mark").unlink()
    with sqlite_ledger(left) as ledger:
        assert ledger.head(MAIN).version < 8


def test_another_file_in_its_place_is_noticed(left, tmp_path):
    other = tmp_path / "other.db"
    told(sqlite_ledger(other), turns=9).close()
    left.with_name("run.db-wal").unlink()
    shutil.copy(other, left)
    with pytest.raises(LedgerDamaged, match="put in its place"):
        sqlite_ledger(left)


def test_a_longer_file_of_another_past_is_noticed_too(tmp_path):
    path, other = tmp_path / "run.db", tmp_path / "other.db"
    with told(sqlite_ledger(path), turns=1):
        left = crashed(path, tmp_path / "after")
    told(sqlite_ledger(other), turns=9).close()
    left.with_name("run.db-wal").unlink()
    shutil.copy(other, left)
    with pytest.raises(LedgerDamaged, match="put in its place"):
        sqlite_ledger(left)


def test_a_note_that_was_cut_short_counts_for_nothing(left):
    note = left.with_name("run.db-mark")
    whole = note.read_text()
    for torn in ("", whole[:10], whole.replace("other", "main"), "\x00" * 90, "é" * 2000):
        note.write_text(torn)
        assert mark.noted(left) is None
    note.write_bytes(b"\xff\xfe")
    assert mark.noted(left) is None
    sqlite_ledger(left).close()


def test_a_new_file_of_an_old_name_is_not_held_to_its_note(left):
    left.unlink()
    left.with_name("run.db-wal").unlink()
    told(sqlite_ledger(left), turns=1).close()


def test_the_note_never_runs_ahead(tmp_path):
    """What is not acknowledged is not noted: a broken transaction leaves the note as it was."""
    with told(sqlite_ledger(tmp_path / "run.db"), turns=1) as ledger:
        before = mark.noted(tmp_path / "run.db")
        assert before is not None
        assert before.version == ledger.head(MAIN).version
        ledger._connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(Exception, match="no room"):
            add(ledger, shown(2, "x" * 500_000))
        assert mark.noted(tmp_path / "run.db") == before


def test_others_who_have_it_open_keep_the_note(tmp_path):
    path = tmp_path / "run.db"
    one, other = told(sqlite_ledger(path), turns=1), sqlite_ledger(path)
    one.close()
    assert mark.noted(path) is not None
    other.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.db"]
    assert sqlite3.connect(path).execute("SELECT count(*) FROM records").fetchone()[0] > 2
