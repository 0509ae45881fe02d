"""Shares of a window and the terms of a score."""

from __future__ import annotations

from math import inf, isclose, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.scoring.composite import Terms, in_range, recency
from storykeeper.scoring.shares import Shares, scaled, shares, shortfall
from storykeeper.story.tuning import Budget


def test_the_shares_of_the_standard_window():
    assert shares(Budget(), window_tokens=3_300) == Shares(
        soft=330, recent=594, journal_tier=1_200, retrieved=800, retrieved_least=400, reserve=150,
        input=500,
    )  # fmt: skip


def test_a_brief_has_the_same_shares_smaller():
    assert scaled(800, window_tokens=2_500) == 606
    assert shares(Budget(), window_tokens=2_500).input == 378


def test_what_is_retrieved_is_the_authors_to_size():
    own = Budget(retrieved_most=600, retrieved_least=300)
    found = shares(own, window_tokens=6_600)
    assert (found.retrieved, found.retrieved_least) == (1_200, 600)


@given(st.integers(50, 1_000_000))
def test_the_shares_of_any_window_fit_into_it(tokens):
    s = shares(Budget(), window_tokens=tokens)
    hard = int(Budget().hard_share * tokens)
    assert hard + s.soft + s.journal_tier + s.retrieved + s.input <= tokens


def test_the_shortfall_takes_the_larger_of_reserve_and_hints():
    sizes = {"hard_tokens": 40, "base_tokens": 30, "input_tokens": 10, "window_tokens": 100}
    assert shortfall(**sizes, reserve=15, hints_tokens=5) == -5
    assert shortfall(**sizes, reserve=15, hints_tokens=25) == 5


def test_recency_halves_towards_its_floor():
    assert recency(0) == 1.0
    assert recency(10) == 0.75
    assert isclose(recency(1_000), 0.5)


@given(st.floats(0, 1e4), st.floats(0, 1e4))
def test_what_is_fresher_never_counts_for_less(age, more):
    assert 0.5 <= recency(age + more) <= recency(age) <= 1.0


def test_a_score_is_the_product_of_its_terms_and_0_until_the_gate_has_ruled():
    assert Terms(relevance=0.9, gravity=1.63).score == 0.0
    terms = Terms(0.9, 1.63, 0.5, 1.0, 0.75, 1.2)
    assert isclose(terms.score, 0.9 * 1.63 * 0.5 * 0.75 * 1.2)


@pytest.mark.parametrize(
    "terms", [Terms(relevance=1.1), Terms(trust=-0.1), Terms(gravity=nan), Terms(temperature=inf)]
)
def test_terms_out_of_range_are_noticed(terms):
    assert in_range(Terms())
    assert not in_range(terms)
