"""Who goes along, as the player types and as prose tells it; and who only sounds as if they did."""

from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.events import atoms as a
from strategies.parlour import engine, tell

HARROW = Path(__file__).parents[3] / "examples" / "the-lamp-at-harrow"
ONE = "“One,” says Mara."
PEOPLE = ("ann", "mara", "tom", "eve")


def played(prose, line=None, *, before="Rain falls."):
    """The run after two turns: Ann is played; Mara and Tom are with her, Eve is in the garden."""
    keeper = engine()
    tell(keeper, before)
    tell(keeper, prose, line)
    keeper.end_scene()
    return keeper


def places(keeper):
    """Who is not where they were, and where."""
    start = {"ann": "parlour", "mara": "parlour", "tom": "parlour", "eve": "garden"}
    now = keeper.world().places
    return {who: now.get(who) for who in PEOPLE if now.get(who) != start[who]}


def hearers(keeper):
    """Who hears the last words."""
    records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    said = [r for r in records if isinstance(r, a.Atom) and isinstance(r.what, a.SpeechUttered)]
    roles = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    return {p.entity.entity for p in said[-1].participants if p.role in roles}


def there(place, *who):
    return dict.fromkeys(who, place)


# ── as it is typed ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ("I go to the garden with Mara", there("garden", "ann", "mara")),
        ("I walk to the cellar together with Tom.", there("cellar", "ann", "tom")),
        ("I go to the garden with Mara and Tom.", there("garden", "ann", "mara", "tom")),
        ("Mara and I go to the garden.", there("garden", "ann", "mara")),
        ("Tom, Mara and I go to the garden.", there("garden", "ann", "mara", "tom")),
        ("I take Tom to the cellar", there("cellar", "ann", "tom")),
        ("I lead Tom into the cellar.", there("cellar", "ann", "tom")),
        ("I bring Mara to the attic.", there("attic", "ann", "mara")),
        ("I drag Tom down to the cellar", there("cellar", "ann", "tom")),
        ("I take Mara by the hand and walk to the garden.", there("garden", "ann", "mara")),
        ("I go to the garden and Mara comes along.", there("garden", "ann", "mara")),
        ("I go to the cellar. Tom follows me.", there("cellar", "ann", "tom")),
        ("Tom and Mara come with me to the garden", there("garden", "ann", "mara", "tom")),
        ("I follow Mara to the garden.", there("garden", "ann", "mara")),
        ("I go to the garden with everyone.", there("garden", "ann", "mara", "tom")),
        ("We go to the garden.", there("garden", "ann", "mara", "tom")),
        # ── and not ──
        ("I go to the garden", there("garden", "ann")),
        ("I go to the garden without Mara", there("garden", "ann")),
        ("I go to the garden with the lamp.", there("garden", "ann")),
        ("I go to the garden to talk with Eve.", there("garden", "ann")),
        ("I go to the garden, away from Mara.", there("garden", "ann")),
        ("I leave Mara with Tom and go to the garden.", there("garden", "ann")),
        ("I go with Eve to the cellar.", there("cellar", "ann")),  # she is not here
        ("I ask Mara to come with me to the garden.", {}),
        ("I tell Tom to go to the cellar.", {}),
        ("I take the letter to the garden.", {}),
        ("I follow Mara", {}),
        ("I follow Eve", {}),  # where she is she has not been seen
        ("I do not go to the garden with Mara.", {}),
    ],
)
def test_who_goes_by_what_the_player_types(line, moved):
    assert places(played("Rain falls on.", line)) == moved


@pytest.mark.parametrize(
    "prose",
    ["Mara stays behind.", "But Mara refuses.", "Mara does not come.", "Mara stays with Tom.",
     "Mara would not move."],
)  # fmt: skip
def test_who_is_told_to_stay_has_not_come(prose):
    assert places(played(prose, "I go to the garden with Mara")) == {"ann": "garden"}


def test_one_who_stays_close_has_come():
    keeper = played("Mara stays close.", "I go to the garden with Mara")
    assert places(keeper) == there("garden", "ann", "mara")


def test_those_who_went_hear_it_and_those_who_stayed_do_not():
    keeper = played(ONE, "I go to the cellar with Mara")
    assert hearers(keeper) == {"ann", "mara"}
    assert hearers(played(ONE, "I go to the garden with Mara")) == {"ann", "mara", "eve"}


def test_what_the_player_says_there_is_heard_by_who_came():
    keeper = played("Rain.", "I go to the cellar with Mara and say “The key is mine.”")
    assert hearers(keeper) == {"ann", "mara"}


def test_one_follows_to_where_one_saw_somebody_go():
    keeper = played("You do.", "I follow Mara", before="Mara went into the cellar.")
    assert places(keeper) == there("cellar", "ann", "mara")


def test_who_follows_goes_where_the_other_is_told_to_go():
    keeper = played(f"Mara goes down to the cellar. {ONE}", "I follow Mara")
    assert places(keeper) == there("cellar", "ann", "mara")
    assert hearers(keeper) == {"ann", "mara"}


