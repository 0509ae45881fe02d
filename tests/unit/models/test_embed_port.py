"""From a model's numbers to small whole ones, by the rule stated in the port."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from storykeeper.models.embedders.port import quantised, whole, wordless

# Of one sign or both, tiny or huge; not so tiny that a quotient loses digits.
NUMBERS = st.one_of(
    st.just(0.0),
    st.floats(1e-200, 1e200),
    st.floats(-1e200, -1e-200),
    st.floats(-1, 1, allow_subnormal=False),
)
ROWS = arrays(np.float64, st.tuples(st.integers(0, 5), st.integers(1, 40)), elements=NUMBERS)


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        ([1.0, 0.5, -0.25], [127, 64, -32]),  # 63.5 and −31.75; halves go to the even number
        ([-0.02, 0.01, 0.0], [-127, 64, 0]),
        ([0.0, 0.0, 0.0], [0, 0, 0]),
        ([1e300, -1e300, 5e299], [127, -127, 64]),
        ([5e-324, 0.0, -5e-324], [127, 0, -127]),
    ],
)
def test_the_rule(vector, expected):
    made = quantised(np.array([vector]))
    assert made.dtype == np.int8
    assert made.tolist() == [expected]


def test_no_texts_no_rows():
    assert quantised(np.zeros((0, 384))).shape == (0, 384)


@given(ROWS)
def test_the_largest_part_is_127_and_the_scale_does_not_matter(rows):
    made = quantised(rows)
    largest = np.abs(made.astype(int)).max(axis=1, initial=0)
    assert (largest == np.where(np.abs(rows).max(axis=1, initial=0) > 0, 127, 0)).all()
    assert (quantised(rows * 4.0) == made).all()
    assert (quantised(-rows) == -made).all()


@given(ROWS)
def test_a_row_is_as_if_it_were_alone(rows):
    made = quantised(rows)
    assert all((quantised(rows[i : i + 1]) == made[i]).all() for i in range(len(rows)))


@given(st.integers(0, 2**32 - 1))
def test_cosines_are_kept(seed):
    """A step is max|v|/127, so at 384 numbers a cosine is off by some thousandths at most."""
    a, b = np.random.default_rng(seed).standard_normal((2, 384))
    qa, qb = quantised(np.array([a, b])).astype(float)
    exact = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert abs(qa @ qb / np.linalg.norm(qa) / np.linalg.norm(qb) - exact) < 0.004


@pytest.mark.parametrize(("text", "none"), [("", True), (" \n\t ", True), ("a", False)])
def test_wordless(text, none):
    assert wordless(text) is none


def test_halves_of_characters_are_replaced():
    assert whole("caf\ud800é") == "caf\ufffdé"
    assert whole("café 🙂") == "café 🙂"
