"""Laws of records and ledgers."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec import inspect

from storykeeper.errors import LedgerDamaged, LedgerError, StorykeeperError
from storykeeper.events.codec import decode, encode
from storykeeper.events.erasure import has_text, redacted
from storykeeper.events.records import AnyRecord
from storykeeper.ledger.port import Ledger
from storykeeper.ledger.transfer import import_file
from storykeeper.units import MAIN, RunId
from strategies.ledgers import adopted, exported, memory_ledger, shown, sqlite_ledger, tampering
from strategies.records import KINDS, any_record, default_of, records, structs_inside

MANY = 4 * settings.default.max_examples  # where one try is cheap and there are many to make
by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


# ── records ──────────────────────────────────────────────────────────────────────────────────


@by_kind
@given(data=st.data())
def test_what_is_decoded_is_what_was_encoded(kind, data):
    record = data.draw(records(kind))
    encoded = encode(record)
    assert encoded.kind == kind.__struct_config__.tag
    assert decode(encoded.payload, schema=encoded.schema) == record
    assert encode(decode(encoded.payload)).payload == encoded.payload


@by_kind
@given(data=st.data())
def test_the_order_of_a_mapping_does_not_matter(kind, data):
    record = data.draw(records(kind))
    turned = {
        name: dict(reversed(value.items()))
        for name in kind.__struct_fields__
        if isinstance(value := getattr(record, name), dict)
    }
    assert encode(msgspec.structs.replace(record, **turned)).payload == encode(record).payload


@pytest.mark.parametrize(
    "struct", list(structs_inside(inspect.type_info(AnyRecord))), ids=lambda s: s.cls.__name__
)
def test_only_what_is_empty_is_a_default(struct):
    """Left-out fields then mean the same for good, whatever later versions say."""
    for field in struct.fields:
        if not field.required:
            assert default_of(field) in ((), "", None, 0, False, {}), field.name


def blanked(value: Any, kind: inspect.Type) -> Any:
    """What erasing must leave of a value; a second way to say it."""
    match kind:
        case inspect.Metadata(type=inner, extra=extra):
            return "" if (extra or {}).get("erasable") and value else blanked(value, inner)
        case inspect.UnionType(types=arms):
            return blanked(value, next(arm for arm in arms if fits(value, arm)))
        case inspect.VarTupleType(item_type=inner):
            return tuple(blanked(each, inner) for each in value)
        case inspect.DictType(value_type=inner):
            return {key: blanked(each, inner) for key, each in value.items()}
        case inspect.StructType(fields=fields):
            return type(value)(**{f.name: blanked(getattr(value, f.name), f.type) for f in fields})
    return value


def fits(value: Any, kind: inspect.Type) -> bool:
    match kind:
        case inspect.Metadata(type=inner):
            return fits(value, inner)
        case inspect.StructType(cls=cls):
            return isinstance(value, cls)
        case inspect.NoneType():
            return value is None
    return value is not None and not isinstance(value, msgspec.Struct)


@by_kind
@given(data=st.data())
def test_erasing_blanks_every_text_and_nothing_else(kind, data):
    record = data.draw(records(kind))
    bare = redacted(record)
    assert bare == blanked(record, inspect.type_info(kind))
    assert redacted(bare) == bare
    assert has_text(record) == (bare != record)
    assert decode(encode(bare).payload) == bare


# ── ledgers ──────────────────────────────────────────────────────────────────────────────────


@st.composite
def histories(draw) -> list[tuple]:
    """Things to do to a ledger: append a batch, fork, erase; each with small numbers."""
    appends = st.tuples(
        st.just("append"), st.integers(0, 9), st.integers(0, 3), st.lists(any_record(), max_size=4)
    )
    others = st.tuples(st.sampled_from(["fork", "erase"]), st.integers(0, 9), st.integers(0, 99))
    return draw(st.lists(st.one_of(appends, appends, others), min_size=2, max_size=9))


def play(ledger: Ledger, history: list[tuple]) -> Ledger:
    """Do them, on whatever runs and turns there are by then."""
    ledger.begin(MAIN, [])
    for what, which, number, *rest in history:
        runs = ledger.runs()
        info = runs[which % len(runs)]
        if what == "append":
            turn = info.head.turn + number
            batch = [msgspec.structs.replace(record, turn=turn) for record in rest[0]]
            ledger.append(info.run, batch, expected=info.head.version)
        elif what == "fork":
            at = number % (info.head.turn + 1)
            ledger.fork(info.run, RunId(f"fork-{len(runs)}"), at=at)
        else:
            ledger.erase(info.run, turn=number % (info.head.turn + 1))
    return ledger


@given(history=histories())
def test_every_history_verifies(history):
    ledger = play(memory_ledger(), history)
    for info in ledger.runs():
        verdict = ledger.verify(info.run)
        assert verdict.good, verdict
        assert verdict.records == info.head.version == len(list(ledger.read(info.run)))


@given(history=histories(), at=st.integers(0, 50), more=st.lists(any_record(), max_size=3))
def test_a_fork_and_its_parent_agree_up_to_the_fork_and_differ_after(history, at, more):
    ledger = play(memory_ledger(), history)
    parent = ledger.runs()[-1]
    turn = at % (parent.head.turn + 1)
    fork = ledger.fork(parent.run, RunId("new"), at=turn)
    batch = [msgspec.structs.replace(record, turn=turn) for record in more]
    ledger.append(fork.run, batch, expected=fork.head.version)
    ours, theirs = list(ledger.rows(parent.run)), list(ledger.rows(fork.run))
    shared = fork.forked_at
    assert ours[:shared] == theirs[:shared]
    assert all(row.turn <= turn for row in ours[:shared])
    assert all(row.turn > turn for row in ours[shared:])
    links = {row.link for row in ours[shared:]}
    assert len(theirs) == shared + 1 + len(batch)
    assert all(row.link not in links for row in theirs[shared:])


@given(history=histories())
def test_out_in_out_is_the_same_and_both_back_ends_do_the_same(history, folder):
    for name in ("run.db", "new.db"):
        (folder / name).unlink(missing_ok=True)
    with play(sqlite_ledger(folder / "run.db"), history) as ledger:
        lines = exported(ledger)
        everything = [[e.record for e in ledger.read(info.run)] for info in ledger.runs()]
    (folder / "lines").write_bytes(lines)
    import_file(folder / "lines", folder / "new.db")
    with sqlite_ledger(folder / "new.db") as ledger:
        assert exported(ledger) == lines
    memory = play(memory_ledger(), history)
    assert [[e.record for e in memory.read(info.run)] for info in memory.runs()] == everything


# ── any change is found ──────────────────────────────────────────────────────────────────────

HISTORY = [
    ("append", 0, 1, "a"), ("append", 0, 1, "b"), ("fork", 0, 1), ("append", 1, 1, "c"),
    ("append", 0, 1, "d"), ("erase", 1, 1), ("fork", 1, 1), ("append", 2, 2, "e"),
]  # fmt: skip


@pytest.fixture(scope="module")
def ledger_file(folder) -> Path:
    """Three runs and an erased turn, with words in every record that has room for them."""
    history = [
        (*step[:3], [adopted(), shown(0, f"prose {step[3]}"), shown(0, "x" * 300, take=2)])
        if step[0] == "append"
        else step
        for step in HISTORY
    ]
    path = folder / "whole.db"
    play(sqlite_ledger(path), history).close()
    return path


@pytest.fixture(scope="module")
def whole(ledger_file) -> Path:
    """The same, exported."""
    with sqlite_ledger(ledger_file) as ledger:
        ledger_file.with_suffix(".jsonl").write_bytes(exported(ledger))
    return ledger_file.with_suffix(".jsonl")


def all_good(path: Path) -> bool:
    """Whether every run can be opened and is found good."""
    with sqlite_ledger(path) as ledger:
        return all(ledger.verify(run).good for run in ledger.branches())


COLUMNS = {
    "place": "integer", "turn": "integer", "kind": "text", "schema": "integer",
    "at_ms": "integer", "nonce": "blob", "payload": "blob", "digest": "blob", "link": "blob",
    "erased": "integer",
}  # fmt: skip
RUN_COLUMNS = {
    "id": "integer", "name": "text", "parent": "integer", "forked_at": "integer",
    "version": "integer", "turn": "integer", "link": "blob",
}  # fmt: skip


def changed(value: Any, *, by: int, at: int) -> Any:
    """Another value of the same type."""
    if value is None:
        return by
    if isinstance(value, int):
        return value + by
    if isinstance(value, str):
        return value[: at % (len(value) + 1)] + "abc"[by % 3] + value[at % (len(value) + 1) :]
    if not value:
        return bytes([by % 256])
    at %= len(value)
    return value[:at] + bytes([value[at] ^ (by % 255 + 1)]) + value[at + 1 :]


@settings(max_examples=MANY)
@given(
    table=st.sampled_from(["records", "records", "records", "runs"]),
    row=st.integers(0, 99),
    column=st.integers(0, 99),
    by=st.one_of(st.integers(-3, -1), st.integers(1, 300)),
    at=st.integers(0, 400),
)
def test_a_change_of_any_column_of_any_row_is_found(
    ledger_file, folder, table, row, column, by, at
):
    path = Path(shutil.copy(ledger_file, folder / "changed.db"))
    columns = list(COLUMNS if table == "records" else RUN_COLUMNS)
    name, key = columns[column % len(columns)], columns[0]
    with tampering(path) as connection:
        rows = connection.execute(f"SELECT {key}, {name} FROM {table}").fetchall()
        place, value = rows[row % len(rows)]
        with suppress(sqlite3.IntegrityError):
            connection.execute(
                f"UPDATE {table} SET {name} = ? WHERE {key} = ?",
                (changed(value, by=by, at=at), place),
            )
        assume(connection.total_changes)
    assert not all_good(path), (table, place, name)


@given(row=st.integers(0, 99), count=st.integers(1, 5))
def test_a_row_taken_out_is_found(ledger_file, folder, row, count):
    path = Path(shutil.copy(ledger_file, folder / "changed.db"))
    with tampering(path) as connection:
        places = [r[0] for r in connection.execute("SELECT place FROM records ORDER BY place")]
        gone = places[row % len(places) :][:count]
        connection.execute(f"DELETE FROM records WHERE place BETWEEN {gone[0]} AND {gone[-1]}")
    assert not all_good(path)


@settings(max_examples=MANY)
@given(at=st.integers(0, 10**6), flip=st.integers(1, 255))
@example(at=0, flip=1)
@example(at=-2, flip=1)
@example(at=-1, flip=1)
def test_a_change_of_any_byte_of_an_export_is_refused(whole, folder, at, flip):
    lines = whole.read_bytes()
    at %= len(lines)
    (folder / "lines").write_bytes(lines[:at] + bytes([lines[at] ^ flip]) + lines[at + 1 :])
    target = folder / "refused.db"
    with pytest.raises(LedgerError):
        import_file(folder / "lines", target)
    assert not list(folder.glob("refused.db*"))


@given(at=st.integers(0, 10**6), extra=st.binary(min_size=1, max_size=5))
def test_an_export_with_something_put_in_or_left_out_is_refused(whole, folder, at, extra):
    lines = whole.read_bytes()
    at %= len(lines)
    for altered in (lines[:at] + extra + lines[at:], lines[:at], lines[:at] + lines[at + 1 :]):
        if altered != lines:
            (folder / "lines").write_bytes(altered)
            with pytest.raises(LedgerError):
                import_file(folder / "lines", folder / "refused.db")


def survives(path: Path, lines: bytes) -> bool:
    """Whether a file says that it is whole; then it must be."""
    try:
        if not all_good(path):
            return False
        with sqlite_ledger(path) as ledger:
            assert exported(ledger) == lines
    except StorykeeperError:
        return False
    return True


@settings(max_examples=MANY)
@given(at=st.integers(0, 10**6), flip=st.integers(1, 255))
def test_a_change_of_any_byte_of_the_file_is_found_or_harmless(
    ledger_file, whole, folder, at, flip
):
    content = ledger_file.read_bytes()
    at %= len(content)
    path = folder / "flipped.db"
    path.write_bytes(content[:at] + bytes([content[at] ^ flip]) + content[at + 1 :])
    survives(path, whole.read_bytes())
    for left in folder.glob("flipped.db*"):
        left.unlink()


def test_most_bytes_of_the_file_are_not_harmless(ledger_file, whole, folder):
    """So that the test above can fail: a flip inside a record never survives."""
    content = ledger_file.read_bytes()
    at = content.index(b"prose e")
    path = folder / "flipped.db"
    path.write_bytes(content[:at] + b"P" + content[at + 1 :])
    assert not survives(path, whole.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_damage_is_damage(ledger_file, folder):
    path = Path(shutil.copy(ledger_file, folder / "changed.db"))
    with tampering(path) as connection:
        connection.execute("UPDATE records SET payload = x'00' WHERE version = 3 AND run = 1")
    with sqlite_ledger(path) as ledger, pytest.raises(LedgerDamaged):
        list(ledger.read(MAIN))
