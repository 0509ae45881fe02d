"""Out as lines and in again, to the byte; and what is refused."""

import hashlib
import json
import shutil

import pytest

from storykeeper.errors import (
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerFromTheFuture,
    NotALedger,
    RunNotFound,
)
from storykeeper.ledger.backup import backup_file, disk_use
from storykeeper.ledger.transfer import export_file, import_file
from storykeeper.units import MAIN, RunId
from strategies.ledgers import (
    add,
    exported,
    fingerprint,
    memory_ledger,
    shown,
    sqlite_ledger,
    tampering,
    told,
)

WHAT_IF, AGAIN = RunId("what-if"), RunId("again")


def branched(ledger):
    """Three runs, one erased turn, one odd text."""
    told(ledger)
    ledger.fork(MAIN, WHAT_IF, at=3)
    add(ledger, shown(4, "“other” \\ \u2028 🔥 \n"), run=WHAT_IF)
    ledger.fork(WHAT_IF, AGAIN, at=4)
    add(ledger, shown(6, "main goes on"))
    ledger.erase(AGAIN, turn=2)
    return ledger


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "run.db"
    branched(sqlite_ledger(path)).close()
    return path


@pytest.fixture
def lines(path) -> bytes:
    with sqlite_ledger(path, read_only=True) as ledger:
        return exported(ledger)


def imported(tmp_path, lines: bytes, name: str = "new.db") -> bytes:
    (tmp_path / "lines").write_bytes(lines)
    import_file(tmp_path / "lines", tmp_path / name)
    with sqlite_ledger(tmp_path / name) as ledger:
        for info in ledger.runs():
            assert ledger.verify(info.run).good
        return exported(ledger)


def test_out_in_out_is_the_same(tmp_path, lines):
    assert imported(tmp_path, lines) == lines


def test_one_run_goes_with_those_it_came_from(path, tmp_path):
    with sqlite_ledger(path) as ledger:
        lines = exported(ledger, WHAT_IF)
        with pytest.raises(RunNotFound, match="nowhere"):
            exported(ledger, RunId("nowhere"))
    assert [r["run"] for r in json.loads(lines.splitlines()[0])["runs"]] == [MAIN, WHAT_IF]
    assert imported(tmp_path, lines) == lines


def test_an_imported_run_goes_on(tmp_path, lines):
    imported(tmp_path, lines)
    with sqlite_ledger(tmp_path / "new.db") as ledger:
        for run in (MAIN, WHAT_IF, AGAIN):
            add(ledger, shown(9), run=run)
            assert ledger.verify(run).good
        ledger.fork(AGAIN, RunId("more"), at=9)


def test_memory_exports_as_well(tmp_path):
    lines = exported(branched(memory_ledger()))
    assert imported(tmp_path, lines) == lines


def test_an_empty_ledger(tmp_path):
    with sqlite_ledger(tmp_path / "run.db") as ledger:
        lines = exported(ledger)
    assert lines.count(b"\n") == 2
    assert imported(tmp_path, lines) == lines


def test_another_program_could_read_it(lines):
    """As docs/reference/ledger.md says, with nothing but json and hashlib."""
    header, *rows, trailer = lines.splitlines(keepends=True)
    assert json.loads(header)["format"] == "storykeeper-ledger"
    assert json.loads(trailer) == {
        "records": len(rows),
        "sha256": hashlib.sha256(header + b"".join(rows)).hexdigest(),
    }
    for line in rows:
        row = json.loads(line)
        payload = line[line.index(b',"payload":') + len(b',"payload":') : -len(b"}\n")]
        assert json.loads(payload) == row["payload"]
        if not row["erased"]:
            nonce = bytes.fromhex(row["nonce"])
            assert hashlib.sha256(nonce + payload).hexdigest() == row["digest"]


def test_progress_is_told(path, tmp_path):
    told_so_far = []
    with sqlite_ledger(path) as ledger:
        add(ledger, *(shown(7, str(n)) for n in range(2000)))
        done = export_file(ledger, tmp_path / "lines", progress=lambda *at: told_so_far.append(at))
    assert told_so_far[-1] == (done.records, done.records)
    assert len(told_so_far) > 3
    import_file(
        tmp_path / "lines", tmp_path / "new.db", progress=lambda *at: told_so_far.append(at)
    )
    assert told_so_far[-1] == (done.records, done.records)


