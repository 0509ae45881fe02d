"""Whom the prose leaves behind when a player sets out with others; and who only seems to stay."""

import pytest

from strategies.parlour import engine, tell

LINES = ("We go to the garden.", "I lead Tom to the garden.")


def along(line, prose):
    """Who is in the garden with Ann; Mara and Tom were in the parlour with her."""
    keeper = engine()
    tell(keeper, "Rain falls.")
    tell(keeper, prose, line)
    keeper.end_scene()
    world = keeper.world()
    assert world.places["ann"] == "garden"
    assert keeper.replay()
    return {who for who in ("mara", "tom") if world.places[who] == "garden"}


NOBODY = [
    "You go to the garden alone.",
    "You go alone; the others remain at the window.",
    "Only you go.",
    "You leave the others and go to the garden by yourself.",
    "You went out on your own.",
    "Alone, you step into the garden.",
    "I walk into the garden alone.",
    "You cross to the garden, alone as always.",
    "Ann goes to the garden alone.",
    "You go without them.",
    "You set out without company.",
    "Nobody comes with you.",
    "Neither of them follows.",
    "You nod to Mara and Tom and go alone.",
    "You alone go out into the rain.",
    "Mara and Tom stay in the parlour.",
    "They stay where they are.",
    "Everyone stays behind.",
    "You leave Mara and Tom in the parlour.",
    "“You go,” says Tom, and sits down at the piano. You go to the garden alone.",
]
TOM_STAYS = [
    "You go to the garden without Tom.",
    "You go out; Tom remains at the window.",
    "Tom is still in the parlour.",
    "“I'd rather stay here,” says Tom. You go to the garden without him.",
    "“I'll stay here,” says Tom.",
    "Tom says, “Go on without me.”",
    "“I'm not coming,” Tom says.",
    "Tom shakes his head and stays in the parlour.",
    "Tom stayed where he was.",
    "Tom lingers by the fire.",
    "Tom keeps his seat.",
    "Tom smiles. He stays behind.",
    "Tom decides to stay.",
    "Tom would rather stay.",
    "Tom hangs back.",
    "Tom declines with a bow.",
    "Tom refuses to come.",
    "Tom doesn't follow.",
    "Tom does not want to come.",
    "Tom watches you go.",
    "Tom sits in the parlour, humming.",
    "You leave Tom behind and step out.",
    "You go out, leaving Tom at the piano.",
    "You look at Tom, shrug, and go without him.",
    "You step out while Tom stays by the lamp.",
    "Tom is still sitting at the table.",
    "Tom remains seated.",
    "Tom yawns, stretches and stays put.",
    "Behind you Tom stays at the piano.",
    "“No,” says Tom. “I'm staying.” You shrug and go.",
    "Tom is left behind.",
    "Tom makes no move to follow.",
    "Mara takes your arm, but Tom prefers to remain by the fire.",
    "Tom waves you off.",
]
ALL_COME = [
    "You are not alone.",
    "You do not go alone.",
    "You are alone together at last.",
    "You feel alone all the same.",
    "You leave the lamp alone and go.",
    "You go without a word.",
    "You go without your coat.",
    "You would be lost without Tom.",
    "You don't go without Tom.",
    "You step out without Tom's hat.",
    "Tom is still talking.",
    "Tom is still at your side.",
    "Tom stays close to you.",
    "Tom stays with you.",
    "Tom stays at your side.",
    "Tom stays right behind you.",
    "Tom stays a step behind you.",
    "Tom remains silent.",
    "Tom stays calm.",
    "Tom stays in step.",
    "Tom remains in the garden with you.",
    "Tom does not stay.",
    "Tom refuses to stay behind.",
    "Tom refuses to let go of your hand.",
    "Tom keeps his temper.",
    "Tom keeps his voice down.",
    "Only you know the way.",
    "The smell of smoke lingers in the air.",
    "The lamp stays in the parlour.",
    "If Tom stays, so be it.",
    "Tom often stays in the parlour.",
    "“Stay here,” you tell the dog.",
    "“Shall I stay here?” asks Tom.",
    "“I will stay with you,” says Tom.",
    "Nobody follows you.",
    "You leave Tom no choice.",
    "You leave Tom's hat behind.",
    "Tom leaves his hat in the parlour and comes.",
    "Tom glances back at the piano in the parlour.",
    "Tom falls in behind you.",
    "Tom lingers over each rose in the garden.",
    "Tom keeps his place at your side.",
]


@pytest.mark.parametrize("prose", NOBODY)
def test_who_goes_alone_takes_nobody_along(prose):
    assert [along(line, prose) for line in LINES] == [set(), set()]


@pytest.mark.parametrize("prose", TOM_STAYS)
def test_who_is_told_to_stay_has_not_come(prose):
    assert [along(line, prose) for line in LINES] == [{"mara"}, set()]


@pytest.mark.parametrize("prose", ALL_COME)
def test_who_only_sounds_left_behind_has_come(prose):
    assert [along(line, prose) for line in LINES] == [{"mara", "tom"}, {"tom"}]


def test_who_is_told_to_stay_may_be_told_to_follow_after_all():
    prose = "“I'll stay here,” says Tom. You go to the garden. Tom follows you to the garden."
    assert along(LINES[1], prose) == {"tom"}


def test_of_two_that_a_pronoun_may_mean_the_last_named_stays():
    assert along(LINES[0], "Tom smiles at Mara. She stays behind.") == {"tom"}
