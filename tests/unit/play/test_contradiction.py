"""Whether a sentence contradicts another, and by which words."""

from __future__ import annotations

import time

import pytest

from storykeeper.memory.compaction.terms import terms
from storykeeper.play.contradiction import contradictions

ALONE = "Nobody crosses the ford alone; two go, or none goes."
GAUGE = "The ferry is not launched when the gauge stands above nine hands."
WATCH = "The watch at the stone is changed at noon and never left empty."
TENDED = "Whoever is hurt is tended first and asked afterwards, whatever side they came from."
BOX = "The powderman alone opens the red box."


def kinds(said, doctrine, speaker=""):
    return [each.kind for each in contradictions(said, doctrine, terms(speaker))]


@pytest.mark.parametrize(
    ("said", "doctrine", "kind"),
    [
        ("I cross the ford alone.", ALONE, "negation"),
        ("The bell is never rung for fire.", "The bell is rung for fire.", "negation"),
        ("I launch the ferry though the gauge stands above nine hands.", GAUGE, "negation"),
        ("I leave the watch at the stone empty.", WATCH, "negation"),
        ("We speak of wages before strangers.", "Wages are not spoken of before strangers.",
         "negation"),
        ("The causeway bears five carts.", "The causeway bears two carts at a time.", "number"),
        ("The boundary stone stands on the east bank.",
         "The boundary stone stands on the west bank.", "antonym"),
        ("Food is carried before medicine.", "Medicine is carried before food.", "order"),
        ("Whoever is hurt is asked first and tended afterwards.", TENDED, "order"),
        ("The box is held by the scout.", "The box is held by the powderman.", "attribute"),
        ("I open the red box.", BOX, "exception"),
        ("The scout opens the red box.", "None but the powderman opens the red box.", "negation"),
    ],
)  # fmt: skip
def test_what_contradicts(said, doctrine, kind):
    assert kinds(said, doctrine) == [kind]


@pytest.mark.parametrize(
    ("said", "doctrine"),
    [
        ("I take Lil over the ford with me.", ALONE),
        ("I launch the ferry.", GAUGE),  # nothing is said of the gauge
        ("I walk on. " + WATCH, WATCH),
        ("Oda tends Bram. Bram is hurt and within reach.", TENDED),
        ("The causeway bears two carts.", "The causeway bears two carts at a time."),
        ("The gauge stands above five hands.", GAUGE),
        ("The boat lies in the reeds.", "The crates lie between the stone and the reeds."),
        (BOX, "Nobody else opens the red box."),
        ("Nobody else opens the red box.", BOX),
        ("I open the red box.", "Nobody else opens the red box."),  # his own rule
        ("The powderman opens the red box.", "None but the powderman opens the red box."),
        ("The ferry carries medicine.", "The ferry carries nothing but medicine."),
        ("", ALONE),
        ("No.", ALONE),
    ],
)
def test_what_does_not(said, doctrine):
    assert kinds(said, doctrine) == []


def test_who_speaks_may_be_the_one_who_may():
    assert kinds("I open the red box.", BOX, "Bram the powderman") == []
    assert kinds("I open the red box.", BOX, "Lil of the quarry") == ["exception"]


@pytest.mark.parametrize("text", ["A" * 300_000, "a first " * 40_000, "x before " * 40_000])
def test_a_long_text_takes_no_longer_than_its_length(text):
    start = time.process_time()
    assert kinds(text, ALONE) == kinds(text, "Medicine is carried before food.") == []
    assert time.process_time() - start < 5


def test_it_says_by_which_words():
    (found,) = contradictions("The causeway bears five carts.", "The causeway bears two carts.")
    assert found.words == ("5 cart", "2 cart")
    assert (found.said, found.doctrine) == (
        "The causeway bears five carts.", "The causeway bears two carts.",
    )  # fmt: skip