# ── refused ──────────────────────────────────────────────────────────────────────────────────


def refused(tmp_path, lines: bytes, error=LedgerDamaged, match=None):
    (tmp_path / "lines").write_bytes(lines)
    before = sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(error, match=match):
        import_file(tmp_path / "lines", tmp_path / "new.db")
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def replaced(lines: bytes, number: int, old: bytes, new: bytes) -> bytes:
    """Line `number`, from one, changed, and the last line's hash made to fit."""
    split = lines.splitlines(keepends=True)
    assert old in split[number - 1]
    split[number - 1] = split[number - 1].replace(old, new, 1)
    total = hashlib.sha256(b"".join(split[:-1])).hexdigest()
    split[-1] = b'{"records":%d,"sha256":"%s"}\n' % (len(split) - 2, total.encode())
    return b"".join(split)


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        (4, b"prose of 1", b"prose of 9"),
        (4, b'"turn":1', b'"turn":2'),
        (4, b'"at_ms":1', b'"at_ms":2'),
        (4, b'"version":3', b'"version":4'),
        (4, b'"run":"main"', b'"run":"what-if"'),
        (4, b'"erased":0', b'"erased":2'),
        (4, b'{"run"', b'{ "run"'),
        (4, b'"nonce":"', b'"nonce":"AA'),
        (4, b'"kind":"rendered"', b'"kind":"swiped"'),
        (6, b'"take":1', b'"take":2'),  # an erased one
        (4, b"{", b"["),
        (3, b'"schema":3', b'"schema":99999999999999999999'),
    ],
)
def test_a_changed_line_is_named(tmp_path, lines, number, old, new):
    changed = replaced(lines, number, old, new)
    refused(tmp_path, changed, match=f"line {number}:.*Nothing was imported")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"run":"what-if"', b'"run":"main"'),
        (b'"run":"what-if"', b'"run":"What if"'),
        (b'"parent":"what-if"', b'"parent":"nobody"'),
        (b'"parent":null', b'"parent":"main"'),
        (b'"forked_at":8', b'"forked_at":80'),
        (b'"version":14', b'"version":13'),
        (b'"version":1,', b'"version":1.0,'),
    ],
)
def test_a_changed_first_line(tmp_path, lines, old, new):
    refused(tmp_path, replaced(lines, 1, old, new), match="line ")


def test_a_cut_file_is_noticed_wherever_it_is_cut(tmp_path, lines):
    ends = [n for n, byte in enumerate(lines) if byte == ord("\n")]
    for length in (0, 5, *ends[:3], ends[-2] + 1, len(lines) - 1):
        refused(tmp_path, lines[:length], match=r"line .*cut short")


def test_a_line_left_out_or_twice(tmp_path, lines):
    split = lines.splitlines(keepends=True)
    refused(tmp_path, b"".join(split[:5] + split[6:]), match="line 6")
    refused(tmp_path, b"".join(split[:6] + split[5:]), match="line 7")
    refused(tmp_path, lines + b"\n", match=f"line {len(split) + 1}: there is more")


def test_only_the_last_line_is_wrong(tmp_path, lines):
    wrong = lines[:-5] + bytes([lines[-5] ^ 1]) + lines[-4:]
    refused(tmp_path, wrong, match="SHA-256")


def test_a_newer_format(tmp_path, lines):
    newer = lines.replace(b'"version":1,', b'"version":2,', 1)
    refused(tmp_path, newer, LedgerFromTheFuture, "upgrade")


def test_files_that_are_no_export(tmp_path):
    refused(tmp_path, b"hello\n", NotALedger, "not an exported ledger")
    refused(tmp_path, b"\xff\xfe\n", NotALedger)
    with pytest.raises(NotALedger, match="cannot be read"):
        import_file(tmp_path / "none", tmp_path / "new.db")
    with pytest.raises(NotALedger, match="cannot be read"):
        import_file(tmp_path, tmp_path / "new.db")


