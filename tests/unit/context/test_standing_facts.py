"""What holds and who is here: facts that stand (F3g), and cards of people in the room."""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn, Recalled
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.entity import entities, wanted
from storykeeper.context.sources.recalled import recollections
from storykeeper.context.sources.standing import standing
from storykeeper.story.knowledge import Fact
from storykeeper.story.people import Goal
from storykeeper.story.scenes import Gate
from storykeeper.units import TurnNo
from storykeeper.world.state import Known
from strategies.hills import knows, scene
from unit.context.test_sources_alone import CAST, PEAK, one, seen, told

DRY = Fact(id="dry", full="The well is dry.", hint="A dry bucket.")
READ = Known("read", 3)


def line(*facts: Fact, text: str = "I wait.", knowing: tuple[str, ...] = ("dry",)) -> Boundary:
    held = Map(dict.fromkeys(knowing, READ))
    story = told(facts=facts, peak=structs.replace(PEAK, gates=()))
    return seen(story, text=text, known={"ann": held})


def found(boundary: Boundary) -> dict[str, Candidate]:
    permitted, _ = gate(list(standing(boundary, wanted(boundary))), boundary)
    return {each.id: each for each in permitted}


def relevance(boundary: Boundary) -> float:
    return one(found(boundary).values()).terms.relevance


# ── facts ────────────────────────────────────────────────────────────────────────────────────


def test_what_is_known_stands_though_nothing_is_said_of_it():
    item = one(found(line(DRY)).values())
    assert item.full == "- Ann has read: The well is dry."
    assert item.terms.recency == 1.0
    assert found(line(DRY, knowing=())) == {}


@pytest.mark.parametrize(
    ("weight", "about", "wanted"),
    [(0.6, (), 0.3), (0.6, ("bob",), 0.48), (0.6, ("hall",), 0.48), (0.6, ("eve",), 0.3),
     (0.8, (), 0.4), (0.9, ("bob",), 0.72)],
    ids=["elsewhere", "somebody here", "here", "somebody elsewhere", "weighs greatly", "both"],
)  # fmt: skip
def test_the_more_it_weighs_and_bears_on_who_and_what_is_here(weight, about, wanted):
    fact = structs.replace(DRY, weight=weight, about=about)
    assert relevance(line(fact)) == pytest.approx(wanted)


def test_what_the_scene_turns_on_comes_before_what_is_at_hand():
    first = scene(
        "first", "peak", setting="hall", gates=(Gate(id="way", conditions=(knows("dry"),)),)
    )
    story = told(facts=(structs.replace(DRY, weight=0.6),), peak=structs.replace(PEAK, gates=()))
    story = structs.replace(
        story, scenes=tuple(first if each.id == "first" else each for each in story.scenes)
    )
    at_stake = seen(story, text="I wait.", known={"ann": Map({"dry": READ})})
    assert relevance(at_stake) == pytest.approx(0.54)


def test_what_the_turn_turns_to_brings_its_facts_in_full():
    fact = structs.replace(DRY, weight=0.1, about=("bob",))
    assert relevance(line(fact, text="I look at Bob.")) == 1.0


def test_what_was_overtaken_stands_no_more():
    wet = Fact(id="wet", full="The well is full.")
    dry = structs.replace(DRY, supersedes=("wet",))
    assert list(found(line(wet, dry, knowing=("wet", "dry")))) == ["fact:dry"]
    assert list(found(line(wet, dry, knowing=("wet",)))) == ["fact:wet"]


# ── people ───────────────────────────────────────────────────────────────────────────────────


def card(text: str, **more) -> Candidate | None:
    cast = (CAST[0], structs.replace(CAST[1], **more), CAST[2])
    boundary = seen(told(cast=cast), text=text)
    permitted, _ = gate(list(entities(boundary, frozenset())), boundary)
    return next((each for each in permitted if each.id == "entity:bob"), None)


def test_who_is_in_the_room_has_a_card_and_who_is_named_must_have_one():
    here, named = card("I wait."), card("I look at Bob.")
    assert here is not None
    assert named is not None
    assert (here.klass, here.terms.relevance) == (Class.ENRICHMENT, 0.8)
    assert (named.klass, named.terms.relevance) == (Class.MANDATORY, 1.0)
    assert card("I wait.", at="hill") is None


def test_a_card_says_how_somebody_talks():
    bob = card("I wait.", speech="In halves of sentences.")
    assert bob is not None
    assert "Speaks: In halves of sentences." in bob.full
    assert "manner:bob" in bob.sources


def test_and_what_they_want_if_everybody_may_know_it():
    goals = (Goal(text="Sell the mule.", open=True), Goal(text="Be forgiven."))
    bob = card("I wait.", goals=goals)
    assert bob is not None
    assert "Wants to sell the mule." in bob.full
    assert "forgiven" not in bob.full
    secret = card("I wait.", goals=goals[1:])
    assert secret is not None
    assert "aim:bob" not in secret.sources


def test_of_what_happened_to_them_what_answers_comes_back_word_for_word():
    prose = "It rained. Bob sold the mule to a tinker. The cups were washed. Nobody came."
    turn = PastTurn(TurnNo(4), "first", "ann", "I wait.", prose)
    asked = "Where is the mule that Bob sold?"
    boundary = seen(
        told(), text=asked, history=(turn,), recalled=(Recalled("turn:4", 1.0, 0.9, turn),)
    )
    item = one(recollections(boundary))
    assert item.full == "- Bob sold the mule to a tinker."
    assert item.sources == ("piece:4/2",)
