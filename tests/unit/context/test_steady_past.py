"""In a scene of hundreds of turns the past has a beginning that stays where it is for a while."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from storykeeper.bench.prefix.stage import stage
from storykeeper.context.boundary import REACH_TURNS
from storykeeper.context.history import PastTurn
from storykeeper.context.tail import CHUNK_TURNS
from storykeeper.context.window import assemble
from storykeeper.units import EntityId, SceneId, TurnNo
from strategies.windows import Played

FIRST, LAST = REACH_TURNS + 60, REACH_TURNS + 60 + 24


def long_scene(text: str, prose: str) -> list[PastTurn]:
    return [
        PastTurn(TurnNo(n), SceneId("landing"), EntityId("imre"), text, prose.format(n))
        for n in range(LAST)
    ]


def above(played: Played, history: list[PastTurn], turns: int, *, tokens: int) -> str:
    """Tiers 1 and 2 after so many turns."""
    world, present = played.under_way("I look.")
    made = assemble(
        world, history[:turns], replace(present, turn=TurnNo(turns)), audience="narrator",
        tokens=tokens, count=lambda text: len(text) // 4,
    )  # fmt: skip
    return made.text.partition("\n\n# To write from")[0].partition("\n\n# The player")[0]


@pytest.mark.parametrize("tokens", [3_300, 120_000])
@pytest.mark.parametrize("prose", ["It is {} now, and nothing else is so.", "Nothing happens."])
def test_between_cuts_only_the_turn_told_last_is_new(tokens, prose):
    """Also where all the past is shown, and where hundreds of turns are one line of the journal."""
    played = Played.of(stage())
    played.play("", "It begins.")
    history = long_scene("I wait.", prose)
    shown = [above(played, history, turns, tokens=tokens) for turns in range(FIRST, LAST)]
    kept = [now.startswith(before) for before, now in pairwise(shown)]
    assert kept.count(False) <= len(kept) // CHUNK_TURNS + 1
