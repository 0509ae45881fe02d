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
CALLED = "Jon phoned Bea. She picked up."
SAY = ('I say "Marzipan"', "Rain.")
PHONE = ("phone bea", "Bea answers.")

OPENED = {
    "she picks up": [f"Jon rings Bea. She picks up. {JON}"],
    "in the past tense": [f"Then Jon quickly rang Bea up. Bea answered at once. {JON}"],
    "after a while": [f"Jon phones Bea. It rings twice before she answers. Bea picks up. {JON}"],
    "in the same breath": [f"Jon dialled Bea's number and she answered the phone. {JON}"],
    "on the third ring": [f"Jon calls Bea on the phone. Bea picks up on the third ring. {JON}"],
    "the receiver": [f"Jon picks up the phone and calls Bea. Bea lifts the receiver. {JON}"],
    "takes the call": [f"Jon gives Bea a call. Bea takes the call. {JON}"],
    "her voice": [f"Jon calls Bea’s number. Bea's voice comes down the line. {JON}"],
    "after trying": [f"Jon tries to call Bea on his mobile. This time Bea answers. {JON}"],
    "a turn later": ["Jon rings Bea.", f"Bea picks up. {JON}"],
    "she speaks": [f"Jon rings Bea. “Hello?” says Bea. {JON}"],
    "she speaks, in a beat": [f"Jon rings Bea. “Hello?” Bea sounds sleepy. {JON}"],
    "he tells her": ["Jon rings Bea. “Marzipan,” Jon says to Bea."],
    "he tells her something": [f"Jon rings Bea and tells her that it rains. {JON}"],
    "on the phone with": [f"Jon is on the phone with Bea. {JON}"],
    "got her on the line": [f"Jon got Bea on the line. {JON}"],
    "got through": [f"At last Jon gets through to Bea. {JON}"],
    "talking": [f"Jon talks to Bea on the phone. {JON}"],
    "to you": ["Bea phones you. You pick up. “Marzipan,” you say."],
    "the words come across": ["“Marzipan,” Jon says to Bea over the phone."],
    "the player": [("I phone Bea.", "Bea answers."), SAY],
    "the player, in the past tense": [("I phoned Bea.", "She picked up."), SAY],
    "the player, at once": [('I phone Bea and say "Marzipan"', "She answers. “Well?” she says.")],
    "the player, by her words": [('I phone Bea and say "Marzipan"', "“Well!” says Bea.")],
    "the player, in three words": [("phone bea", "“Yes?” says Bea."), SAY],
    "the player, a turn later": [("phone bea", "It rings."), ("I wait.", "Bea picks up."), SAY],
    "the player on a mobile": [('I call Bea on my mobile and say "Marzipan"', "Bea picks up.")],
    "the player calls, and it is a telephone": [('I call Bea and say "Marzipan"', "Bea picks up.")],
    "the player by radio": [('I radio Bea and say "Marzipan"', "“Over,” says Bea on the radio.")],
    "the player tells her": [("I ring Bea.", "Bea answers."), ('I tell Bea "Marzipan"', "Rain.")],
    "the player, then hangs up": [PHONE, ('I say "Marzipan" and hang up', "R.")],
    "all in a line": [('I phone Bea, say "Marzipan" and hang up', "Bea picks up. She sighs.")],
    "the player is called": ["Bea phones you.", ('I pick up and say "Marzipan"', "R.")],
    "in the room a song is on": [f"{CALLED} “Marzipan,” says Jon with the radio on."],
    "the line clicks first": [("I ring Bea.", "The line clicks and Bea answers."), SAY],
    "says her voice": [("I dial Bea's number.", "“Hello,” says Bea's voice."), SAY],
    "with my phone": [("I call Bea with my phone.", "She picks up at once."), SAY],
    "she says": [f"Jon phones Bea. “Hello,” she says. {JON}"],
    "he is called": [f"Bea calls Jon's mobile. He answers it. {JON}"],
    "he is phoning": [f"Jon is phoning Bea. She picks up. {JON}"],
    "he is talking": [f"He laughs. Jon is talking to Bea on the phone. {JON}"],
    "by means of it": [("I use the phone to call Bea", "Bea picks up."), SAY],
    "the talk goes on": [CALLED, "“Well,” says Bea.", "“So,” says Jon.", JON],
}  # fmt: skip


