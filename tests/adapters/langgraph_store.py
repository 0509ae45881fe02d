"""The LangGraph store with the real package: beside its own, and in a graph that runs."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from storykeeper import Memory
from storykeeper.adapters.langgraph import StorykeeperStore


@pytest.fixture
def store():
    with Memory.open(":memory:", embedder="none") as memory:
        yield StorykeeperStore(memory)


def plain(result):
    """What both stores must agree on: not when, and not how like."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    if hasattr(result, "value"):
        return (result.namespace, result.key, result.value)
    return result


LABEL = st.sampled_from(["users", "ana", "ben", "notes"])
SPACE = st.lists(LABEL, min_size=1, max_size=3).map(tuple)
KEY = st.sampled_from(["a", "b", "1"])
SCALAR = st.one_of(st.sampled_from(["red", "blue", "x y"]), st.integers(-3, 3), st.none())
VALUE = st.dictionaries(
    st.sampled_from(["colour", "n", "deep", "list"]),
    st.one_of(SCALAR, st.lists(SCALAR, max_size=2), st.fixed_dictionaries({"colour": SCALAR})),
    max_size=3,
)
FILTER = st.one_of(
    st.none(),
    st.dictionaries(
        st.sampled_from(["colour", "n", "deep", "list"]),
        st.one_of(
            SCALAR,
            st.lists(SCALAR, max_size=2),
            st.fixed_dictionaries({"colour": SCALAR}),
            st.fixed_dictionaries({"$eq": SCALAR}),
            st.fixed_dictionaries({"$ne": SCALAR}),
        ),
        max_size=2,
    ),
)
MATCH = st.builds(
    MatchCondition,
    st.sampled_from(["prefix", "suffix"]),
    st.lists(st.one_of(LABEL, st.just("*")), min_size=1, max_size=2).map(tuple),
)
OP = st.one_of(
    st.builds(PutOp, SPACE, KEY, VALUE, index=st.none(), ttl=st.none()),
    st.builds(PutOp, SPACE, KEY, VALUE, index=st.none(), ttl=st.none()),
    st.builds(PutOp, SPACE, KEY, st.none(), index=st.none(), ttl=st.none()),
    st.builds(GetOp, SPACE, KEY, st.just(True)),
    st.builds(
        SearchOp, st.one_of(SPACE, st.just(())), FILTER, st.integers(1, 4), st.integers(0, 2),
        query=st.none(), refresh_ttl=st.just(True),
    ),
    st.builds(
        ListNamespacesOp, st.one_of(st.none(), st.lists(MATCH, max_size=2).map(tuple)),
        st.one_of(st.none(), st.integers(1, 2)), st.integers(1, 4), st.integers(0, 2),
    ),
)  # fmt: skip


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(OP, max_size=25))
def test_it_answers_as_the_store_that_langgraph_has(ops):
    """But for the order of a search without a query, which its own leaves to chance of hashing."""
    theirs = InMemoryStore()
    with Memory.open(":memory:", embedder="none") as memory:
        ours = StorykeeperStore(memory)
        for op in ops:
            if isinstance(op, SearchOp):
                op = op._replace(limit=1_000, offset=0)
            (mine,), (other,) = ours.batch([op]), theirs.batch([op])
            mine, other = plain(mine), plain(other)
            if isinstance(op, SearchOp):
                mine, other = sorted(mine, key=repr), sorted(other, key=repr)
            if isinstance(op, ListNamespacesOp):
                kept = {(i.namespace) for i in theirs.search((), limit=1_000)}
                other = [n for n in other if any(k[: len(n)] == n for k in kept)]
                if op.offset == 0 and op.limit == 4:
                    assert set(mine) >= set(other)
                continue
            assert mine == other, op


def test_namespaces_are_listed_as_langgraph_lists_them(store):
    theirs = InMemoryStore()
    for each in (store, theirs):
        for path in (("users", "ana"), ("users", "ben", "notes"), ("docs",), ("users", "ana", "x")):
            each.put(path, "k", {"a": "b"})
    for asked in (
        {}, {"prefix": ("users",)}, {"suffix": ("notes",)}, {"max_depth": 2},
        {"prefix": ("users", "*"), "max_depth": 2}, {"limit": 2, "offset": 1},
    ):  # fmt: skip
        assert store.list_namespaces(**asked) == theirs.list_namespaces(**asked)


def test_pages_of_a_search_are_in_one_order(store):
    for n in range(7):
        store.put(("a",), str(n), {"n": n})
    pages = [store.search(("a",), limit=3, offset=at) for at in (0, 3, 6)]
    assert [item.key for page in pages for item in page] == list("0123456")
    assert [i.key for i in store.search(("a",), filter={"n": {"$gte": 5}})] == ["5", "6"]


