"""Who hides, is invisible or stepped out is not among those whom others see."""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.story.model import NARRATOR
from storykeeper.story.places import Thing
from storykeeper.units import EntityId, TurnNo
from strategies.parlour import engine, parlour, tell, with_things


def seen(keeper, who: str) -> str:
    return keeper.window(who, text="I wait.").text


@pytest.mark.parametrize(
    ("state", "to_tom"),
    [
        ("hidden", {"ann", "mara", "tom"}),  # and knows that they are there
        ("invisible", {"ann", "mara", "tom"}),
        ("away", {"tom"}),  # nor does one who is gone see who comes and goes
    ],
)
def test_nobody_sees_who_is_not_to_be_seen(state, to_tom):
    world = structs.replace(engine().world(), **{state: (EntityId("tom"),)})
    present = PresentTurn(TurnNo(1), EntityId("ann"), "I wait.")

    def here(who: str) -> frozenset[str]:
        return Boundary(world, (), present, audience=who).here

    assert here("mara") == {"ann", "mara"}
    assert here("ann") == {"ann", "mara"}
    assert here("tom") == to_tom
    assert here(NARRATOR) == {"ann", "mara", "tom"}  # who told that they hid


def test_one_asleep_sees_nobody_come_or_go():
    keeper = engine()
    tell(keeper, "“It rains,” says Tom. Mara falls asleep.")
    before = seen(keeper, "mara")
    tell(keeper, "Tom goes out.")
    assert "Present" not in before
    assert "Present" not in seen(keeper, "mara")


def test_who_hides_is_present_to_nobody_until_they_show_themselves():
    keeper = engine()
    tell(keeper, "“It rains,” says Tom.")
    assert "- Present: Ann (she/her), Tom (he/him)\n" in seen(keeper, "mara")
    tell(keeper, "Tom hides behind the curtain.", "I wait.")
    keeper.end_scene()
    assert "- Present: Ann (she/her)\n" in seen(keeper, "mara")
    assert "- Present: Ann (she/her), Mara (she/her)\n" in seen(keeper, "tom")


def test_what_is_hidden_in_a_room_has_not_been_come_across():
    letter = Thing(id="letter", name="the letter", at="parlour", description="Torn in two")
    world = engine(with_things(parlour(), letter)).world()
    hidden = structs.replace(world, hidden=(EntityId("letter"),), met=Map())  # from the first
    present = PresentTurn(TurnNo(1), EntityId("ann"), "I wait.")
    open_ = [
        Boundary(each, (), present, audience="mara").open("thing:letter")
        for each in (world, hidden)
    ]
    assert open_ == [True, False]
