"""Two that use one memory at once: each knows at every call what the other did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from storykeeper import Memory
from storykeeper.errors import NoSuchItem
from storykeeper.memory.chats import Said
from storykeeper.memory.documents import passages_of


@pytest.fixture
def both(tmp_path) -> Iterator[tuple[Memory, Memory]]:
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as one, Memory.open(path) as other:
        one.add("One oak")
        yield one, other


def test_what_the_other_added_is_there(both):
    one, other = both
    item = other.add("Two oaks")
    assert one.get(item).text == "Two oaks"
    assert other.add("Three oaks") == "m3"
    assert len(one) == 3
    one.used([other.add("Four oaks")], audience="ana")
    assert one.store.tables.uses == {"ana": {3: 1}}
    one.delete([other.add("Five oaks")])
    assert one.forget([other.add("Six oaks")]) == 1
    for gone in ("m5", "m6"):
        with pytest.raises(NoSuchItem):
            other.get(gone)


def test_what_the_other_summed_up_can_be_expanded(both):
    one, other = both
    other.add_all([Said(f"Ship {n} came in with corn. Its crew slept.") for n in range(40)])
    (first, *_) = other.compact().summaries
    assert one.expand(first) == other.expand(first) != ()


def test_a_document_that_both_load_is_in_force_once(both):
    one, other = both
    other.load(passages_of("The oak is old.\n", document="h.md"))
    one.load(passages_of("The oak is older.\n", document="h.md"))
    for each in both:
        assert [h.item.text for h in each.search("old oak older")] == [
            "The oak is older.",
            "One oak",
        ]


def test_a_document_that_the_other_loads_in_between(both, monkeypatch):
    one, other = both
    append, between = one.store.ledger.append, [lambda: other.load(old)]
    old = passages_of("The oak is old.\n", document="h.md")

    def late(*args, **kwargs):
        if between:
            between.pop()()
        return append(*args, **kwargs)

    monkeypatch.setattr(one.store.ledger, "append", late)
    one.load(passages_of("The oak is older.\n", document="h.md"))
    assert {h.item.text for h in one.search("oak old older")} == {"The oak is older.", "One oak"}


def sources(memory: Memory, summaries: tuple[str, ...]) -> list[str]:
    return [item.id for summary in summaries for item in memory.expand(summary)]


def test_what_both_sum_up_at_once_is_summed_up_once(both):
    one, other = both
    one.add_all([Said(f"Ship {n} came in with corn. Its crew slept.") for n in range(60)])
    others: list[str] = []

    def meanwhile(done: int, _total: int) -> None:
        if done == 1:
            others.extend(other.compact().summaries)

    mine = one.compact(progress=meanwhile).summaries
    assert mine
    assert others
    told = sources(one, (*mine, *others))
    assert len(told) == len(set(told))
    assert one.compact().summaries == other.compact().summaries == ()


def test_what_is_erased_meanwhile_gets_into_no_summary(both):
    one, other = both
    one.add_all([Said(f"Ship {n} came in with corn. Its crew slept.") for n in range(60)])

    def meanwhile(done: int, _total: int) -> None:
        if done == 1:
            other.forget([f"m{n}" for n in range(2, 42)])

    one.compact(progress=meanwhile)
    texts = " ".join(item.text for item in one.store.items())
    assert not any(f"Ship {n} " in texts for n in range(40))


def test_progress_knows_how_much_there_is(both):
    one, _ = both
    one.add_all([Said(f"Ship {n} came in with corn. Its crew slept.") for n in range(60)])
    heard: list[tuple[int, int]] = []
    done = one.compact(progress=lambda *told: heard.append(told))
    total = len(done.summaries) + len(done.declined)
    assert heard == [(n, total) for n in range(1, total + 1)]
    assert total > 1
