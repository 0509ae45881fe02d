"""The entity and the emotion source: every field that is asked of them, and its boundary."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn, Recalled
from storykeeper.context.sources import EVENT, proposals
from storykeeper.context.sources.emotion import shifts
from storykeeper.context.sources.entity import entities
from storykeeper.context.sources.events import IN_JOURNAL, events
from storykeeper.context.words import AWARE, OWNED
from storykeeper.events import atoms as a
from storykeeper.events.changes import IntentPredicted, MoodDelta
from storykeeper.events.vocabulary import Awareness
from storykeeper.story.people import Character
from storykeeper.world.state import Feeling, Mood, Standing
from strategies.guarded import who
from unit.context.test_sources_alone import CAST, one, seen, told

ZED = Character(id="zed", name="Zed", line="x", at="hall")
FOND = Standing(affection=0.9, reliability=0.6)
WANTED = {"bob": 1.0}


def company(at="hall", **more):
    """Ann, Bob and Zed in the hall, Eve on the hill."""
    return told(cast=(*CAST, structs.replace(ZED, at=at)), **more)


def cards(boundary):
    """What passes the gate, by id."""
    permitted, _ = gate(list(entities(boundary, frozenset())), boundary)
    return {each.id: each for each in permitted}


# ── how others stand to each other ───────────────────────────────────────────────────────────


def test_a_card_says_how_its_owner_and_others_here_stand_to_each_other():
    between = {("bob", "zed"): FOND, ("zed", "bob"): Standing(benevolence=-0.6)}
    card = cards(seen(company(), text="I look at Bob.", standings=between))["entity:bob"]
    assert "Bob toward Zed: deeply fond of them. Zed toward Bob: believes they mean harm" in (
        card.full
    )
    assert {"relation:bob/zed", "relation:zed/bob"} <= set(card.sources)


@pytest.mark.parametrize(
    ("at", "between", "audience"),
    [
        ("hill", {("bob", "zed"): FOND}, "narrator"),
        ("hall", {("bob", "zed"): Standing(affection=0.4)}, "narrator"),
        ("hall", {("bob", "zed"): FOND}, "ann"),
    ],
    ids=["of those elsewhere nothing", "what is weak goes without saying", "to a character never"],
)
def test_but_not(at, between, audience):
    line = seen(company(at=at), text="I look at Bob.", standings=between, who=audience)
    assert "toward Zed" not in cards(line)["entity:bob"].full


def test_the_two_strongest_are_said():
    others = [structs.replace(ZED, id=f"z{i}", name=f"Zed{i}") for i in range(4)]
    between = {("bob", f"z{i}"): Standing(affection=0.5 + i / 10) for i in range(4)}
    line = seen(told(cast=(*CAST, *others)), text="I look at Bob.", standings=between)
    card = cards(line)["entity:bob"].full
    assert [each for each in ("Zed0", "Zed1", "Zed2", "Zed3") if each in card] == ["Zed2", "Zed3"]


def test_how_two_stand_is_on_one_card_of_both():
    line = seen(company(), text="I look at Zed and Bob.", standings={("bob", "zed"): FOND})
    told_on = [name for name, card in cards(line).items() if "relation:bob/zed" in card.sources]
    assert told_on == ["entity:zed"]


# ── what they feel ───────────────────────────────────────────────────────────────────────────


def feeling(awareness, toward=None, name="fury", shown_as="counts the cups"):
    return {"bob": Mood(-0.4, 0.8, 0.5, (Feeling(name, 0.5, awareness, toward, shown_as),))}


def test_a_card_says_mood_feelings_whom_they_are_for_and_who_knows():
    line = seen(told(), text="I look at Bob.", moods=feeling(Awareness.ARTICULATE, "ann"))
    assert "Shows: low, stirred; fury toward Ann (and could say so)" in (
        cards(line)["entity:bob"].full
    )


@pytest.mark.parametrize("awareness", Awareness)
@pytest.mark.parametrize("source", ["card", "shift"])
def test_what_they_do_not_own_is_behaviour_and_every_level_is_noted(source, awareness):
    moods = feeling(awareness, "ann")
    if source == "card":
        said = cards(seen(told(), text="I look at Bob.", moods=moods))["entity:bob"].full
    else:
        said = one(shifts(seen(told(), DARKER, moods=moods), ())).full
    assert f"({AWARE[awareness]})" in said
    owned = awareness in OWNED
    assert ("fury" in said, "toward Ann (" in said) == (owned, owned)
    assert ("counts the cups" in said) is not owned


DARKER = IntentPredicted(20, "bob", "to leave", 0.8, mood=MoodDelta(valence=-0.3))


@pytest.mark.parametrize("toward", ["eve", "ring", "hill", "nobody"])
def test_whom_nobody_knows_of_is_not_named(toward):
    cast = (structs.replace(CAST[0], relations=()), *CAST[1:])
    things = (structs.replace(told().things[0], at="hill"),)
    moods = feeling(Awareness.ARTICULATE, toward)
    line = seen(told(cast=cast, things=things), DARKER, text="I look at Bob.", moods=moods)
    for said in (cards(line)["entity:bob"].full, one(shifts(line, ())).full):
        assert "fury (and could say so)" in said


def test_a_thing_that_is_known_of_is_named():
    line = seen(told(), DARKER, moods=feeling(Awareness.ARTICULATE, "ring"))
    found = one(shifts(line, ()))
    assert "fury toward the ring" in found.full
    assert "thing:ring" in found.sources


def test_the_past_with_whom_a_feeling_is_for_may_explain_it():
    """Ann's own: what others remember is theirs."""
    darker = structs.replace(DARKER, who="ann")
    meant = {"ann": Mood(feelings=(Feeling("longing", 0.5, Awareness.RECOGNISABLE, "eve"),))}
    found = one(shifts(seen(told(), darker, moods=meant), ()))
    assert "In them: longing toward Eve (would know it if named)" in found.full
    assert "They shared a bed in the war" in found.full
    other = {"ann": Mood(feelings=(Feeling("longing", 0.5, Awareness.DEFENDED, "eve"),))}
    assert "war" not in one(shifts(seen(told(), darker, moods=other), ())).full


