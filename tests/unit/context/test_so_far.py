"""The story so far: which pieces say the most, and how they stand in a window."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.bench.prefix.stage import ROOMS, stage
from storykeeper.context.items import Tier
from storykeeper.context.passages import GAP
from storykeeper.context.pieces import Piece
from storykeeper.context.so_far import (
    SO_FAR,
    Worths,
    chosen,
    listed,
    ordered,
    paragraphs,
    worths,
)
from storykeeper.context.sources.recalled import EARLIER
from storykeeper.context.tail import RECENT
from storykeeper.context.vocabulary import number_of, rarities, rarity
from storykeeper.context.window import Window
from storykeeper.scoring.coverage import worth
from storykeeper.units import SceneId, TurnNo
from strategies.windows import Played


def piece(text: str, turn: int = 1, place: int = 0, *, scene: str = "hall", **more) -> Piece:
    terms = more.pop("terms", frozenset(text.rstrip(".").casefold().split()))
    return Piece(
        f"piece:{turn}/{place}", TurnNo(turn), SceneId(scene), place, text, terms,
        frozenset(more.pop("marked", ())), **more,
    )  # fmt: skip


def alike(pieces: list[Piece]) -> Worths:
    """Every word of these is worth the same."""
    assert pieces
    return np.ones(len(rarities()))


def choice(pieces: list[Piece], *, room: int) -> list[str]:
    return [each.text for each in chosen(pieces, alike(pieces), room=room, price=len)]


def worth_of(term: str, pieces: list[Piece], **favoured: float) -> float:
    return float(worths(pieces, favoured=favoured)[number_of(term)])


# ── what is chosen ───────────────────────────────────────────────────────────────────────────


def test_a_word_that_came_up_again_is_worth_twice_one_that_came_up_once():
    pieces = [piece("Kelp.", 1), piece("Kelp.", 2), piece("Thrift.", 1, 1)]
    assert worth_of("kelp", pieces) == pytest.approx(2 * worth_of("thrift", pieces))
    assert worth_of("kelp", [piece("Kelp kelp.", 1)]) == pytest.approx(worth_of("thrift", pieces))


def test_a_name_is_worth_four_times_as_much_wherever_it_is_marked():
    plain = worth_of("kelp", [piece("Kelp.", 1), piece("Kelp.", 2)])
    named = worth_of("kelp", [piece("Kelp.", 1), piece("Kelp.", 2, marked={"kelp"})])
    assert named == pytest.approx(4 * plain)


def test_it_is_worth_what_the_formula_says():
    for times in (1, 2, 3):
        pieces = [piece("Harrow.", turn, marked={"harrow"}) for turn in range(times)]
        wanted = worth(times=times, marked=True, rarity=rarity("harrow"))
        assert worth_of("harrow", pieces) == pytest.approx(wanted)


def test_what_is_favoured_is_worth_more_by_so_much_and_nothing_else_is():
    pieces = [piece("Kelp thrift.", 1)]
    assert worth_of("kelp", pieces, kelp=0.5) == pytest.approx(1.5 * worth_of("kelp", pieces))
    assert worth_of("thrift", pieces, kelp=0.5) == worth_of("thrift", pieces)
    assert worth_of("thrift", pieces, neverseenx=1.0) == worth_of("thrift", pieces)


def test_a_common_word_is_worth_less():
    assert 0 < rarity("look") < rarity("rain") < rarity("zurlangx") <= 1


def test_what_says_most_in_few_tokens_is_chosen_and_nothing_twice():
    pieces = [piece("kelp thrift"), piece("thrift", place=1), piece("marram", place=2)]
    assert choice(pieces, room=12) == ["kelp thrift"]
    assert choice(pieces, room=19) == ["kelp thrift", "marram"]
    assert choice(pieces, room=26) == ["kelp thrift", "marram", "thrift"]
    assert choice(pieces, room=11) == []


TEXTS = st.lists(st.text("abcde ", min_size=1, max_size=12), min_size=1, max_size=8)


@given(TEXTS, st.integers(0, 60), st.integers(0, 60))
def test_more_room_only_adds(texts, room, more):
    pieces = [piece(text, i) for i, text in enumerate(texts)]
    less, found = choice(pieces, room=room), choice(pieces, room=room + more)
    assert found[: len(less)] == less
    assert sum(len(text) + 1 for text in less) <= room


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"speech": 1.0}, {}),
        ({"speech": 0.5}, {"speech": 0.2}),
        ({"numbers": 1}, {}),
        ({"numbers": 3}, {"numbers": 1}),
        ({"denied": True}, {}),
        ({}, {"typed": True}),
        ({}, {"typed": True, "speech": 1.0}),
        ({"speech": 1.0}, {"numbers": 2}),
    ],
    ids=str,
)
def test_what_is_said_counted_or_denied_comes_first_and_what_was_typed_last(first, second):
    """(1 + .8·speech)·√(1 + numbers)·(1.2 if denied)·(.1 if typed).   F6.7a"""
    pair = [piece("marram", 1, **second), piece("thrift", 2, **first)]
    same = [piece("marram", 1), piece("thrift", 2)]
    known = alike(pair)
    assert list(ordered(known, same, price=lambda _: 4)) == [[0], [1]]
    assert list(ordered(known, pair, price=lambda _: 4)) == [[1], [0]]


def test_a_source_can_be_favoured():
    pair = [piece("marram", 1), piece("thrift", 2)]
    known = alike(pair)
    found = ordered(known, pair, price=lambda _: 4, likely={2: 1.1})
    assert list(found) == [[1], [0]]


# ── how it stands ────────────────────────────────────────────────────────────────────────────


def test_a_scene_is_one_paragraph_and_a_turn_one_line():
    found = paragraphs(
        [piece("C.", 4, scene="yard"), piece("A.", 1), piece("B.", 3, 2), piece("D.", 3, 4)]
    )  # fmt: skip
    assert [each.full for each in found] == [f"A.\nB.{GAP}D.", "C."]
    assert [each.sources for each in found] == [
        ("piece:1/0", "piece:3/2", "piece:3/4"), ("piece:4/0",)
    ]  # fmt: skip
    assert [each.id for each in found] == ["so-far:1/0", "so-far:4/0"]
    assert {each.origin for each in found} == {SO_FAR}
    assert {each.tier for each in found} == {Tier.JOURNAL}


def test_a_scene_that_is_played_again_is_another_paragraph():
    there = [piece("A.", 1), piece("B.", 2, scene="yard"), piece("C.", 3)]
    assert [each.full for each in paragraphs(there)] == ["A.", "B.", "C."]


def test_a_characters_is_a_list_of_what_it_perceived():
    events = [
        Piece("atom:t4.1", TurnNo(4), SceneId("yard"), 0, "B", frozenset("b"), frozenset()),
        Piece("atom:t1.2", TurnNo(1), SceneId("hall"), 0, "A", frozenset("a"), frozenset()),
    ]
    found = listed(events)
    assert [each.full for each in found] == ["- A", "- B"]
    assert [each.sources for each in found] == [("atom:t1.2",), ("atom:t4.1",)]


# ── in a window ──────────────────────────────────────────────────────────────────────────────

TURNS = 44
EVERY = 5  # turns in a room


def told(turn: int) -> str:
    """Of each turn some that is said all the time, and a name and a number that are not."""
    return (
        f"The water is grey and the rope is wet, as it was before. Odile says nothing of it."
        f" In the book stands Quarr{turn:02d}, {300 + turn} crossings and no more."
        f" Bastian looks at the river, and then the river is only the river again."
    )


@pytest.fixture(scope="module")
def run() -> Played:
    """The ferry house, from room to room."""
    played = Played.of(stage())
    played.play("", "It begins at the landing.")
    for turn in range(1, TURNS):
        room = ROOMS[turn // EVERY][0]
        line = f"I go to the {room}." if turn % EVERY == 0 else f"I ask about Quarr{turn:02d}."
        played.play(line, told(turn))
    assert len({turn.scene for turn in played.history}) == TURNS // EVERY + 1
    return played


def of(window: Window, origin: str) -> list:
    return [each.candidate for each in window.items if each.candidate.origin == origin]


def test_it_is_what_is_older_than_the_tail_from_the_first_scene_on(run):
    window = run.window("I wait.")
    first = int(of(window, RECENT)[0].id.partition(":")[2])
    turns = [int(s.split(":")[1].split("/")[0]) for c in of(window, SO_FAR) for s in c.sources]
    assert turns == sorted(turns)
    assert turns[-1] < first
    assert turns[0] < EVERY
    more = [
        s
        for each in window.items
        if each.candidate.origin == EARLIER
        for s in each.candidate.sources
    ]
    turns += [int(s.split(":")[1].split("/")[0]) for s in more]  # what has no room there
    scenes = {run.history[turn].scene for turn in turns}
    assert scenes >= {room[0] for room in ROOMS[: (first - 1) // EVERY]}


def test_each_word_of_it_was_told_so(run):
    """But for marks, and whose words they are."""
    window = run.window("I wait.")
    whole = " ".join(f"Imre’s player: {t.text} {t.prose}" for t in run.history)
    for candidate in of(window, SO_FAR):
        for part in re.split(f"{GAP}|\n", candidate.full):
            assert part in whole


def test_names_and_numbers_are_what_it_keeps(run):
    text = "\n".join(c.full for c in of(run.window("I wait."), SO_FAR))
    assert text.count("Quarr") >= 2 * text.count("wet")
    assert "no more" in text


def test_it_stands_between_tier_1_and_the_tail_under_its_heading(run):
    heads = [line for line in run.window("I wait.").text.splitlines() if line.startswith("# ")]
    first = heads.index("# The story so far, in its own words; already told")
    assert heads[first + 1] == "# Told last"


def test_it_changes_only_where_the_tail_is_cut():
    played, before = Played.of(stage()), None
    played.play("", "It begins at the landing.")
    changed = kept = 0
    for turn in range(1, TURNS + 8):
        played.play("I wait.", told(turn))
        window = played.window("I look.")
        now = ([c.full for c in of(window, SO_FAR)], of(window, RECENT)[0].id)
        if before is not None and before[0]:
            assert now[0] == before[0] or now[1] != before[1]
            changed += now != before
            kept += now == before
        before = now
    assert changed >= 2
    assert kept >= 2 * changed


@pytest.mark.parametrize("tokens", [600, 900, 1_500, 2_200, 3_300, 6_600])
def test_a_window_twice_as_large_has_no_less_of_the_past(run, tokens):
    small, large = (told_in(run.window("I wait.", tokens=n)) for n in (tokens, 2 * tokens))
    assert small - large == set()


def told_in(window: Window) -> set[str]:
    """Turns of which something stands in a window."""
    past = (c.sources for each in window.items for c in [each.candidate])
    found = (s.partition(":") for sources in past for s in sources)
    return {name.partition("/")[0] for kind, _, name in found if kind in ("turn", "piece")}
