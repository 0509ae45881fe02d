"""What is particular to a file: what it refuses to be, what it enforces, what it leaves behind."""

import random
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from storykeeper.errors import (
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerFull,
    LedgerReadOnly,
    NotALedger,
    RecordFromTheFuture,
)
from storykeeper.ledger.places import open_to_check
from storykeeper.ledger.port import Snapshot
from storykeeper.units import MAIN, RunId
from strategies.ledgers import (
    add,
    adopted,
    exported,
    fingerprint,
    shown,
    sqlite_ledger,
    tampering,
    told,
)

WHAT_IF = RunId("what-if")


@pytest.fixture
def path(tmp_path) -> Path:
    """A told ledger, closed."""
    path = tmp_path / "run.db"
    told(sqlite_ledger(path)).close()
    return path


# ── opening ──────────────────────────────────────────────────────────────────────────────────


def test_a_missing_file(tmp_path):
    with pytest.raises(NotALedger, match="no such file"):
        sqlite_ledger(tmp_path / "run.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder(tmp_path):
    with pytest.raises(NotALedger, match="a folder"):
        sqlite_ledger(tmp_path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty file"),
        (b"# Notes\n", "not a ledger"),
        (b"SQLite format 4\0" + b"x" * 200, "not a ledger"),
        (b"\xff" * 5000, "not a ledger"),
    ],
)
@pytest.mark.parametrize("create", [False, True])
def test_a_file_that_is_no_ledger_is_left_alone(tmp_path, content, says, create):
    path = tmp_path / "run.db"
    path.write_bytes(content)
    with pytest.raises(NotALedger, match=says):
        sqlite_ledger(path, create=create)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_another_programs_database_is_left_alone(tmp_path):
    path = tmp_path / "run.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
    before = fingerprint(path)
    with pytest.raises(NotALedger, match="another program"):
        sqlite_ledger(path)
    assert fingerprint(path) == before


@pytest.mark.parametrize("share", [0.0005, 0.0015, 0.1, 0.3, 0.6])
def test_a_truncated_file_is_damaged(path, share):
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    try:
        with sqlite_ledger(path) as ledger:
            verdict = ledger.verify(MAIN)
            assert not verdict.good
            assert verdict.problem
            with pytest.raises(LedgerDamaged, match=r"verify.*backup"):
                exported(ledger)
    except LedgerDamaged:
        pass  # it did not even open
    except NotALedger:
        assert path.stat().st_size == 0


def test_a_new_file_appears_whole(tmp_path):
    with sqlite_ledger(tmp_path / "run.db") as ledger:
        assert ledger.runs() == ()
    assert [p.name for p in tmp_path.iterdir()] == ["run.db"]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(LedgerError, match=r"run.db"):
        sqlite_ledger(tmp_path / "nowhere" / "run.db")


def test_names_with_marks_in_them(tmp_path):
    path = tmp_path / "a?b#c %41@d é.db"
    with sqlite_ledger(path) as ledger:
        told(ledger)
    assert path.stat().st_size > 0
    with sqlite_ledger(path, read_only=True) as ledger:
        assert ledger.verify(MAIN).good


def test_it_survives_being_closed(path):
    with sqlite_ledger(path) as ledger:
        assert ledger.verify(MAIN).records == 12
        add(ledger, shown(6))
    with sqlite_ledger(path) as ledger:
        assert ledger.head(MAIN).version == 13


def test_settings_that_make_it_durable(path):
    with sqlite_ledger(path) as ledger:
        values = {
            name: ledger._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        }
    assert values == {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1,
    }  # fmt: skip


def test_after_closing_it_says_so(path):
    ledger = sqlite_ledger(path)
    ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        ledger.head(MAIN)


# ── reading only, busy, full ─────────────────────────────────────────────────────────────────


