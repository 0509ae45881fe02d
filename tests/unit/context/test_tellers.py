"""Who told something is named to those who may know of them; to others it was somebody (F8.11)."""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.gate import gate
from storykeeper.context.naming import learned_as
from storykeeper.context.sources.entity import wanted
from storykeeper.context.sources.revelation import revelations
from storykeeper.context.sources.standing import standing
from storykeeper.events.changes import BeliefFormed, SecretRevealed
from storykeeper.story.knowledge import Fact
from storykeeper.story.people import Character
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import Believed, Known, Lesson, Sighting
from unit.context.test_sources_alone import CAST, PEAK, seen, told

ZED = Character(id="zed", name="Zed", line="x", at="hill")
FACT = Fact(id="f1", full="The well is dry.", hint="A dry bucket.", about=("bob",))
BY_ZED = "told by zed"


def dry(*, zed=ZED, **more):
    peak = structs.replace(PEAK, gates=())
    return told(facts=(structs.replace(FACT, **more),), cast=(*CAST, zed), peak=peak)


def how(story=None, *, who="narrator", way=BY_ZED, **state):
    boundary = seen(story or dry(), text="I wait.", who=who, **state)
    return learned_as(boundary, "f1", way).removeprefix(" (").removesuffix(")")


def known(who, way=BY_ZED):
    return {"known": {who: Map({"f1": Known(way, TurnNo(3))})}}


@pytest.mark.parametrize("who", ["narrator", "ann", "bob"])
def test_a_teller_of_whom_they_know_nothing_is_somebody(who):
    assert how(who=who) == "told by somebody"


def test_one_who_is_here_is_named():
    assert how(dry(zed=structs.replace(ZED, at="hall"))) == "told by Zed"


def test_one_whom_they_were_once_with_is_named():
    met = Sighting(TurnNo(3), "t3.1", EntityId("hill"), by=(EntityId("ann"),))
    assert how(sightings={"zed": (met,)}) == "told by Zed"


def test_one_whose_name_they_were_told_is_named():
    assert how(heard={"ann": ("zed",)}) == "told by Zed"


@pytest.mark.parametrize(("who", "name"), [("narrator", "player"), ("ann", "ann"), ("bob", "bob")])
def test_one_whom_the_author_says_they_have_it_from_is_named(who, name):
    story = dry(known_by={name: BY_ZED})
    assert how(story, who=who) == "told by Zed"


def test_but_not_if_they_have_it_from_them_otherwise():
    assert how(dry(known_by={"player": BY_ZED}), way="heard by zed") == "heard by somebody"


def test_what_the_author_says_of_another_names_nobody():
    assert how(dry(known_by={"bob": BY_ZED})) == "told by somebody"


LESSON = Lesson(BY_ZED, Sighting(TurnNo(3), "t3.1", None, by=(EntityId("bob"), EntityId("zed"))))


def test_a_character_knows_whom_they_saw_tell_it_and_a_player_only_a_name_they_heard():
    assert how(who="bob", taught={"f1": (LESSON,)}) == "told by Zed"
    both = structs.replace(LESSON, seen=structs.replace(LESSON.seen, by=("ann", "zed")))
    assert how(who="ann", taught={"f1": (both,)}) == "told by somebody"


def test_ways_without_a_teller_stay_as_they_are():
    assert [how(way=each) for each in ("saw", "inferred", "read")] == ["saw", "inferred", "read"]


def test_nobody_of_the_cast_is_somebody():
    assert how(way="told by stranger-3") == "told by somebody"


# ── where it stands in a window ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "state",
    [
        known("ann"),
        {"beliefs": {"ann:f1": Believed("ann", BY_ZED, TurnNo(3), 1.0, fact="f1")}},
    ],
    ids=["known", "believed"],
)
def test_a_fact_does_not_name_them(state):
    boundary = seen(dry(), text="I look at Bob.", **state)
    found, _ = gate(list(standing(boundary, wanted(boundary))), boundary)
    assert [each.full for each in found] == ["- Ann has it from somebody: The well is dry."]


@pytest.mark.parametrize(
    ("news", "state", "said"),
    [
        (SecretRevealed(20, "f1", ("ann",), BY_ZED), known("ann"), "The well is dry."),
        (
            BeliefFormed(20, "ann", "ann:f1", "The well is dry.", BY_ZED, 1.0, fact="f1"),
            {"beliefs": {"ann:f1": Believed("ann", BY_ZED, TurnNo(20), 1.0, fact="f1")}},
            "The well is dry.",
        ),
        (
            SecretRevealed(20, "f1", ("ann",), BY_ZED, suspected=True),
            {"known": {"ann": Map({"f1": Known(BY_ZED, TurnNo(20), suspected=True)})}},
            "A dry bucket.",
        ),
    ],
    ids=["learned", "believed", "suspected"],
)
def test_nor_does_the_news_of_it(news, state, said):
    boundary = seen(dry(), news, text="I wait.", **state)
    (one,) = gate(list(revelations(boundary)), boundary)[0]
    forms = [text for _, text in one.forms]
    assert forms
    assert all("Zed" not in text for text in forms)
    learned = ("Ann learns now", "Just now suspected by Ann")
    assert forms[0].endswith(tuple(f"{way} (told by somebody): {said}" for way in learned))


@pytest.mark.parametrize(("psi", "met"), [(0.8, True), (0.6, False), (0.2, False)])
def test_what_a_belief_of_a_tale_is_about_is_not_met_before_it_crosses(psi, met):
    believed = {"ann:f1": Believed("ann", "dreamed", TurnNo(3), 1.0, fact="f1")}
    fact = structs.replace(FACT, layer="tale", about=("hill",))
    peak = structs.replace(PEAK, gates=())
    assert seen(told(psi=psi, facts=(fact,), peak=peak), beliefs=believed).has_met("hill") is met
