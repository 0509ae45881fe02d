"""Asking which one, in plain words, and taking an answer."""

import pytest

from storykeeper.events.turns import Choice
from storykeeper.events.vocabulary import Tier
from storykeeper.play.asking import MAX_CHOICES, answer, asked, called, question
from storykeeper.story.places import Thing
from storykeeper.units import EntityId, Key, TurnNo
from storykeeper.world.state import Pending
from strategies.parlour import parlour, with_things
from strategies.referred import opened, with_thing
from strategies.tables import table

RED = {"words": "a red cup", "descriptors": ("red",)}
BLUE = {"words": "the blue cup", "descriptors": ("blue",)}


def cups(*fields, world=None):
    world = opened() if world is None else world
    for i, each in enumerate(fields):
        world = with_thing(world, f"t0.1#{i}", **each)
    return world


def asks(line, world):
    return question(world, Pending(TurnNo(1), EntityId("ann"), line))


def choices(line, world):
    found = asks(line, world)
    return None if found is None else called(world, found.choices)


# ── when ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("line", ["take the cup", "smash the cup", "give the cup to Mara",
                                  "look around, then take the cup"])  # fmt: skip
def test_where_it_matters_the_player_is_asked(line):
    found = asks(line, cups(RED, BLUE))
    assert (found.turn, found.mention) == (1, "the cup")
    assert [choice.entity for choice in found.choices] == ["t0.1#0", "t0.1#1"]


@pytest.mark.parametrize(
    "line",
    ["look at the cup", "ask Mara about the cup", "examine the cup", "I say: “Mind the cup!”",
     "take the red cup", "take the bell", "I wait.", "", "go to the garden"],
)  # fmt: skip
def test_where_it_does_not_nobody_is(line):
    assert asks(line, cups(RED, BLUE)) is None


def test_one_that_the_story_has_not_told_of_is_no_choice():
    assert asks("take the cup", cups(RED, BLUE | {"told": False})) is None


def test_what_nothing_tells_apart_is_not_asked_about():
    same = {"words": "a cup"}
    assert asks("take the cup", cups(same, same)) is None


# ── in which words ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"words": "a red cup", "descriptors": ("red",)}, "the red cup"),
        ({"words": "Pressed flowers", "descriptors": ("pressed",)}, "the pressed flowers"),
        ({"words": "the cup", "descriptors": ("old", "chip", "odd")}, "the cup (old, chip)"),
        ({"words": "a cup", "place": "on the sill"}, "the cup on the sill"),
        ({"words": "a cup", "possessor": "t0.1#9"}, "the cup, Tanya’s"),
        ({"words": "Tanya's cup", "possessor": "t0.1#9"}, "Tanya's cup"),
        ({"words": "her cup"}, "her cup"),
        ({"words": "Excalibur", "named": True, "descriptors": ("old",)}, "Excalibur"),
    ],
)
def test_what_a_thing_is_called(fields, words):
    world = with_thing(opened(), "t0.1#9", words="Tanya", head="Tanya", named=True)
    assert choices("take the cup", cups(BLUE, fields, world=world))[1] == words


def test_the_question_is_one_sentence():
    three = tuple(Choice(Key(str(i)), f"the {c} cup") for i, c in enumerate(["red", "old", "tin"]))
    assert asked(opened(), "the cup", three) == (
        "Which do you mean by “the cup”: the red cup, the old cup or the tin cup?"
    )


def test_the_record_holds_no_words_of_another_turn():
    found = asks("take the cup", cups(RED, BLUE))
    assert [choice.words for choice in found.choices] == ["", ""]


def test_only_so_many_are_named_and_the_last_ones():
    many = [{"words": f"cup number {i}"} for i in range(9)]
    assert choices("take the cup", cups(*many)) == [
        f"the cup number {i}" for i in range(9 - MAX_CHOICES, 9)
    ]


def authored(**fields):
    """A cup that its author calls by more than is told, beside one of play's own."""
    cup = Thing(id="poison", name="the poisoned cup", at="parlour", descriptors=("deadly",))
    world = opened(with_things(parlour(), cup))
    known = {"id": EntityId("poison"), "words": "the poisoned cup", "floor": Tier.TRACKED,
             "descriptors": ("poisoned", "deadly"), "tier": Tier.TRACKED}  # fmt: skip
    return cups(RED, world=with_thing(world, "poison", **known | fields))


def test_the_authors_words_are_not_said_before_the_story_says_them():
    assert choices("take the cup", authored(called="the tin cup")) == ["the tin cup", "the red cup"]
    assert asks("take the cup", authored()) is None  # nothing one could call it by


def test_nor_the_owners_name():
    mara = {"id": EntityId("mara"), "words": "Mara", "head": "Mara", "floor": Tier.PERSISTENT}
    world = with_thing(opened(), "mara", **mara)
    hers = {"words": "a cup", "possessor": "mara"}
    assert choices("take the cup", cups(RED, hers, world=world))[1] == "the cup"
    told = with_thing(world, "mara", **mara, called="the woman")
    assert choices("take the cup", cups(RED, hers, world=told))[1] == "the cup, the woman’s"


# ── the answer ───────────────────────────────────────────────────────────────────────────────

CHOICES = (
    Choice(Key("one"), "the red cup on the sill"),
    Choice(Key("two"), "the cup, Mara’s"),
    Choice(Key("three"), "the old cup"),
)


@table(
    "text, key",
    [
        ("the red one", "one"), ("red", "one"), ("Red!", "one"), ("the one on the sill", "one"),
        ("I mean the old one", "three"), ("the old cup", "three"),
        ("Mara's", "two"), ("Mara’s cup", "two"), ("mara's one", "two"),
        ("the first one", "one"), ("1", "one"), ("second", "two"), ("the third", "three"),
        ("the last one", "three"), ("one", "one"), ("2.", "two"),
        ("the cup", None), ("I go to the garden", None), ("neither", None), ("", None),
        ("not the red one", None),
        ("look at Mara and wait for a sign from her", None), ("the fourth", None), ("???", None),
    ],
)  # fmt: skip
def test_an_answer(text, key):
    assert answer(opened(), CHOICES, text) == key
