"""What one text or one slow moment of a server costs: that text its vector, and nobody else's."""

from __future__ import annotations

import time
from functools import partial

import pytest

from storykeeper import Memory
from storykeeper.memory import patience
from storykeeper.memory.additions import Additions
from storykeeper.memory.chats import Said
from storykeeper.models.embedders import endpoint
from storykeeper.models.embedders.endpoint import EmbeddingEndpoint
from storykeeper.units import MAIN
from strategies.servers import opened, serving, vector

MOST = 8_000
LONG = "The attic holds " + "old chairs and " * 800
QUICK = 0.5  # the deadline of a query


@pytest.fixture
def server():
    with serving() as made:
        made.most_chars = MOST
        yield made


@pytest.fixture(autouse=True)
def _deadlines(monkeypatch):
    monkeypatch.setattr(
        endpoint, "EmbeddingEndpoint",
        partial(EmbeddingEndpoint, timeout_seconds=20.0, query_timeout_seconds=QUICK,
                retry_wait_seconds=0.01),
    )  # fmt: skip


def lines(count: int = 300, *, long: int = 137) -> list[Said]:
    return [Said(LONG if n == long else f"Line {n} of the log") for n in range(count)]


def vectorless(memory: Memory) -> list[int]:
    index = memory.store.index
    return [row for row in range(index.rows) if not index.vectors_of([row]).any()]


def test_a_text_that_is_refused_costs_no_other_its_vector(tmp_path, server):
    with opened(tmp_path / "chat.db", server) as memory:
        memory.add_all(lines())
        assert memory.store.tables.pending == set()
        assert vectorless(memory) == [137]
        results = memory.search("attic chairs")
        assert results[0].item.id == "m138"
        note = "1 items are found by words alone: the embedder refuses them"
        assert results.notes == (note,)
        assert memory.context("attic", tokens=9_000).notes == (note,)
        memory.add("The cellar holds coal")
        assert vectorless(memory) == [137]  # and it needs no rest
        memory.rebuild()
        assert vectorless(memory) == [137]
        assert memory.search("attic").notes == (note,)
    asked = len(server.asked)
    with opened(tmp_path / "chat.db", server) as memory:
        assert memory.search("attic").notes == (note,)
        assert len(server.asked) == asked + 2  # its size and the query: nothing is made again
        server.most_chars = 10**6
        memory.rebuild()
        assert vectorless(memory) == []
        assert memory.search("attic").notes == ()


def test_only_those_who_may_see_it_hear_of_it(tmp_path, server):
    with opened(tmp_path / "chat.db", server) as memory:
        memory.add(LONG, audience={"ben"})
        memory.add("The car is red")
        assert vectorless(memory) == [0]
        assert memory.search("which automobile").notes == ()
        assert memory.search("which automobile", audience="ben").notes != ()


def test_a_change_of_embedder_is_done_without_it(tmp_path, server):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        memory.add_all(lines(80, long=70))
    with opened(path, server) as memory:
        assert memory.settle(wait=True)
        assert memory.store.space.endswith("#tiny@8")
        assert vectorless(memory) == [70]
        assert len(memory.search("attic").notes) == 1


def test_a_row_that_is_no_vector_is_refused_alone(tmp_path, server):
    server.vectors = lambda texts: [[0.0] * 8 if "7" in t else vector(t) for t in texts]
    with opened(tmp_path / "chat.db", server) as memory:
        memory.add_all(lines(64, long=-1))
        assert vectorless(memory) == [row for row in range(64) if "7" in str(row)]
        assert memory.store.tables.pending == set()


def test_a_server_that_refuses_all_is_not_asked_for_each(tmp_path, server):
    with opened(tmp_path / "chat.db", server) as memory:
        server.most_chars = 0
        asked = len(server.asked)
        memory.add_all(lines(64))
        assert len(server.asked) == asked + 2
        assert len(memory.store.tables.pending) == 64


@pytest.mark.parametrize("status", [500, 503, 429, 401])
def test_a_server_that_is_down_leaves_things_waiting(tmp_path, server, status):
    with opened(tmp_path / "chat.db", server) as memory:
        server.status = status
        memory.add_all(lines(64))
        assert len(memory.store.tables.pending) == 64
        asked = len(server.asked)
        memory.add("One more")
        assert len(server.asked) == asked


def test_a_change_that_cannot_be_begun_is_said_every_time(tmp_path, server):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="fast") as memory:
        memory.add("The car is red")
    server.stop()
    with opened(path, server) as memory:
        assert not memory.settle(wait=True)
        for notes in (memory.search("car").notes, memory.search("car", budget=50).notes,
                      memory.context("car", tokens=300).notes):  # fmt: skip
            assert [note.startswith("The embedder is not changed: ") for note in notes] == [True]
        assert memory.search("car")[0].signals["meaning_session"] > 0
    server.mend()
    with opened(path, server) as memory:
        assert memory.settle(wait=True)
        assert memory.search("which automobile").notes == ()


def test_a_search_does_not_wait_for_what_others_added(tmp_path, server, monkeypatch):
    path = tmp_path / "chat.db"
    with opened(path, server) as one, opened(path, server) as other:
        one.add("The car is red")
        assert len(other) == 1
        monkeypatch.setattr(patience, "REST_SECONDS", 0.0)
        server.wait_seconds = 4 * QUICK
        more = [Said(f"A bicycle, number {n}") for n in range(200)]
        ledger = one.store.ledger  # it is killed before it embeds them
        records = Additions(one.store, "").take(more, 2)
        ledger.append(MAIN, records, expected=ledger.head(MAIN).version)
        for ask in (lambda: other.search("bicycle number 3"), lambda: other.get("m4")):
            started = time.perf_counter()
            ask()
            assert time.perf_counter() - started < server.wait_seconds
        results = other.search("bicycle number 3")
        assert results[0].item.id == "m5"
        assert any("200 items have no vector yet" in note for note in results.notes)


def test_a_query_that_is_refused_costs_the_next_nothing(tmp_path, server):
    with opened(tmp_path / "chat.db", server) as memory:
        memory.add("The car is red")
        server.most_chars = 20
        assert memory.search("which automobile of all those").notes
        results = memory.search("which automobile")
        assert results.notes == ()
        assert results[0].signals["meaning_session"] > 0
