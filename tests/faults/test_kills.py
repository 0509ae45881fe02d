"""SIGKILL at any moment: what was acknowledged is there, what was not is there whole or not."""

import sqlite3
from contextlib import closing
from pathlib import Path

from processes import chance, child, killed, times

from storykeeper.events.turns import Rendered
from storykeeper.ledger.schema.steps import NEWEST
from storykeeper.units import MAIN
from strategies.ledgers import add, adopted, exported, shown, sqlite_ledger, told

DATA = Path(__file__).parents[1] / "data"
LINES = (DATA / "ledger-v1.jsonl").read_bytes()


def made_by(folder: Path) -> list[Path]:
    """Files that are in place; what was left unfinished has another name."""
    return sorted(folder.glob("*.db"))


def check_batches(records: list) -> None:
    """Every batch says how long it is: 1/3, 2/3, 3/3."""
    expected = 1
    for record in records:
        if isinstance(record, Rendered):
            number, size = map(int, record.prose.split(" ")[0].split("/"))
            assert number == expected
            expected = 1 if number == size else number + 1
    assert expected == 1, "half a batch"


def test_appending(tmp_path):
    luck = chance()
    path = tmp_path / "run.db"
    with sqlite_ledger(path) as ledger:
        ledger.begin(MAIN, [])
    version = 1
    for _ in range(times(8, 200)):
        acknowledged = killed("append", tmp_path, luck, within=0.06)
        with sqlite_ledger(path) as ledger:
            head = ledger.head(MAIN)
            assert head.version >= int(acknowledged[-1]) > version, "lost what it had promised"
            assert ledger.verify(MAIN).good
            check_batches([e.record for e in ledger.read(MAIN, after=version)])
            version = add(ledger, shown(head.turn, "1/1 after a kill"))


def test_erasing(tmp_path):
    luck = chance()
    for number in range(times(2, 50)):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "run.db"
        told(sqlite_ledger(path), turns=60).close()
        acknowledged = {int(line) for line in killed("erase", folder, luck, within=0.15)}
        with sqlite_ledger(path) as ledger:
            assert ledger.verify(MAIN).good
            erased = {e.turn for e in ledger.read(MAIN) if e.erased}
            assert acknowledged <= erased
            assert len(erased - acknowledged) <= 1, "a turn is blanked whole or not at all"
            assert ledger.verify(MAIN).erased == 2 * len(erased)
            for turn in erased:
                ledger.erase(MAIN, turn=turn)  # finishes what was cut short
            add(ledger, shown(60))
        left = b"".join(file.read_bytes() for file in folder.iterdir())
        assert [t for t in erased if b'prose of %d"' % t in left] == []


def test_migrating(tmp_path):
    luck = chance()
    for number in range(times(2, 50)):
        folder = tmp_path / str(number)
        folder.mkdir()
        acknowledged = killed("migrate", folder, luck, within=0.1)
        files = made_by(folder)
        assert len(files) >= len(acknowledged)
        for file in files:
            with closing(sqlite3.connect(file)) as connection:
                (schema,) = connection.execute("PRAGMA user_version").fetchone()
            assert schema == NEWEST or file.name not in acknowledged
            with sqlite_ledger(file, read_only=True) as ledger:
                assert exported(ledger) == LINES
            with sqlite_ledger(file) as ledger:
                assert exported(ledger) == LINES
        for copy in folder.glob("*.before-v3*"):
            if "unfinished" not in copy.name:
                with sqlite_ledger(copy, read_only=True) as ledger:
                    assert exported(ledger) == LINES


def test_importing(tmp_path):
    luck = chance()
    for number in range(times(2, 50)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "lines").write_bytes(LINES)
        acknowledged = killed("bring_in", folder, luck, within=0.15)
        assert {f.name for f in made_by(folder)} >= set(acknowledged)
        for file in made_by(folder):
            with sqlite_ledger(file) as ledger:
                assert exported(ledger) == LINES


def test_backing_up(tmp_path):
    luck = chance()
    for number in range(times(2, 50)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with told(sqlite_ledger(folder / "run.db"), turns=50) as ledger:
            lines = exported(ledger)
        acknowledged = killed("back_up", folder, luck, within=0.15)
        assert {f.name for f in made_by(folder)} >= set(acknowledged)
        for file in made_by(folder):
            with sqlite_ledger(file) as ledger:
                assert exported(ledger) == lines


def test_beginning(tmp_path):
    luck = chance()
    for number in range(times(2, 50)):
        folder = tmp_path / str(number)
        folder.mkdir()
        acknowledged = killed("begin", folder, luck, within=0.1)
        assert {f.name for f in made_by(folder)} >= set(acknowledged)
        for file in made_by(folder):
            with sqlite_ledger(file, create=False) as ledger:
                ledger.begin(MAIN, [adopted()])


def test_a_killed_writer_leaves_no_lock(tmp_path):
    with sqlite_ledger(tmp_path / "run.db") as ledger:
        ledger.begin(MAIN, [])
        with child("append", tmp_path) as process:
            process.stdout.readline()
            process.kill()
        add(ledger, shown(ledger.head(MAIN).turn))
