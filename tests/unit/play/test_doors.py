"""Who is gone by a door that is shut behind them; and who is on this side of it."""

import pytest

from strategies.parlour import engine, tell

GONE = [
    "Tom shuts the door behind him.",
    "Tom closed the door behind him.",
    "Tom slams the door behind him.",
    "Tom pulls the door shut behind him.",
    "Tom pulls the door to behind him.",
    "Tom nods and closes the door softly behind him.",
    "Tom rises. He closes the door quietly behind him.",
    "Tom bows, closing the door behind him.",
    "Tom locks the gate behind him.",
    "Mara shuts the door behind Tom.",
    "Tom lets the door fall shut behind him.",
    "Tom draws the door closed behind himself.",
    "The door closes behind Tom.",
    "Tom kicks the door shut behind him.",
    "Mara rises. Tom shuts the door behind him and hurries down the stairs.",
]
HERE = [
    "Tom shuts the door behind him and sits down.",
    "Tom comes in and shuts the door behind him.",
    "Tom shuts the door.",
    "Tom shuts the door behind you.",
    "Tom leans on the door behind him.",
    "Tom does not shut the door behind him.",
    "Tom reaches to shut the door behind him.",
    "Tom shuts the door behind him and comes in.",
    "Tom closes the door behind him and leans against it.",
    "Tom enters, slamming the door behind him.",
    "Tom hears the door close behind him.",
    "Tom hides the letter behind him.",
    "Tom shuts the drawer behind him.",
    "If Tom shuts the door behind him, so be it.",
    "You shut the door behind you.",
    "Tom follows you in and closes the door behind him.",
    "Tom pulls the door shut behind him and takes a seat.",
]


def with_ann(prose):
    """Who is with Ann after a rendering, of Mara and Tom, who were."""
    keeper = engine()
    tell(keeper, prose)
    keeper.end_scene()
    world = keeper.world()
    assert keeper.replay()
    here = (w for w in ("mara", "tom") if world.places[w] == "parlour")
    return {w for w in here if w not in world.away}


@pytest.mark.parametrize("prose", GONE)
def test_who_shuts_the_door_behind_them_is_gone(prose):
    assert with_ann(prose) == {"mara"}


@pytest.mark.parametrize("prose", HERE)
def test_who_is_on_this_side_of_the_door_is_here(prose):
    assert with_ann(prose) == {"mara", "tom"}


def test_a_pronoun_that_does_not_fit_who_shuts_it_is_another_s():
    assert with_ann("Tom bows. Mara shuts the door behind him.") == {"mara"}


def test_who_went_to_a_place_is_there_and_not_away():
    keeper = engine()
    tell(keeper, "Tom goes to the cellar and shuts the door behind him.")
    keeper.end_scene()
    world = keeper.world()
    assert world.places["tom"] == "cellar"
    assert "tom" not in world.away
