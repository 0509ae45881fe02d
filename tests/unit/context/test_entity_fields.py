"""The entity and the emotion source: every field that is asked of them, and its boundary."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.items import Class
from storykeeper.context.sources.emotion import shifts
from storykeeper.context.sources.entity import entities
from storykeeper.context.sources.recalled import ASKED, HERE, TOLD_LAST, favoured
from storykeeper.context.window import assemble
from storykeeper.context.words import AWARE, OWNED
from storykeeper.events.changes import IntentPredicted, MoodDelta
from storykeeper.events.vocabulary import Awareness
from storykeeper.memory.compaction.terms import stem
from storykeeper.story.people import Character, Goal
from storykeeper.world.state import Feeling, Mood, Standing
from strategies.hills import world_of
from unit.context.test_sources_alone import CAST, act, one, past, seen, told

ZED = Character(id="zed", name="Zed", line="x", at="hall")
FOND = Standing(affection=0.9, reliability=0.6)


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
    assert "Bob is deeply fond of Zed. Zed takes Bob to mean harm" in (card.full)
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
    assert "fond of Zed" not in cards(line)["entity:bob"].full


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
    assert "Seems low and stirred. Feels fury toward Ann (and could say so)" in (
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
    assert ("ounts the cups" in said) is not owned


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


# ── who is here ──────────────────────────────────────────────────────────────────────────────


def test_who_is_in_the_room_has_a_card_behind_those_who_were_named():
    line = seen(company(), text="I look at Zed.")
    found = cards(line)
    assert list(found) == ["entity:zed", "entity:bob"]
    assert [each.terms.relevance for each in found.values()] == [1.0, 0.8]
    assert [each.klass for each in found.values()] == [Class.MANDATORY, Class.ENRICHMENT]


def test_who_takes_part_comes_between():
    gives = act(20, 1, to="bob", by="ann")
    found = cards(seen(company(), gives, text="I look at Zed."))
    assert {name: card.terms.relevance for name, card in found.items()} == {
        "entity:zed": 1.0, "entity:bob": 0.9,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("at", "audience"), [("hill", "narrator"), ("hall", "ann"), ("hall", "bob")],
    ids=["who is elsewhere", "to a player's character", "to another"],
)  # fmt: skip
def test_nobody_else_has_one(at, audience):
    assert "entity:zed" not in cards(seen(company(at=at), text="I wait.", who=audience))


def test_of_whom_there_is_nothing_to_say_that_they_are_here_is_said_elsewhere():
    plain = structs.replace(ZED, line="")
    of = told(cast=(*CAST, plain))
    assert "entity:zed" not in cards(seen(of, text="I wait."))
    assert "entity:zed" in cards(seen(of, text="I look at Zed."))


def test_what_is_told_above_of_them_is_not_on_their_card():
    line = seen(company(), text="I wait.")
    found = {each.id for each in entities(line, frozenset({"line:zed"}))}
    assert "entity:zed" not in found


GOALS = (Goal(text="To sell the boat.", open=True), Goal(text="To be forgiven."))
SPOKEN = {"speech": "In halves of sentences.", "goals": GOALS}


def test_a_card_says_how_they_talk_and_what_they_want_and_let_be_seen():
    of = told(cast=(CAST[0], structs.replace(CAST[1], **SPOKEN), CAST[2]))
    card = cards(seen(of, text="I look at Bob."))["entity:bob"]
    assert "Speaks: In halves of sentences. Wants: To sell the boat" in card.full
    assert "forgiven" not in card.full
    assert {"manner:bob", "aim:bob"} <= set(card.sources)


@pytest.mark.parametrize("text", ["I look at Bob.", "I think of Eve."])
def test_what_they_want_and_let_nobody_see_is_on_no_card(text):
    closed = {"goals": (Goal(text="To be forgiven."),)}
    of = told(cast=tuple(structs.replace(each, **closed) for each in CAST))
    assert all("forgiven" not in card.full for card in cards(seen(of, text=text)).values())


def test_of_somebody_not_met_it_is_closed():
    of = told(cast=(structs.replace(CAST[0], relations=()), CAST[1],
                    structs.replace(CAST[2], **SPOKEN)))  # fmt: skip
    line = seen(of, text="I look at Bob.")
    assert not any(map(line.open, ("manner:eve", "aim:eve", "line:eve")))
    assert seen(of, who="eve").open("manner:eve")


# ── what happened to them ────────────────────────────────────────────────────────────────────


def test_what_the_turn_turns_to_makes_its_words_worth_more():
    """By how much: what is asked, what was told last, who is here and what is at stake."""
    first = structs.replace(told().scenes[0], stakes="The debt.")
    of = company()
    of = structs.replace(of, scenes=(first, *of.scenes[1:]))
    before = replace(past(19), prose="It rains. Ann nods.")
    found = favoured(seen(of, text="Where is the key?", history=(before,)))
    assert found["key"] == ASKED
    assert found["nod"] == TOLD_LAST
    assert (found["bob"], found["debt"]) == (HERE, HERE)
    assert "eve" not in found  # she is on the hill


@pytest.mark.parametrize("name", ["Rose", "the widow Grey", "Grey", "Zed"])
def test_also_if_somebodys_name_is_a_word_like_others(name):
    of = told(cast=(*CAST, structs.replace(ZED, name=name)))
    last = name.split()[-1]
    assert favoured(seen(of, text="I wait."))[stem(last)] == HERE


def test_what_is_asked_and_here_counts_as_asked():
    assert favoured(seen(company(), text="Where is Bob?"))["bob"] == ASKED


def test_to_a_character_the_players_words_are_worth_nothing():
    line = seen(company(), text="Where is the key?", history=(past(19),), who="bob")
    assert "key" not in favoured(line)
    assert "nod" not in favoured(line)


def test_what_happened_before_comes_back_when_it_is_asked_about():
    """Of sixty turns like each other there is not room for all; one of the rest is asked for."""
    names = [f"Qu{chr(97 + i // 10)}{chr(97 + i % 10)}rr" for i in range(60)]
    said = [f"The lamp of {name} is lit on the wall and the wind is round it." for name in names]
    turns = [PastTurn(i, "first", "ann", "", text) for i, text in enumerate(said)]
    world = world_of(told(), scene="first", now=59)

    def text(line):
        made = assemble(world, turns, PresentTurn(60, "ann", line), audience="narrator",
                        tokens=900, count=lambda text: len(text) // 4)  # fmt: skip
        return made.text

    plain = text("I wait.")
    missing = [i for i in range(60) if said[i] not in plain]
    assert 10 < len(missing) < 50
    for i in (missing[0], missing[-1]):
        assert said[i] in text(f"I ask Bob what became of {names[i]}.")
