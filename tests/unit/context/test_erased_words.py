"""What was erased is told of nowhere: no sentence is made of what is left of it."""

from __future__ import annotations

import pytest

from storykeeper.context.words import told
from storykeeper.events import atoms as a
from strategies.worlds import atom, begun

WHOLE = [
    (a.ActionTaken("ask"), "Ann asks Bob."),
    (a.SpeechUttered("Good evening."), "Ann says to Bob: “Good evening.”"),
    (a.SpeechUttered(": what is this"), "Ann says to Bob: “what is this”"),
    (a.InformationTold("the well is dry"), "Ann tells Bob: the well is dry."),
    (a.StateAsserted("the door is open"), "The door is open."),
    (a.EnvironmentChanged("it rains"), "It rains."),
]
ERASED = [
    a.ActionTaken(""), a.ActionTaken("", about="cup"), a.SpeechUttered(""), a.InformationTold(""),
    a.StateAsserted(""), a.EnvironmentChanged(""),
]  # fmt: skip


@pytest.mark.parametrize("what", ERASED)
def test_nothing_is_said_of_what_was_erased(what):
    assert told(begun().plan, atom(what, actor="ann", target="bob")) == ""
    assert told(begun().plan, atom(what)) == ""


@pytest.mark.parametrize(("what", "words"), WHOLE)
def test_what_was_not_erased_is_told(what, words):
    assert told(begun().plan, atom(what, actor="ann", target="bob")) == words
