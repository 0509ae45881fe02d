"""Vectors beside the records: by content and space, and gone with the words they were made of."""

import pytest

from storykeeper.events.remembered import MemoryAdded, MemorySummarised
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.vectors import Kept, SqliteVectors
from storykeeper.units import MAIN


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "chat.db"
    with SqliteLedger.open(path, clock=lambda: 1, nonces=bytes, create=True) as ledger:
        said = [MemoryAdded(n, f"Word number {n}.") for n in (1, 2, 3)]
        ledger.begin(MAIN, [*said, MemorySummarised(4, (1, 2), "Words.", "extractive", 0.5)])
    return path


def reopened(path):
    return SqliteLedger.open(path, clock=lambda: 2, nonces=bytes)


def test_what_is_kept_is_found_in_its_space_only(path):
    vectors = SqliteVectors.open(path)
    vectors.put("small@1", [Kept(b"a", b"\1\2", 1, 1), Kept(b"b", b"\3\4", 2, 2)])
    assert vectors.get("small@1", [b"a", b"b", b"c"]) == {b"a": b"\1\2", b"b": b"\3\4"}
    assert vectors.get("other@1", [b"a"]) == {}
    assert (vectors.count("small@1"), vectors.count("other@1")) == (2, 0)
    vectors.close()
    again = SqliteVectors.open(path)
    assert again.get("small@1", [b"a"]) == {b"a": b"\1\2"}
    again.drop("small@1")
    assert again.count("small@1") == 0
    again.close()


def test_more_keys_than_one_query_takes(path):
    vectors = SqliteVectors.open(path)
    keys = [n.to_bytes(4) for n in range(2_000)]
    vectors.put("s", [Kept(key, key, 1, 1) for key in keys])
    assert vectors.get("s", keys) == {key: key for key in keys}
    vectors.close()


def test_erasing_a_turn_takes_what_was_made_of_its_words(path):
    vectors = SqliteVectors.open(path)
    vectors.put("s", [Kept(b"one", b"1", 1, 1), Kept(b"both", b"2", 1, 2), Kept(b"3", b"3", 3, 3)])
    vectors.put("s", [Kept(b"one", b"1", 2, 2)])  # the same words were said again
    vectors.close()
    cache = path.with_name("chat.db.index")
    cache.mkdir()
    (cache / "terms").write_text("word")
    with reopened(path) as ledger:
        ledger.erase(MAIN, turn=2)
        texts = [e.record.text for e in ledger.read(MAIN) if hasattr(e.record, "text")]
    assert texts == ["Word number 1.", "", "Word number 3.", ""]  # the summary of it went too
    left = SqliteVectors.open(path)
    assert left.get("s", [b"one", b"both", b"3"]) == {b"3": b"3"}
    left.close()
    assert not cache.exists()


def test_a_file_that_cannot_be_written_is_read(path):
    vectors = SqliteVectors.open(path)
    vectors.put("s", [Kept(b"one", b"1", 1, 1)])
    vectors.writable = False
    vectors.put("s", [Kept(b"two", b"2", 1, 1)])
    vectors.drop("s")
    assert vectors.get("s", [b"one", b"two"]) == {b"one": b"1"}
    vectors.close()


def test_a_ledger_from_before_there_were_vectors_has_none(path):
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE vectors")
        connection.execute("PRAGMA user_version = 2")
    vectors = SqliteVectors.open(path)
    vectors.put("s", [Kept(b"one", b"1", 1, 1)])
    assert vectors.get("s", [b"one"]) == {}
    assert vectors.count("s") == 0
    vectors.close()
