"""A question to the player: the turn before is fact, this one waits."""

import pytest

from storykeeper import Storykeeper
from storykeeper.events.changes import EntityPromoted
from storykeeper.events.turns import InputReceived, QuestionAnswered, QuestionAsked
from storykeeper.story.places import Thing
from storykeeper.world.fold import fold_all
from storykeeper.world.snapshot import dump
from strategies.parlour import READER, all_called, called, engine, parlour, tell, with_things
from strategies.runs import records

TWO = "A red candle stands on the table. A blue candle stands on the sill."
ASKED = (
    "Which do you mean by “the candle”: the red candle on the table or the blue candle on the sill?"
)


@pytest.fixture
def keeper():
    keeper = engine()
    tell(keeper, TWO)
    return keeper


def sound(keeper):
    """It can be done again from its records, and gives the same."""
    keeper.end_scene()
    keeper.replay()
    assert dump(fold_all(records(keeper))) == dump(keeper.world())


@pytest.mark.parametrize("told", [
    "Mara puts a ladle in it. A ladle lies in a star of soup.",
    "A ladle hangs there. A ladle lies in a star of soup.",
])  # fmt: skip
def test_nobody_is_asked_whether_they_mean_it_or_it_in_another_place(told):
    keeper = engine()
    tell(keeper, told)
    assert keeper.begin("I take the ladle").question is None


def test_the_turn_waits_and_the_one_before_is_fact(keeper):
    turn = keeper.begin("I take the candle")
    assert turn.question == ASKED
    assert keeper.world().now == 0
    assert [r.mention for r in records(keeper, QuestionAsked)] == ["the candle"]
    assert keeper.turn().question == ASKED
    sound(keeper)


def test_an_answer_goes_on_with_the_words_it_began_with(keeper):
    asked = keeper.begin("I take the candle")
    turn = keeper.begin("the blue one")
    assert (turn.number, turn.question, turn.replaced) == (asked.number, None, False)
    assert turn.present.text == "I take the candle"
    keeper.render(turn, "Well.")
    keeper.end_scene()
    blue = called(keeper, "a blue candle")
    assert keeper.world().holders[blue.id] == "ann"
    assert called(keeper, "a red candle").id == ""
    assert [m.turn for m in blue.mentions] == [0, 1]
    assert len(records(keeper, QuestionAnswered)) == 1
    sound(keeper)


def test_another_line_drops_it(keeper):
    asked = keeper.begin("I take the candle")
    turn = keeper.begin("I look at Mara")
    assert (turn.number, turn.question, turn.replaced) == (asked.number, None, True)
    keeper.render(turn, "She looks back.")
    keeper.end_scene()
    assert not records(keeper, QuestionAnswered, EntityPromoted)
    assert not keeper.world().holders
    sound(keeper)


def test_a_line_may_need_two_answers(keeper):
    keeper.render(keeper.begin("I wait."), "An old bell hangs here. A new bell stands there.")
    first = keeper.begin("I take the candle and then take the bell")
    assert "candle" in first.question
    second = keeper.begin("red")
    assert "old bell" in second.question
    third = keeper.begin("the new one")
    assert third.question is None
    keeper.render(third, "You have both.")
    keeper.end_scene()
    held = {called(keeper, name).id for name in ("a red candle", "a new bell")}
    assert set(keeper.world().holders) == held
    sound(keeper)


def test_a_new_question_takes_the_place_of_the_old_one(keeper):
    for _ in range(40):
        turn = keeper.begin("I take the candle")
        assert turn.question == ASKED
    pending = keeper.world().pending
    assert pending.asked is not None
    assert pending.asked.asked is None  # or a run of them would grow without end
    keeper.render(keeper.begin("red"), "Yes.")
    sound(keeper)


def test_what_is_told_without_an_answer_makes_the_question_past(keeper):
    asked = keeper.begin("I take the candle")
    keeper.render(asked, "Mara shakes her head.")
    turn = keeper.begin("the red one")
    assert (turn.number, turn.question, turn.replaced) == (asked.number + 1, None, False)
    assert turn.present.text == "the red one"
    assert not records(keeper, QuestionAnswered)
    keeper.render(turn, "Well.")
    keeper.end_scene()
    assert keeper.world().now == asked.number + 1
    assert not keeper.world().holders
    sound(keeper)


def test_taking_the_line_back_takes_the_question_back(keeper):
    keeper.reject(keeper.begin("I take the candle"))
    assert keeper.begin("red").question is None
    assert not records(keeper, QuestionAnswered)
    sound(keeper)


def test_a_scene_may_end_on_a_question(keeper):
    keeper.begin("I take the candle")
    keeper.end_scene()
    assert keeper.turn().question == ASKED
    assert keeper.world().now == 0


def test_looking_asks_nobody(keeper):
    before = len(records(keeper))
    keeper.window(text="I take the candle")
    assert len(records(keeper)) == before


def test_the_question_stands_after_reopening(tmp_path):
    run = tmp_path / "run.db"
    with Storykeeper.open(run, story=parlour(), reader=READER) as keeper:
        tell(keeper, TWO)
        keeper.begin("I take the candle")
    with Storykeeper.open(run, reader=READER) as again:
        assert again.turn().question == ASKED
        again.render(again.begin("the red one"), "It is yours.")
    with Storykeeper.open(run, reader=READER) as third:
        red = called(third, "a red candle")
        assert third.world().holders[red.id] == "ann"
        third.replay()


def test_an_edit_of_the_answered_turn_keeps_the_answer(keeper):
    keeper.begin("I take the candle")
    keeper.render(keeper.begin("the blue one"), "It is yours.")
    keeper.end_scene()
    before = called(keeper, "a blue candle")
    keeper.edit(1, "It is yours, for now.")
    assert called(keeper, "a blue candle").id == before.id
    assert keeper.world().holders[before.id] == "ann"
    sound(keeper)


def test_retracting_the_answered_turn_leaves_nothing_of_it(keeper):
    keeper.begin("I take the candle")
    keeper.render(keeper.begin("the blue one"), "It is yours.")
    keeper.end_scene()
    keeper.retract(1)
    assert not keeper.world().holders
    assert not any(view.id for view in all_called(keeper, "a blue candle"))
    sound(keeper)


def test_the_players_words_are_all_on_record(keeper):
    keeper.begin("I take the candle")
    keeper.begin("the blue one")
    assert [r.text for r in records(keeper, InputReceived)] == [
        "", "I take the candle", "the blue one"
    ]  # fmt: skip


def test_no_question_says_more_than_the_story_told():
    """The author's cup is poisoned, and nobody has said so."""
    cup = Thing(id="chalice", name="the poisoned cup", at="parlour", descriptors=("deadly",))
    keeper = engine(with_things(parlour(), cup))
    tell(keeper, "The cup stands on the table. A blue cup stands on the sill.")
    turn = keeper.begin("I take the cup")
    assert turn.question is None or not {"poison", "deadly"} & set(turn.question.split())
    assert "poison" not in (turn.question or "")


def test_what_is_hidden_makes_no_question():
    """Of an author's cup that was never told of nobody is asked, and it is in nobody's way."""
    hidden = Thing(id="chalice", name="the poisoned cup", at="parlour")
    keeper = engine(with_things(parlour(), hidden))
    tell(keeper, "A blue cup stands on the sill.")
    turn = keeper.begin("I take the cup")
    assert turn.question is None
    keeper.render(turn, "It is yours.")
    keeper.end_scene()
    assert keeper.world().holders[called(keeper, "a blue cup").id] == "ann"
