"""Two turns of a run compared, and a line drawn through all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.errors import NoSuchTurn, PlayError
from storykeeper.world import trajectory

STORY = Path(__file__).parents[3] / "examples" / "the-lamp-at-harrow"


@pytest.fixture
def keeper(tmp_path: Path):
    with Storykeeper.open(tmp_path / "run.db", story=STORY) as keeper:
        keeper.render(keeper.opening(), "The causeway.")
        for line in ("I go on to Harrow.", "I tell Mara about the lens", "I wait."):
            keeper.render(keeper.begin(line), "So it is.")
        keeper.end_scene()
        yield keeper


def test_what_changed_between_two_turns(keeper: Storykeeper):
    changes = {(c.what, c.key): (c.before, c.after) for c in keeper.compare(0, 2)}
    assert ("", "knows (told by coyle, turn 2)") in changes.values()
    assert any("causeway" in before and "kitchen" in after for before, after in changes.values())
    assert keeper.compare(1, 1) == ()


def test_a_turn_that_is_not_fact_cannot_be_compared(keeper: Storykeeper):
    with pytest.raises(NoSuchTurn):
        keeper.compare(0, 9)


def test_a_line_through_the_turns(keeper: Storykeeper):
    points = trajectory.scene(keeper.checkpoints(), "kitchen")
    visits = [(point.turn, point.value.visits) for point in points]
    assert visits[0] == (0, 0)
    assert visits[-1][1] >= 1


def test_a_run_that_was_closed_says_so(keeper: Storykeeper):
    keeper.close()
    with pytest.raises(PlayError, match="was closed here"):
        keeper.begin("I wait.")
