"""In a run of hundreds of turns the past has a beginning that stays where it is for a while."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from storykeeper.bench.prefix.stage import ROOMS, stage
from storykeeper.context.history import PastTurn
from storykeeper.context.tail import RECENT, STEADY_TURNS
from storykeeper.context.window import Window, assemble
from storykeeper.play.past import KEPT_TURNS, Past
from storykeeper.units import EntityId, SceneId, TurnNo
from strategies.sizes import first
from strategies.windows import Played

FIRST, LAST = KEPT_TURNS + 60, KEPT_TURNS + 60 + 36
LARGE = 120_000


def long_run(prose: str, *, rooms: int = 1, every: int = 7) -> list[PastTurn]:
    """From room to room and back, every so many turns."""
    return [
        PastTurn(TurnNo(n), SceneId(ROOMS[n // every % rooms][0]), EntityId("imre"), "I wait.",
                 prose.format(n))
        for n in range(LAST)
    ]  # fmt: skip


def made(history: list[PastTurn], turns: int, *, tokens: int) -> Window:
    """The window after so many turns, from what a run keeps at hand of them."""
    past = Past()
    for turn in history[:turns]:
        past.keep(turn)
    played = Played.of(stage())
    played.play("", "It begins.")
    world, present = played.under_way("I look.")
    return assemble(
        world, past.told, replace(present, turn=TurnNo(turns)), audience="narrator",
        tokens=tokens, count=lambda text: len(text) // 4,
    )  # fmt: skip


def above(window: Window) -> str:
    """Tiers 1 and 2."""
    text = window.text
    for heading in ("# To write from", "# From earlier", "# The player"):
        text = text.partition(f"\n\n{heading}")[0]
    return text


@pytest.mark.parametrize("rooms", first(1, [3, 1]), ids=["three scenes", "one scene"])
@pytest.mark.parametrize("tokens", [3_300, LARGE])
@pytest.mark.parametrize("prose", ["It is {} now, and nothing else is so.", "Nothing happens."])
def test_between_cuts_only_the_turn_told_last_is_new(tokens, prose, rooms):
    """Also where all the past is shown, and where hundreds of turns say the same."""
    history = long_run(prose, rooms=rooms)
    shown = [above(made(history, turns, tokens=tokens)) for turns in range(FIRST, LAST)]
    kept = [now.startswith(before) for before, now in pairwise(shown)]
    assert kept.count(False) <= len(kept) // 4
    assert kept.count(True) < len(kept)  # there is a cut at every sixteenth turn


def test_the_tail_reaches_back_as_far_as_every_turn_is_at_hand():
    """In a window that could hold all of it; before that there is the story so far."""
    history = long_run("It is {} now.")
    for turns in range(FIRST, LAST):
        window = made(history, turns, tokens=LARGE)
        told = [each.candidate.id for each in window.items if each.candidate.origin == RECENT]
        first = int(told[0].partition(":")[2])
        assert told == [f"turn:{n}" for n in range(first, turns)]
        assert first % STEADY_TURNS == 0
        assert KEPT_TURNS <= len(told) <= KEPT_TURNS + STEADY_TURNS


def test_the_story_so_far_reaches_back_to_the_first_turns():
    history = [
        replace(turn, weight=5.0 if turn.turn == 3 else 0.0) for turn in long_run("It is {}.")
    ]
    window = made(history, LAST, tokens=LARGE)
    assert "It is 3." in window.text.partition("# Told last")[0]