@pytest.mark.parametrize("turns", OPENED.values(), ids=OPENED)
def test_the_one_at_the_other_end_hears_it(turns):
    assert seeing(played(*turns), "arzipan") == ROOM | {"bea"}


NOT_OPENED = {
    "only rung": [f"Jon phones Bea. {JON}"],
    "it rings": [f"Jon phones Bea. The phone rings. {JON}"],
    "shouted, maybe": [f"Jon calls Bea. “Yes?” says Bea. {JON}"],
    "called names": [f"Jon calls Bea a liar. Bea answers. {JON}"],
    "a ring": [f"Jon gives Bea a ring of gold. Bea answers. {JON}"],
    "wanted": [f"Jon wants to phone Bea. Bea answers. {JON}"],
    "denied": [f"Jon does not phone Bea. Bea answers. {JON}"],
    "supposed": [f"If Jon phones Bea, she will come. Bea answers. {JON}"],
    "asked": [f"Does Jon phone Bea? Bea answers. {JON}"],
    "long ago": [f"Yesterday Jon phoned Tanya. Last week he rang Bea. She picked up. {JON}"],
    "before that": [f"Jon had phoned Bea. She answered. {JON}"],
    "usual": [f"Jon phones Bea every Sunday. Bea answers. {JON}"],
    "usual talk": [f"Jon talks to Bea on the phone every evening. {JON}"],
    "planned": [f"Jon will phone Bea tomorrow. Bea answers. {JON}"],
    "talk planned": [f"Jon is going to talk to Bea on the phone. {JON}"],
    "nobody answers": [f"Jon phones Bea, but nobody answers. {JON}"],
    "she does not pick up": [f"Jon phoned Bea. She does not pick up. {JON}"],
    "she never does": [f"Jon phoned Bea. Bea never picks up. {JON}"],
    "will she": [f"Jon phones Bea. Will she pick up? {JON}"],
    "he hopes": [f"Jon phones Bea. He hopes that she picks up. {JON}"],
    "he waits": [f"Jon phones Bea. He waits for her to pick up. {JON}"],
    "until": [f"Jon phones Bea. He will wait until Bea answers. {JON}"],
    "another thing": [f"Jon phones Bea. Bea picks up the ruby. {JON}"],
    "another answer": [f"Jon phones Bea. Bea answers the door. {JON}"],
    "somebody else": [f"Jon phones Bea. Wim picks up. {JON}"],
    "a stranger": [f"Jon phones Bea. A stranger answers. {JON}"],
    "voicemail": [f"Jon phones Bea. It goes to voicemail. {JON}"],
    "her voicemail": [f"Jon phones Bea and tells her voicemail that it rains. {JON}"],
    "a recording": [f"Jon phones Bea. “I am out,” says Bea on the answering machine. {JON}"],
    "she declines": [f"Jon phones Bea. Bea declines the call. {JON}"],
    "engaged": [f"Jon phones Bea. The line is busy. {JON}"],
    "too late": ["Jon phones Bea.", "Rain.", f"Bea answers. {JON}"],
    "she speaks to another": ["Wim goes to the attic.",
                              f"Jon phones Bea. “A call,” says Bea to Wim. {JON}"],
    "she almost does": [f"Jon phones Bea. She almost picks up. {JON}"],
    "she mutters": [f"Jon phones Bea. “Not now,” Bea mutters to herself. {JON}"],
    "she thinks": [f"Jon phones Bea. Bea thinks, “Not him again.” {JON}"],
    "imagined": [f"Jon imagines phoning Bea. She picks up. {JON}"],
    "remembered": [f"Jon remembers phoning Bea. She picked up. {JON}"],
    "long after": [f"Jon phoned Bea. An hour later she picks up. {JON}"],
    "he ignores it": [f"Bea phones Jon. He ignores it. {JON}"],
    "pretended": [f"Jon pretends to be on the phone with Bea. {JON}"],
    "reported": [f"Jon says he is on the phone with Bea. {JON}"],
    "all morning": [f"Jon was on the phone with Bea all morning. {JON}"],
    "for an hour": [f"Jon talks to Bea on the phone for an hour. {JON}"],
    "contrary to fact": [f"Had Jon phoned Bea, she would have picked up. {JON}"],
    "her mother": [f"Jon phones Bea's mother. She picks up. {JON}"],
    "a text": [f"Jon texts Bea. She answers. {JON}"],
    "into the phone": ["“Pick up,” Jon says into the phone. “Marzipan.”"],
    "said and not done": [f"“I phone Bea,” says Tanya. Bea answers. {JON}"],
    "a song on the radio": [f"“Well,” says Bea, while a song plays on the radio. {JON}"],
    "a bird's call": [f"A bird calls, and Bea answers it. {JON}"],
    "across the yard": [f"Jon calls out across the yard to Bea. Bea answers. {JON}"],
    "she sleeps": [f"Bea is asleep. Jon rings Bea. {JON}"],
    "the player, unanswered yet": [('I phone Bea and say "Marzipan"', "Rain.")],
    "the player says so": [('I am on the phone with Bea and say "Marzipan"', "Rain.")],
    "the player has her answer": [('I phone Bea. Bea picks up. I say "Marzipan"', "Rain.")],
    "the player shouts, maybe": [('I call Bea and say "Marzipan"', "“Yes?” says Bea.")],
    "the player, nobody answers": [('I phone Bea and say "Marzipan"', "Nobody answers.")],
    "the player, usually": [('I ring Bea every day. I say "Marzipan"', "“So,” says Bea.")],
    "the player, tomorrow": [('I will ring Bea. I say "Marzipan"', "“So,” says Bea.")],
    "the player, yesterday": [('I rang Bea yesterday. I say "Marzipan"', "“So,” says Bea.")],
}  # fmt: skip


