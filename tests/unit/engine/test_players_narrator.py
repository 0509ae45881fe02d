"""The narrator of a turn may know what the player knows whose turn it is, and no more."""

import pytest
from test_players import SECRET, played, table

from strategies.runs import unkept


@pytest.fixture
def keeper():
    keeper = unkept(table())
    keeper.render(keeper.opening(), "Rain falls on the roof.")
    return keeper


def shown(turn):
    return turn.window.text + str(turn.window.receipt)


def test_what_one_whispered_is_not_in_the_window_of_anothers_turn(keeper):
    played(keeper, "ann", f'I whisper to Mara "{SECRET}"')
    assert SECRET not in shown(keeper.begin("I look at Mara.", player="cid"))
    keeper.reject()
    assert SECRET in shown(keeper.begin("I look at Mara.", player="ann"))


@pytest.mark.parametrize("line", [f"I suspect that {SECRET}.", f"hm, {SECRET} ..."])
def test_nor_what_one_only_thought(keeper, line):
    played(keeper, "ann", line)
    assert SECRET not in shown(keeper.begin("I look at Mara.", player="cid"))


def test_what_both_perceived_is_in_both(keeper):
    played(keeper, "ann", f'I say "{SECRET}"', "“Hush,” says Mara.")
    assert SECRET in shown(keeper.begin("I look at Mara.", player="cid"))


def test_facts_are_those_of_the_player_whose_turn_it_is(keeper):
    for player, fact, other in (("ann", "in debt", "in love"), ("cid", "in love", "in debt")):
        text = shown(keeper.begin("I look at Mara.", player=player))
        assert fact in text
        assert other not in text
        keeper.reject()


def test_of_a_turn_told_to_another_it_has_what_this_one_perceived(keeper):
    """Said aloud beside a whisper: the turn is not told whole, and what was aloud is not lost."""
    played(keeper, "ann", 'I whisper to Mara "hush"', f"“So {SECRET},” says Mara.")
    text = shown(keeper.begin("I look at Mara.", player="cid"))
    assert f"Mara: “So {SECRET},”" in text  # how it was said is not for another player
    assert "hush" not in text


def test_nor_does_another_get_what_was_only_for_this_one(keeper):
    played(keeper, "ann", 'I say "Well."', f"“So {SECRET},” Mara whispers to Ann.")
    text = shown(keeper.begin("I look at Mara.", player="cid"))
    assert "Ann says: “Well.”" in text
    assert SECRET not in text


def test_it_is_the_same_when_it_is_made_again(keeper):
    played(keeper, "ann", f'I whisper to Mara "{SECRET}"')
    played(keeper, "cid", 'I say "Well."')
    played(keeper, "ann", 'I say "Well."')
    assert keeper.replay()
