"""The telephone changes hands, is held off for a word to the room, and ends with a goodbye."""

import pytest

from unit.engine.test_perceiving import played, seeing
from unit.engine.test_telephone import BEA, CALLED, JON, PHONE, ROOM, SAY, TANYA

TO_ALL, TO_ONE = "“Marzipan,” he says.", "“Marzipan.”"

ASIDE = {
    "turns to her": [f"{CALLED} “Hold on,” Jon says. He turns to Tanya: {TO_ONE}"],
    "looks up": [f"{CALLED} “One moment,” says Jon into the phone. He looks up. {JON}"],
    "over his shoulder": [f"{CALLED} “Hang on a second,” Jon tells Bea. {JON}"],
    "called by name": [f"{CALLED} “Wait a minute, Bea,” says Jon. {JON}"],
    "in the past tense": [f"{CALLED} “Just a moment,” Jon said. {JON}"],
    "a sorry first": [f"{CALLED} “Sorry, give me a second,” says Jon. {JON}"],
    "bear with me": [f"{CALLED} “Bear with me,” Jon says to Bea. {JON}"],
    "hold the line": [f"{CALLED} “Hold the line, please,” says Jon. {JON}"],
    "asked to": [f"{CALLED} Jon asks Bea to hold on. {JON}"],
    "told to": [f"{CALLED} Jon told her to wait a moment. {JON}"],
    "told to stay on": [f"{CALLED} Jon tells Bea to stay on the line. {JON}"],
    "still, a turn later": [f"{CALLED} “Hold on,” says Jon.", f"“Well,” says Bea. {JON}"],
    "no hold, turned to one": [f"{CALLED} Jon turns to Tanya. {TO_ALL}"],
    "turning to one": [f"{CALLED} Turning to Tanya, Jon laughs. {TO_ALL}"],
    "away from it": [f"{CALLED} Jon turns away from the phone. {TO_ALL}"],
    "by the player": [PHONE, ('I say "Hold on." I turn to Tanya: "Marzipan"', "Rain.")],
    "by the player, to the room": [PHONE, ('I say "One moment, Bea." I say "Marzipan"', "Rain.")],
    "by the player, in short": [PHONE, ('I ask Bea to hold on. I say "Marzipan"', "Rain.")],
    "by the player, a turn later": [PHONE, ('I say "Hang on."', "“Yes,” says Bea."), SAY],
}  # fmt: skip


@pytest.mark.parametrize("turns", ASIDE.values(), ids=ASIDE)
def test_a_word_to_the_room_does_not_go_over_it(turns):
    assert seeing(played(*turns), "arzipan") == ROOM


NOT_ASIDE = {
    "back to the phone": [f"{CALLED} “Hold on,” Jon says. He turns back to the phone. {JON}"],
    "into it": [f"{CALLED} “Hold on,” Jon says. “Marzipan,” Jon says into the phone."],
    "to her": [f"{CALLED} “Hold on,” Jon says. “Marzipan,” Jon says to Bea."],
    "he is back": [f"{CALLED} “Hold on,” Jon says. “I’m back,” says Jon. {JON}"],
    "still there": [f"{CALLED} “Hold on,” Jon says. “Are you still there?” says Jon. {JON}"],
    "to a thing": [f"{CALLED} “Hold on to your hat,” says Jon. {JON}"],
    "by another": [f"{CALLED} “Hold on,” says Tanya. {JON}"],
    "by the other end": [f"{CALLED} “Hold on,” says Bea. {JON}"],
    "asked of another": [f"{CALLED} Jon asks Tanya to hold on. {JON}"],
    "denied": [f"{CALLED} Jon does not ask Bea to hold on. {JON}"],
    "he will hold": [f"{CALLED} “I can hold on,” says Jon. {JON}"],
    "he holds it": [f"{CALLED} Jon holds on to the phone. {JON}"],
    "to the window": [f"{CALLED} Jon turns to the window. {TO_ALL}"],
    "another turns": [f"{CALLED} Tanya turns to Ada. {JON}"],
    "waited for": [f"{CALLED} Jon waits a moment. {JON}"],
    "the player goes on": [PHONE, ('I say "Hold on to your hat. Marzipan"', "Rain.")],
}  # fmt: skip


@pytest.mark.parametrize("turns", NOT_ASIDE.values(), ids=NOT_ASIDE)
def test_what_does_not_hold_it_off(turns):
    assert "bea" in seeing(played(*turns), "arzipan")


# ── from hand to hand ────────────────────────────────────────────────────────────────────────