@pytest.mark.parametrize("turns", NOT_OPENED.values(), ids=NOT_OPENED)
def test_what_is_no_call_reaches_nobody(turns):
    keeper = played(*turns)
    assert seeing(keeper, "arzipan") == ROOM
    assert not [line for line in keeper.world().lines if "bea" in line]


CLOSED = {
    "she hangs up": [CALLED, f"She hangs up. {JON}"],
    "on him": [CALLED, f"Bea hung up on Jon. {JON}"],
    "hanging up": [CALLED, f"Hanging up, he turns to you. {JON}"],
    "rings off": [CALLED, f"Jon rings off. {JON}"],
    "signs off": [CALLED, f"With a sigh Bea signs off. {JON}"],
    "puts the phone down": [CALLED, f"Jon puts the phone down. {JON}"],
    "puts down the receiver": [CALLED, f"Jon put down the receiver. {JON}"],
    "replaces the receiver": [CALLED, f"Slowly, Jon replaces the receiver. {JON}"],
    "puts it away": [CALLED, f"Jon puts his phone away. {JON}"],
    "pockets it": [CALLED, f"Jon slips the mobile into his pocket. {JON}"],
    "sets it aside": [CALLED, f"He sets the phone on the table. {JON}"],
    "slams it": [CALLED, f"Bea slammed the receiver back on its hook. {JON}"],
    "switches it off": [CALLED, f"Jon switches off the phone. {JON}"],
    "passes it to nobody known": [CALLED, f"Jon hands the phone to a boy. {JON}"],
    "ends the call": [CALLED, f"Jon ends the call. {JON}"],
    "cuts the connection": [CALLED, f"Bea cuts the connection. {JON}"],
    "the line goes dead": [CALLED, f"The line goes dead. {JON}"],
    "the line clicks": [CALLED, f"The line clicks. {JON}"],
    "a click": [CALLED, f"A soft click. {JON}"],
    "the dial tone": [CALLED, f"Then there is only the dial tone. {JON}"],
    "the call is over": [CALLED, f"When the call is over, Jon laughs. {JON}"],
    "the battery": [CALLED, f"The battery dies. {JON}"],
    "it goes quiet": [CALLED, f"“Bye,” says Bea. The phone goes quiet. {JON}"],
    "it is finished": [CALLED, f"The call finished, Jon turns round. {JON}"],
    "it is gone": [CALLED, f"With a beep the connection is gone. {JON}"],
    "afterwards": [CALLED, f"Afterwards, Jon laughs. {JON}"],
    "gently": [CALLED, f"Jon listened, then put the receiver gently down. {JON}"],
    "she disconnects": [CALLED, f"Bea disconnects. {JON}"],
    "the red button": [CALLED, f"Jon thumbs the red button. {JON}"],
    "on the screen": [CALLED, f"The screen goes dark: call ended. {JON}"],
    "goodbyes": [CALLED, f"They say their goodbyes. {JON}"],
    "off the phone": [CALLED, f"Jon gets off the phone. {JON}"],
    "time passes": [CALLED, f"Two hours later Jon laughs. {JON}"],
    "the next day": [CALLED, f"The next morning it rains. {JON}"],
    "a break": [CALLED, f"Rain.\n\n* * *\n\n{JON}"],
    "they meet": [CALLED, "Bea goes to the kitchen.", f"Bea goes to the attic. {JON}"],
    "she goes elsewhere": [CALLED, f"Bea goes to the yard. {JON}"],
    "she goes out": [CALLED, f"Bea goes out. {JON}"],
    "nobody spoke for a turn": [CALLED, "Rain falls.", JON],
    "the player hangs up": [PHONE, ("I hang up.", "Rain."), SAY],
    "the player, then speaks": [PHONE, ('I put the phone down and say "Marzipan"', "Rain.")],
    "the player ends it": [PHONE, ('I end the call. I say "Marzipan"', "Rain.")],
    "the player lets it lapse": [PHONE, ("I look at the ruby.", "Rain."), SAY],
}  # fmt: skip


