"""Lines as a text says them: who calls whom, who answers, who hangs up, what is no call."""

import pytest

from storykeeper.language.calls import calls_in, is_missed, speaks_of_calls

NAMES = ("Greta", "Jon")


def read(text, *, typed=False):
    spans = [(at, at + len(n)) for n in NAMES for at in range(len(text)) if text[at:].startswith(n)]
    said = lambda span: "" if span is None else text[slice(*span)]  # noqa: E731
    calls = calls_in(text, spans, typed=typed)
    return [(c.sign.value, said(c.who), said(c.whom), c.plainly) for c in calls]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Greta phones Jon.", ("rang", "Greta", "Jon", True)),
        ("She telephoned him.", ("rang", "She", "him", True)),
        ("Greta calls him from the station.", ("rang", "Greta", "him", False)),
        ("Greta finds the phone and calls him.", ("rang", "Greta", "him", True)),
        ("Greta calls Jon's number.", ("rang", "Greta", "Jon", True)),
        ("Greta called Jon back.", ("rang", "Greta", "Jon", False)),
        ("You dial her number.", ("rang", "You", "her", True)),
        ("Greta tried to phone Jon.", ("rang", "Greta", "Jon", True)),
        ("Greta tries Jon's mobile.", ("rang", "Greta", "Jon", True)),
        ("Greta placed a call to Jon.", ("rang", "Greta", "Jon", True)),
        ("Greta gives Jon a ring.", ("rang", "Greta", "Jon", False)),
        ("Greta radioed Jon.", ("rang", "Greta", "Jon", True)),
        ("Jon answers.", ("answered", "Jon", "", True)),
        ("He picked up on the second ring.", ("answered", "He", "", True)),
        ("It is Jon who answers the phone.", ("answered", "Jon", "", True)),
        ("Jon wipes his hands and picks up.", ("answered", "Jon", "", True)),
        ("You take the call.", ("answered", "You", "", True)),
        ("Jon snatched the receiver.", ("answered", "Jon", "", True)),
        ("Jon comes on the line.", ("answered", "Jon", "", True)),
        ("The call is answered by Jon.", ("answered", "Jon", "", True)),
        ("Jon's tired voice fills the car.", ("answered", "Jon", "", True)),
        ("Greta has Jon on the line.", ("talked", "Greta", "Jon", True)),
        ("Greta talks to Jon over the phone.", ("talked", "Greta", "Jon", True)),
        ("Greta gets through to Jon.", ("talked", "Greta", "Jon", True)),
        ("Greta tells Jon about the fair.", ("spoke", "Greta", "Jon", True)),
        ("The phone rings and rings.", ("missed", "", "", True)),
        ("It goes straight to voicemail.", ("missed", "", "", True)),
        ("She hangs up.", ("closed", "She", "", True)),
        ("Jon slams the receiver back on the hook.", ("closed", "Jon", "", True)),
        ("Jon hung up the phone.", ("closed", "Jon", "", True)),
        ("Jon had hung up.", ("closed", "Jon", "", True)),
        ("The receiver was put down.", ("closed", "", "", True)),
        ("Hanging up, you laugh.", ("closed", "", "", True)),
        ("You toss the phone onto the bed.", ("closed", "You", "", True)),
        ("Jon snapped his mobile shut.", ("closed", "Jon", "", True)),
        ("Jon passes her the handset.", ("passed", "Jon", "her", True)),
        ("The connection breaks.", ("closed", "", "", True)),
        ("The call has been cut off.", ("closed", "", "", True)),
        ("The line clicks.", ("clicked", "", "", True)),
        ("Three days later it snows.", ("closed", "", "", True)),
        ("Jon switches it to speakerphone.", ("aloud", "Jon", "", True)),
        ("Jon takes Greta off speaker.", ("low", "Jon", "Greta", True)),
        ("Jon cups a hand over the phone.", ("muted", "Jon", "", True)),
        ("Greta unmuted herself.", ("unmuted", "Greta", "", True)),
        ("Jon put Greta on hold.", ("held", "Jon", "", True)),
    ],
)
def test_what_is_said_of_a_line(text, found):
    assert [*dict.fromkeys(read(text))] == [found]