def test_read_only_reads_and_does_not_write(path):
    before = fingerprint(path)
    with sqlite_ledger(path, read_only=True) as ledger:
        assert ledger.verify(MAIN).good
        for attempt in (
            lambda: add(ledger, shown(6)),
            lambda: ledger.fork(MAIN, WHAT_IF, at=1),
            lambda: ledger.erase(MAIN, turn=1),
            lambda: ledger.put_snapshot(MAIN, Snapshot(12, ledger.head(MAIN).link, b"")),
        ):
            with pytest.raises(LedgerReadOnly, match="writable"):
                attempt()
    assert fingerprint(path) == before


def test_a_reader_and_a_writer_at_once(path):
    with sqlite_ledger(path) as writer, sqlite_ledger(path, read_only=True) as reader:
        add(writer, shown(6, "new"))
        assert reader.head(MAIN).version == 13
        assert [e.record.prose for e in reader.read(MAIN, after=12)] == ["new"]


def test_a_busy_ledger_says_what_to_do(path):
    with sqlite_ledger(path, busy_seconds=0.05) as ledger:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LedgerBusy, match=r"another process.*retry"):
                add(ledger, shown(6))
            assert len(list(ledger.read(MAIN))) == 12  # reading goes on
            other.execute("ROLLBACK")
        add(ledger, shown(6))
        assert ledger.verify(MAIN).good


def test_a_short_wait_is_waited_out(path):
    with (
        sqlite_ledger(path) as ledger,
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.2, lambda: other.execute("ROLLBACK")).start()
        started = time.monotonic()
        add(ledger, shown(6))
        assert time.monotonic() - started > 0.1


def test_a_full_disk_writes_nothing_and_can_go_on(path):
    with sqlite_ledger(path) as ledger:
        before = exported(ledger)
        (pages,) = ledger._connection.execute("PRAGMA page_count").fetchone()
        ledger._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LedgerFull, match="nothing was written"):
            add(ledger, shown(6, "small"), shown(6, "x" * 100_000))
        assert exported(ledger) == before
        assert ledger.verify(MAIN).good
        ledger._connection.execute("PRAGMA max_page_count = 100000")
        add(ledger, shown(6, "x" * 100_000))
        assert ledger.verify(MAIN).good


# ── append-only, by the database itself ──────────────────────────────────────────────────────

REST = "turn, kind, schema, at_ms, nonce, payload, digest, link, erased"
HEAD = "parent, forked_at, version, turn, link"
FORBIDDEN = [
    "DELETE FROM records",
    "DELETE FROM records WHERE version = 12",
    "DELETE FROM runs",
    "UPDATE records SET payload = x'7b7d' WHERE version = 3",
    "UPDATE records SET turn = turn + 1",
    "UPDATE records SET erased = 1 WHERE version = 3",  # the nonce must go with the text
    "UPDATE records SET erased = 1, nonce = x'', link = x'00' WHERE version = 3",
    "UPDATE records SET erased = 1, nonce = x'', kind = 'x' WHERE version = 3",
    "UPDATE records SET nonce = x'' WHERE version = 3",
    "UPDATE runs SET name = 'other'",
    "UPDATE runs SET version = version - 1",
    "UPDATE runs SET forked_at = 1, version = version + 1",
    "UPDATE OR REPLACE records SET place = place + 1 WHERE version = 3",
    f"INSERT OR REPLACE INTO records (place, {REST}) SELECT place, {REST} FROM records",
    f"INSERT INTO records (place, {REST}) SELECT max(place) + 9, {REST} FROM records",
    f"INSERT INTO records (place, {REST}) SELECT (7 << 40) + 1, {REST} FROM records LIMIT 1",
    f"INSERT OR REPLACE INTO runs (id, name, {HEAD}) SELECT id, 'other', {HEAD} FROM runs",
    "INSERT INTO runs SELECT 2, 'other', NULL, forked_at, version, turn, link FROM runs",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_database_refuses(path, statement):
    with sqlite_ledger(path, read_only=True) as ledger:
        before = exported(ledger)
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        pytest.raises(sqlite3.IntegrityError, match=r"never|only"),
    ):
        other.execute(statement)
    with sqlite_ledger(path, read_only=True) as ledger:
        assert exported(ledger) == before


