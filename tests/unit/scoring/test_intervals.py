"""How sure a share is."""

from __future__ import annotations

import pytest

from storykeeper.scoring.intervals import wilson


def test_a_share_lies_where_wilson_says():
    low, high = wilson(5, 100)  # as in Newcombe 1998
    assert low == pytest.approx(0.0215, abs=1e-3)
    assert high == pytest.approx(0.1118, abs=1e-3)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


def test_more_cases_make_it_surer():
    assert wilson(50, 100)[0] < wilson(500, 1_000)[0]
