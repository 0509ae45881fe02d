"""Laws of compaction: nobody learns anything, nothing is lost, nothing is made up, it shrinks."""

from __future__ import annotations

import os
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from storykeeper.errors import LineageBroken
from storykeeper.memory.compaction.compacting import Declined, Means, compacted
from storykeeper.memory.compaction.extractive import spoken
from storykeeper.memory.compaction.groups import clusters_of, recent_tail
from storykeeper.memory.compaction.sentences import MOST_TOGETHER, sentences, units
from storykeeper.memory.compaction.summaries import Summary, better, expand
from storykeeper.memory.compaction.terms import names, numbers, terms
from storykeeper.memory.items import Item
from strategies.summing import PEOPLE, bag_of_words, count_words, histories, texts

LONG = os.environ.get("STORYKEEPER_LONG") == "1"
SIZES = st.integers(1, 8)
TAILS = st.integers(0, 6)


def means(**more) -> Means:
    return Means(**{"embed": bag_of_words, "count": count_words, **more})


def visible(items: list[Item], who: str, namespace: str) -> list[Item]:
    return [
        i for i in items
        if (i.audience is None or who in i.audience) and i.namespace in ("", namespace)
    ]  # fmt: skip


# ── who knows ────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=10_000 if LONG else 40)
@given(items=histories(), size=SIZES, tail=TAILS)
def test_audiences_are_never_mixed(items, size, tail):
    by_id = {i.id: i for i in items}
    leave = recent_tail(items, most=tail)
    seen: set[str] = set()
    for cluster in clusters_of(items, size=size, leave=leave):
        assert len({(i.audience, i.namespace, i.session) for i in cluster.items}) == 1
        assert 1 <= len(cluster.items) <= size
        assert [i.turn for i in cluster.items] == sorted(i.turn for i in cluster.items)
        assert not seen & set(cluster.ids)
        seen |= set(cluster.ids)
    assert seen == set(by_id) - leave


@given(items=histories(), size=SIZES, tail=TAILS)
def test_a_summary_is_known_to_those_who_know_its_sources_alone(items, size, tail):
    by_id = {i.id: i for i in items}
    for made in compacted(items, means(size=size, tail=tail)):
        sources = [by_id[id_] for id_ in made.sources]
        if isinstance(made, Summary):
            assert {made.audience} == {s.audience for s in sources}
            assert {made.namespace} == {s.namespace for s in sources}
            assert {made.session} == {s.session for s in sources}


@given(items=histories(), size=SIZES, who=st.sampled_from(PEOPLE))
def test_what_others_hear_changes_no_summary_of_mine(items, size, who):
    """The flip: without all that somebody may not know, their summaries are the same bytes."""

    def mine(some):
        made = compacted(some, means(size=size, tail=2))
        return [m for m in made if isinstance(m, Summary) and visible([m], who, "n")]

    assert mine(items) == mine(visible(items, who, "n"))


@given(items=histories(), tail=TAILS, who=st.sampled_from(PEOPLE), namespace=st.sampled_from("n"))
def test_nobody_s_recent_tail_is_touched(items, tail, who, namespace):
    shown = [i.id for i in visible(items, who, namespace)]
    recent = set(shown[len(shown) - tail :] if tail else [])
    assert recent <= recent_tail(items, most=tail)
    for made in compacted(items, means(size=5, tail=tail)):
        assert not recent & set(made.sources)


# ── nothing lost, nothing made up ────────────────────────────────────────────────────────────


@given(items=histories(), size=SIZES, tail=TAILS)
def test_everything_is_in_a_summary_in_the_tail_or_left_as_it_is(items, size, tail):
    made = list(compacted(items, means(size=size, tail=tail)))
    sources = {f"s{n}": m.sources for n, m in enumerate(made) if isinstance(m, Summary)}
    expanded = [id_ for s in sources for id_ in expand(sources, s)]
    declined = [id_ for m in made if isinstance(m, Declined) for id_ in m.sources]
    tail_ids = recent_tail(items, most=tail)
    assert sorted([*expanded, *declined, *tail_ids]) == sorted(i.id for i in items)