def test_an_erased_record_is_never_changed_again(path):
    with sqlite_ledger(path) as ledger:
        ledger.erase(MAIN, turn=1)
    with (
        closing(sqlite3.connect(path)) as other,
        pytest.raises(sqlite3.IntegrityError, match="never changed"),
    ):
        other.execute("UPDATE records SET erased = 2, nonce = x'', payload = x'' WHERE version = 3")


# ── erasing leaves no byte ───────────────────────────────────────────────────────────────────


def bytes_on_disk(path: Path) -> bytes:
    return b"".join(p.read_bytes() for p in path.parent.iterdir() if p.name.startswith(path.name))


@pytest.mark.parametrize("length", [1, 60, 1500, 70_000])
def test_erased_text_is_nowhere_on_disk(tmp_path, length):
    path = tmp_path / "run.db"
    word = "qvxzhidden"
    with told(sqlite_ledger(path), turns=30) as ledger:
        add(ledger, shown(31, f"{word} " * length))
        for turn in range(32, 60):
            add(ledger, shown(turn, "after " * 50))
        ledger.fork(MAIN, WHAT_IF, at=40)
        add(ledger, shown(41, "fork"), run=WHAT_IF)
        assert word.encode() in bytes_on_disk(path)
        assert ledger.erase(WHAT_IF, turn=31) == 1
        assert word.encode() not in bytes_on_disk(path)
        assert ledger.verify(WHAT_IF).good
        assert ledger.verify(MAIN).good
    assert word.encode() not in bytes_on_disk(path)


@pytest.mark.parametrize(("seed", "turn"), [(3, 4), (9, 40), (12, 22)])
def test_no_copy_is_left_when_records_moved_between_pages(tmp_path, seed, turn):
    """A run that grows before a fork's records splits pages; SQLite leaves copies behind then."""
    path = tmp_path / "run.db"
    sizes = random.Random(seed)
    with sqlite_ledger(path) as ledger:
        ledger._connection.execute("PRAGMA synchronous = OFF")
        ledger.begin(MAIN, [])
        ledger.fork(MAIN, WHAT_IF, at=0)
        for each in range(1, 61):
            for run in (MAIN, WHAT_IF):
                words = f"<{each:03d}>" * sizes.choice([1, 4, 20, 60, 200, 700])
                add(ledger, shown(each, words), run=run)
        for run in (MAIN, WHAT_IF):
            ledger.erase(run, turn=turn)
        assert f"<{turn:03d}>".encode() not in bytes_on_disk(path)
        assert f"<{turn + 1:03d}>".encode() in bytes_on_disk(path)


def test_erasing_under_a_reader_is_finished_later(path):
    with sqlite_ledger(path, busy_seconds=0.05) as ledger:
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM records").fetchone()
            with pytest.raises(LedgerBusy, match="blanked and stays so; erase the turn again"):
                ledger.erase(MAIN, turn=2)
        assert b"prose of 2" not in exported(ledger)
        assert ledger.erase(MAIN, turn=2) == 0
        assert b"prose of 2" not in bytes_on_disk(path)


# ── verifying ────────────────────────────────────────────────────────────────────────────────

