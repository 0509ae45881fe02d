"""What is kept at hand of turns older than the last ones: ever fewer, and the heaviest."""

from __future__ import annotations

from itertools import pairwise

import pytest

from storykeeper.context.history import PastTurn
from storykeeper.context.tail import STEADY_TURNS
from storykeeper.events.changes import BeatTold, SecretRevealed
from storykeeper.play.chronicle import KEPT_OF_BLOCK, Chronicle, heaviest, weight
from storykeeper.play.past import KEPT_TURNS, Past
from storykeeper.play.remembering import WholePast
from storykeeper.units import EntityId, SceneId, TurnNo


def turn(number: int, heavy: float = 0.0) -> PastTurn:
    return PastTurn(TurnNo(number), SceneId("hall"), EntityId("ana"), "I wait.", "", (), heavy)


def of(numbers: range, heavy: frozenset[int] = frozenset()) -> Chronicle:
    made = Chronicle()
    for number in numbers:
        made.add(turn(number, 1.0 if number in heavy else 0.0))
    return made


def numbers(chronicle: Chronicle) -> list[int]:
    return [each.turn for each in chronicle.turns]


def test_until_a_block_is_over_all_of_it_is_kept():
    assert numbers(of(range(16))) == list(range(16))


def test_then_the_four_that_weigh_most_in_order():
    kept = numbers(of(range(17), frozenset({2, 5, 9, 15})))
    assert kept == [2, 5, 9, 15, 16]


def test_of_equals_the_earlier():
    assert [each.turn for each in heaviest([turn(n) for n in range(16)])] == [0, 1, 2, 3]


def test_what_weighs_most_is_kept_however_long_the_run():
    chronicle = of(range(5_000), frozenset({7}))
    assert 7 in numbers(chronicle)


@pytest.mark.parametrize("count", [100, 1_000, 10_000, 50_000])
def test_a_few_dozen_for_each_fourfold_of_the_run(count):
    chronicle = of(range(count))
    levels = len(chronicle.levels)
    assert len(chronicle.turns) <= 2 * STEADY_TURNS * levels
    assert STEADY_TURNS * KEPT_OF_BLOCK ** (levels - 3) <= count
    assert all(a < b for a, b in pairwise(numbers(chronicle)))


def test_it_changes_only_where_the_tail_of_a_window_is_cut():
    chronicle = of(range(1_000))
    for number in range(1_000, 1_100):
        before = numbers(chronicle)
        chronicle.add(turn(number))
        assert numbers(chronicle) == [*before, number] or number % STEADY_TURNS == 0


def test_what_came_of_a_turn_weighs_more_than_its_words():
    revealed = SecretRevealed(TurnNo(1), "secret", (EntityId("ana"),), "told")
    told = BeatTold(TurnNo(1), SceneId("hall"), "bell")
    assert weight([revealed], "") == 3.0 > weight([told], "“1234567”" * 9) == 1.5
    assert weight([], "He said 12 of them.") > weight([], "He said so.") == 0.0


def test_all_turns_or_the_last_ones_windows_are_made_from_the_same():
    past, whole = Past(), WholePast()
    for number in range(KEPT_TURNS * 3):
        for each in (past, whole):
            each.keep(turn(number, float(number % 5)))
    assert past.told == whole.told
    assert len(past.told) < KEPT_TURNS * 2


def test_one_to_try_something_on_leaves_the_other_alone():
    past = Past()
    for number in range(KEPT_TURNS + 20):
        past.keep(turn(number))
    before, other = past.told, past.copy()
    for number in range(KEPT_TURNS + 20, KEPT_TURNS + 60):
        other.keep(turn(number))
    assert past.told == before


def test_a_small_window_is_made_from_fewer_whole_turns():
    past = Past()
    for number in range(1_000):
        past.keep(turn(number, float(number % 7)))
    small, large = past.within(3_300), past.within(128_000)
    assert large == past.told
    assert [each.turn for each in small[-64:]] == list(range(936, 1_000))
    assert len(small) < 0.7 * len(large)
    assert {each.turn for each in small} < {each.turn for each in large}
    assert all(a.turn < b.turn for a, b in pairwise(small))


def test_what_a_window_is_made_from_changes_only_where_its_tail_is_cut():
    past = Past()
    for number in range(1_000):
        past.keep(turn(number, float(number % 7)))
    for number in range(1_000, 1_100):
        before = [each.turn for each in past.within(3_300)]
        past.keep(turn(number, float(number % 7)))
        after = [each.turn for each in past.within(3_300)]
        assert after == [*before, number] or number % STEADY_TURNS == 0


@pytest.mark.parametrize("count", [0, 1, 5, 16, 63, 64, 65, 100])
def test_of_a_short_run_all_of_it(count):
    past = Past()
    for number in range(count):
        past.keep(turn(number))
    assert past.within(128_000) == past.told
    assert len(past.within(3_300)) == count or count > 64