def test_what_is_like_a_query_comes_first_and_says_how_like(store):
    store.put(("ana",), "roof", {"text": "The roof of the mill leaks"})
    store.put(("ana",), "gate", {"text": "The gate code is 4711", "level": 2})
    store.put(("ana",), "pond", {"text": "The roof of the pond"}, index=False)
    store.put(("ben",), "roof", {"text": "Another roof that leaks"})
    found = store.search(("ana",), query="which roof leaks")
    assert (found[0].key, found[0].score is not None) == ("roof", True)
    assert {i.key: i.score for i in found}["pond"] is None
    assert {i.namespace for i in found} == {("ana",)}
    assert [i.key for i in store.search((), query="roof leaks", filter={"level": 2})] == ["gate"]
    assert store.search((), query="roof", limit=1)[0].score >= 0


def test_moments_and_changes(store):
    before = datetime.now(UTC)
    store.put(("a",), "k", {"n": 1})
    first = store.get(("a",), "k")
    store.put(("a",), "k", {"m": [2, {"deep": None}]})
    second = store.get(("a",), "k")
    assert second.value == {"m": [2, {"deep": None}]}
    assert before <= first.created_at == second.created_at
    assert first.updated_at <= second.updated_at <= datetime.now(UTC)
    assert store.search(("a",), filter={"n": 1}) == []
    store.delete(("a",), "k")
    assert store.get(("a",), "k") is None
    with pytest.raises(InvalidNamespaceError):
        store.put((), "k", {})


def test_ttl(store, monkeypatch):
    now = [1_800_000_000_000]
    monkeypatch.setattr(store.memory.opened, "_clock", lambda: now[0])

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.fromtimestamp(now[0] / 1_000, tz)

    monkeypatch.setattr("storykeeper.adapters.langgraph.datetime", Clock)
    store.put(("a",), "k", {"n": 1}, ttl=10)
    store.put(("a",), "still", {"n": 2}, ttl=10)
    now[0] += 9 * 60_000
    assert store.get(("a",), "k").value == {"n": 1}  # read, it has ten minutes more
    assert store.get(("a",), "still", refresh_ttl=False)
    now[0] += 2 * 60_000
    assert store.get(("a",), "still") is None
    assert [i.key for i in store.search(("a",))] == ["k"]
    assert store.list_namespaces() == [("a",)]
    now[0] += 11 * 60_000
    assert store.get(("a",), "k") is None
    assert store.list_namespaces() == []
    assert store.memory.sweep() == 2


def test_what_is_for_one_is_for_nobody_else(store):
    hers = StorykeeperStore(store.memory, audience="ana")
    hers.put(("a",), "k", {"text": "The key is under the mat"})
    assert hers.get(("a",), "k")
    assert store.get(("a",), "k") is None
    assert store.search((), query="key") == store.list_namespaces() == []


def test_threads_that_put_one_key():
    with Memory.open(":memory:", embedder="none") as memory:
        store = StorykeeperStore(memory)

        def work(n):
            for m in range(15):
                store.put(("a",), "k", {"n": n, "m": m})
                store.put(("a", str(n)), str(m), {"n": n})

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        assert len(store.search((), limit=1_000)) == 61
        assert len(store.search(("a",), filter={"m": 14}, limit=9)) == 1


def test_it_is_there_after_reopening(tmp_path):
    path = tmp_path / "agents.db"
    with Memory.open(path, embedder="none") as memory:
        StorykeeperStore(memory).put(("a",), "k", {"n": 1})
    with Memory.open(path) as memory:
        assert StorykeeperStore(memory).get(("a",), "k").value == {"n": 1}


def test_a_graph_remembers_from_run_to_run(store):
    def talk(state: MessagesState, *, store: BaseStore):
        last = state["messages"][-1].content
        found = store.search(("notes",), query=last, limit=1)
        store.put(("notes",), str(len(store.search(("notes",), limit=99))), {"text": last})
        return {"messages": [("ai", found[0].value["text"] if found else "nothing")]}

    graph = StateGraph(MessagesState).add_node(talk).add_edge(START, "talk").compile(store=store)
    graph.invoke({"messages": [("user", "The gate code is 4711")]})
    said = graph.invoke({"messages": [("user", "what is the gate code")]})["messages"][-1].content
    assert said == "The gate code is 4711"


def test_it_is_awaited(store):
    async def play():
        await asyncio.gather(*(store.aput(("a",), str(n), {"n": n}) for n in range(10)))
        assert (await store.aget(("a",), "3")).value == {"n": 3}
        assert len(await store.asearch(("a",), limit=20)) == 10
        await store.adelete(("a",), "3")
        assert await store.alist_namespaces() == [("a",)]

    asyncio.run(play())