DAMAGE = [
    ("UPDATE records SET payload = CAST(payload || ' ' AS BLOB) WHERE version = 5", 5),
    ("UPDATE records SET payload = x'7b7d' WHERE version = 5", 5),
    ("UPDATE records SET payload = x'ff' WHERE version = 5", 5),
    ("UPDATE records SET turn = 3 WHERE version = 5", 5),
    ("UPDATE records SET turn = -1 WHERE version = 1", 1),
    ("UPDATE records SET kind = 'swiped' WHERE version = 5", 5),
    ("UPDATE records SET schema = 1 WHERE version = 5", 5),
    ("UPDATE records SET schema = 77 WHERE version = 5", 5),
    ("UPDATE records SET schema = -1 WHERE version = 5", 5),
    ("UPDATE records SET at_ms = at_ms + 1 WHERE version = 5", 5),
    ("UPDATE records SET nonce = zeroblob(16) WHERE version = 5", 5),
    ("UPDATE records SET nonce = x'' WHERE version = 5", 5),
    ("UPDATE records SET digest = zeroblob(32) WHERE version = 5", 5),
    ("UPDATE records SET link = zeroblob(32) WHERE version = 5", 5),
    ("UPDATE records SET erased = 2 WHERE version = 5", 5),
    ("UPDATE records SET erased = 2, nonce = x'' WHERE version = 5", 5),
    ("DELETE FROM records WHERE version = 5", 5),
    ("DELETE FROM records WHERE version = 1", 1),
    ("DELETE FROM records WHERE version >= 11", 11),
    ("UPDATE records SET place = place + 100 WHERE version = 12", 12),
    ("UPDATE runs SET version = 11", 12),
    ("UPDATE runs SET turn = 9", 12),
    ("UPDATE runs SET link = zeroblob(32)", 12),
    ("UPDATE runs SET name = 'other'", 1),
    ("UPDATE runs SET forked_at = 1", None),
]


@pytest.mark.parametrize(("statement", "bad"), DAMAGE)
def test_verify_names_the_first_bad_record(path, statement, bad):
    with tampering(path) as connection:
        connection.execute(statement)
    with sqlite_ledger(path) as ledger:
        (run,) = ledger.branches()
        verdict = ledger.verify(run)
        assert not verdict.good
        assert verdict.problem
        if bad is not None:
            assert verdict.bad_version == bad


def test_damage_is_an_error_elsewhere(path):
    with tampering(path) as connection:
        connection.execute("UPDATE records SET payload = x'7b7d' WHERE version = 5")
    with sqlite_ledger(path) as ledger:
        with pytest.raises(LedgerDamaged, match=r"record 5 of run main.*verify.*backup"):
            list(ledger.read(MAIN))
        with pytest.raises(LedgerDamaged, match="record 5"):
            exported(ledger)


def test_a_missing_record_is_an_error_elsewhere(path):
    with tampering(path) as connection:
        connection.execute("DELETE FROM records WHERE version = 5")
    with sqlite_ledger(path) as ledger, pytest.raises(LedgerDamaged, match="missing"):
        list(ledger.read(MAIN))


def test_a_record_from_the_future(path):
    with tampering(path) as connection:
        connection.execute("UPDATE records SET schema = 77 WHERE version = 5")
    with (
        sqlite_ledger(path) as ledger,
        pytest.raises(RecordFromTheFuture, match=r"record 5 .*77.*upgrade"),
    ):
        list(ledger.read(MAIN))


