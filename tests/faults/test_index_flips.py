"""One bit of one file of an index turned: it is noticed, and answers are as they were."""

import os
import random
from pathlib import Path

import pytest

from storykeeper import Memory
from storykeeper.errors import MemoryProblem

FLIPS = 400 if os.environ.get("STORYKEEPER_LONG") == "1" else 60
QUERIES = ("the key", "ship corn", "who slept?", "lamp")


def answers(path: Path) -> list[tuple[str, float]]:
    with Memory.open(path, embedder="none") as memory:
        return [(hit.item.text, hit.score) for query in QUERIES for hit in memory.search(query)]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        for number in range(150):
            memory.add(
                f"Ship {number} came in with corn and a key. Its crew of {number % 7} slept."
            )
        memory.add("The lamp is lit")
    return path


def test_a_turned_bit_changes_no_answer(path):
    before = answers(path)
    chance = random.Random(5)
    for _ in range(FLIPS):
        files = sorted(p for p in (path.parent / "chat.db.index").rglob("*") if p.stat().st_size)
        files = [p for p in files if p.is_file()]
        turned = chance.choice(files)
        data = bytearray(turned.read_bytes())
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        turned.write_bytes(data)
        assert answers(path) == before, turned.name


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    path = tmp_path / "chat.db"
    (tmp_path / "chat.db.index").write_text("x")
    with pytest.raises(MemoryProblem, match="is a file, and the index wants to be a folder"):
        Memory.open(path, embedder="none")
