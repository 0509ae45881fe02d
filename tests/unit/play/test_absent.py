"""What is done to somebody who is not there is not done: no secret opens from afar."""

from __future__ import annotations

from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.play.narrate import STAGE, offline

STORY = Path(__file__).parents[3] / "examples" / "the-lamp-at-harrow"


@pytest.fixture
def keeper(tmp_path: Path):
    with Storykeeper.open(tmp_path / "run.db", story=STORY) as keeper:
        _told(keeper, None)
        yield keeper


def _told(keeper: Storykeeper, line: str | None) -> str:
    turn = keeper.opening() if line is None else keeper.begin(line)
    prose = offline(turn.world, turn.present)
    keeper.render(turn, prose, stage=STAGE)
    return prose


@pytest.mark.parametrize(
    ("line", "who", "fact"),
    [
        ("I tell Mara about the lens", "mara", "lens-sold"),
        ("I look at the grey coat", "coyle", "the-child"),
        ("I look in the oat crock", "coyle", "key-in-the-oats"),
        ("I read the second book", "coyle", "why-dark"),
    ],
)
def test_from_the_causeway_nothing_on_the_island_is_learned(keeper, line, who, fact):
    before = keeper.knows(who).get(fact)
    told = _told(keeper, line)
    keeper.end_scene()
    assert keeper.knows(who).get(fact) == before
    # What was told of is not here; of the rest nobody has heard that it exists.
    assert ("You do not see Mara here." in told) is ("Mara" in line)


def test_the_absent_do_not_perceive_it(keeper):
    _told(keeper, "I tell Mara about the lens")
    keeper.end_scene()
    assert "lens" not in keeper.window("mara").text.split("# What you last saw")[-1]


def test_where_they_are_it_is_done(keeper):
    _told(keeper, "I go on to Harrow.")
    _told(keeper, "I tell Mara about the lens")
    keeper.end_scene()
    assert keeper.knows("mara")["lens-sold"].how == "told by coyle"


def test_a_whisper_is_heard_by_one(keeper):
    _told(keeper, "I go on to Harrow.")
    _told(keeper, '"The tide is late," I whisper to Pell.')
    keeper.end_scene()
    assert "The tide is late" in keeper.window("pell").text
    assert "The tide is late" not in keeper.window("mara").text


def test_what_is_given_is_said_so_in_a_window(keeper):
    _told(keeper, "I go on to Harrow.")
    _told(keeper, "I give Mara the order")
    keeper.end_scene()
    seen = keeper.window("pell").text
    assert "You give Mara" in seen  # and “you” is Coyle
    assert "Coyle goes." not in seen


def test_a_deed_that_nothing_knows_is_only_tried(keeper):
    _told(keeper, "I go on to Harrow.")
    assert "You try to kill Pell." in _told(keeper, "I kill Pell.")
    assert "says Pell" in _told(keeper, "I ask Pell about the lamp.")
