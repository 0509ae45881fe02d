"""Likeness as a sum whose parts are kept."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.scoring.fusion import Weights, likeness, likenesses, logistic

WEIGHTS = Weights(-1.0, {"words": 2.0, "asks": -0.5})
numbers = st.floats(-50, 50, allow_nan=False)


def test_the_sum_is_its_parts():
    found = likeness({"words": 0.75, "asks": 1.0, "unknown": 9.0}, WEIGHTS)
    assert found.parts == {"words": 1.5, "asks": -0.5}
    assert found.sum == 0.0
    assert found.sim == 0.5


def test_what_was_not_measured_or_is_no_number_counts_as_nothing():
    assert likeness({}, WEIGHTS).sum == -1.0
    assert likeness({"words": math.nan, "asks": math.inf}, WEIGHTS).sum == -1.0
    assert likenesses(np.array([[np.nan, np.inf]]), WEIGHTS)[0] == pytest.approx(logistic(-1.0))


def test_far_sums_stay_inside():
    assert 0 < logistic(-1e9) < 1e-20
    assert logistic(1e9) == pytest.approx(1.0, abs=1e-15)
    assert logistic(1e9) <= 1


@given(st.lists(st.tuples(numbers, numbers), max_size=5))
def test_of_many_as_of_one(rows):
    many = likenesses(np.array(rows, np.float64).reshape(-1, 2), WEIGHTS)
    one = [likeness({"words": a, "asks": b}, WEIGHTS).sim for a, b in rows]
    assert many.tolist() == pytest.approx(one, abs=1e-15)
    assert all(0 <= sim <= 1 for sim in one)


@given(numbers, numbers, st.floats(0, 10))
def test_a_weight_above_nothing_never_lowers(a, b, more):
    low = likeness({"words": a, "asks": b}, WEIGHTS).sim
    assert likeness({"words": a + more, "asks": b}, WEIGHTS).sim >= low
