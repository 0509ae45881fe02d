"""Backstory on cards, and what a revelation says besides the fact."""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.gate import gate
from storykeeper.context.sources.entity import entities, wanted
from storykeeper.context.sources.revelation import revelations
from storykeeper.context.sources.standing import standing
from storykeeper.events.changes import SecretRevealed
from storykeeper.story.knowledge import Fact
from storykeeper.world.state import Believed, Known
from unit.context.test_sources_alone import CAST, PEAK, one, seen, told

FACT = Fact(id="f1", full="The well is dry.", hint="A dry bucket.", about=("bob",))


def dry(**more):
    peak = structs.replace(PEAK, gates=())
    return told(facts=(structs.replace(FACT, **more),), peak=peak)


def lines(boundary):
    both = (*entities(boundary, frozenset()), *standing(boundary, wanted(boundary)))
    found, _ = gate(list(both), boundary)
    return {each.id: each.full or each.hint for each in found}


def test_a_card_has_what_the_players_character_remembers_and_nobody_elses():
    theirs = structs.replace(CAST[2], relations=CAST[0].relations)
    assert (
        "They shared a bed in the war" in lines(seen(told(), text="I think of Eve."))["entity:eve"]
    )
    others = (structs.replace(CAST[0], relations=()), CAST[1], structs.replace(theirs, at="hall"))
    assert "war" not in lines(seen(told(cast=others), text="I look at Eve."))["entity:eve"]


def known(*, suspected=False):
    return {"known": {"ann": Map({"f1": Known("told by bob", 3, suspected)})}}


BELIEVED = {"beliefs": {"ann:f1": Believed("ann", "told by bob", 3, 1.0, fact="f1")}}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (known(), "- Ann has it from Bob: The well is dry."),
        (BELIEVED, "- Ann has it from Bob: The well is dry."),
        (known(suspected=True), "- Ann suspects: A dry bucket."),
        ({}, None),
    ],
    ids=["known", "believed, in the same words", "suspected", "not known"],
)
def test_facts_about_somebody_are_told_as_they_are_held(state, said):
    found = lines(seen(dry(), text="I look at Bob.", **state))
    assert [text for name, text in found.items() if name != "entity:bob"] == (
        [said] if said else []
    )


def learned(**more):
    news = SecretRevealed(20, "f1", ("ann",), "told by bob")
    line = seen(dry(**more), news, **known())
    return one(gate(list(revelations(line)), line)[0]).full


def test_a_revelation_says_how_it_was_learned():
    assert learned() == "- Ann learns now (told by Bob): The well is dry."


@pytest.mark.parametrize(
    ("weight", "said"),
    [(0.9, " It matters greatly."), (0.5, ""), (0.1, " It is a small thing.")],
)
def test_a_revelation_says_how_much_it_matters(weight, said):
    assert learned(weight=weight).endswith(f"The well is dry.{said}")
