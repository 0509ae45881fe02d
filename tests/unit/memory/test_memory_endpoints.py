"""A memory whose embedder is a server: right, gone, slow or wrong. Nothing is ever lost."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from storykeeper import Memory
from storykeeper.memory.chats import Said
from storykeeper.memory.found import Results
from storykeeper.models.embedders import endpoint
from storykeeper.models.embedders.endpoint import EmbeddingEndpoint
from strategies.servers import Embedding, opened, serving, vector

LINES = ("The car is red", "Supper was late", "Nobody knew the tune")
MORE = ("A bicycle leans on the wall", "The soup was salty")
QUESTIONS = ("which automobile", "what was eaten", "tune")
DEADLINE, REST = 1.0, 0.5


@pytest.fixture
def server() -> Iterator[Embedding]:
    with serving() as made:
        yield made


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(
        endpoint, "EmbeddingEndpoint",
        partial(EmbeddingEndpoint, timeout_seconds=DEADLINE, query_timeout_seconds=DEADLINE,
                retry_wait_seconds=0.01, rest_seconds=REST),
    )  # fmt: skip


def begun(path: Path, server: Embedding) -> Memory:
    memory = opened(path, server)
    memory.add_all([Said(line) for line in LINES])
    return memory


def answers(memory: Memory) -> list[Results]:
    return [memory.search(question) for question in QUESTIONS]


@pytest.fixture(scope="module")
def always_well(tmp_path_factory) -> list[Results]:
    """What is found where the server never failed."""
    path = tmp_path_factory.mktemp("well") / "chat.db"
    with serving() as server, begun(path, server) as memory:
        memory.add_all([Said(line) for line in MORE])
        return answers(memory)


def test_meaning_comes_from_the_server(tmp_path, server):
    with begun(tmp_path / "chat.db", server) as memory:
        results = memory.search("which automobile")
        assert results[0].item.text == "The car is red"
        assert results[0].signals["meaning_session"] > 0
        assert results.notes == ()
        assert memory.store.space.endswith("#tiny@8")
    asked = len(server.asked)
    with opened(tmp_path / "chat.db", server) as memory:
        assert memory.search("which automobile") == results
    assert [len(texts) for texts in server.asked[asked:]] == [1, 1]  # its size, and the query


def gone(server: Embedding) -> None:
    server.stop()


def slow(server: Embedding) -> None:
    server.wait_seconds = 2 * DEADLINE


def broken(server: Embedding) -> None:
    server.status = 500


def wrong_size(server: Embedding) -> None:
    server.vectors = partial(map, partial(vector, size=5))


def not_numbers(server: Embedding) -> None:
    server.vectors = lambda texts: [[math.nan] * 8 for _ in texts]


def zeros(server: Embedding) -> None:
    server.vectors = lambda texts: [[0.0] * 8 for _ in texts]


def wrong_count(server: Embedding) -> None:
    server.vectors = lambda texts: [vector(text) for text in [*texts, "one more"]]


FAULTS = [gone, slow, broken, wrong_size, not_numbers, zeros, wrong_count]


@pytest.mark.parametrize(
    ("fault", "mending"), [*((fault, "reopen") for fault in FAULTS), (zeros, "rebuild")]
)
def test_it_goes_on_by_words_and_says_so(tmp_path, server, always_well, fault, mending):
    path = tmp_path / "chat.db"
    memory = begun(path, server)
    fault(server)
    results = memory.search("the tune that nobody knew")
    assert results[0].item.text == "Nobody knew the tune"
    assert results[0].signals.get("meaning_session", 0.0) == 0.0
    assert results.notes[0].startswith("Searched by words alone: ")
    assert [memory.add(each) for each in MORE] == ["m4", "m5"]
    assert [MORE[1]] not in server.asked  # the first that failed is enough, for a while
    assert memory.search("salty soup")[0].item.id == "m5"
    assert any("2 items have no vector yet" in note for note in memory.search("soup").notes)
    assert memory.context("salty soup", tokens=400).notes
    server.mend()
    if mending == "reopen":
        memory.close()
        memory = opened(path, server)
    else:
        memory.rebuild()
        time.sleep(REST)
    assert answers(memory) == always_well
    assert memory.search("soup").notes == ()
    memory.close()


@pytest.mark.parametrize("fault", [gone, slow, zeros])  # another size is another space: below
def test_opened_while_it_cannot_be_asked(tmp_path, server, always_well, fault):
    path = tmp_path / "chat.db"
    begun(path, server).close()
    fault(server)
    with opened(path, server) as memory:
        results = memory.search("the tune that nobody knew")
        assert results[0].item.text == "Nobody knew the tune"
        assert results.notes[0].startswith("Searched by words alone: ")
        for each in MORE:
            memory.add(each)
        assert memory.search("salty soup")[0].item.id == "m5"
    server.mend()
    with opened(path, server) as memory:
        assert answers(memory) == always_well
        assert memory.store.space.endswith("#tiny@8")


def test_begun_while_it_is_gone(tmp_path, server, always_well):
    path = tmp_path / "chat.db"
    server.stop()
    with begun(path, server) as memory:
        assert memory.search("tune")[0].item.id == "m3"
        assert memory.search("tune").notes[0].startswith("Searched by words alone: ")
    server.mend()
    with opened(path, server) as memory:
        for each in MORE:
            memory.add(each)
        assert answers(memory) == always_well


def test_a_server_that_changes_its_size_makes_a_new_space(tmp_path, server, always_well):
    path = tmp_path / "chat.db"
    begun(path, server).close()
    server.vectors = partial(map, partial(vector, size=5))
    with opened(path, server) as memory:
        assert memory.settle(wait=True)
        assert memory.store.space.endswith("#tiny@5")
        assert memory.store.index.shape.dims == 5
        results = memory.search("which automobile")
        assert results[0].item.text == "The car is red"
        assert results.notes == ()
        before = answers(memory)
        memory.rebuild()
        assert answers(memory) == before
    server.mend()
    with opened(path, server) as memory:
        assert memory.settle(wait=True)
        assert memory.store.space.endswith("#tiny@8")
        for each in MORE:
            memory.add(each)
        assert answers(memory) == always_well


def test_another_size_is_embedded_in_the_background(tmp_path, server):
    path = tmp_path / "chat.db"
    begun(path, server).close()
    held, go_on = partial(map, partial(vector, size=5)), threading.Event()

    def after_a_while(texts):
        if len(texts) > 1:
            assert go_on.wait(20)
        return held(texts)

    server.vectors = after_a_while
    with opened(path, server) as memory:
        results = memory.search("the tune that nobody knew")
        assert results[0].item.text == "Nobody knew the tune"
        assert "Searched by words alone: " in results.notes[0]
        assert "gives other vectors than before" in results.notes[0]
        go_on.set()
        assert memory.settle(wait=True)
        assert memory.search("which automobile")[0].item.text == "The car is red"
        assert memory.search("tune").notes == ()
    folders = path.with_name("chat.db.index").iterdir()
    assert [folder.name.endswith("tiny@5") for folder in folders] == [True]


@pytest.mark.parametrize("fault", [gone, wrong_count])
def test_changing_to_a_server_that_cannot_be_asked_changes_nothing(tmp_path, server, fault):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        for each in LINES:
            memory.add(each)
        before = memory.search("tune").hits
    fault(server)
    with opened(path, server) as memory:
        assert not memory.settle(wait=True)
        assert memory.store.space == "words@1"
        assert memory.search("tune").hits == before
        assert "embedder is not changed" in str(memory.search("tune").notes)
    server.mend()
    with opened(path, server) as memory:
        assert memory.settle(wait=True)
        assert memory.store.space.endswith("#tiny@8")
        assert memory.search("which automobile")[0].item.text == "The car is red"


def test_a_server_that_fails_in_the_middle_of_a_change(tmp_path, server, always_well):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        for each in (*LINES, *MORE):
            memory.add(each)
        before = memory.search("tune").hits
    asked = iter(range(100))
    server.vectors = lambda texts: [vector(t) if next(asked) < 1 else [0.0] * 8 for t in texts]
    with opened(path, server) as memory:  # the first question is for its size
        assert not memory.settle(wait=True)
        assert memory.search("tune").hits == before
        assert memory.reembedding.problem
    server.mend()
    with opened(path, server) as memory:
        assert memory.settle(wait=True)
        assert answers(memory) == always_well
