"""What is said back of a line: deeds that were read whole, and nobody's *me* for a *you*."""

import pytest

from storykeeper.language.acts import Sorts
from storykeeper.language.lines import read_line
from storykeeper.language.names import Names
from storykeeper.play.own_deeds import beside_emotes, own_deed
from storykeeper.units import EntityId
from strategies.tables import table

MARA, KEY = EntityId("mara"), EntityId("key")
NAMES = Names(((MARA, ("Mara",)), (KEY, ("the brass key", "the key"))))
SORTS = Sorts(frozenset({MARA}), frozenset())


def said(line: str) -> str:
    return own_deed(line, read_line(line, names=NAMES, sorts=SORTS, known=frozenset()).acts)


@table(
    "line, back",
    [
        ("sit down", "You sit down."),
        ("I sit down at the table.", "You sit down at the table."),
        ("i dance", "You dance."),
        ("I wave my hands", "You wave your hands."),
        ("wait am i the kid now", ""),
        ("give me the key", ""),
        ("tell me about the wreck or i break your plate", ""),
        ("Show me your palm, Mara.", ""),
        ("I grab her knife and yell GIVE ME THE KEY", ""),
        ("I check the boots: are they small enough?", ""),
        ("I am stuck, how do I get back to the kitchen", ""),
        ("x me", ""),
        ("I was sitting down", ""),
        ("nobody moves", ""),
    ],
)
def test_a_deed_is_said_back_if_it_was_read_whole(line, back):
    assert said(line) == back


@pytest.mark.parametrize("you", ["you", "your", "us", "me"])
def test_no_person_is_turned_into_another(you):
    assert said(f"sit down by {you}") == ""


def test_what_is_said_beside_emotes():
    assert beside_emotes("*sits* So it was you. *waits*") == "So it was you."
    assert beside_emotes("I sit.") == ""