def test_nothing_is_overwritten(path, tmp_path, lines):
    (tmp_path / "lines").write_bytes(lines)
    before = fingerprint(path)
    with pytest.raises(LedgerError, match="exists already"):
        import_file(tmp_path / "lines", path)
    with sqlite_ledger(path) as ledger, pytest.raises(LedgerError, match="exists already"):
        export_file(ledger, tmp_path / "lines")
    with pytest.raises(LedgerError, match="exists already"):
        backup_file(path, tmp_path / "lines")
    assert fingerprint(path) == before
    assert (tmp_path / "lines").read_bytes() == lines


def test_a_damaged_ledger_is_neither_exported_nor_backed_up(path, tmp_path):
    with tampering(path) as connection:
        connection.execute("UPDATE records SET at_ms = 0 WHERE run = 2 AND version = 10")
    with sqlite_ledger(path) as ledger, pytest.raises(LedgerDamaged, match="what-if, record 10"):
        export_file(ledger, tmp_path / "lines")
    with pytest.raises(LedgerDamaged, match="what-if, record 10"):
        backup_file(path, tmp_path / "copy.db")
    assert not (tmp_path / "lines").exists()
    assert not (tmp_path / "copy.db").exists()


def test_an_erasure_during_an_export_stops_it(path, tmp_path):
    with sqlite_ledger(path) as ledger, sqlite_ledger(path) as other:
        add(ledger, *(shown(7, str(n)) for n in range(2000)))

        def meddle(_done: int, _total: int) -> None:
            other.erase(MAIN, turn=7)

        with pytest.raises(LedgerBusy, match="export again"):
            export_file(ledger, tmp_path / "lines", progress=meddle)
        assert not (tmp_path / "lines").exists()


def test_what_is_appended_during_an_export_is_left_out(path, tmp_path):
    with sqlite_ledger(path) as ledger, sqlite_ledger(path) as other:
        add(ledger, *(shown(7, str(n)) for n in range(600)))
        before = exported(ledger)

        def meddle(_done: int, _total: int) -> None:
            for run in (MAIN, WHAT_IF):
                add(other, shown(8, "too late"), run=run)

        export_file(ledger, tmp_path / "lines", progress=meddle)
    assert (tmp_path / "lines").read_bytes() == before


# ── backup and disk use ──────────────────────────────────────────────────────────────────────


def test_a_backup_of_a_live_run(path, tmp_path):
    seen = []
    with sqlite_ledger(path) as ledger:
        add(ledger, *(shown(7, f"{n} " * 200) for n in range(3000)))
        before = exported(ledger)

        def while_it_runs(done: int, total: int) -> None:
            seen.append((done, total))
            assert len(seen) < 100, "it starts over with every record written"
            add(ledger, shown(8, f"meanwhile {done}"))

        backup_file(path, tmp_path / "copy.db", progress=while_it_runs)
        assert ledger.head(MAIN).version > 3014
    assert len(seen) > 2
    assert seen[-1][0] == seen[-1][1]
    with sqlite_ledger(tmp_path / "copy.db") as copy:
        assert exported(copy) == before


def test_a_backup_holds_what_is_only_in_the_wal(path, tmp_path):
    with sqlite_ledger(path) as ledger:
        add(ledger, shown(7, "only in the wal"))
        assert b"only in the wal" not in path.read_bytes()
        backup_file(path, tmp_path / "copy.db")
    assert b"only in the wal" in (tmp_path / "copy.db").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy.db", "run.db"]


def test_a_backup_of_no_ledger(tmp_path):
    (tmp_path / "notes").write_text("hello")
    with pytest.raises(NotALedger):
        backup_file(tmp_path / "notes", tmp_path / "copy.db")


def test_disk_use(path):
    with sqlite_ledger(path) as ledger:
        add(ledger, shown(7))
        cache = path.with_name("run.db.index") / "deep"
        cache.mkdir(parents=True)
        (cache / "vectors").write_bytes(b"x" * 1234)
        used = disk_use(path)
    assert used["ledger"] == path.stat().st_size
    assert used["wal"] > 4096
    assert used["shm"] > 0
    assert used["index"] == 1234
    shutil.rmtree(cache)
    assert disk_use(path)["wal"] == 0
