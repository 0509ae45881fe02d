"""A file that a stranger made: refused by name and in bounded time, and nothing in it is run."""

import json
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest

from storykeeper import Memory, Storykeeper
from storykeeper.errors import LedgerDamaged, StorykeeperError
from storykeeper.ledger import bounded
from storykeeper.ledger.places import open_to_check
from storykeeper.ledger.port import Snapshot
from storykeeper.ledger.schema import steps
from storykeeper.ledger.transfer import export_file, import_file
from storykeeper.ledger.vectors import SqliteVectors
from storykeeper.play.reading import snapshot_problem
from storykeeper.units import MAIN
from strategies.forged import ENDLESS, changed_schema, endless_table, put_snapshot
from strategies.ledgers import shown, sqlite_ledger, told
from strategies.small import read
from strategies.tables import table

SECONDS = 6.0  # of work; a statement of a small file may take a second or so on a busy machine

FOREIGN = {
    "a view that never ends": (
        "ALTER TABLE snapshots RENAME TO others",
        f"""CREATE VIEW snapshots AS SELECT 1 AS run, 1 AS version, x'' AS link, x'' AS digest,
        ({ENDLESS}) AS body""",
    ),
    "a trigger more": (
        f"CREATE TRIGGER late AFTER INSERT ON records BEGIN SELECT ({ENDLESS}); END",
    ),
    "a column that is computed otherwise": (
        """UPDATE sqlite_schema SET sql = replace(sql, 'place >> 40', 'abs(place >> 40)')
        WHERE name = 'records'""",
    ),
    "an index more": ("CREATE INDEX kinds ON records (kind)",),
    "a table more": ("CREATE TABLE runs_too (id INTEGER)",),
    "a guard less": ("DROP TRIGGER records_are_kept",),
    "a hundred tables": tuple(f"CREATE TABLE t{n} (id INTEGER)" for n in range(100)),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    told(sqlite_ledger(tmp_path / "run.db")).close()
    return tmp_path / "run.db"


@table("what", list(FOREIGN))
def test_a_schema_that_is_not_ours_is_refused_at_open(tmp_path, what):
    path = tmp_path / "run.db"
    path.unlink(missing_ok=True)
    told(sqlite_ledger(path)).close()
    changed_schema(path, *FOREIGN[what])
    before, started = path.read_bytes(), process_time()
    opens = (sqlite_ledger, SqliteVectors.open, Storykeeper.open, Memory.open)
    for opened in (*opens, lambda it: sqlite_ledger(it, read_only=True)):
        with pytest.raises(LedgerDamaged, match="not those that storykeeper makes"):
            opened(path)
    assert process_time() - started < SECONDS
    assert path.read_bytes() == before


NUMBERS = [
    ("id", 2**63 - 1, "a number that no run of ours has"),
    ("id", 2**23, "a number that no run of ours has"),
    ("id", 0, "a number that no run of ours has"),
    ("forked_at", 2**63 - 1, "the table of runs"),
    ("forked_at", -1, "the table of runs"),
    ("version", 2**40, "the table of runs"),
    ("version", -1, "the table of runs"),
    ("version", 0, "no records"),
]


@table("column, number, why", NUMBERS)
def test_a_number_that_no_run_has_is_damage(tmp_path, column, number, why):
    path = tmp_path / f"{column}{number}.db"
    told(sqlite_ledger(path)).close()
    changed = f"UPDATE runs SET {column} = {number}"
    changed_schema(path, "DROP TRIGGER runs_only_grow", changed, steps._RUNS_GROW)
    with pytest.raises(LedgerDamaged, match=why):
        Storykeeper.open(path)
    with suppress(LedgerDamaged), open_to_check(path) as ledger:
        assert not ledger.verify(MAIN).good


def test_where_the_tables_of_records_are_ours_they_can_be_taken_out(path, tmp_path):
    changed_schema(path, "DROP TRIGGER records_are_kept", *FOREIGN["a trigger more"])
    with pytest.raises(LedgerDamaged, match="storykeeper export"):
        sqlite_ledger(path)
    with open_to_check(path) as ledger:
        assert "late" in ledger.verify(MAIN).problem
        export_file(ledger, tmp_path / "out.jsonl")
    import_file(tmp_path / "out.jsonl", tmp_path / "new.db")
    with sqlite_ledger(tmp_path / "new.db") as ledger:
        assert ledger.verify(MAIN).good


@table("what", ["a view that never ends", "an index more", "a column that is computed otherwise"])
def test_what_reading_records_would_come_upon_is_not_even_checked(tmp_path, what):
    path = tmp_path / "run.db"
    path.unlink(missing_ok=True)
    told(sqlite_ledger(path)).close()
    changed_schema(path, *FOREIGN[what])
    with pytest.raises(LedgerDamaged, match="who gave it to you"):
        open_to_check(path)


def test_a_tree_of_pages_without_end_is_given_up(path):
    endless_table(path, "records")
    started = process_time()
    with open_to_check(path) as ledger:
        with pytest.raises(LedgerDamaged, match="more steps than a file of its size"):
            ledger.runs()
        assert not ledger.verify(MAIN).good
    assert process_time() - started < SECONDS


def test_honest_statements_have_room(path, monkeypatch):
    """The limit follows the file: what a long run needs is not taken for a forgery."""
    monkeypatch.setattr(bounded, "_ROUNDS_AT_LEAST", 0)
    with sqlite_ledger(path) as ledger:
        version = ledger.head(MAIN).version
        ledger.append(MAIN, [shown(6, f"line {n}") for n in range(20_000)], expected=version)
        assert ledger.verify(MAIN).good
        ledger.runs()
        assert ledger.erase(MAIN, turn=6) == 20_000


def test_a_value_that_no_run_has_is_not_read(path, monkeypatch):
    limits = bounded._LIMITS | {bounded.sqlite3.SQLITE_LIMIT_LENGTH: 100_000}
    put_snapshot(path, b"x" * 200_000)
    monkeypatch.setattr(bounded, "_LIMITS", limits)
    with sqlite_ledger(path) as ledger, pytest.raises(LedgerDamaged, match="too big"):
        ledger.snapshot(MAIN)
    assert bounded.MAX_VALUE_BYTES < 2**30


def test_links_that_lead_round_in_a_circle(tmp_path):
    loop = tmp_path / "run.db"
    loop.symlink_to(loop)
    for opened in (sqlite_ledger, Memory.open, Storykeeper.open):
        with pytest.raises(StorykeeperError, match=r"run\.db"):
            opened(loop)
    assert list(tmp_path.iterdir()) == [loop]


# ── snapshots ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with Storykeeper.open(tmp_path / "run.db", story=read().story) as keeper:
        keeper.render(keeper.begin("I look around"), "The room is empty.")
    return tmp_path / "run.db"


def kept(path: Path) -> Snapshot:
    with sqlite_ledger(path, read_only=True) as ledger:
        found = ledger.snapshot(MAIN)
    assert found is not None
    return found


def forged(path: Path, **changes) -> None:
    body = json.loads(kept(path).body)
    body["world"] |= changes
    put_snapshot(path, json.dumps(body, separators=(",", ":")).encode())


def test_a_forged_snapshot_is_found_by_folding(run):
    with open_to_check(run) as ledger:
        assert snapshot_problem(ledger, MAIN) == ""
    forged(run, now=7)
    with open_to_check(run) as ledger:
        assert ledger.verify(MAIN).good  # it is no record
        assert "is not what they fold to" in snapshot_problem(ledger, MAIN)


@table("world", [{"scene": "nowhere"}, {"scenes": {"no": {}}}, {"layers": {"no": {}}}])
def test_a_snapshot_of_scenes_that_the_story_has_not_is_not_used(tmp_path, world):
    path = tmp_path / f"{next(iter(world))}.db"
    with Storykeeper.open(path, story=read().story) as keeper:
        keeper.render(keeper.begin("I look around"), "The room is empty.")
        before = keeper.window(text="I wait").text
    forged(path, **world)
    with Storykeeper.open(path) as keeper:
        assert keeper.window(text="I wait").text == before


@table("deep", [b"[", b'{"schema":2,"world":' + b"[" * 100_000, b'{"a":' * 100_000])
def test_a_snapshot_without_bottom_is_not_used(tmp_path, deep):
    path = tmp_path / "run.db"
    path.unlink(missing_ok=True)
    with Storykeeper.open(path, story=read().story) as keeper:
        keeper.render(keeper.begin("I look around"), "The room is empty.")
    put_snapshot(path, deep + b"[" * 100_000 + b"]" * 100_000)
    with Storykeeper.open(path) as keeper:
        assert keeper.last_turn() == 1


# ── imports ──────────────────────────────────────────────────────────────────────────────────


@table("payload", [b"[" * 200_000 + b"]" * 200_000, b'{"a":' * 200_000 + b"1" + b"}" * 200_000])
def test_an_import_without_bottom_is_refused_with_its_line(tmp_path, payload):
    for left in tmp_path.iterdir():
        left.unlink()
    told(sqlite_ledger(tmp_path / "run.db")).close()
    with open_to_check(tmp_path / "run.db") as ledger:
        export_file(ledger, tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_bytes().split(b"\n")
    lines[2] = lines[2].split(b'"payload":')[0] + b'"payload":' + payload + b"}"
    (tmp_path / "out.jsonl").write_bytes(b"\n".join(lines))
    with pytest.raises(StorykeeperError, match="line 3"):
        import_file(tmp_path / "out.jsonl", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()
