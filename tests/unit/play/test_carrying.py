"""Who goes by carrying something to another place; and what only sounds so."""

import pytest

from strategies.parlour import engine, tell

GOES = [
    "Tom takes the bread through to the cellar.",
    "Tom carries the tray over to the garden.",
    "Tom brings the lamp back to the attic.",
    "Tom wheels the trolley into the cellar.",
    "Tom took his coffee out to the garden.",
    "Tom nods and takes the tray through to the cellar.",
    "Tom picks up the box, sighs, and carries it down to the cellar.",
    "Tom takes a cup of tea into the garden.",
    "Tom drags the old trunk up to the attic.",
    "Tom takes the stairs to the attic.",
    "Tom takes the message to the garden.",
    "Tom carried two of the chairs out into the garden.",
    "Tom takes the letter with him to the attic.",
    "Tom takes Mara's bread to the cellar.",
    "Tom takes the key down to the cellar.",
    "Tom has taken the tray to the cellar.",
    "Tom takes the letter to the garden.",
]
STAYS = [
    "Tom takes the bread to the table.",
    "Tom takes a look into the garden.",
    "Tom turns his face to the garden.",
    "Tom brings the conversation back to the garden.",
    "Tom takes a liking to the garden.",
    "Tom brings his gaze back to the cellar.",
    "Tom sends the letter to the garden.",
    "Tom throws the ball into the garden.",
    "Tom offers to take the tray to the cellar.",
    "Tom will carry the tray to the cellar.",
    "Tom often takes his tea into the garden.",
    "If Tom takes the tray to the cellar, all is well.",
    "Tom does not take the tray to the cellar.",
    "Tom never takes the tray to the cellar.",
    "The wind carries the smoke into the garden.",
    "The path takes you to the garden.",
    "Tom takes the key to the cellar from its hook.",
    "Tom carried the tray to the garden yesterday.",
    "Tom wants to take the tray to the cellar.",
    "Tom carries himself well.",
    "Tom takes the door to the cellar off its hinges.",
    "Tom took the key to the cellar.",
]


def with_ann(prose):
    """Who is in the parlour with Ann, of Mara and Tom."""
    keeper = engine()
    tell(keeper, prose)
    keeper.end_scene()
    places = keeper.world().places
    assert keeper.replay()
    return {who for who in ("mara", "tom") if places[who] == "parlour"}


@pytest.mark.parametrize("prose", GOES)
def test_who_carries_something_to_a_place_goes_there(prose):
    assert with_ann(prose) == {"mara"}


@pytest.mark.parametrize("prose", STAYS)
def test_nobody_goes_by_what_only_sounds_like_carrying(prose):
    assert with_ann(prose) == {"mara", "tom"}


def test_who_has_carried_it_off_hears_nothing_more():
    keeper = engine()
    tell(keeper, "Tom takes the bread through to the cellar. “He is a thief,” says Mara.")
    keeper.end_scene()
    heard = keeper.brief("tom", "a knock").text
    assert "thief" not in heard
    assert "thief" in keeper.brief("mara", "a knock").text


def test_two_who_carry_it_both_go():
    assert with_ann("Mara and Tom carry the table to the cellar.") == set()
