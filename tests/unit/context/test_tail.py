"""Tier 2: where the exact turns begin, how the journal falls off, and when both move."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.tail import (
    BRIEF_UNITS,
    CHUNK_TURNS,
    STEADY_TURNS,
    Cut,
    Sizes,
    Unit,
    chunked,
    journal,
    journal_cost,
)
from storykeeper.events.atoms import Atom, Confidence, InformationTold, Priority, Source
from storykeeper.units import AtomId, SceneId, TurnNo

TOLD = Atom(
    turn=TurnNo(0), id=AtomId("t0.1"), scene=SceneId("first"), what=InformationTold("So.", "f"),
    source=Source.NARRATOR, confidence=Confidence(1.0), priority=Priority.NORMAL,
)  # fmt: skip


def unit(
    turn: int, size: int = 10, *, brief: str = "", heavy: bool = False, earlier: bool = False
) -> Unit:
    candidate = Candidate(
        id=f"turn:{turn}", origin="recent", tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"turn:{turn}",), full="x" * size, brief=brief or f"b{turn}", hint=f"h{turn}",
    )  # fmt: skip
    return Unit(TurnNo(turn), candidate, (TOLD,) if heavy else (), earlier)


def cut(
    past: list[Unit], *, recent: int = 60, tier: int = 200, most: int | None = None, least: int = 3
) -> Cut:
    """The cut in force; unless something is said, tier 2 may not grow beyond its size."""
    sizes = Sizes(recent, tier, tier if most is None else most)
    return chunked(past, sizes, price=len, least=least)


def start(past: list[Unit], **sizes: int) -> int:
    return cut(past, **sizes).start


def test_at_a_chunk_the_tail_is_the_longest_suffix_that_fits():
    past = [unit(i) for i in range(25)]  # the last is turn 24, a multiple of eight
    assert start(past) == 25 - 6


def test_between_chunks_it_only_grows():
    starts = [start([unit(i) for i in range(n)]) for n in range(25, 33)]
    assert starts == [19] * 8
    assert start([unit(i) for i in range(33)]) == 27


def test_the_last_three_are_in_it_whatever_their_size():
    past = [unit(i, 500) for i in range(25)]
    assert start(past) == 22


def test_the_cut_comes_early_when_the_tier_would_pass_its_size():
    past = [unit(i) for i in range(25)] + [unit(25, 70), unit(26, 70)]
    assert start(past[:25]) == 19
    assert start(past[:26], tier=120) == 23  # base: turns 23, 24 and 25
    assert start(past, tier=1_000) == 19


def test_into_what_is_free_it_grows_beyond_its_size():
    past = [unit(i) for i in range(25)] + [unit(25, 70), unit(26, 70)]
    assert start(past[:26], tier=120, most=220) == 19
    assert start(past, tier=120, most=220) == 24


def test_after_an_early_cut_the_next_is_not_due_at_once():
    """Turn 37 is cut early; turn 40 would be due, and is left out."""
    past = [unit(i, 200 if i == 37 else 10) for i in range(43)]
    starts = [start(past[: n + 1], tier=300) for n in range(36, 43)]
    assert starts == [27, *[35] * 6]


def test_the_scene_before_stands_in_the_tail_until_the_first_cut():
    before = [unit(i, earlier=True) for i in (18, 19, 20)]
    scene = [unit(i) for i in range(21, 42)]
    starts = [start([*before, *scene[:n]]) for n in range(13)]
    assert starts == [0] * 12 + [9]  # turn 24 is too soon; turn 32 cuts


def test_a_scene_that_begins_just_before_a_steady_turn_is_not_cut_at_once():
    before = [unit(i, earlier=True) for i in (12, 13, 14)]
    scene = [unit(i) for i in range(15, 26)]
    starts = [start([*before, *scene[:n]]) for n in range(12)]
    assert starts == [0] * 10 + [7, 7]  # turn 16 does not cut, turn 24 does


def test_the_journal_leaves_room_for_seven_turns_like_those_in_the_tail():
    past = [unit(i, 20) for i in range(33)]
    assert cut(past, tier=300) == Cut(30, 300 - 60 - 154)
    assert cut(past, tier=100) == Cut(30, 40 // 3)


def test_what_is_free_is_room_that_the_journal_need_not_leave():
    past = [unit(i, 20) for i in range(33)]
    assert cut(past, tier=300, most=400) == Cut(30, 300 - 60 - (154 - 100))
    assert cut(past, tier=300, most=500) == Cut(30, 300 - 60)


def test_nothing_of_the_scene_before_is_in_the_journal():
    past = [unit(1, earlier=True), unit(2), unit(3)]
    assert lines(past) == ["- b2", "- b3"]


SIZES = st.lists(st.integers(1, 30), min_size=40, max_size=90)


@given(SIZES, st.integers(0, 200))
def test_between_cuts_nothing_moves(sizes, spare):
    """Two turns in a row do not cut, but where cuts begin to be followed from a later turn."""
    past = [unit(i, size) for i, size in enumerate(sizes)]
    cuts = [cut(past[:n], most=200 + spare) for n in range(1, len(past) + 1)]
    moved = [now != before for before, now in pairwise(cuts)]  # the first at turn 1
    twice = [turn for turn, pair in enumerate(pairwise(moved), start=2) if all(pair)]
    assert all(turn % STEADY_TURNS in (0, 1) for turn in twice)


@given(SIZES, st.integers(0, 100), st.integers(1, 200))
def test_with_more_that_is_free_cuts_are_not_more_frequent(sizes, spare, more):
    """Of one tail: it is not cut sooner than with less to grow into."""
    past = [unit(i, size) for i, size in enumerate(sizes)][:STEADY_TURNS]
    first = [cut(past[:n], most=200 + spare).start for n in range(1, len(past) + 1)]
    second = [cut(past[:n], most=200 + spare + more).start for n in range(1, len(past) + 1)]
    moves = [next((n for n, at in enumerate(each) if at), len(past)) for each in (first, second)]
    assert moves[0] <= moves[1]


@given(
    st.lists(st.integers(1, 90), max_size=40), st.integers(0, 200), st.integers(0, 400),
    st.integers(0, 300),
)  # fmt: skip
def test_laws_of_the_cut(sizes, recent, tier, spare):
    past = [unit(i, size) for i, size in enumerate(sizes)]
    found = cut(past, recent=recent, tier=tier, most=tier + spare)
    assert found == cut(list(past), recent=recent, tier=tier, most=tier + spare)
    tail = sum(sizes[found.start :])
    base = sum(sizes[-3:])
    assert found.start <= max(0, len(past) - 3)
    assert tail + journal_cost(past, found, len) <= max(tier + spare, recent, base)
    if past and (len(past) - 1) % CHUNK_TURNS:  # not at a chunk: it grew, or the cut came early
        before = cut(past[:-1], recent=recent, tier=tier, most=tier + spare)
        assert found.start >= before.start


def lines(past: list[Unit], *, room: int = 1_000) -> list[str]:
    kept, _ = journal(past, start=len(past), room=room, price=len)
    return [line.full for line in kept]


def test_the_journal_is_brief_and_then_a_few_words():
    past = [unit(i) for i in range(BRIEF_UNITS + 2)]
    assert lines(past)[:3] == ["- h0", "- h1", "- b2"]


def test_heavy_turns_resist_by_one_level():
    past = [unit(0, heavy=True), *(unit(i) for i in range(1, BRIEF_UNITS + 2))]
    assert lines(past)[:2] == ["- b0", "- h1"]


def test_repeats_become_one_line_that_keeps_all_its_sources():
    past = [unit(i, brief="The rain goes on.") for i in range(3)]
    kept, _ = journal(past, start=3, room=100, price=len)
    assert [line.full for line in kept] == ["- The rain goes on. (3 times)"]
    assert kept[0].id == "journal:0-2"
    assert kept[0].sources == ("turn:0", "turn:1", "turn:2")


def test_without_room_the_oldest_lines_go_first():
    past = [unit(i) for i in range(4)]
    assert lines(past, room=8) == ["- b2", "- b3"]
    kept, older = journal(past, start=4, room=8, price=len)
    assert [line.id for line in kept] == ["journal:2", "journal:3"]
    assert older is not None
    assert older.sources == ("turn:0", "turn:1")
    assert lines(past, room=0) == []
