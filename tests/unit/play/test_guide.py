"""Where nobody but the author tells: what is a turn, what is answered, what is offered."""

from __future__ import annotations

import pytest

from storykeeper.play import narrate
from strategies.runs import kept
from strategies.worlds import EXAMPLE


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory):
    """The kitchen at Harrow, entered."""
    keeper = kept(tmp_path_factory.mktemp("guide") / "run.db", story=EXAMPLE)
    turn = keeper.opening()
    for line in ("I go on to Harrow.", ""):
        prose = narrate.offline(turn.world, turn.present)
        keeper.render(turn, prose, narrator=narrate.NAME, stage=narrate.STAGE)
        if line:
            turn = keeper.begin(line)
    yield keeper
    keeper.close()


@pytest.mark.parametrize(
    "line",
    [
        "I ask Mara where the brass key went.", "look in the crock", "go to the yard", "wait", "z",
        "take the blue plate", "x form", "I wander about.", "drink my tea",
        "give mara the order", "talk to Mara", "I sit down at the table.",
        "“Good evening,” I say.", "*smiles at Pell* Good evening.",
    ],
)  # fmt: skip
def test_what_something_comes_of_is_a_turn(kitchen, line):
    assert kitchen.guidance(line) is None


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("look", "The kitchen. The whole ground floor of the house"),
        ("i", "You have the order and the inventory."),
        ("inventory", "You have the order and the inventory."),
        ("n", "There is no way north from here. From here one can go to the yard."),
        ("go to the kitchen", "That is where you are: the kitchen."),
        ("take the order", "You have the order already."),
        ("ask Orme about the tide", "You do not see Tobit Orme here."),
        ("asdf", "“asdf” is not understood."),
        ("kill Mara", "Nothing in this story answers “kill Mara”"),
        ("turn on the radio", "Nothing is told of the radio here."),
    ],
)
def test_what_nothing_comes_of_is_answered_without_a_turn(kitchen, line, answer):
    before = kitchen.ledger.head(kitchen.run)
    assert kitchen.guidance(line).text.startswith(answer)
    assert kitchen.ledger.head(kitchen.run) == before


@pytest.mark.parametrize("line", ["?", "help", "What can I do here?"])
def test_what_could_be_tried_is_offered_in_numbers(kitchen, line):
    guidance = kitchen.guidance(line)
    assert [each.line for each in guidance.offers[:2]] == ["go on", "ask Pell about the blue plate"]
    assert "  2. ask Pell about the blue plate" in str(guidance).splitlines()
    assert guidance.offers[-1].line == "wait"
    assert all(kitchen.guidance(each.line) is None for each in guidance.offers if each.waited)


def test_what_is_offered_is_something_the_story_answers(kitchen):
    for each in kitchen.guidance("?").offers:
        answer = kitchen.guidance(each.line)
        assert answer is None or not answer.offers, each.line


def test_nothing_is_named_that_the_player_has_not_come_across(kitchen):
    said = str(kitchen.guidance("?")) + kitchen.guidance("look").text
    for hidden in ("log", "second book", "lens", "page", "Fetch", "Wil"):
        assert hidden not in said


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("x me", "You are Coyle. A clerk of the Lights Office"),
        ("examine the table", "No more is told of the table here."),
        ("fly to the lighthouse", "Where to? From here one can go to the yard."),
    ],
)
def test_what_is_small_is_answered_for_what_it_is(kitchen, line, answer):
    assert kitchen.guidance(line).text.startswith(answer)


@pytest.mark.parametrize(
    "line",
    [
        "*sets the pen down* You answer very promptly, Miss Rudd.", "*raises an eyebrow*",
        "continue", "I dance a little jig",
        "It is warm in here, warmer than any kitchen in all of Stell.",
    ],
)  # fmt: skip
def test_what_is_said_or_done_among_people_is_a_turn(kitchen, line):
    assert kitchen.guidance(line) is None


def test_a_threat_is_answered_by_nobody_and_makes_no_turn(kitchen):
    assert kitchen.guidance("I will kill you, Mara").text.startswith(
        "Nothing in this story answers"
    )
