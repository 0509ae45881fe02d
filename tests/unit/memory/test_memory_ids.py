"""Ids and names of sessions: stable, taken back by every call, and silent about what is hidden."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from storykeeper import Memory
from storykeeper.bootstrap import open_ledger
from storykeeper.errors import NoSuchItem
from storykeeper.memory.chats import Said
from storykeeper.units import MAIN
from strategies.memories import DAY, START, fresh


def test_ids_count_what_the_same_people_may_see():
    memory = fresh(hashed=False)
    assert memory.add("Hidden", audience={"ben"}) == memory.add("Too", audience={"ben"}).replace(
        "m2-", "m1-"
    )
    assert memory.add("Open") == "m1"
    first = memory.add("Ours", audience={"ana", "ben"})
    assert first.startswith("m1-")
    memory.add("Mine", audience={"ana"})
    assert memory.add("Open again") == "m2"
    assert memory.add("Ours again", audience=["ben", "ana"]) == first.replace("m1-", "m2-")
    assert len({item.id for item in memory.store.items()}) == 7


def test_a_namespace_counts_for_itself(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none", namespace="ana") as memory:
        first = memory.add("A secret of hers")
    with Memory.open(tmp_path / "chat.db", namespace="ben") as memory:
        other = memory.add("A secret of his")
        assert first != other
        assert memory.get(other).text == "A secret of his"
        with pytest.raises(NoSuchItem, match="nothing is called"):
            memory.get(other.replace("m1-", "m2-"))
        with pytest.raises(NoSuchItem, match="nothing is called"):
            memory.get("m1")


def test_sessions_are_called_after_what_their_people_may_see():
    memory = fresh(hashed=False)
    for _ in range(3):
        memory.add("Hidden", audience={"ben"})
    opened = memory.get(memory.add("Open", at=START / 1_000))
    later = memory.get(memory.add("Later", at=(START + DAY) / 1_000))
    mine = memory.get(memory.add("Mine", at=(START + 2 * DAY) / 1_000, audience={"ana"}))
    assert (opened.session, later.session) == ("s1", "s2")
    assert mine.session == mine.id.replace("m", "s", 1)


def test_results_say_nothing_of_how_much_is_hidden():
    shown = []
    for hidden in (0, 7):
        memory = fresh(hashed=True)
        memory.add_all([Said(f"The key {n}", audience=frozenset()) for n in range(hidden)])
        memory.add_all([Said(f"The lamp {n}", "Ana") for n in range(5)])
        memory.add("The lamp is mine", audience={"ana"})
        found = [memory.search("lamp key", audience="ana"), memory.search("lamp", budget=50)]
        shown.append(repr([*found, memory.context("lamp", tokens=400, audience="ana")]))
        with pytest.raises(NoSuchItem) as refused:
            memory.get("m99")
        shown.append(str(refused.value))
    assert shown[:2] == shown[2:]


def test_an_item_says_its_place_among_those_of_its_audience(monkeypatch):
    monkeypatch.setattr("storykeeper.memory.memory.LEAST_CLUSTER", 2)
    shown = []
    for hidden in (0, 7):
        memory = fresh(hashed=False)
        memory.add_all([Said(f"The key {n}", audience=frozenset()) for n in range(hidden)])
        memory.add_all([Said(f"The oak is {n} years old") for n in range(30)])
        mine = memory.add("The lamp is mine", audience={"ana"})
        assert memory.get(mine).order == 1
        assert memory.get("m30").order == 30
        (summary, *_) = memory.compact().summaries
        below = memory.expand(summary)
        assert [f"m{item.order}" for item in below] == [item.id for item in below]
        shown.append([memory.get(mine), memory.get(summary), *below])
    assert shown[0] == shown[1]


def test_every_call_takes_back_what_a_search_gave(monkeypatch):
    monkeypatch.setattr("storykeeper.memory.memory.LEAST_CLUSTER", 2)
    memory = fresh(hashed=False)
    memory.add_all([Said(f"Hidden {n}", audience=frozenset({"ben"})) for n in range(30)])
    memory.add_all(
        [Said(f"The oak is {n} years old", audience=frozenset({"ana"})) for n in range(30)]
    )
    (summary,) = [s for s in memory.compact().summaries if memory.get(s).audience == {"ana"}][:1]
    below = memory.expand(summary)
    assert [item.id for item in below] == list(memory.get(summary).sources)
    found = [hit.item.id for hit in memory.search("oak", audience="ana", k=3)]
    assert [memory.get(item).id for item in found] == found
    memory.used(found, audience="ana")
    raw = [hit.item.id for hit in memory.search("3 years old", audience="ana", k=30)]
    gone = next(item for item in raw if memory.get(item).sources == ())
    memory.delete([gone])
    for call in (memory.get, memory.expand, lambda i: memory.delete([i])):
        with pytest.raises(NoSuchItem, match=f"{gone} was deleted or forgotten"):
            call(gone)
    assert gone not in memory.get(summary).sources


def test_ids_stay_whatever_is_erased_and_made_again(tmp_path):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        for n in range(4):
            memory.add("Certainly", audience={"ana"})
            memory.add(f"Open {n}")
        memory.delete(["m2"])
        last = memory.store.called([7, 8])
        number = memory.store.row_of("m3") + 1
    with open_ledger(path) as ledger:
        ledger.erase(MAIN, turn=1)
        ledger.erase(MAIN, turn=number)
    with Memory.open(path) as memory:
        assert memory.store.called([7, 8]) == last
        assert memory.get("m4").text == "Open 3"
        assert memory.add("Open 4") == "m5"
        for gone in ("m2", "m3"):
            with pytest.raises(NoSuchItem, match="deleted or forgotten"):
                memory.get(gone)
        memory.rebuild()
        assert memory.store.called([7, 8]) == last


LINES = st.lists(
    st.builds(
        Said,
        st.sampled_from(["oak", "pond"]),
        st.just(""),
        st.sampled_from([None, *(START + n * DAY // 8 for n in range(9))]),
        st.sampled_from(["", "", "", "one"]),
        st.sampled_from([None, None, frozenset({"ana"}), frozenset({"ana", "ben"})]),
    ),
    max_size=12,
)


@example([Said("oak", "", START), Said("oak"), Said("oak", "", START + DAY)], 0)
@example([Said("oak", "", START), Said("oak"), Said("oak", "", START + DAY)], 2)
@given(LINES, st.integers(0, 12))
def test_one_by_one_or_all_at_once(lines, cut):
    one, many = fresh(hashed=False), fresh(hashed=False)
    single = [
        one.add(
            said.text, at=None if said.at_ms is None else said.at_ms / 1_000,
            session=said.session or None, audience=said.audience,
        )
        for said in lines
    ]  # fmt: skip
    assert [*many.add_all(lines[:cut]), *many.add_all(lines[cut:])] == single
    assert list(many.store.items()) == list(one.store.items())


def test_an_undated_line_does_not_bridge_a_silence():
    memory = fresh(hashed=False)
    memory.add("In the morning", at=START / 1_000)
    memory.add("At some time")
    late = memory.add("The day after", at=(START + DAY) / 1_000)
    assert [memory.get(f"m{n}").session for n in (1, 2, 3)] == ["s1", "s1", "s3"]
    assert late == "m3"
