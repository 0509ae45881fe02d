"""Two whole runs that differ only in what is hidden from somebody: they get the same bytes of both.

Each seed is a pair of runs, played through the engine, and one audience that looks at both in every
turn: windows, receipts of its own and of others, refusals, and all of what it recalls.
"""

from __future__ import annotations

import os

import pytest

from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.flipping import differ, twins
from strategies.worlds import READER

LONG = os.environ.get("STORYKEEPER_LONG") == "1"
LOOKS = 6  # at every turn
LEAST = 125  # cases of a pair
SEEDS = range(1, 81 if LONG else 4)  # in the long size 10,000 cases


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_hidden_shapes_nothing_that_is_shown(seed, tmp_path):
    cases = list(twins(seed, tmp_path, READER, looks=LOOKS))
    assert len(cases) >= LEAST
    told_apart = [one for one, other in cases if differ(one, other)]
    assert not told_apart, told_apart[0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_two_runs_differ_in_what_is_hidden_and_in_nothing_else(seed):
    for who in planted(seed).everybody:
        one, other = planted(seed), planted(seed, hidden_from=who)
        assert other.story() != one.story()
        lines = list(zip(one.script(), other.script(), strict=True))
        both = list(zip(one.spoken, other.spoken, strict=True))
        heard = [mine.wording == theirs.wording for mine, theirs in both if who in mine.heard]
        unheard = [
            mine.wording != theirs.wording
            for mine, theirs in both
            if mine.heard and who not in mine.heard
        ]
        assert all(heard)
        assert all(unheard)
        if who == "narrator":
            told = [(mine, theirs) for mine, theirs in lines if mine.player is None]
            assert all(mine.line == theirs.line for mine, theirs in told)
        else:
            assert heard or unheard
