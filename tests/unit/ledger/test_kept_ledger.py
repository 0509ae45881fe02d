"""A ledger written by the first storykeeper: it must read, verify and export as it always did."""

import shutil
from pathlib import Path
from typing import get_args

import pytest

from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import InputReceived
from storykeeper.events.upcast import SCHEMA
from storykeeper.ledger.transfer import import_file
from storykeeper.units import MAIN, RunId
from strategies.ledgers import add, exported, fingerprint, shown, sqlite_ledger

DATA = Path(__file__).parents[2] / "data"
LINES = (DATA / "ledger-v1.jsonl").read_bytes()
WHAT_IF = RunId("what-if")


@pytest.fixture
def kept(tmp_path) -> Path:
    return Path(shutil.copy(DATA / "ledger-v1.db", tmp_path / "run.db"))


def test_it_has_a_record_of_every_kind_of_its_time(kept):
    with sqlite_ledger(kept) as ledger:
        kinds = {row.kind for info in ledger.runs() for row in ledger.rows(info.run, own=True)}
        schemas = {row.schema for row in ledger.rows(MAIN)}
    ours = {struct.__struct_config__.tag for struct in get_args(AnyRecord)}
    assert len(kinds) >= 34
    assert kinds <= ours, "a kind that was written once must stay readable"
    assert schemas == {1} != {SCHEMA}


def test_it_still_reads_and_verifies(kept):
    with sqlite_ledger(kept) as ledger:
        records = [entry.record for entry in ledger.read(MAIN)]
        assert len(records) == 51
        assert records[2] == InputReceived(1, "wren", "I ask Mara where the brass key went. 🗝")
        for run in (MAIN, WHAT_IF):
            assert ledger.verify(run).good
            assert ledger.verify(run).erased == 5


def test_its_bytes_come_out_as_they_went_in(kept, tmp_path):
    with sqlite_ledger(kept) as ledger:
        assert exported(ledger) == LINES
    import_file(DATA / "ledger-v1.jsonl", tmp_path / "again.db")
    with sqlite_ledger(tmp_path / "again.db") as ledger:
        assert exported(ledger) == LINES


def test_it_can_be_read_without_being_touched(kept):
    before = fingerprint(kept)
    with sqlite_ledger(kept, read_only=True) as ledger:
        assert exported(ledger) == LINES
        assert ledger.snapshot(MAIN) is None
    assert fingerprint(kept) == before
    assert [p.name for p in kept.parent.iterdir()] == ["run.db"]


def test_it_goes_on_with_records_of_today(kept):
    with sqlite_ledger(kept) as ledger:
        for run in (MAIN, WHAT_IF):
            add(ledger, InputReceived(4, "wren", "I listen."), shown(4), run=run)
            assert ledger.verify(run).good
        assert list(ledger.read(MAIN))[-2].record == InputReceived(4, "wren", "I listen.")
        assert exported(ledger).splitlines()[1:52] == LINES.splitlines()[1:52]


def test_its_text_can_be_erased_today(kept, tmp_path):
    with sqlite_ledger(kept) as ledger:
        assert ledger.erase(MAIN, turn=1) > 5
        rows = [row for row in ledger.rows(MAIN) if row.erased == SCHEMA]
        assert {row.schema for row in rows} == {1}
        assert b'"player":"wren"' in next(r.payload for r in rows if r.kind == "input-received")
        for run in (MAIN, WHAT_IF):
            assert ledger.verify(run).good
        lines = exported(ledger)
    assert b"brass key went" not in lines
    (tmp_path / "lines").write_bytes(lines)
    import_file(tmp_path / "lines", tmp_path / "again.db")
    with sqlite_ledger(tmp_path / "again.db") as ledger:
        assert exported(ledger) == lines
