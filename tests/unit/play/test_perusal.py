"""Who reads what they were given, who leaves it unread, and what says neither."""

import pytest

from storykeeper.language.names import Names
from storykeeper.play.perusal import has_read, readers_in

PEOPLE = ("dov", "ben", "cora")
NAMES = Names((*((each, (each.title(),)) for each in PEOPLE), ("kit", ("the kitchen",))))
READ = [
    "Dov reads it.",
    "He reads it without a word.",
    "Dov takes it and reads it.",
    "Unread books line the wall. Dov reads the note.",
    "Dov looks at his phone and reads it.",
    "Dov unfolds the note.",
    "Dov opens the letter.",
    "Dov broke the seal and read the letter.",
    "Dov read the note twice.",
    "In the kitchen, Dov glances at the screen.",
    "Dov does not open it at once. Later he reads the letter.",
    "Dov takes the note from Ben and reads it.",
    "Dov reads the message without looking up.",
    "Ben watches as Dov reads it.",
    "Dov slowly reads the note.",
    "Dov checks his phone.",
    "Dov has read your message.",
    "Dov is reading the note.",
    "Dov reads it, and does not look at Ben.",
]
UNREAD = [
    "Dov does not open the note. He puts it in his pocket unread.",
    "Dov drops the note into the fire unread.",
    "Dov hands it back without looking at it.",
    "Dov refuses to read it.",
    "Dov didn't read it.",
    "Dov pockets the unopened letter.",
    "He will read it later.",
    "Dov leaves the note unread on the table.",
    "Dov tears it up without reading it.",
    "Dov never opened the envelope.",
    "Dov unfolds the note but does not read it.",
    "Dov does not so much as look at it.",
    "Dov burns it without a glance.",
    "Dov refuses the note.",
    "Dov won't take it.",
    "The note stays folded in his hand.",
    "The seal is unbroken.",
    "Dov ignores it.",
    "Dov wants to read it, but he is too tired.",
    "Dov is about to read it when the lamp goes out.",
    "He has not read the letter.",
    "Dov does not even bother to open it.",
    "Before Dov can read it, the wind takes it.",
    "The letter remains sealed.",
]
NEITHER = [
    "Dov nods.",
    "He has not read anything so bold.",
    "Unread books line the wall.",
    "Dov takes it.",
    "Ben reads it.",
    "Ben does not read the note.",
    "“I will not read it,” says Dov.",
    "You do not read it.",
    "Dov reads Ben's face.",
    "Dov looks at Ben.",
    "Dov opens the window.",
    "Dov has never read a book.",
    "Dov reads the room.",
    "The sealed jars stand in a row.",
    "Dov looks at that man.",
    "Dov did not look up.",
    "Dov hands Ben the tray and Ben reads the note.",
    "Dov thanks Ben and Cora reads it.",
]


def has_dov_read(prose):
    return has_read(prose, NAMES, PEOPLE, who="dov", given="dov")


@pytest.mark.parametrize("prose", READ)
def test_who_is_told_to_read_it_has_read_it(prose):
    assert has_dov_read(prose) is True


@pytest.mark.parametrize("prose", UNREAD)
def test_who_is_told_not_to_has_not(prose):
    assert has_dov_read(prose) is False


@pytest.mark.parametrize("prose", NEITHER)
def test_what_is_told_of_others_or_other_things_says_neither(prose):
    assert has_dov_read(prose) is None


def test_who_looks_over_a_shoulder_reads_too():
    told = "Dov reads the message. Ben reads it over his shoulder. Cora hums."
    assert readers_in(told, NAMES, PEOPLE) == ("dov", "ben")
