"""Sharing out a prompt: the invariants of L §7.10 that concern it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.errors import SettingsInvalid
from storykeeper.scoring.reserve import BASE_TURNS, Laid, Reserve, laid, overload, prefix, suffix

COSTS = st.lists(st.integers(0, 400), max_size=40)
SHARES = st.tuples(*[st.floats(0, 1 / 3)] * 3).map(lambda s: Reserve(*s))


@given(st.integers(0, 2_000), COSTS, COSTS, st.integers(0, 4_000), SHARES)
def test_what_is_laid_out_fits_and_keeps_its_promises(hard, soft, turns, budget, reserve):
    found = laid(hard=hard, soft=soft, turns=turns, budget=budget, reserve=reserve)
    if isinstance(found, int):
        least = turns[-1] if turns else 0
        assert found == hard + least - budget > 0
        return
    spent = hard + sum(soft[: found.soft]) + sum(turns[len(turns) - found.recent :])
    assert spent + found.left == budget
    assert found.left >= 0
    assert min(1, len(turns)) <= found.base <= found.recent <= len(turns)
    assert found.wanted_base == min(BASE_TURNS, len(turns))
    assert sum(soft[: found.soft]) <= reserve.soft * budget
    base = sum(turns[len(turns) - found.base :])
    assert sum(turns[len(turns) - found.recent :]) <= max(reserve.recent * budget, base)
    if found.degraded:  # one more would not have fitted beside the rules
        assert hard + sum(turns[len(turns) - found.base - 1 :]) > budget


@given(COSTS, COSTS, st.integers(0, 4_000), st.integers(0, 1_000), SHARES)
def test_a_larger_budget_keeps_no_less_of_the_base(soft, turns, budget, more, reserve):
    small = laid(hard=10, soft=soft, turns=turns, budget=budget, reserve=reserve)
    large = laid(hard=10, soft=soft, turns=turns, budget=budget + more, reserve=reserve)
    if isinstance(small, Laid):
        assert isinstance(large, Laid)
        assert large.base >= small.base


@given(COSTS, st.integers(0, 2_000))
def test_prefix_and_suffix_are_the_longest_that_fit(costs, room):
    for count, part in ((prefix(costs, room), costs), (suffix(costs, room), costs[::-1])):
        assert sum(part[:count]) <= room
        assert count == len(costs) or sum(part[: count + 1]) > room


def test_rules_over_their_share_are_refused_at_the_start():
    assert overload(140, budget=1_000, reserve=Reserve(hard=0.14)) == 0
    assert overload(141, budget=1_000, reserve=Reserve(hard=0.14)) == 1


@pytest.mark.parametrize(
    "shares", [(0.5, 0.4, 0.2), (-0.1, 0, 0), (1.1, 0, 0), (float("nan"), 0, 0)]
)
def test_shares_that_cannot_be_are_refused(shares):
    with pytest.raises(SettingsInvalid, match="together they may not pass 1"):
        Reserve(*shares)