PASSING = {
    "takes it from his hand": "Tanya takes the phone from his hand.",
    "from him by name": "Tanya takes the phone from Jon.",
    "snatched": "Tanya snatches the receiver out of his hand.",
    "grabbed": "Tanya grabbed the phone from Jon.",
    "pulled away": "With a sigh Tanya pulls the phone from his fingers.",
    "his phone": "Tanya takes Jon's phone from him.",
    "handed to her": "Jon hands the phone to Tanya.",
    "handed her": "Jon handed Tanya the phone.",
    "passed": "Jon passes the receiver to Tanya.",
    "given": "Jon smiles and gives Tanya the phone.",
    "held out and taken": "Jon holds out the phone. Tanya takes the phone from him.",
}
KEPT = {
    "another phone": "Tanya takes the phone from the table.",
    "wanted": "Tanya wants to take the phone from Jon.",
    "almost": "Tanya almost takes the phone from his hand.",
    "supposed": "If Tanya takes the phone from him, all is lost.",
    "another thing": "Tanya takes the cup from his hand.",
    "reached for": "Tanya reaches for the phone in his hand.",
    "denied": "Jon does not hand Tanya the phone.",
    "refused": "Jon refuses to give Tanya the phone.",
    "asked": "Does Tanya take the phone from him?",
    "tried": "Tanya tries to take the phone from Jon.",
    "said and not done": "“I take the phone from Jon,” says Tanya.",
}


@pytest.mark.parametrize("how", PASSING.values(), ids=PASSING)
def test_who_takes_it_is_on_the_line(how):
    keeper = played(CALLED, f"{how} {BEA}")
    assert seeing(keeper, "arzipan") == {"ada", "tanya", "bea"}
    assert [{*line} for line in keeper.world().lines] == [{"tanya", "bea"}]


@pytest.mark.parametrize("how", PASSING.values(), ids=PASSING)
def test_who_had_it_is_heard_there_no_more(how):
    assert seeing(played(CALLED, f"{how} {JON}"), "arzipan") == ROOM
    assert seeing(played(CALLED, f"{how} {TANYA}"), "arzipan") == ROOM | {"bea"}


@pytest.mark.parametrize("how", KEPT.values(), ids=KEPT)
def test_what_is_no_passing_leaves_it_in_his_hand(how):
    keeper = played(CALLED, f"{how} {BEA}")
    assert seeing(keeper, "arzipan") == {"ada", "jon", "bea"}


def test_the_player_may_have_it_and_pass_it_on():
    given = played(CALLED, f"Jon hands you the phone. {BEA}")
    assert seeing(given, "arzipan") == {"ada", "bea"}
    passed = played(PHONE, ("I hand Tanya the phone.", BEA))
    assert seeing(passed, "arzipan") == {"ada", "tanya", "bea"}


def test_who_is_not_there_cannot_take_it():
    keeper = played(CALLED, f"Bea hands the phone to Wim. {JON}")
    assert seeing(keeper, "arzipan") == ROOM
    assert keeper.world().lines == ()


# ── goodbyes ─────────────────────────────────────────────────────────────────────────────────

GOODBYE = [
    "I say goodbye and hang up.", "I say goodbye.", "I say goodbye to Bea.", "I end the call.",
    "I tell her goodbye.", "I tell Bea goodbye.", "I tell Bea good night.", "I bid her good night.",
    "I wish Bea a good night.", "I say bye to her.", "I say good night.", "I told her goodbye.",
    "say goodbye", "I laugh and say farewell.", "I finish the call.", "I close the line.",
    'I say "Goodbye, Bea."', '"Bye," I say.', 'I say "Good night, then."', "We say our goodbyes.",
    'I tell Bea "I have to go. Goodbye."',
]  # fmt: skip
NO_GOODBYE = [
    "I tell Tanya goodbye.", "I say goodbye to Tanya.", "I do not say goodbye.",
    "I want to say goodbye.", "I never tell her goodbye.", "I almost tell her goodbye.",
    'I say "I hate goodbyes."', 'I say "Tell Tanya goodbye from me, will you?"',
    'I say "It is a good night for it."', "Before I say goodbye I laugh.",
    'I say to Tanya "Goodbye."', "I wish I could tell her goodbye.", "If I say goodbye it is over.",
]  # fmt: skip


@pytest.mark.parametrize("line", GOODBYE)
def test_with_a_goodbye_it_is_over(line):
    keeper = played(PHONE, (f"{line}", "“Well,” says Bea."), SAY)
    assert seeing(keeper, "arzipan") == ROOM
    assert keeper.world().lines == ()


@pytest.mark.parametrize("line", NO_GOODBYE)
def test_what_is_no_goodbye_does_not_end_it(line):
    assert "bea" in seeing(played(PHONE, (f'{line} I say "Marzipan"', "Rain.")), "arzipan")
