"""A filter makes a memory of what it lets through: nothing else is ranked, counted or listed."""

from __future__ import annotations

from operator import ge, gt, le, lt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.memory.chats import Said
from strategies.memories import DAY, QUERIES, SAYINGS, START, at_small_sizes, fresh

NAMES = ("topic", "stars", "open", "tags")
VALUES = st.one_of(
    st.sampled_from(["oak", "pond", ""]), st.integers(-2, 3), st.booleans(),
    st.sampled_from([0.5, 2.0]), st.lists(st.sampled_from(["oak", "key"]), max_size=2),
)  # fmt: skip
METADATA = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3)
PLAIN = st.one_of(st.sampled_from(["oak", "key"]), st.integers(-2, 3), st.booleans())
WORDS = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
COMPARED = st.one_of(
    PLAIN,
    st.dictionaries(st.sampled_from(["$eq", "$ne", *WORDS, "$starts"]), PLAIN, min_size=1),
    st.fixed_dictionaries({"$in": st.lists(PLAIN)}),
    st.fixed_dictionaries({"$nin": st.lists(PLAIN)}),
    st.fixed_dictionaries({"$exists": st.booleans()}),
)
ONE = st.dictionaries(st.sampled_from(NAMES), COMPARED, min_size=1, max_size=2)
WHERE = st.recursive(
    ONE,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"$and": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"$or": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"$not": inner}),
    ),
    max_leaves=4,
)
LINES = st.lists(st.tuples(st.sampled_from(SAYINGS), METADATA), min_size=1, max_size=9)


@pytest.fixture(autouse=True, scope="module")
def _small():
    with pytest.MonkeyPatch.context() as patched:
        at_small_sizes(patched)
        yield


def same(value, wanted) -> bool:
    if isinstance(value, list):
        return wanted in value
    return isinstance(value, bool) == isinstance(wanted, bool) and value == wanted


def comparable(value, wanted) -> bool:
    texts = isinstance(value, str) and isinstance(wanted, str)
    plain = not isinstance(value, bool) and not isinstance(wanted, bool)
    return texts or (plain and all(isinstance(v, int | float) for v in (value, wanted)))


def passes(where: dict, metadata: dict) -> bool:
    """What a filter means, one item at a time: the reference."""
    return all(_passes(name, wanted, metadata) for name, wanted in where.items())


def _passes(name, wanted, metadata) -> bool:
    if name == "$and":
        return all(passes(each, metadata) for each in wanted)
    if name == "$or":
        return any(passes(each, metadata) for each in wanted)
    if name == "$not":
        return not passes(wanted, metadata)
    value = metadata.get(name)
    if not isinstance(wanted, dict):
        return same(value, wanted)
    return all(_holds(word, value, operand) for word, operand in wanted.items())


def _holds(word, value, operand) -> bool:
    match word:
        case "$eq":
            return same(value, operand)
        case "$ne":
            return not same(value, operand)
        case "$in":
            return any(same(value, each) for each in operand)
        case "$nin":
            return not any(same(value, each) for each in operand)
        case "$exists":
            return (value is not None) == operand
        case "$starts":
            texts = isinstance(value, str) and isinstance(operand, str)
            return texts and value.startswith(operand)
    return comparable(value, operand) and WORDS[word](value, operand)


def told(lines) -> list[Said]:
    return [
        Said(f"{text} {n}", "Ana", START + n * DAY, "one", metadata=metadata)
        for n, (text, metadata) in enumerate(lines)
    ]


@given(LINES, WHERE, st.sampled_from(QUERIES), st.booleans())
def test_a_search_with_a_filter_is_one_in_a_memory_of_nothing_else(lines, where, query, hashed):
    whole, sifted = fresh(hashed=hashed), fresh(hashed=hashed)
    whole.add_all(told(lines))
    sifted.add_all([said for said in told(lines) if passes(where, dict(said.metadata))])
    now = (START + 4 * DAY) / 1_000

    def found(memory, **more):
        hits = memory.search(query, now=now, **more)
        return [(h.text, h.score, h.item.order) for h in hits], hits.notes

    assert found(whole, where=where) == found(sifted)
    listed = whole.list(where=where, limit=2)
    assert [item.text for item in listed] == [item.text for item in sifted.list(limit=2)]
    assert listed.total == sifted.list().total
    prompts = [m.context(query, tokens=300, now=now) for m in (sifted,)]
    assert [whole.context(query, tokens=300, now=now, where=where).text] == [
        prompt.text for prompt in prompts
    ]


@given(LINES, WHERE)
def test_what_is_deleted_by_a_filter_is_what_it_lets_through(lines, where):
    memory = fresh(hashed=False)
    memory.add_all(told(lines))
    through = [said.text for said in told(lines) if passes(where, dict(said.metadata))]
    assert [item.text for item in memory.list(where=where)] == through
    assert memory.delete(where=where) == len(through)
    assert memory.list(where=where).total == 0
    assert memory.list().total == len(lines) - len(through)
