"""Several players and a telephone: each has what they hear by it, also in another's turn."""

import pytest
from test_players import SECRET, played, sees, table

from strategies.runs import unkept

PHONE = (f'I phone Cid and say "{SECRET}"', "Cid picks up.")
WELL = "the well is dry"


@pytest.fixture
def keeper():
    """Cid is in the garden, Ann and Mara are in the parlour."""
    keeper = unkept(table())
    keeper.render(keeper.opening(), "Rain falls on the roof.")
    played(keeper, "cid", "I go to the garden.")
    return keeper


def narrated(keeper, player, line="I wait."):
    """All that the narrator of a player's turn is shown."""
    turn = keeper.begin(line, player=player)
    shown = turn.window.text + str(turn.window.receipt)
    keeper.reject()
    return shown


def test_who_is_called_has_it_in_the_next_turn_of_theirs(keeper):
    played(keeper, "ann", *PHONE)
    assert f"Ann says to Cid: “{SECRET}”" in narrated(keeper, "cid")
    assert sees(keeper, "cid", SECRET)


def test_what_they_hear_is_all_they_have_of_it(keeper):
    played(keeper, "ann", PHONE[0], f"Cid picks up. “{WELL.capitalize()},” Mara whispers to Ann.")
    shown = narrated(keeper, "cid")
    assert SECRET in shown
    assert "dry" not in shown


@pytest.mark.parametrize(
    ("line", "prose"),
    [
        (PHONE[0], "It rings. Nobody answers."),
        (PHONE[0], "It rings."),
        (f'I say "{SECRET}" and phone Cid', "Cid picks up."),
        ("I phone Cid.", f"Cid picks up. “{SECRET.capitalize()},” says Mara."),
    ],
)
def test_what_does_not_go_over_it_reaches_nobody_there(keeper, line, prose):
    played(keeper, "ann", line, prose)
    assert SECRET not in narrated(keeper, "cid").replace(SECRET.capitalize(), SECRET)
    assert not sees(keeper, "cid", SECRET)


def test_a_line_waits_for_a_turn_of_one_who_is_on_it(keeper):
    played(keeper, "cid", "I phone Mara.", "Mara picks up.")
    played(keeper, "ann", 'I say "Well."')
    played(keeper, "ann", "I wait.")
    assert keeper.world().lines == (("cid", "mara"),)
    played(keeper, "cid", "I wait.")
    assert keeper.world().lines == ()


def test_it_is_the_same_when_it_is_made_again(keeper):
    played(keeper, "ann", *PHONE)
    played(keeper, "cid", 'I say "Oh."')
    played(keeper, "ann", "I hang up.")
    assert keeper.replay()
