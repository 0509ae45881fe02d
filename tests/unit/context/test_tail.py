"""Tier 2: where the exact turns begin, what the story so far has, and when both move."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.tail import (
    BASE_UNITS,
    GROWTH_TURNS,
    MOST_GROWTH,
    STEADY_TURNS,
    Cut,
    Sizes,
    Unit,
    chunked,
    units,
)
from storykeeper.units import TurnNo
from unit.context.test_sources_alone import act, past, seen, told


def unit(turn: int, size: int = 10) -> Unit:
    candidate = Candidate(
        id=f"turn:{turn}", origin="recent", tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"turn:{turn}",), full="x" * size,
    )  # fmt: skip
    return Unit(TurnNo(turn), candidate)


def turns(*sizes: int) -> list[Unit]:
    return [unit(i, size) for i, size in enumerate(sizes)]


def cut(past: list[Unit], *, recent: int = 60, most: int = 200, least: int = BASE_UNITS) -> Cut:
    """The cut in force."""
    return chunked(past, Sizes(recent, most), price=len, least=least)


# ── what a cut leaves ────────────────────────────────────────────────────────────────────────


def test_what_fits_with_room_to_grow_stands_word_for_word():
    assert cut(turns(*[10] * 17), most=203) == Cut(0, 0, 17)  # 170, and three turns of 11
    assert cut(turns(*[10] * 17), most=202).start > 0


def test_else_the_tail_is_the_longest_suffix_of_its_share():
    assert cut(turns(*[10] * 17)).start == 17 - 6
    assert cut(turns(*[10] * 17), recent=69).start == 17 - 6
    assert cut(turns(*[10] * 17), recent=70).start == 17 - 7


def test_the_last_three_are_in_it_whatever_their_size():
    assert cut(turns(*[500] * 17)).start == 14


def test_the_rest_is_the_story_so_fars_but_for_three_turns_more_like_those_in_the_tail():
    past = turns(*[40] * 8, *[10] * 9)
    assert cut(past, recent=20) == Cut(14, 200 - 30 - 33, 17)
    assert cut(past, recent=60) == Cut(11, 200 - 60 - 33, 17)


def test_it_leaves_at_least_a_sixteenth_and_at_most_a_part_of_what_the_tail_leaves():
    assert cut(turns(*[50] * 14, 1, 1, 1), recent=3, most=160) == Cut(14, 160 - 3 - 10, 17)
    assert cut(turns(*[50] * 17), recent=60) == Cut(14, 50 - int(50 * MOST_GROWTH), 17)


def test_where_nothing_was_told_there_is_nothing_to_cut():
    assert cut([]) == Cut(0, 0, 0)


# ── when it moves ────────────────────────────────────────────────────────────────────────────


def test_between_cuts_it_only_grows():
    """All of it, until the sixteenth turn; then from six turns to nine; and again."""
    cuts = [cut(turns(*[10] * n)) for n in range(1, 28)]
    assert [each.start for each in cuts] == [0] * 16 + [11] * 4 + [15] * 4 + [19] * 3
    assert [each.end for each in cuts[16:]] == [17] * 4 + [21] * 4 + [25] * 3


def test_it_is_cut_when_tail_and_story_so_far_would_pass_their_room():
    """After turn 16 there is room for 33 more."""
    before = [10] * 17
    assert cut(turns(*before, 33)).end == 17
    assert cut(turns(*before, 34)).end == 18
    assert cut(turns(*before, 11, 11, 11)).end == 17
    assert cut(turns(*before, 11, 11, 12)).end == 20


def test_and_at_every_sixteenth_turn():
    """What was settled before does not matter from then on."""
    first, other = [10] * 31, [10] * 20 + [90] + [10] * 10
    assert cut(turns(*first)) != cut(turns(*other))
    assert cut(turns(*first, 10, 10)) == cut(turns(*other, 10, 10)) == Cut(27, 107, 33)


def test_a_turn_of_several_events_is_not_torn_by_a_cut():
    """Units of one turn come together: either all were told by then, or none."""
    three = [unit(16), unit(16), unit(16)]
    assert cut([*turns(*[10] * 16), *three]).end == 19
    assert cut([*turns(*[10] * 16), unit(16), *[unit(17)] * 9]).end == 26


def test_the_first_turn_need_not_be_the_first_of_all():
    late = [unit(turn) for turn in range(37, 43)]
    assert cut(late) == Cut(0, 0, 1)


SIZES = st.lists(st.integers(1, 30), min_size=40, max_size=90)


@given(st.integers(1, 20), st.integers(200, 400))
def test_after_a_cut_three_turns_more_move_nothing(size, most):
    """Turns of one length; but where cuts begin to be followed from a later turn."""
    cuts = [cut(turns(*[size] * n), most=most) for n in range(1, 70)]
    moved = {turn for turn, (a, b) in enumerate(pairwise(cuts), start=1) if a != b}
    steady = set(range(0, 70, STEADY_TURNS))
    for last, now in pairwise(sorted(moved | steady)):
        assert now in steady or now - last > GROWTH_TURNS


@given(SIZES, st.integers(0, 200))
def test_nothing_moves_but_to_make_room(sizes, spare):
    """A cut that is new is of the last turn, and the one before would have been too large."""
    past, most = turns(*sizes), 200 + spare
    cuts = [cut(past[:n], most=most) for n in range(1, len(past) + 1)]
    for turn, (before, now) in enumerate(pairwise(cuts), start=1):
        if now != before and turn % STEADY_TURNS:
            assert now.end == turn + 1
            assert sum(sizes[before.start : turn + 1]) + before.so_far > most


@given(st.lists(st.integers(1, 90), max_size=40), st.integers(0, 200), st.integers(0, 700))
def test_laws_of_the_cut(sizes, recent, most):
    past = turns(*sizes)
    found = cut(past, recent=recent, most=most)
    assert found == cut(list(past), recent=recent, most=most)
    tail, base = sum(sizes[found.start :]), sum(sizes[-3:])
    assert found.start <= max(0, len(past) - 3)
    assert found.start <= found.end <= len(past)
    assert found.so_far >= 0
    assert tail + found.so_far <= max(most, recent, base)


# ── the units of an audience ─────────────────────────────────────────────────────────────────


def in_units(*history, who="narrator", **more):
    """The ids of what could be shown of the past, oldest first."""
    found = units(seen(told(), history=history, who=who, **more))
    return [unit.candidate.id for turn in reversed(list(found)) for unit in turn]


def test_the_tail_goes_on_over_the_end_of_a_scene():
    elsewhere = [replace(past(turn), scene="inner") for turn in (3, 4)]
    assert in_units(*elsewhere, past(5), past(6)) == ["turn:3", "turn:4", "turn:5", "turn:6"]
    assert in_units(*elsewhere, past(5), who="bob") == ["atom:t3.1", "atom:t4.1", "atom:t5.1"]


@pytest.mark.parametrize("who", ["narrator", "bob"])
def test_a_unit_brings_its_pieces(who):
    (found,), = units(seen(told(), history=(past(5),), who=who))  # fmt: skip
    named = [piece.source for piece in found.pieces]
    assert named == (
        ["atom:t5.1"] if who == "bob" else ["piece:5/0", "piece:5/1", "piece:5/2"]
    )  # fmt: skip
    assert all(piece.turn == 5 and piece.scene == "first" for piece in found.pieces)


def test_of_what_a_character_did_not_perceive_only_the_last_turns_are_asked_about():
    """They are refused, and the author's receipt says so; there is no unit of older ones."""
    unseen = [past(turn, by="eve", to="eve") for turn in range(1, 7)]
    assert in_units(*unseen, who="bob") == [f"atom:t{turn}.1" for turn in (4, 5, 6)]


def test_what_is_done_twice_in_a_turn_is_one_unit():
    twice = (act(5, 1), act(5, 2))
    assert in_units(replace(past(5), atoms=twice), who="bob") == ["atom:t5.1"]
