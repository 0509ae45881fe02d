"""Between cuts the tail grows into the room that a cut leaves, over scenes, and moves nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storykeeper.bench.prefix.stage import ROOMS, stage
from storykeeper.context.items import Tier
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.tail import BASE_UNITS, RECENT, STEADY_TURNS
from storykeeper.context.window import Window
from storykeeper.scoring.shares import past_room, shares
from storykeeper.story.tuning import Budget
from strategies.sizes import first, times
from strategies.windows import Played

TOKENS = 3_300


def run(sizes: list[int]) -> Played:
    """A run with turns of so many sentences."""
    played = Played.of(stage())
    played.play("", "It begins.")
    for i, size in enumerate(sizes):
        played.play(f"I hum, {i}.", f"Nothing much happens here, {i}. " * size)
    return played


def in_tier_2(window: Window) -> int:
    return sum(each.tokens for each in window.items if each.candidate.tier is Tier.JOURNAL)


def turns(window: Window) -> list[int]:
    """Those that stand in it word for word."""
    found = (each.candidate for each in window.items if each.candidate.origin == RECENT)
    return [int(each.id.partition(":")[2]) for each in found]


def told(window: Window) -> list[str]:
    """The story so far, and the exact turns."""
    origins = (SO_FAR, RECENT)
    return [each.text for each in window.items if each.candidate.origin in origins]


@pytest.mark.parametrize("sentences", first(1, [11, 22]))
def test_turns_of_one_or_two_hundred_words_are_cut_at_most_every_third_time(sentences):
    played = run([])
    shown = []
    for i in range(40):
        said = f"Nothing much happens here today at all, number {i}. "
        played.play(f"I hum, {i}.", said * sentences)
        shown.append(played.window("I wait."))
    kept = [turns(now)[0] == turns(before)[0] for before, now in pairwise(shown)]
    assert 3 <= kept.count(False) <= len(kept) // 3


def test_between_cuts_a_turn_more_is_all_that_is_new():
    played = run([4] * 17)
    before, cuts = told(played.window("I wait.")), 0
    for i in range(17, 49):
        played.play(f"I hum, {i}.", f"Nothing much happens here, {i}. " * 14)
        window = played.window("I wait.")
        now = told(window)
        assert turns(window)[-1] == i + 1
        if now[:-1] != before:
            cuts += 1
            assert len(now) < len(before) + 1 or (i + 1) % STEADY_TURNS == 0
        before = now
    assert 3 <= cuts <= 11


def test_the_end_of_a_scene_cuts_nothing():
    """From room to room: tier 1 is another, and tier 2 goes on as if nothing were."""
    played = run([4] * 4)
    moved = 0
    for room, *_ in ROOMS[1:4]:
        before = played.window("I wait.")
        played.play(f"I go to the {room}.", f"You are in the {room} now.")
        now = played.window("I wait.")
        moved += now.stable != before.stable
        assert told(now)[:-1] == told(before)
        assert turns(now) == [*turns(before), turns(before)[-1] + 1]
        scenes = {played.history[turn].scene for turn in turns(now)}
        assert len(scenes) == moved + 1
    assert moved == 3


@pytest.fixture(scope="module")
def long_runs() -> list[Played]:
    """One run, as it was after so many turns."""
    played, found = run([6] * 90), []
    for n in range(90, 100, 3):
        for i in range(len(played.history) - 1, n):
            played.play(f"I hum, {i}.", f"Nothing much happens here, {i}. " * 6)
        found.append(Played(played.world, list(played.history)))
    return found


@pytest.mark.parametrize("tokens", [1_000, TOKENS, 8_000])
def test_what_tail_and_story_so_far_take_together(long_runs, tokens):
    """What tier 1, tier 3's share, the usual line and headings leave; and most of it."""
    share = shares(Budget(), window_tokens=tokens)
    most = []
    for played in long_runs:
        window = played.window("I wait.", tokens=tokens)
        spent = window.receipt.spent
        room = past_room(share, window_tokens=tokens, above_tokens=spent.preamble, headings=0)
        assert in_tier_2(window) <= room
        most.append(in_tier_2(window) / room)
    assert max(most) > 0.7


@settings(max_examples=times(4, 25))
@given(
    st.lists(st.sampled_from([1, 10, 30, 60]), min_size=4, max_size=20), st.integers(0, 700),
    st.sampled_from([3_300, 2_500, 6_000]),
)  # fmt: skip
def test_a_longer_line_takes_from_what_is_new_each_turn_and_not_from_the_tail(sizes, words, tokens):
    """Up to what tier 3 has beyond its least; then the older of the exact turns give way."""
    played = run(sizes)
    usual = played.window("I wait.", tokens=tokens)
    longer = played.window("I say it again. " * (words // 4), tokens=tokens)
    spent, share = longer.receipt.spent, shares(Budget(), window_tokens=tokens)
    assert spent.window <= tokens
    assert turns(longer) == turns(usual)[-len(turns(longer)) :]
    assert len(turns(longer)) >= min(BASE_UNITS, len(turns(usual)))
    beyond = share.retrieved - share.retrieved_least
    if spent.input <= share.usual_input + beyond // 2 and len(turns(usual)) > BASE_UNITS:
        assert told(longer) == told(usual)
