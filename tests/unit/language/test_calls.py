"""Lines as a text says them: who calls whom, who hangs up, what is no call."""

import pytest

from storykeeper.events.atoms import LineChange
from storykeeper.language.calls import calls_in, is_unanswered

NAMES = ("Greta", "Jon")


def read(text, *, typed=False):
    spans = [(at, at + len(n)) for n in NAMES for at in range(len(text)) if text[at:].startswith(n)]
    said = lambda span: "" if span is None else text[slice(*span)]  # noqa: E731
    calls = calls_in(text, spans, typed=typed)
    return [(c.change.value, said(c.who), said(c.whom), c.plainly) for c in calls]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Greta phones Jon.", ("opened", "Greta", "Jon", True)),
        ("She telephoned him.", ("opened", "She", "him", True)),
        ("Greta calls him from the station.", ("opened", "Greta", "him", False)),
        ("Greta finds the phone and calls him.", ("opened", "Greta", "him", True)),
        ("Greta calls Jon's number.", ("opened", "Greta", "Jon", True)),
        ("Greta has Jon on the line.", ("opened", "Greta", "Jon", True)),
        ("Greta talks to Jon over the phone.", ("opened", "Greta", "Jon", True)),
        ("Greta phones Jon. No answer.", ("closed", "Greta", "Jon", True)),
        ("She hangs up.", ("closed", "She", "", True)),
        ("Jon slams the receiver back on the hook.", ("closed", "Jon", "", True)),
        ("Jon hung up the phone.", ("closed", "Jon", "", True)),
        ("The connection breaks.", ("closed", "", "", True)),
        ("Jon switches it to speakerphone.", ("aloud", "Jon", "", True)),
        ("Jon takes Greta off speaker.", ("low", "Jon", "Greta", True)),
    ],
)
def test_what_is_said_of_a_line(text, found):
    assert read(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "Greta calls Jon a fool.", "Greta calls Jon over.", "Greta calls Jon by his name.",
        "Greta would phone Jon.", "Greta never phones Jon.", "Greta tried to phone Jon.",
        "Greta had phoned Jon.", "Perhaps Greta phones Jon.", "Jon hopes that Greta phones him.",
        "“Greta phones Jon,” he says.", "The phone rings.", "Jon puts the phone on the table.",
        "phone Greta", "Jon hangs up his coat", "Jon puts Greta on the sofa.",
    ],
)  # fmt: skip
def test_what_is_no_line(text):
    assert read(text) == []


@pytest.mark.parametrize("text", ["phone Greta", "Phone Greta now", "I sit down, then phone Greta"])
def test_a_player_need_not_say_who(text):
    ((change, _, whom, _),) = read(text, typed=True)
    assert (change, whom) == (LineChange.OPENED, "Greta")


def test_all_of_it_in_order():
    text = "Jon rings Greta. Jon puts her on speaker. Then Jon rings off."
    assert [each[0] for each in read(text)] == ["opened", "aloud", "closed"]


def test_that_nobody_answers():
    assert is_unanswered("It rings. She does not pick up.")
    assert not is_unanswered("“Nobody answers,” she says. She picks up.")


def test_a_long_line_is_read_at_once():
    assert calls_in("I tell you I tell you " * 2_000 + "phone", (), typed=True) == ()
