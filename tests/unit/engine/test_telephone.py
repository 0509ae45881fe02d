"""The telephone in plain words: who hears what is said on it, and when it is over."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.play.narrate import offline
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.places import Thing
from storykeeper.story.scenes import Scene, Transition
from strategies.runs import records, unkept
from unit.engine.test_perceiving import ALL, HERE, house, played, seeing

JON, BEA, TANYA = (f"“Marzipan,” says {who}." for who in ("Jon", "Bea", "Tanya"))
ROOM = HERE | {"vic"}  # Ada is told what stands in the prose
CALLED = "Jon phoned Bea."
SAY = ('I say "Marzipan"', "Rain.")

OPENED = {
    "she calls from where she is": [f"Jon laughs. Bea calls him from the attic. {JON}"],
    "ring": [f"Jon rings Bea. {JON}"],
    "ring up": [f"Then Jon quickly rang Bea up. {JON}"],
    "called on the phone": [f"Jon calls Bea on the phone. {JON}"],
    "picked up the phone": [f"Jon picks up the phone and calls Bea. {JON}"],
    "gave her a call": [f"Jon gives Bea a call. {JON}"],
    "on the phone with": [f"Jon is on the phone with Bea. {JON}"],
    "her number": [f"Jon calls Bea’s number. {JON}"],
    "to you": ["Bea phones you. “Marzipan,” you say."],
    "the words come across": ["“Marzipan,” Jon says to Bea over the phone."],
    "the player": [("I phone Bea.", "Bea answers."), SAY],
    "the player, at once": [('I phone Bea and say "Marzipan"', "Rain.")],
    "the player, in three words": [("phone bea", "Rain."), SAY],
    "the player on a mobile": [('I call Bea on my mobile and say "Marzipan"', "Rain.")],
    "the player by radio": [('I radio Bea and say "Marzipan"', "Rain.")],
    "the player tells her": [("I ring Bea.", "Rain."), ('I tell Bea "Marzipan"', "Rain.")],
    "the player, then hangs up": [("phone bea", "R."), ('I say "Marzipan" and hang up', "R.")],
    "in the room a song is on": ["Jon phones Bea. “Marzipan,” says Jon with the radio on."],
}


@pytest.mark.parametrize("turns", OPENED.values(), ids=OPENED)
def test_the_one_at_the_other_end_hears_it(turns):
    assert seeing(played(*turns), "arzipan") == ROOM | {"bea"}


NOT_OPENED = {
    "shouted, maybe": [f"Jon calls Bea. {JON}"],
    "called names": [f"Jon calls Bea a liar. {JON}"],
    "wanted": [f"Jon wants to phone Bea. {JON}"],
    "denied": [f"Jon does not phone Bea. {JON}"],
    "supposed": [f"If Jon phones Bea, she will come. {JON}"],
    "long ago": [f"Yesterday Jon phoned Tanya. Last week he rang Bea. {JON}"],
    "nobody answers": [f"Jon phones Bea, but nobody answers. {JON}"],
    "she does not pick up": [f"Jon phoned Bea. She does not pick up. {JON}"],
    "said and not done": [f"“I phone Bea,” says Tanya. {JON}"],
    "a song on the radio": [f"“Well,” says Bea, while a song plays on the radio. {JON}"],
    "she sleeps": [f"Bea is asleep. Jon rings Bea. {JON}"],
    "the player shouts, maybe": [('I call Bea and say "Marzipan"', "Rain.")],
    "the player, nobody answers": [('I phone Bea and say "Marzipan"', "Nobody answers.")],
}


@pytest.mark.parametrize("turns", NOT_OPENED.values(), ids=NOT_OPENED)
def test_what_is_no_call_reaches_nobody(turns):
    keeper = played(*turns)
    assert seeing(keeper, "arzipan") == ROOM
    assert not [line for line in keeper.world().lines if "bea" in line]


CLOSED = {
    "she hangs up": [CALLED, f"She hangs up. {JON}"],
    "on him": [CALLED, f"Bea hung up on Jon. {JON}"],
    "rings off": [CALLED, f"Jon rings off. {JON}"],
    "puts the phone down": [CALLED, f"Jon puts the phone down. {JON}"],
    "puts down the receiver": [CALLED, f"Jon put down the receiver. {JON}"],
    "ends the call": [CALLED, f"Jon ends the call. {JON}"],
    "the line goes dead": [CALLED, f"The line goes dead. {JON}"],
    "they meet": [CALLED, "Bea goes to the kitchen.", f"Bea goes to the attic. {JON}"],
    "the player hangs up": [("phone bea", "Rain."), ("I hang up.", "Rain."), SAY],
    "the player, then speaks": [
        ("phone bea", "Rain."), ('I put the phone down and say "Marzipan"', "Rain.")
    ],
}  # fmt: skip


@pytest.mark.parametrize("turns", CLOSED.values(), ids=CLOSED)
def test_after_it_is_over_nobody_hears_more(turns):
    keeper = played(*turns)
    assert seeing(keeper, "arzipan") == ROOM
    assert keeper.world().lines == keeper.world().aloud == ()


# ── bystanders ───────────────────────────────────────────────────────────────────────────────

SIDES = {
    "of the other end they hear nothing": ([f"{CALLED} {BEA}"], {"ada", "jon", "bea"}),
    "nor are they heard": ([f"{CALLED} {TANYA}"], ROOM),
    "on speaker they hear": ([f"{CALLED} Jon puts her on speaker. {BEA}"], ROOM | {"bea"}),
    "and are heard": ([f"{CALLED} Jon puts it on speaker. {TANYA}"], ROOM | {"bea"}),
    "off speaker again": (
        [f"{CALLED} Jon turns on the speaker. Jon turns the speaker off. {TANYA}"], ROOM
    ),
    "the player’s own": ([("phone bea", "Rain."), BEA], {"ada", "bea"}),
    "the player’s on speaker": (
        [("phone bea", "Rain."), ("I put Bea on speaker.", BEA)], ROOM | {"bea"}
    ),
    "a radio is heard by all": (["“Marzipan,” says Bea over the radio."], ROOM | {"bea"}),
    "a telephone is not": (["“Marzipan,” says Bea on the phone."], {"ada", "bea"}),
    "a whisper stays between two": (
        [("phone bea", "Rain."), ('I whisper to Bea "Marzipan"', "Rain.")], {"ada", "bea"}
    ),
    "speaker ends with the call": (
        [f"{CALLED} Jon puts it on speaker. Jon hangs up.", f"Jon rings Bea. {BEA}"],
        {"ada", "jon", "bea"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("turns", "who"), SIDES.values(), ids=SIDES)
def test_bystanders_hear_their_own_side(turns, who):
    assert seeing(played(*turns), "arzipan") == who


def test_on_the_line_nothing_is_seen():
    keeper = played(f"{CALLED} Jon takes the ruby.")
    assert "ruby" not in {each.what for each in keeper.knows("bea").places}


# ── on record ────────────────────────────────────────────────────────────────────────────────


def changes(keeper):
    return [
        r.what.change.value for r in records(keeper, a.Atom) if isinstance(r.what, a.LineChanged)
    ]


def test_it_is_on_record_and_replays():
    keeper = played(f"Jon rings Bea. {JON}", "Jon puts it on speaker.", "Jon hangs up.")
    assert changes(keeper) == ["opened", "aloud"]  # the deed of hanging up is read by itself
    assert keeper.replay().windows == 4
    assert keeper.world(at=1).lines == (("jon", "bea"),)
    assert keeper.world(at=2).aloud == ("jon",)
    assert keeper.world(at=3).lines == ()


def test_calling_is_telephoning_where_a_telephone_is():
    story = structs.replace(house(), things=(Thing(id="set", name="the telephone", at="kitchen"),))
    keeper = unkept(story)
    keeper.render(keeper.opening(), "Rain.")
    keeper.render(keeper.begin('I call Bea and say "Marzipan"'), "Rain.")
    keeper.end_scene()
    assert keeper.world().lines == (("ada", "bea"),)
    assert "Marzipan" in keeper.brief("bea", "a knock").text


def test_telling_over_the_line_is_done_and_giving_is_not():
    keeper = played(("I take the ruby.", "Rain."), ("I phone Bea.", "Rain."))
    turn = keeper.begin("I tell Bea about the ruby. I give Bea the ruby.")
    assert keeper.window("bea").text.count("tells Bea about the ruby") == 1
    assert turn.world.holders["ruby"] == "ada"
    assert "Bea is not here." in offline(turn.world, turn.present)


def two_scenes(first: str):
    """House, where the evening leads to the night by an act."""
    evening = structs.replace(
        house().scenes[0],
        leads_to=(Transition(to="night", when=Condition(did=Did(who="player", act=first))),),
    )
    night = Scene(id="night", title="Night", setting="kitchen", ending=True)
    return structs.replace(house(), scenes=(evening, house().scenes[1], night))


@pytest.mark.parametrize(("act", "open_still"), [("phone", True), ("sleep", False)])
def test_a_scene_ends_the_lines_it_found_open(act, open_still):
    keeper = unkept(two_scenes(act))
    keeper.render(keeper.opening(), "Rain.")
    for line in ("I phone Bea.", "I sleep."):
        keeper.render(keeper.begin(line), "Rain.")
    keeper.end_scene()
    assert keeper.world().scene == "night"
    assert bool(keeper.world().lines) is open_still


def test_nobody_else_is_on_it():
    keeper = played(f"{CALLED} {JON}")
    assert "arzipan" not in keeper.brief("wim", "a knock").text
    assert set(ALL) >= {"wim"}