@given(items=histories(), size=SIZES)
def test_an_extract_is_verbatim_shorter_and_bounded(items, size):
    by_id = {i.id: i for i in items}
    for made in compacted(items, means(size=size, tail=0)):
        if isinstance(made, Declined):
            continue
        sources = [by_id[id_] for id_ in made.sources]
        told = [spoken(s) for s in sources]
        assert made.tokens < made.source_tokens == sum(map(count_words, told))
        assert 0.0 <= made.confidence <= 1.0
        whole = {s for source in sources for s in sentences(source.text)}
        for line in made.text.split("\n"):
            said = line.removeprefix("Ana: ").removeprefix("Ben: ")
            assert all(sentence in whole for sentence in sentences(said)) or said in whole
        heads = " ".join(source.speaker for source in sources)
        assert terms(made.text) <= terms("\n".join(told))
        assert names(made.text) <= {
            n for t in told for n in [*names(t), *t.split(), *heads.split()]
        }
        assert numbers(made.text) <= numbers("\n".join(told))
        assert count_words(made.brief) <= made.tokens
        assert set(made.brief.split()) <= set(made.text.split())


@given(items=histories(), size=SIZES)
def test_the_same_items_give_the_same_summaries(items, size):
    once = list(compacted(items, means(size=size, tail=1)))
    again = list(compacted(list(reversed(items)), means(size=size, tail=1)))
    assert once == again


@given(text=st.one_of(st.text(), texts()))
def test_sentences_are_the_text(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(items=histories())
def test_units_are_all_sentences_in_order(items):
    found = [part for unit in units(items) for part in unit.parts]
    assert found == [(p, s) for p, item in enumerate(items) for s in sentences(item.text)]
    for before, _ in pairwise(units(items)):
        assert len(before.parts) <= MOST_TOGETHER
        assert not before.parts[-1][1].endswith("?") or len(before.parts) == MOST_TOGETHER


# ── the way back ─────────────────────────────────────────────────────────────────────────────

NODES = st.sampled_from([f"s{n}" for n in range(6)] + [f"r{n}" for n in range(6)])
GRAPHS = st.dictionaries(
    st.sampled_from([f"s{n}" for n in range(6)]), st.lists(NODES, max_size=4).map(tuple)
)


def reach(graph, node, trail=()):
    """Expand* as the definition has it; None if it breaks."""
    if node not in graph:
        return {node}
    if node in trail or not graph[node]:
        return None
    parts = [reach(graph, below, (*trail, node)) for below in graph[node]]
    return None if None in parts else set().union(*parts)


@given(graph=GRAPHS, node=NODES)
def test_expanding_is_as_defined_and_refuses_what_leads_nowhere(graph, node):
    expected = reach(graph, node)
    try:
        found = expand(graph, node)
    except LineageBroken:
        assert expected is None
    else:
        assert set(found) == expected
        assert len(found) == len(set(found)) > 0


def below(graph, node):
    found, todo = set(), list(graph.get(node, ()))
    while todo:
        if (other := todo.pop()) not in found:
            found.add(other)
            todo.extend(graph.get(other, ()))
    return found


@given(graph=GRAPHS, ranked=st.lists(NODES))
def test_a_summary_and_its_source_are_never_both_shown(graph, ranked):
    graph = {n: tuple(b for b in bs if b.startswith("r") or b > n) for n, bs in graph.items()}
    shown = better(ranked, graph)
    kept = list(shown.kept)
    for place, one in enumerate(kept):
        for other in kept[place + 1 :]:
            assert other not in below(graph, one)
            assert one not in below(graph, other)
    assert set(kept) | set(shown.instead) == set(ranked)
    for left, instead in shown.instead.items():  # only ever in favour of a better relative
        assert ranked.index(instead) < ranked.index(left)
        assert left in below(graph, instead) or instead in below(graph, left)