def test_guards_taken_off_are_noticed(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER records_are_kept")
    with pytest.raises(LedgerDamaged, match=r"no trigger records_are_kept.*storykeeper export"):
        sqlite_ledger(path)
    with open_to_check(path) as ledger:
        verdict = ledger.verify(MAIN)
    assert not verdict.good
    assert "triggers" in verdict.problem


def test_damage_that_breaks_even_the_message_about_it(path):
    """SQLite quotes what it cannot parse, and what it quotes is not UTF-8 any more."""
    content = path.read_bytes()
    path.write_bytes(content.replace(b"CREATE TRIGGER", b"CREATE TRIGGE\xd2", 1))
    assert path.read_bytes() != content
    with pytest.raises(LedgerDamaged, match=r"damaged .*backup"):
        sqlite_ledger(path)


@pytest.mark.parametrize("column", ["forked_at", "version", "turn", "link"])
def test_damage_to_the_table_of_runs(path, column):
    """What a NOT NULL column never holds, it holds when a byte of the file was changed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        rules = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'runs'"
        connection.execute(rules, (" NOT NULL", " /*not*/ "))
    with tampering(path) as connection:
        connection.execute(f"UPDATE runs SET {column} = NULL")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(rules, (" /*not*/ ", " NOT NULL"))
    with sqlite_ledger(path) as ledger:
        assert not ledger.verify(MAIN).good
        with pytest.raises(LedgerDamaged, match="the table of runs"):
            ledger.head(MAIN)


FORK_DAMAGE = [
    ("UPDATE runs SET parent = 9 WHERE id = 2", WHAT_IF),
    ("UPDATE runs SET parent = 9 WHERE id = 1", MAIN),
    ("UPDATE runs SET parent = NULL WHERE id = 2", WHAT_IF),
    ("UPDATE runs SET forked_at = 5 WHERE id = 2", WHAT_IF),
    ("UPDATE runs SET name = 'else' WHERE id = 2", RunId("else")),
    ("UPDATE runs SET parent = 2 WHERE id = 2", WHAT_IF),
    ("UPDATE runs SET parent = 2 WHERE id = 3", RunId("again")),
    ("UPDATE records SET at_ms = 0 WHERE run = 1 AND version = 2", WHAT_IF),
    ("UPDATE records SET at_ms = 0 WHERE run = 2 AND version = 7", WHAT_IF),
]


@pytest.mark.parametrize(("statement", "run"), FORK_DAMAGE)
def test_verify_checks_the_tree(path, statement, run):
    with sqlite_ledger(path) as ledger:
        ledger.fork(MAIN, WHAT_IF, at=2)
        ledger.fork(MAIN, RunId("again"), at=3)
    with tampering(path) as connection:
        connection.execute(statement)
    with sqlite_ledger(path) as ledger:
        assert not ledger.verify(run).good


def test_what_vouches_for_an_erasure_is_checked_beyond_the_fork(path):
    with sqlite_ledger(path) as ledger:
        ledger.fork(MAIN, WHAT_IF, at=2)
        add(ledger, shown(6))
        ledger.erase(MAIN, turn=2)
        assert ledger.verify(WHAT_IF).good
    with tampering(path) as connection:
        connection.execute("UPDATE records SET at_ms = 0 WHERE run = 1 AND version = 13")
    with sqlite_ledger(path) as ledger:
        verdict = ledger.verify(WHAT_IF)
    assert verdict.bad_version == 5
    assert "record 13 of run main" in verdict.problem


def test_an_erasure_nobody_vouches_for(path):
    with sqlite_ledger(path) as ledger:
        ledger.erase(MAIN, turn=2)
    with tampering(path) as connection:
        connection.execute(
            "UPDATE records SET payload ="
            " CAST(replace(payload, '\"take\":1', '\"take\":3') AS BLOB) WHERE version = 5"
        )
    with sqlite_ledger(path) as ledger:
        verdict = ledger.verify(MAIN)
    assert (verdict.bad_version, "vouches" in verdict.problem) == (5, True)


def test_a_torn_snapshot_is_not_used(path):
    with sqlite_ledger(path) as ledger:
        head = ledger.head(MAIN)
        ledger.put_snapshot(MAIN, Snapshot(head.version, head.link, b"a world"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE snapshots SET body = CAST('b world' AS BLOB)")
    with sqlite_ledger(path) as ledger:
        assert ledger.snapshot(MAIN) is None


def test_the_story_is_found_without_reading_everything(path):
    with sqlite_ledger(path) as ledger:
        add(ledger, adopted("later", turn=6))
        query = (
            "EXPLAIN QUERY PLAN SELECT place FROM records WHERE place > 0 AND place <= 9"
            " AND kind = 'story-adopted' ORDER BY place DESC LIMIT 1"
        )
        plan = " ".join(row[3] for row in ledger._connection.execute(query))
        assert "INDEX stories" in plan