# ── as it is told ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("prose", "moved"),
    [
        ("Mara leads you into the cellar.", there("cellar", "ann", "mara")),
        ("Mara took you by the hand and led you to the garden.", there("garden", "ann", "mara")),
        ("Mara nods. She leads you down to the cellar.", there("cellar", "ann", "mara")),
        ("Tom guides you to the attic.", there("attic", "ann", "tom")),
        ("Mara takes Tom to the cellar.", there("cellar", "mara", "tom")),
        ("Mara pushes Tom into the cellar.", there("cellar", "tom")),
        ("Tom follows Mara into the cellar.", there("cellar", "mara", "tom")),
        ("Mara went to the cellar. Tom followed her.", there("cellar", "mara", "tom")),
        ("Mara goes to the cellar. Tom hurries after her.", there("cellar", "mara", "tom")),
        ("You go out into the garden. Mara follows you out.", there("garden", "ann", "mara")),
        ("You walk to the garden. Tom comes along.", there("garden", "ann", "tom")),
        ("You walk to the garden. Tom comes with you.", there("garden", "ann", "tom")),
        ("Tom comes along. You walk to the garden.", there("garden", "ann", "tom")),
        ("You follow Mara down to the cellar.", there("cellar", "ann", "mara")),
        ("You and Mara walk to the garden.", there("garden", "ann", "mara")),
        ("Mara walks beside you to the garden.", there("garden", "ann", "mara")),
        ("Mara goes with Tom to the cellar.", there("cellar", "mara", "tom")),
        ("All of you go down to the cellar.", there("cellar", "ann", "mara", "tom")),
        ("The three of you go to the garden.", there("garden", "ann", "mara", "tom")),
        ("Mara smiles. Together you walk to the garden.", there("garden", "ann", "mara")),
        ("Tom leaves. Together you walk to the garden.", there("garden", "ann", "mara")),
        ("In the garden, Mara stops.", there("garden", "mara")),
        ("Mara is waiting in the garden.", there("garden", "mara")),
        ("Mara stood in the cellar.", there("cellar", "mara")),
        ("In the cellar, Tom takes a lamp.", there("cellar", "tom")),
    ],
)
def test_who_goes_by_what_is_told(prose, moved):
    assert places(played(prose)) == moved


@pytest.mark.parametrize(
    "prose",
    [
        "Tom follows suit.",
        "Tom follows her with his eyes.",
        "Tom follows Mara with his gaze to the garden.",
        "Mara leads a quiet life.",
        "Mara leads the talk to the garden.",
        "Mara shows you the garden.",
        "Mara wants to lead you to the cellar.",
        "Mara will take you to the garden.",
        "Mara would lead you to the cellar, if you asked.",
        "Mara does not follow you into the garden.",
        "Mara had led you to the cellar.",
        "Last summer Mara led you to the cellar.",
        "Mara remembers how she led you to the cellar.",
        "Mara points you to the garden.",
        "Mara leads you to the window.",
        "Tom comes along well with Mara.",
        "Mara turns to the garden with Tom.",
        "Mara looks with you to the garden.",
        "Mara talks with you of the garden.",
        "Mara often waits in the garden.",
        "Mara had waited in the garden.",
        "In the garden, Mara keeps bees.",
        "Mara used to sit in the garden.",
        "Mara waits for news from the garden.",
        "Mara would wait in the garden.",
        "If Mara waits in the garden, nobody sees it.",
        "“Mara leads you to the cellar,” says Tom.",
        "“Come with me to the garden,” says Mara.",
        "Tom accompanies Mara on the piano.",
    ],
)
def test_who_does_not_go_stays(prose):
    assert places(played(prose)) == {}


def test_of_whom_it_is_not_plain_that_they_go_nobody_is_taken_along():
    assert places(played("Together you walk to the garden.")) == {"ann": "garden"}
    assert places(played("The two of you walk to the garden.")) == {"ann": "garden"}


@pytest.mark.parametrize(
    ("prose", "hear"),
    [
        ("Mara leads you into the cellar.", {"ann", "mara"}),
        ("Mara leads you into the garden.", {"ann", "mara", "eve"}),
        ("Mara takes Tom to the cellar.", {"ann", "mara", "tom"}),
        ("You go to the cellar. Mara follows you.", {"ann", "mara"}),
        ("In the cellar, Mara stops.", {"ann", "mara"}),
    ],
)
def test_who_did_not_go_does_not_hear_what_is_said_there(prose, hear):
    keeper = played(f"{prose} {ONE}")
    assert hearers(keeper) == hear
    assert keeper.replay()


def test_those_who_are_left_see_them_go_and_not_what_they_do_then():
    keeper = played("Mara leads you into the cellar. Mara takes a cup.")
    records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    seen = {
        type(r.what).__name__: {getattr(p.entity, "entity", "") for p in r.participants}
        for r in records
        if isinstance(r, a.Atom) and r.what in (a.Moved("cellar", "parlour"), a.deed("take"))
    }
    assert "tom" in seen["Moved"]
    assert "tom" not in seen["ActionTaken"]


def test_the_line_said_back_takes_nobody_back_whom_a_scene_took_on(tmp_path):
    with Storykeeper.open(tmp_path / "run.db", story=HARROW) as keeper:
        keeper.render(keeper.opening(), "Rain.")
        keeper.render(keeper.begin("I go on to Harrow."), "You go on to Harrow.")
        keeper.end_scene()
        assert keeper.world().places["coyle"] == "kitchen"
