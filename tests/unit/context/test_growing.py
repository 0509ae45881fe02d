"""Between cuts tier 2 grows into what the window leaves free, and takes nothing from anybody."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from storykeeper.bench.prefix.stage import stage
from storykeeper.context.items import Tier
from storykeeper.context.tail import BASE_UNITS, RECENT
from storykeeper.context.window import Window
from storykeeper.scoring.shares import growth_limit, shares
from storykeeper.story.tuning import Budget
from strategies.windows import Played

TIER_2, TIER_3 = 1_200, 800


def run(sizes: list[int]) -> Played:
    """A run with turns of so many sentences."""
    played = Played.of(stage())
    played.play("", "It begins.")
    for i, size in enumerate(sizes):
        played.play(f"I hum, {i}.", f"Nothing much happens here, {i}. " * size)
    return played


def in_tier_2(window: Window) -> int:
    return sum(each.tokens for each in window.items if each.candidate.tier is Tier.JOURNAL)


def whole_turns(window: Window) -> int:
    return sum(each.candidate.origin == RECENT for each in window.items)


def test_turns_of_two_hundred_words_are_cut_at_most_every_third_time():
    played = run([])
    shown = []
    for i in range(20):
        played.play(f"I hum, {i}.", f"Nothing much happens here today at all, number {i}. " * 22)
        shown.append(played.window("I wait."))
    grows = [whole_turns(now) > whole_turns(before) for before, now in pairwise(shown)]
    assert grows.count(False) <= len(grows) // 3
    assert max(map(in_tier_2, shown)) > TIER_2


def test_what_tier_2_may_grow_to():
    share = shares(Budget(), window_tokens=3_300)
    sizes = {"window_tokens": 3_300, "headings": 20}
    assert growth_limit(share, above_tokens=600, **sizes) == 3_300 - 600 - 800 - 166 - 20
    assert growth_limit(share, above_tokens=2_000, **sizes) == TIER_2


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from([1, 10, 30, 60]), min_size=4, max_size=20), st.integers(0, 700),
    st.sampled_from([3_300, 2_500, 6_000]),
)  # fmt: skip
def test_beyond_its_size_it_leaves_tier_3_all_of_its_own(sizes, words, tokens):
    """Whatever the player writes: a longer line makes it give way, and not tier 3."""
    window = run(sizes).window("I say it again. " * (words // 4), tokens=tokens)
    spent, share = window.receipt.spent, shares(Budget(), window_tokens=tokens)
    beyond = in_tier_2(window) > share.journal_tier
    if beyond and whole_turns(window) > BASE_UNITS:
        others = spent.preamble + spent.journal + spent.input
        assert others + share.retrieved <= tokens
    assert spent.window <= tokens
