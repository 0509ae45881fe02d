"""Who leaves, in whatever words, hears nothing of what is said after."""

import pytest

from unit.engine.test_gone_for_good import SAYS, hearing, played

LEAVING = [
    "Tom leaves.", "Tom left.", "Tom has left.", "Tom is gone.", "Tom goes.", "Tom withdraws.",
    "Tom flees.", "Tom vanishes.", "Tom retires for the night.", "Tom goes to bed.",
    "Tom nods and leaves.", "Tom gets up and leaves.", "Tom takes his hat and goes.",
    "Tom nods to Mara and leaves.", "Tom gets up. He leaves.", "Tom leaves, whistling.",
    "Tom leaves and closes the door behind him.", "Tom leaves through the back door.",
    "Tom leaves you alone with Mara.", "Tom leaves for the yard.", "Tom heads for the yard.",
    "Tom disappears into the yard.", "After Tom leaves, Mara turns to you.",
    "When Tom has left, Mara turns to you.", "Once Tom is gone, Mara turns to you.",
    "Mara waits until Tom is out of the room.", "The door closes behind Tom.",
    "Mara sends Tom out.", "Tom carries the lamp out.", "Tom takes the lamp outside.",
]  # fmt: skip
STAYING = [
    "Tom leaves the knife on the table.", "Tom leaves his hat on the chair.", "Tom turns left.",
    "Tom withdraws his hand.", "Tom leaves the door open.", "Tom does not leave.",
    "Tom wants to leave.", "Tom almost leaves.", "If Tom leaves, Mara will weep.",
    "Tom goes pale.", "Tom goes on reading.", "Tom heads for the window.",
    "Tom retires to his chair by the fire.", "Tom vanishes behind his newspaper.",
    "Tom gathers twigs and leaves.", "Mara sends Tom a look.",
    "Mara asks Tom to leave.", "Tom takes out his knife.", "Tom carries out the plan.",
    "Tom comes in. The door closes behind him.", '"Tom leaves," says Mara.',
    "Tom leaves nothing to chance.",
]  # fmt: skip


@pytest.mark.parametrize("prose", LEAVING)
def test_who_leaves_hears_nothing_more(prose):
    assert hearing(f"{prose} {SAYS}") == {"ann", "mara"}
    assert hearing(prose, SAYS) == {"ann", "mara"}


@pytest.mark.parametrize("prose", ['After Tom leaves, Mara says: "Marzipan."',
                                   'When Tom has left, Mara says: "Marzipan."'])  # fmt: skip
def test_who_has_left_in_the_same_sentence_does_not_hear(prose):
    assert hearing(prose) == {"ann", "mara"}


@pytest.mark.parametrize("prose", STAYING)
def test_who_stays_hears(prose):
    assert hearing(f"{prose} {SAYS}") == {"ann", "mara", "tom"}


def test_who_leaves_for_a_place_is_there():
    for prose in ("Tom leaves for the yard.", "Tom disappears into the yard."):
        assert played(prose).world().places.get("tom") == "yard"


def test_who_leaves_with_another_takes_them_along():
    assert set(played("Tom leaves with Mara.").world().away) == {"mara", "tom"}


def test_no_player_leaves_by_prose():
    assert played("Ann leaves. Ann nods and leaves.").world().away == ()


@pytest.mark.parametrize(
    "prose",
    ["He takes his horse.", "You hear him drop a bucket.", "He puts the pail on the step.",
     "Outside, he lights a lamp.", "Through the window you see him lift the axe."],
)  # fmt: skip
def test_what_is_done_out_there_brings_nobody_back(prose):
    for out in ("Tom goes out.", "Tom leaves."):
        assert hearing(f"{out} {prose} {SAYS}") == {"ann", "mara"}
        assert hearing(f"{out} {prose}", SAYS) == {"ann", "mara"}


@pytest.mark.parametrize(
    "prose",
    ["Through the window you see Tom take the axe.", "You hear Tom drop a bucket.",
     "Outside, Tom takes the axe.", "Through the window you see Tom take the knife."],
)  # fmt: skip
def test_what_is_seen_and_heard_from_inside_brings_nobody_back(prose):
    assert hearing("Tom goes out.", prose, SAYS) == {"ann", "mara"}


@pytest.mark.parametrize(
    "prose",
    ["Tom hands Mara the knife.", '"Cold," says Tom to Mara.', "Tom comes in from outside."],
)
def test_what_is_done_here_brings_them_back(prose):
    assert hearing("Tom leaves.", prose, SAYS) == {"ann", "mara", "tom"}


@pytest.mark.parametrize("out", ["Tom goes out to the yard.", "Tom leaves for the yard."])
@pytest.mark.parametrize(
    "prose",
    ["Tom comes back.", "Tom comes back in.", "Tom returns.", "Tom returns from the yard.",
     "Tom comes back from the yard.", "Tom comes back in and sits down by the fire."],
)  # fmt: skip
def test_who_comes_back_is_where_the_player_is(out, prose):
    assert hearing(out, prose, SAYS) == {"ann", "mara", "tom"}
    assert hearing(f"{out} Mara sighs. {prose} {SAYS}") == {"ann", "mara", "tom"}


@pytest.mark.parametrize(
    "prose",
    ["Tom returns the knife.", "Yesterday Tom came back.", "Tom does not come back.",
     "Tom comes back to the cellar.", "Ann imagines that Tom comes back.", "Tom looks back."],
)  # fmt: skip
def test_who_does_not_come_back_is_where_they_went(prose):
    assert hearing("Tom goes out to the yard.", prose, SAYS) == {"ann", "mara"}