@pytest.mark.parametrize("turns", CLOSED.values(), ids=CLOSED)
def test_after_it_is_over_nobody_hears_more(turns):
    keeper = played(*turns)
    assert seeing(keeper, "arzipan") == ROOM
    assert keeper.world().lines == keeper.world().aloud == ()


STILL_OPEN = {
    "a coat is hung up": [CALLED, f"Tanya hangs up her coat. {JON}"],
    "he does not": [CALLED, f"Jon does not hang up. {JON}"],
    "he wants to": [CALLED, f"Jon wants to hang up. {JON}"],
    "he might": [CALLED, f"Bea might hang up. {JON}"],
    "before he does": [CALLED, f"Before he rings off, Jon laughs. {JON}"],
    "if she does": [CALLED, f"If she hangs up, all is lost. {JON}"],
    "another thing is put down": [CALLED, f"Tanya puts the cup down. {JON}"],
    "at his ear": [CALLED, f"Jon puts the phone to his other ear. {JON}"],
    "said and not done": [CALLED, f"“I hang up now,” says Tanya. {JON}"],
    "somebody else goes": [CALLED, f"Wim goes to the hall. {JON}"],
    "seconds later": [CALLED, f"Seconds later it thunders. {JON}"],
    "the player does not": [PHONE, ('I do not hang up. I say "Marzipan"', "Rain.")],
}  # fmt: skip


@pytest.mark.parametrize("turns", STILL_OPEN.values(), ids=STILL_OPEN)
def test_what_does_not_end_it(turns):
    assert "bea" in seeing(played(*turns), "arzipan")


# ── bystanders ───────────────────────────────────────────────────────────────────────────────

