"""Tier 2: where the exact turns begin, how the journal falls off, and when both move."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.tail import BRIEF_UNITS, CHUNK_TURNS, Unit, chunked, journal, journal_cost
from storykeeper.events.atoms import Atom, Confidence, InformationTold, Priority, Source
from storykeeper.units import AtomId, SceneId, TurnNo

TOLD = Atom(
    turn=TurnNo(0), id=AtomId("t0.1"), scene=SceneId("first"), what=InformationTold("So.", "f"),
    source=Source.NARRATOR, confidence=Confidence(1.0), priority=Priority.NORMAL,
)  # fmt: skip


def unit(turn: int, size: int = 10, *, brief: str = "", heavy: bool = False) -> Unit:
    candidate = Candidate(
        id=f"turn:{turn}", origin="recent", tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"turn:{turn}",), full="x" * size, brief=brief or f"b{turn}", hint=f"h{turn}",
    )  # fmt: skip
    return Unit(TurnNo(turn), candidate, (TOLD,) if heavy else ())


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