# ── what happened to them ────────────────────────────────────────────────────────────────────


def happened(turn, number=1, *, scene="inner", verb="give", grave=False, **roles):
    """Ann does something to Bob, in another scene."""
    clash = (a.Implication(a.ImplicationKind.CONFLICT, 0, 1, 0.5),) if grave else ()
    parts = roles or {"actor": who("ann"), "target": who("bob")}
    return a.Atom(
        turn=turn, id=f"t{turn}.{number}", scene=scene, what=a.ActionTaken(verb),
        participants=tuple(a.Participant(a.Role(r), e) for r, es in parts.items() for e in es),
        implications=clash, source=a.Source.PLAYER, confidence=a.Confidence(1.0),
        priority=a.Priority.NORMAL,
    )  # fmt: skip


def past(*atoms, scene="inner"):
    return PastTurn(atoms[0].turn, scene, "ann", "x", "It rains.", atoms)


def events_of(*turns, turn=20, **more):
    line = seen(told(), history=turns, turn=turn, **more)
    return gate(list(events(line, WANTED)), line)[0]


def test_what_happened_to_them_in_another_scene_comes_to_mind():
    found = one(events_of(past(happened(5))))
    assert (found.id, found.origin, found.sources) == ("event:t5.1", EVENT, ("atom:t5.1",))
    assert found.full == "- Earlier: Ann gives Bob"
    assert "bob" in found.entities


def test_by_how_lately_and_how_gravely():
    turns = [
        past(happened(t, verb=v, grave=g))
        for t, v, g in (
            (2, "hit", True),
            (4, "give", False),
            (15, "thank", False),
            (16, "greet", False),
        )
    ]
    found = events_of(*turns)
    assert [each.id for each in found] == ["event:t2.1", "event:t16.1"]
    assert found[0].terms.relevance == pytest.approx(0.8)
    assert found[1].terms.relevance == pytest.approx(0.4)
    assert found[0].terms.recency < found[1].terms.recency


def test_of_this_scene_only_what_is_too_old_for_its_journal():
    assert events_of(past(happened(5, scene="first"), scene="first")) == []
    late = events_of(past(happened(5, scene="first"), scene="first"), turn=6 + IN_JOURNAL)
    assert [each.id for each in late] == ["event:t5.1"]


def test_what_memory_found_is_left_to_it():
    turn = past(happened(5))
    assert events_of(turn, recalled=(Recalled("turn:5", 1.0, 0.5, turn),)) == []


@pytest.mark.parametrize(
    "parts",
    [
        {"actor": who("eve"), "target": who("bob")},
        {"actor": who("ann"), "target": who("eve"), "witness": who("bob")},
    ],
    ids=["unseen by the player", "only watched"],
)
def test_nothing_else_does(parts):
    assert events_of(past(happened(5, **parts))) == []


def test_what_is_unseen_takes_no_place():
    hidden = [past(happened(t, actor=who("eve"), target=who("bob"))) for t in (16, 17, 18)]
    found = events_of(past(happened(5)), *hidden)
    assert [each.id for each in found] == ["event:t5.1"]


def test_it_is_proposed_with_the_card_and_to_the_narrator_alone():
    for audience, wanted in (("narrator", ["event:t5.1"]), ("bob", []), ("ann", [])):
        line = seen(told(), text="I look at Bob.", history=(past(happened(5)),), who=audience)
        found = [c.id for c in proposals(line, told_above=frozenset()) if c.origin == EVENT]
        assert found == wanted
