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


def start(past: list[Unit], *, recent: int = 60, tier: int = 200, least: int = 3) -> int:
    return chunked(past, price=len, recent=recent, tier=tier, least=least).start


def test_at_a_chunk_the_tail_is_the_longest_suffix_that_fits():
    past = [unit(i) for i in range(13)]  # the last is turn 12, a multiple of four
    assert start(past) == 13 - 6


def test_between_chunks_it_only_grows():
    starts = [start([unit(i) for i in range(n)]) for n in range(13, 17)]
    assert starts == [7, 7, 7, 7]
    assert start([unit(i) for i in range(17)]) == 11


def test_the_last_three_are_in_it_whatever_their_size():
    past = [unit(i, 500) for i in range(13)]
    assert start(past) == 10


def test_the_cut_comes_early_when_the_tier_would_pass_its_size():
    past = [unit(i) for i in range(13)] + [unit(13, 70), unit(14, 70)]
    assert start(past[:13]) == 7
    assert start(past[:14], tier=120) == 11  # base: turns 11, 12 and 13
    assert start(past, tier=1_000) == 7


def test_after_an_early_cut_the_next_is_not_due_at_once():
    """Turn 22 is cut early; turn 24 would be due, and is left out; then turn 28 is."""
    past = [unit(i, 100 if i == 22 else 10) for i in range(30)]
    starts = [start(past[: n + 1]) for n in range(21, 30)]
    assert starts == [15, 20, 20, 20, 20, 20, 20, 23, 23]


def test_the_scene_before_stands_in_the_tail_until_the_first_cut():
    before = [unit(i, earlier=True) for i in (18, 19, 20)]
    scene = [unit(i) for i in range(21, 30)]
    starts = [start([*before, *scene[:n]]) for n in range(6)]
    assert starts == [0, 0, 0, 0, 3, 3]  # turn 24 cuts; turn 21 comes first
    assert [start([*before, *scene[:n]]) for n in (7, 8, 9)] == [3, 5, 5]  # turn 28


def test_a_scene_that_begins_just_before_a_steady_turn_is_not_cut_at_once():
    before = [unit(i, earlier=True) for i in (12, 13, 14)]
    scene = [unit(i) for i in range(15, 22)]
    starts = [start([*before, *scene[:n]]) for n in range(8)]
    assert starts == [0, 0, 0, 0, 0, 0, 3, 3]  # turn 16 does not cut, turn 20 does


def test_nothing_of_the_scene_before_is_in_the_journal():
    past = [unit(1, earlier=True), unit(2), unit(3)]
    assert lines(past) == ["- b2", "- b3"]


def test_the_journal_leaves_room_for_three_turns_like_those_in_the_tail():
    past = [unit(i, 20) for i in range(17)]
    assert chunked(past, price=len, recent=60, tier=200, least=3) == Cut(14, 200 - 60 - 66)
    assert chunked(past, price=len, recent=60, tier=100, least=3) == Cut(14, 40 // 8)


@given(st.lists(st.integers(1, 30), min_size=40, max_size=90))
def test_between_cuts_nothing_moves(sizes):
    """Two turns in a row do not cut, but where cuts begin to be followed from a later turn."""
    past = [unit(i, size) for i, size in enumerate(sizes)]
    cuts = [
        chunked(past[:n], price=len, recent=60, tier=200, least=3) for n in range(1, len(past) + 1)
    ]
    moved = [now != before for before, now in pairwise(cuts)]  # the first at turn 1
    twice = [turn for turn, pair in enumerate(pairwise(moved), start=2) if all(pair)]
    assert all(turn % STEADY_TURNS in (0, 1) for turn in twice)


@given(st.lists(st.integers(1, 90), max_size=40), st.integers(0, 200), st.integers(0, 400))
def test_laws_of_the_cut(sizes, recent, tier):
    past = [unit(i, size) for i, size in enumerate(sizes)]
    cut = chunked(past, price=len, recent=recent, tier=tier, least=3)
    assert cut == chunked(list(past), price=len, recent=recent, tier=tier, least=3)
    tail = sum(sizes[cut.start :])
    base = sum(sizes[-3:])
    assert cut.start <= max(0, len(past) - 3)
    assert tail + journal_cost(past, cut, len) <= max(tier, recent, base)
    if len(past) % CHUNK_TURNS != 1 and past:  # not at a chunk: it grew, or the cut came early
        before = chunked(past[:-1], price=len, recent=recent, tier=tier, least=3)
        assert cut.start >= before.start


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