@pytest.mark.parametrize(
    "text",
    [
        "Greta calls Jon a fool.", "Greta calls Jon over.", "Greta calls Jon by his name.",
        "Greta called Jon's bluff.", "Greta rings Jon's doorbell.", "Greta calls on Jon.",
        "Greta calls out to Jon.", "A gull calls.", "The ring on her finger is Jon's.",
        "Greta rings the bell.", "Greta gives Jon a ring of gold.", "Greta dials.",
        "Greta would phone Jon.", "Greta never phones Jon.", "Greta wants to phone Jon.",
        "Greta had phoned Jon.", "Perhaps Greta phones Jon.", "Jon hopes that Greta phones him.",
        "Greta phones Jon every week.", "Greta phoned Jon yesterday.", "Greta often calls Jon.",
        "Years ago Greta phoned Jon.", "Greta phones Jon tomorrow.", "You hear Greta phone Jon.",
        "Did Greta phone Jon?", "You will phone Jon.", "Greta sits down to phone Jon.",
        "“Greta phones Jon,” he says.", "The phone rings.", "phone Greta",
        "Jon picks up the cup.", "Jon picks up speed.", "Jon answers the door.",
        "If Jon picks up, run.", "You wait for Jon to pick up.", "Why does Jon answer?",
        "You long for Jon's voice.", "Greta talks to Jon on the phone every night.",
        "Greta asks her brother.", "A radio plays in Jon's room.", "The intercom buzzes.",
        "Jon hangs up his coat", "Jon puts Greta on the sofa.", "Jon puts the cup down.",
        "Jon wants to hang up.", "You do not hang up.", "Jon will ring off.", "Do not hang up",
        "Greta might end the call.", "Before Greta rings off, she laughs.",
        "The phone rings off the hook.", "Jon puts the book on the shelf.",
        "Jon mutes the television.", "Jon covers his eyes.", "Jon does not put it on speaker.",
        "The speaker hums.", "Seconds later it thunders.",
    ],
)  # fmt: skip
def test_what_is_no_line(text):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "sign"),
    [("phone Greta", "rang"), ("Phone Greta now", "rang"), ("I sit down, then phone Greta", "rang"),
     ("I try to call Greta", "rang"), ("answer the phone", "answered"), ("I pick up", "answered"),
     ("hang up", "closed"), ("I put the phone away", "closed"), ("cover the mouthpiece", "muted"),
     ("put Greta on speaker", "aloud")],
)  # fmt: skip
def test_a_player_need_not_say_who(text, sign):
    assert {found for found, *_ in read(text, typed=True)} == {sign}


@pytest.mark.parametrize(
    "text",
    ["I want to phone Greta", "I will call Greta later", "should I phone Greta?", "don't hang up",
     "I called Greta yesterday", "I call Greta every week", "I think about Greta and her phone"],
)  # fmt: skip
def test_what_a_player_only_speaks_of(text):
    assert read(text, typed=True) == []


def test_all_of_it_in_order():
    text = "Jon rings Greta. She answers. Jon puts her on speaker. Then Jon rings off."
    assert [each[0] for each in read(text)] == ["rang", "answered", "aloud", "closed"]


def test_a_telephone_may_stand_in_the_sentence_before():
    assert read("Jon finds the phone. He calls Greta.") == [("rang", "He", "Greta", True)]


def test_that_nobody_answers():
    assert is_missed("It rings. She does not pick up.")
    assert is_missed("says Greta on the recording")
    assert not is_missed("She picks up.")


def test_where_no_line_can_begin():
    assert speaks_of_calls("He dialled her number.")
    assert not speaks_of_calls("It rains on the roof.")


def test_a_long_line_is_read_at_once():
    assert calls_in("I tell you I tell you " * 2_000 + "phone", (), typed=True) == ()
