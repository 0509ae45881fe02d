"""Shares of a window and the terms of a score."""

from __future__ import annotations

from math import inf, isclose, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.scoring.composite import Terms, in_range, recency
from storykeeper.scoring.shares import (
    Shares,
    past_room,
    recent_share,
    retrieved_share,
    scaled,
    shares,
    shortfall,
)
from storykeeper.story.tuning import Budget

SIZES = st.integers(50, 1_000_000)
BUDGET = Budget(recent_share=0.18, retrieved_most=800, retrieved_least=400)
SHARES = st.floats(0, 1)


def test_the_shares_of_the_standard_window():
    assert shares(BUDGET, window_tokens=3_300) == Shares(
        soft=148, recent=594, retrieved=800, retrieved_least=400, reserve=150, input=500,
        usual_input=170,
    )  # fmt: skip


def test_a_brief_has_the_same_shares_smaller():
    assert scaled(800, window_tokens=2_500) == 606
    assert shares(BUDGET, window_tokens=2_500).input == 378
    assert shares(BUDGET, window_tokens=2_500, brief=True).soft == 150  # who its owner is
    assert shares(BUDGET, window_tokens=2_500).retrieved == 606
    assert shares(BUDGET, window_tokens=2_500).usual_input == 128


def test_the_usual_line_is_no_longer_in_a_larger_window():
    assert shares(BUDGET, window_tokens=16_000).usual_input == 170


@pytest.mark.parametrize(
    ("tokens", "share"),
    [(825, 0.1), (1_650, 0.1), (3_300, 0.18), (6_600, 0.26), (26_400, 0.42), (1_000_000, 0.8)],
)
def test_the_larger_the_window_the_more_of_it_are_turns_as_they_were_told(tokens, share):
    """It doubles: .08 more; never below .1 nor above .8."""
    assert recent_share(0.18, window_tokens=tokens) == pytest.approx(share)
    assert shares(BUDGET, window_tokens=tokens).recent == int(share * tokens)


@pytest.mark.parametrize(("tokens", "share"), [(1_650, 0.24), (3_300, 0.24), (105_600, 0.0713)])
def test_and_the_less_of_it_is_chosen_for_the_moment(tokens, share):
    """But not the fewer tokens; and in a small window no more of it than in the standard one."""
    assert retrieved_share(0.24, window_tokens=tokens) == pytest.approx(share, abs=1e-4)


@given(SIZES, st.integers(1, 100_000), SHARES)
def test_a_larger_window_has_no_part_smaller(tokens, more, share):
    small, large = (shares(BUDGET, window_tokens=n) for n in (tokens, tokens + more))
    names = ("soft", "recent", "retrieved", "retrieved_least", "reserve", "input")
    assert all(getattr(small, name) <= getattr(large, name) for name in names)
    near = (recent_share(share, window_tokens=n) for n in (tokens, tokens + 1))
    assert 0 <= -next(near) + next(near) <= 0.004  # no step


def test_what_is_retrieved_is_the_authors_to_size():
    own = Budget(retrieved_most=600, retrieved_least=300)
    found = shares(own, window_tokens=3_300)
    assert (found.retrieved, found.retrieved_least) == (600, 300)
    large = shares(own, window_tokens=6_600)
    assert (large.retrieved, large.retrieved_least) == (941, 600)  # 1,200 · 2^−.35


@given(SIZES, st.integers(150, 2_000))
def test_its_least_is_never_more_than_its_most(tokens, most):
    found = shares(Budget(retrieved_most=most), window_tokens=tokens)
    assert found.retrieved_least <= found.retrieved


@given(st.integers(100, 250_000))
def test_what_a_cut_leaves_stands_beside_all_that_has_a_claim(tokens):
    """Also where tier 1 takes all of its share; in larger windows it never does."""
    s = shares(BUDGET, window_tokens=tokens)
    above = int(BUDGET.hard_share * tokens) + s.soft
    room = past_room(s, window_tokens=tokens, above_tokens=above, headings=0)
    assert s.recent <= room
    assert tokens > 8_000 or 2 * (room - s.recent) >= s.recent  # and leaves for the story so far


def test_the_past_has_what_nobody_else_has_a_claim_on():
    share = shares(BUDGET, window_tokens=3_300)
    sizes = {"window_tokens": 3_300, "headings": 20}
    assert past_room(share, above_tokens=600, **sizes) == 3_300 - 600 - 800 - 170 - 20
    assert past_room(share, above_tokens=3_000, **sizes) == 0


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