SPEAKER = f"{CALLED} Jon puts her on speaker."
SIDES = {
    "of the other end they hear nothing": ([f"{CALLED} {BEA}"], {"ada", "jon", "bea"}),
    "nor are they heard": ([f"{CALLED} {TANYA}"], ROOM),
    "on speaker they hear": ([f"{SPEAKER} {BEA}"], ROOM | {"bea"}),
    "and are heard": ([f"{CALLED} Jon puts it on speaker. {TANYA}"], ROOM | {"bea"}),
    "by a button": ([f"{CALLED} Jon taps the speaker button. {BEA}"], ROOM | {"bea"}),
    "what is said to one beside them": ([f"{CALLED} “Marzipan,” Jon says to Tanya."], ROOM),
    "or by the player": ([PHONE, ('I tell Tanya "Marzipan"', "Rain.")], ROOM),
    "but on speaker": ([f"{SPEAKER} “Marzipan,” Jon says to Tanya."], ROOM | {"bea"}),
    "off speaker again": (
        [f"{CALLED} Jon turns on the speaker. Jon turns the speaker off. {TANYA}"], ROOM
    ),
    "not on speaker": ([f"{CALLED} Jon does not put her on speaker. {BEA}"], {"ada", "jon", "bea"}),
    "on speaker, maybe": ([f"{CALLED} Jon could put her on speaker. {BEA}"], {"ada", "jon", "bea"}),
    "on speaker, no more": ([f"{CALLED} “Put me on speaker,” says Bea. {BEA}"],
                            {"ada", "jon", "bea"}),
    "the player’s own": ([PHONE, BEA], {"ada", "bea"}),
    "the player’s on speaker": ([PHONE, ("I put Bea on speaker.", BEA)], ROOM | {"bea"}),
    "a radio is heard by all": (["“Marzipan,” says Bea over the radio."], ROOM | {"bea"}),
    "an intercom too": (["“Marzipan,” says Bea over the intercom."], ROOM | {"bea"}),
    "by radio the room is not heard": ([f"“Well,” says Bea over the radio. {TANYA}"], ROOM),
    "nor by intercom": ([f"“Well,” says Bea over the intercom. {JON}"], ROOM),
    "who speaks into it is": (
        ["“Well,” says Bea over the radio.", SAY], ROOM | {"bea"}
    ),
    "a telephone is not": (["“Marzipan,” says Bea on the phone."], {"ada", "bea"}),
    "a whisper stays between two": (
        [PHONE, ('I whisper to Bea "Marzipan"', "Rain.")], {"ada", "bea"}
    ),
    "speaker ends with the call": (
        [f"{CALLED} Jon puts it on speaker. Jon hangs up.", f"Jon rings Bea. Bea answers. {BEA}"],
        {"ada", "jon", "bea"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("turns", "who"), SIDES.values(), ids=SIDES)
def test_bystanders_hear_their_own_side(turns, who):
    assert seeing(played(*turns), "arzipan") == who


MUTED = {
    "mutes it": [f"{CALLED} Jon mutes the call. {JON}"],
    "muted himself": [f"{CALLED} Jon muted himself. {JON}"],
    "presses mute": [f"{CALLED} Jon presses mute. {JON}"],
    "on mute": [f"{CALLED} Jon puts her on mute. {JON}"],
    "on speaker, too": [f"{SPEAKER} Jon mutes the phone. {TANYA}"],
    "covers the mouthpiece": [f"{CALLED} Jon covers the mouthpiece. {JON}"],
    "a hand over it": [f"{CALLED} He puts his hand over the receiver. {JON}"],
    "at his chest": [f"{CALLED} Jon presses the phone to his chest. {JON}"],
    "lowers it": [f"{CALLED} Jon lowers the phone. {JON}"],
    "on hold": [f"{CALLED} Jon puts Bea on hold. {JON}"],
    "in the next turn still": [f"{CALLED} Jon covers the phone.", f"“Well,” says Bea. {JON}"],
    "by whomever": [f"{CALLED} A hand goes up, covering the mouthpiece. {JON}"],
    "as he says it": [f"{CALLED} “Marzipan,” says Jon, covering the mouthpiece."],
    "his hand over it": [f"{CALLED} “Marzipan,” says Jon, his hand over the receiver."],
    "away from it": [f"{CALLED} “Marzipan,” says Jon, away from the phone."],
    "the player, as they say it": [PHONE, ('I say "Marzipan", covering the mouthpiece', "Rain.")],
    "in one breath": [f"Jon gets Bea on the line and covers the mouthpiece. {JON}"],
    "whosever hand it is": [f"{CALLED} Bea waits while Jon, sighing, covers the phone. {JON}"],
    "to somebody else": [f"{CALLED} Jon mutes the call. “Marzipan,” he says to Tanya."],
    "the player": [PHONE, ('I cover the mouthpiece and say "Marzipan"', "Rain.")],
    "the player's button": [PHONE, ('I mute the phone. I say "Marzipan"', "Rain.")],
}  # fmt: skip


@pytest.mark.parametrize("turns", MUTED.values(), ids=MUTED)
def test_who_is_muted_is_not_heard(turns):
    assert seeing(played(*turns), "arzipan") == ROOM


HEARD_AGAIN = {
    "unmutes it": [f"{CALLED} Jon mutes the call. Jon unmutes it. {JON}"],
    "uncovers it": [f"{CALLED} Jon covers the phone. He uncovers the mouthpiece. {JON}"],
    "at his ear again": [f"{CALLED} Jon lowers the phone. Jon raises the phone to his ear. {JON}"],
    "off hold": [f"{CALLED} Jon puts Bea on hold. Jon takes Bea off hold. {JON}"],
    "he speaks to her": [f"{CALLED} Jon covers the phone. “Marzipan,” Jon says to Bea."],
    "he speaks into it": [f"{CALLED} Jon covers it. “Marzipan,” Jon says into the phone."],
    "the television": [f"{CALLED} Jon mutes the television. {JON}"],
    "he does not": [f"{CALLED} Jon does not mute the call. {JON}"],
    "Tanya covers her ears": [f"{CALLED} Tanya covers her ears. {JON}"],
}  # fmt: skip


@pytest.mark.parametrize("turns", HEARD_AGAIN.values(), ids=HEARD_AGAIN)
def test_who_is_not_or_no_longer_is(turns):
    assert "bea" in seeing(played(*turns), "arzipan")


def test_who_is_muted_hears_and_who_is_on_hold_does_not():
    muted = played(f"{CALLED} Jon mutes the call. {BEA}")
    assert seeing(muted, "arzipan") == {"ada", "jon", "bea"}
    held = played(f"{CALLED} Jon puts Bea on hold. {BEA}")
    assert seeing(held, "arzipan") == {"ada", "bea"}


def test_on_the_line_nothing_is_seen():
    keeper = played(f"{CALLED} Jon takes the ruby.")
    assert "ruby" not in {each.what for each in keeper.knows("bea").places}


# ── on record ────────────────────────────────────────────────────────────────────────────────


def changes(keeper):
    return [
        r.what.change.value for r in records(keeper, a.Atom) if isinstance(r.what, a.LineChanged)
    ]


def test_it_is_on_record_and_replays():
    keeper = played(
        f"Jon rings Bea. She picks up. {JON}", "Jon puts it on speaker. “So,” says Bea.",
        "Jon hangs up.",
    )  # fmt: skip
    assert changes(keeper) == ["rang", "opened", "aloud"]  # hanging up is a deed, read by itself
    assert keeper.replay().windows == 4
    assert keeper.world(at=1).lines == (("jon", "bea"),)
    assert keeper.world(at=2).aloud == ("jon",)
    assert keeper.world(at=3).lines == ()


def test_a_line_that_lapses_and_a_call_nobody_takes_are_on_record():
    keeper = played("Jon rings Bea.", "Rain.", f"{CALLED} {JON}", "Rain.")
    assert changes(keeper) == ["rang", "closed", "rang", "opened", "closed"]
    assert keeper.replay().windows == 5
    assert [keeper.world(at=n).ringing for n in (1, 2)] == [(("jon", "bea"),), ()]


def test_whom_nobody_got_hold_of_does_not_know_that_they_were_called():
    keeper = played(("I phone Bea.", "It rings."))
    assert "phones Bea" in keeper.brief("tanya", "a knock").text
    assert "phones" not in keeper.brief("bea", "a knock").text
    assert "phones Bea" in played(PHONE).brief("bea", "a knock").text


@pytest.mark.parametrize("hidden", [False, True])
def test_calling_is_telephoning_where_a_telephone_is_seen(hidden):
    phone = Thing(id="set", name="the telephone", at="kitchen", hidden=hidden)
    keeper = unkept(structs.replace(house(), things=(phone,)))
    keeper.render(keeper.opening(), "Rain.")
    keeper.render(keeper.begin('I call Bea and say "Marzipan"'), "“Yes?” says Bea.")
    keeper.end_scene()
    assert keeper.world().lines == (() if hidden else (("ada", "bea"),))
    assert ("Marzipan" in keeper.brief("bea", "a knock").text) is not hidden


def test_telling_over_the_line_is_done_and_giving_is_not():
    keeper = played(("I take the ruby.", "Rain."), ("I phone Bea.", "Bea answers."))
    turn = keeper.begin("I tell Bea about the ruby. I give Bea the ruby.")
    assert keeper.window("bea").text.count("tells Bea about the ruby") == 1
    assert turn.world.holders["ruby"] == "ada"
    assert "Bea is not here." in offline(turn.world, turn.present)


def test_an_attempt_is_said_back_as_one():
    keeper = played("Rain.")
    turn = keeper.begin("I phone Bea.")
    assert offline(turn.world, turn.present).startswith("You try to phone Bea.")


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
    for line, prose in (
        ("I phone Bea.", "Bea answers."),
        ('I say "So." I sleep.', "“Yes,” says Bea."),
    ):
        keeper.render(keeper.begin(line), prose)
    keeper.end_scene()
    assert keeper.world().scene == "night"
    assert bool(keeper.world().lines) is open_still


def test_nobody_else_is_on_it():
    keeper = played(f"{CALLED} {JON}")
    assert "arzipan" not in keeper.brief("wim", "a knock").text
    assert set(ALL) >= {"wim"}
