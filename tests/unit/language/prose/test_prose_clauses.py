"""What happens in prose, and who and what takes part."""

from __future__ import annotations

import pytest
from reading_prose import clause, heads, read

from storykeeper.language.reading import Joint
from strategies.tables import table

# text → its verbs, in order
VERBS = {
    "She picked up the cup, noticed the chip, and began to cry.": "pick up|notice|cry",
    "She put the cup down and left.": "put down|leave",
    "You take a look at the lamp.": "look",
    "He gave her a hug.": "hug",
    "He let go of the rope.": "let go",
    "She managed to open the box.": "open",
    "He was opening the letter.": "open",
    "The lamp is cold.": "be",
    "There is a key on the hook.": "be",
    "The man who took the cup left.": "take|leave",
    "She saw him take the key.": "see|take",
    "He kept looking at the door.": "look",
    "A key fell.": "fall",
    "“Wait,” said Tom.": "wait|say",
}

# text, verb → actors, targets, subjects, instruments, locations
ROLES = {
    ("She picked up the cup.", "pick up"): ("she", "cup", "", "", ""),
    ("She picked up the cup, noticed the chip, and began to cry.", "notice"):
        ("she", "chip", "", "", ""),
    ("She picked up the cup, noticed the chip, and began to cry.", "cry"): ("she", "", "", "", ""),
    ("She looked at the cup.", "look"): ("she", "cup", "", "", ""),
    ("You look at the chip in the cup.", "look"): ("you", "chip", "", "", ""),
    ("He gave Mara the key.", "give"): ("he", "Mara", "key", "", ""),
    ("He gave the key to Mara.", "give"): ("he", "Mara", "key", "", ""),
    ("She told Tom about the letter.", "tell"): ("she", "Tom", "letter", "", ""),
    ("The key was taken by Tom.", "take"): ("Tom", "key", "", "", ""),
    ("The key was stolen.", "steal"): ("", "key", "", "", ""),
    ("He opened the box with a knife.", "open"): ("he", "box", "", "knife", ""),
    ("He cut the bread with his knife in the kitchen.", "cut"):
        ("he", "bread", "", "knife", "kitchen"),
    ("She put the cup on the shelf.", "put"): ("she", "cup", "", "", "shelf"),
    ("He walked into the kitchen.", "walk"): ("he", "", "", "", "kitchen"),
    ("The man who took the cup left.", "take"): ("man", "cup", "", "", ""),
    ("The cup that she broke was old.", "break"): ("she", "cup", "", "", ""),
    ("She saw him take the key.", "take"): ("him", "key", "", "", ""),
    ("Mara and Tom carried the chest.", "carry"): ("Mara Tom", "chest", "", "", ""),
    ("He took the key and the lamp.", "take"): ("he", "key lamp", "", "", ""),
    ("The lamp is cold.", "be"): ("", "", "lamp", "", ""),
    ("She was tired.", "be"): ("she", "", "", "", ""),
    ("There is a key on the hook.", "be"): ("", "", "key", "", ""),
    ("The door opened.", "open"): ("", "", "door", "", ""),
    ("A stone hit the window.", "hit"): ("stone", "window", "", "", ""),
    ("He let go of the rope.", "let go"): ("he", "rope", "", "", ""),
    ("He took the key from Mara.", "take"): ("he", "key Mara", "", "", ""),
    ("She took a key out of her pocket.", "take"): ("she", "key", "", "", "pocket"),
    ("You take a look at the lamp.", "look"): ("you", "lamp", "", "", ""),
    ("He gave her a hug.", "hug"): ("he", "her", "", "", ""),
    ("She tried to open the door.", "open"): ("she", "door", "", "", ""),
    ("A letter written by Tom lay there.", "write"): ("Tom", "letter", "", "", ""),
    ("Holding the lamp, she went down.", "hold"): ("she", "lamp", "", "", ""),
    ("I smiled at him.", "smile"): ("i", "him", "", "", ""),
    ("He asked her to open the box.", "open"): ("her", "box", "", "", ""),
    ("He knocked on the door.", "knock"): ("he", "door", "", "", ""),
    ("Beside it lay Tanya's phone.", "lie"): ("", "", "phone", "", "it"),
}  # fmt: skip

STATES = {
    "The lamp is cold.": ("be", "cold"),
    "She seemed very tired.": ("seem", "very tired"),
    "He is a sailor.": ("be", "a sailor"),
    "The cup grew warm.": ("grow", "warm"),
    "She took the cup.": ("take", ""),
}

LINKS = {
    "She cried because he left.": (Joint.CAUSE, "leave", "cry"),
    "She picked up the cup and drank.": (Joint.SEQUENCE, "pick up", "drink"),
    "If he comes, she will leave.": (Joint.CONDITION, "come", "leave"),
    "He left before she woke.": (Joint.SEQUENCE, "leave", "wake"),
    "She wept after he left.": (Joint.SEQUENCE, "leave", "weep"),
    "She noticed the chip, and began to cry.": (Joint.SEQUENCE, "notice", "cry"),
}


@table("text, verbs", VERBS.items())
def test_verbs(text: str, verbs: str):
    assert [c.verb for c in read(text).clauses] == verbs.split("|")


@table("where, expected", ROLES.items())
def test_roles(where: tuple[str, str], expected: tuple[str, ...]):
    reading = read(where[0])
    found = clause(reading, where[1])
    roles = (found.actors, found.targets, found.subjects, found.instruments, found.locations)
    assert tuple(" ".join(heads(reading, r)) for r in roles) == expected


@pytest.mark.parametrize(("text", "expected"), STATES.items())
def test_states(text: str, expected: tuple[str, str]):
    assert clause(read(text), expected[0]).state == expected[1]


@pytest.mark.parametrize(("text", "expected"), LINKS.items())
def test_links(text: str, expected: tuple[Joint, str, str]):
    reading = read(text)
    found = [
        (k.joint, reading.clauses[k.first].verb, reading.clauses[k.second].verb)
        for k in reading.links
    ]
    assert expected in found


def test_a_clause_is_where_its_words_are():
    text = "She picked up the cup, noticed the chip, and began to cry."
    assert [text[c.start : c.end] for c in read(text).clauses] == [
        "She picked up the cup",
        "noticed the chip",
        "began to cry",
    ]


def test_present_and_first_person():
    reading = read("I take the cup. You watch me. He leaves the house.")
    assert [(c.verb, heads(reading, c.actors)) for c in reading.clauses] == [
        ("take", ["i"]), ("watch", ["you"]), ("leave", ["he"]),
    ]  # fmt: skip
