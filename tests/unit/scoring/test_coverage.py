"""What to quote of a text: in the order of what each part adds to those before it."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storykeeper.scoring.coverage import covering, covering_many, worth

WORTHS = {"key": 4.0, "tide": 3.0, "oats": 2.0, "rain": 1.0}
_words = st.sampled_from(sorted(WORTHS))
PARTS = st.lists(st.tuples(st.frozensets(_words), st.integers(0, 30)), max_size=8)


def order(*parts: tuple[str, int], worths=WORTHS, factors=None) -> list[int]:
    terms = [words.split() for words, _ in parts]
    return list(covering(terms, [cost for _, cost in parts], worths, factors=factors))


def gain(part, covered=frozenset(), factor=1.0) -> float:
    words, cost = part
    return factor * sum(sorted(WORTHS[w] for w in words - covered)) / cost**0.85


def test_what_says_most_comes_first():
    assert order(("rain", 4), ("key tide", 4), ("oats", 4)) == [1, 2, 0]


def test_what_is_said_already_counts_for_nothing():
    """The second adds only the rain to the first; by itself it would have been the better."""
    assert order(("key tide", 4), ("key rain", 4), ("oats", 4)) == [0, 2, 1]


def test_what_costs_less_comes_first_but_not_every_crumb():
    assert order(("key", 16), ("key", 4)) == [1, 0]
    assert order(("rain", 1), ("key tide", 9)) == [1, 0]  # 1 to 7/6.5; by cost alone 1 to 7/9


def test_what_adds_nothing_comes_last_as_it_stands():
    assert order(("", 1), ("key", 9), ("", 1), ("key", 4), ("", 2)) == [3, 0, 1, 2, 4]


def test_of_equals_the_first():
    assert order(("key", 4), ("tide", 4), ("key", 4), worths={"key": 1.0, "tide": 1.0}) == [0, 1, 2]


def test_some_are_favoured():
    assert order(("key", 4), ("tide", 4)) == [0, 1]
    assert order(("key", 4), ("tide", 4), factors=[1.0, 1.5]) == [1, 0]


def test_what_costs_nothing_is_not_there():
    assert order(("key", 0), ("rain", 4), ("tide", 0)) == [1]
    assert order(("key", 0)) == []


@given(PARTS, st.data())
def test_each_is_the_best_beside_those_before_it(parts, data):
    """So any beginning of the order is the choice for a smaller room."""
    factors = [data.draw(st.sampled_from([0.6, 1.0, 1.8])) for _ in parts]
    terms, costs = [words for words, _ in parts], [cost for _, cost in parts]
    left = [i for i, cost in enumerate(costs) if cost]
    covered: frozenset[str] = frozenset()
    for i in covering(terms, costs, WORTHS, factors=factors):
        best = max(gain(parts[j], covered, factors[j]) for j in left)
        found = gain(parts[i], covered, factors[i])
        assert found == best
        assert i == next(j for j in left if gain(parts[j], covered, factors[j]) == best)
        covered |= terms[i]
        left.remove(i)
    assert left == []


@given(st.sets(st.floats(0.01, 1, allow_nan=False), min_size=3, max_size=5), st.data())
def test_in_whatever_order_the_words_of_a_part_come_the_sum_is_the_same(sizes, data):
    """Floats add up differently in another order; a hash seed must not decide between equals."""
    worths = {f"w{i}": size for i, size in enumerate(sorted(sizes))}
    first, second = (data.draw(st.permutations(sorted(worths))) for _ in range(2))
    assert list(covering([first, second], [4, 4], worths)) == [0, 1]
    assert list(covering([second, first], [4, 4], worths)) == [0, 1]


def test_also_where_they_would_add_up_to_another_number():
    worths = {"a": 0.1, "b": 0.2, "c": 0.3}
    sums = {sum(worths[w] for w in each) for each in permutations("abc")}
    assert len(sums) == 2  # .6 and .6000000000000001
    orders = list(permutations("abc"))
    assert all(list(covering([x, y], [4, 4], worths)) == [0, 1] for x in orders for y in orders)


@pytest.mark.parametrize(
    ("times", "marked", "rarity", "wanted"),
    [(2, False, 1.0, 1.0), (2, True, 1.0, 4.0), (1, False, 1.0, 0.5), (1, True, 0.25, 1.0),
     (9, False, 0.25, 0.5)],
)  # fmt: skip
def test_what_a_word_is_worth(times, marked, rarity, wanted):
    """A name or a number four times as much, what came up once half, what is common less."""
    assert worth(times=times, marked=marked, rarity=rarity) == pytest.approx(wanted)


# ── for thousands at once ────────────────────────────────────────────────────────────────────

_numbers = st.sets(st.integers(0, 11), max_size=6)
_sizes = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.0, 2.0])
MANY = st.lists(st.tuples(_numbers, st.integers(0, 30), st.sampled_from([0.6, 1.0, 1.8])))


@settings(max_examples=200)
@given(MANY, st.lists(_sizes, min_size=12, max_size=12))
def test_by_number_the_order_is_the_same(parts, sizes):
    """Also where many add the same, and sums differ in the last bit by the order of adding."""
    costs, factors = [cost for _, cost, _ in parts], [factor for *_, factor in parts]
    named = [[f"w{n}" for n in sorted(terms)] for terms, *_ in parts]
    slowly = covering(named, costs, {f"w{n}": s for n, s in enumerate(sizes)}, factors=factors)
    terms = np.array([term for terms, *_ in parts for term in sorted(terms)], dtype=np.int64)
    lengths = np.array([len(terms) for terms, *_ in parts], dtype=np.int64)
    at_once = covering_many(
        terms, lengths, costs, np.array(sizes), factors=np.array(factors, dtype=float)
    )
    assert list(at_once) == list(slowly)


def test_of_none_there_is_no_order():
    none = np.zeros(0, dtype=np.int64)
    assert list(covering_many(none, none, [], np.zeros(3), factors=np.zeros(0))) == []
    assert list(covering_many(none, np.array([0]), [3], np.zeros(0), factors=np.ones(1))) == [0]
