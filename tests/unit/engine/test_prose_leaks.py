"""What a rendering tells the player is not thereby known to everybody in the room."""

import pytest

from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Scene, SceneCast
from strategies.runs import unkept
from strategies.tables import table

HERE = ("ada", "tanya", "jon")


def house() -> Story:
    people = [("ada", "Ada", "she/her", "kitchen"), ("tanya", "Tanya", "she/her", "kitchen"),
              ("jon", "Jon", "he/him", "kitchen"), ("vic", "Vic", "he/him", "attic")]  # fmt: skip
    return Story(
        id="house", title="House", version="1", voice="Plain.", start="evening", players=("ada",),
        cast=tuple(
            Character(id=i, name=n, pronouns=p, line=f"{n} lives here.", at=a)
            for i, n, p, a in people
        ),
        settings=(Setting("kitchen", "the kitchen"), Setting("attic", "the attic")),
        scenes=(Scene(id="evening", title="Evening", setting="kitchen", cast=SceneCast(HERE)),),
    )  # fmt: skip


def told(prose, line="wait"):
    keeper = unkept(house())
    keeper.render(keeper.opening(), prose)
    keeper.begin(line)
    return keeper


def brief(keeper, who):
    return keeper.brief(who, "a knock at the door").text


@table(
    "prose",
    [
        "In the attic, Vic opens the strongbox and takes out the ruby.",
        "Up in the attic, alone, Vic says to himself, “The ruby is mine.”",
        "Meanwhile, in the attic, a ruby lies under a loose board.",
        "Through the keyhole you watch Vic put the ruby in a box.",
        "You are certain that Jon has the ruby.",
        "You are afraid of Jon, and you are sure that he stole the ruby.",
        "Jon is afraid that Tanya knows about the ruby.",
        "You remember the ruby your mother wore.",
        "Jon whispers to you that the ruby is in the attic.",
        "Unseen by anyone, Jon slips the ruby into his pocket.",
        "While Tanya's back is turned, Jon pockets the ruby.",
        "You suspect that the ruby is a fake.",
        "Tanya is asleep. She snores. Jon takes the ruby out of the drawer.",
        "Tanya is asleep. Tanya turns over. “I have the ruby,” says Jon.",
    ],
)
def test_what_others_did_not_perceive(prose):
    assert "ruby" not in brief(told(prose), "tanya")


@pytest.mark.parametrize(
    "line",
    [
        'I say to Jon under my breath: "the ruby is fake"',
        'I write a note "the ruby is fake" and slip it to Jon',
        "I suspect Tanya stole the ruby",
        "I silently curse Tanya for the ruby",
        "I hide the ruby without Tanya noticing",
    ],
)
def test_what_a_player_keeps_to_themselves(line):
    keeper = told("Rain falls on the roof. A ruby lies on the table.", line)
    keeper.render(keeper.turn(), "Nothing happens.")
    keeper.begin("wait")
    text = brief(keeper, "tanya")
    assert "fake" not in text
    assert "suspect" not in text
    assert "curse" not in text
    assert "hide" not in text


def test_what_is_said_aloud_is_heard():
    keeper = told("“The ruby is in the attic,” says Jon.")
    assert "The ruby is in the attic" in brief(keeper, "tanya")
    assert "The ruby is in the attic" not in brief(keeper, "vic")


@pytest.mark.parametrize(
    "prose",
    [
        "Jon turns his back on the attic.", "Jon turns towards the attic.",
        "Jon walks past the attic.", "Jon comes from the attic.", "Jon looks up to the attic.",
        "Jon moves the chair to the wall by the attic.",
    ],
)  # fmt: skip
def test_nobody_is_moved_by_the_way(prose):
    assert told(prose).world().places["jon"] == "kitchen"


def test_who_goes_somewhere_is_there():
    assert told("Jon goes up to the attic.").world().places["jon"] == "attic"


def test_what_is_only_said_back_is_not_told():
    keeper = told("You are in the kitchen.", "I take the machine gun")
    keeper.render(keeper.turn(), "You take the machine gun.")
    keeper.begin("wait")
    keeper.end_scene()
    assert not [view for view in keeper.entities() if "gun" in view.words and view.id]


def test_a_question_keeps_no_words_of_another_turn():
    keeper = told("A red cup and a blue cup stand on the table.", "I take the cup")
    assert keeper.turn().question is not None
    assert "red" not in str([e.record for e in keeper.ledger.read("main") if e.record.turn == 1])
