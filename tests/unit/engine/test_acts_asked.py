"""Acts that only a part nobody knows of asks about do not show in how a line is read and told."""

import pytest
from msgspec import structs

from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import StoryEvent
from strategies.flips import all_shown
from strategies.parlour import engine, parlour, tell

ACTS = ("examine", "grab", "question", "climb", "steal", "show", "tiptoe", "keep", "hum")
LINES = (
    "I examine the cup.", "I grab the cup and examine it.", "I question Mara about the cup.",
    "I climb to the attic.", "Grab it, then climb.", "I show Mara the cup.", "I tiptoe, and hum.",
    "I steal the cup from Tom.", "I keep the cup.",
)  # fmt: skip


def played(acts, *lines):
    """A story in which events that never come ask about these acts; Eve would have to do them."""
    asked = tuple(
        StoryEvent(id=f"e{i}", summary="Never.", when=Condition(did=Did(who=who, act=act)))
        for i, (who, act) in enumerate(acts)
    )
    keeper = engine(structs.replace(parlour(), events=asked))
    tell(keeper, "Tom puts a cup on the table.")
    for line in lines:
        tell(keeper, "Mara shrugs.", line)
    keeper.end_scene()
    return keeper


@pytest.mark.parametrize("audience", ["narrator", "ann", "mara"])
def test_what_a_hidden_part_asks_about_does_not_show(audience):
    one, other = (played([("eve", a) for a in acts], *LINES) for acts in (("weep",), ACTS))
    assert all_shown(one, audience, LINES) == all_shown(other, audience, LINES)


@pytest.mark.parametrize(
    ("act", "line"),
    [("examine", "I examine the cup."), ("look", "I examine the cup."), ("climb", "I climb."),
     ("go", "I climb."), ("question", "I question Mara."), ("ask", "I question Mara."),
     ("keep", "I keep the cup."), ("hum", "I hum.")],
)  # fmt: skip
def test_and_yet_it_comes_about_when_a_player_does_it(act, line):
    assert "e0" in played([("player", act)], line).world().happened


def test_another_verb_does_not_do():
    assert not played([("player", "examine")], "I look at the cup.").world().happened
    assert not played([("player", "take")], "I take off my coat.").world().happened
