"""Whether a mention could be of something known."""

import pytest
from msgspec import structs

from storykeeper.entities.fitting import contradicts, fits, owners, pronoun_fits
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.units import EntityId, Key
from storykeeper.world.state import Entity
from strategies.referred import PARLOUR, opened, pronoun, reference, with_thing
from strategies.tables import table


def entity(**fields) -> Entity:
    return Entity(**{"words": "the cup", "head": "cup", "sort": Sort.THING, "scene": PARLOUR}
                  | fields)  # fmt: skip


@table(
    "ref, known, so",
    [
        ({}, {}, True),
        ({"head": "bell"}, {}, False),
        ({"head": ""}, {"head": ""}, False),
        ({"plural": True}, {}, False),
        ({"plural": True}, {"plural": True}, True),
        ({"named": True, "head": "cup"}, {}, False),  # Cup, a name, is not the cup
        ({"named": True, "head": "cup"}, {"named": True}, True),
        ({}, {"named": True}, True),  # the author's Brass Key is the key
        ({"descriptors": ("red",)}, {"descriptors": ("blue",)}, False),
        ({"descriptors": ("red",)}, {"descriptors": ("chipped",)}, True),
        ({"descriptors": ("red",)}, {}, True),  # what is not said contradicts nothing
        ({"possessor": Key("mara")}, {}, True),
        ({"possessor": Key("mara")}, {"possessor": "mara"}, True),
        ({"possessor": Key("mara")}, {"possessor": "tom"}, False),
        ({}, {"possessor": "tom"}, True),
    ],
)
def test_a_mention_fits(ref, known, so):
    assert fits(opened(), reference(**ref), entity(**known)) is so


@pytest.mark.parametrize(
    ("noun", "known", "so"),
    [
        ("the bag", "handbag", True),
        ("a bag", "handbag", False),  # a new one
        ("the bag", "bag", True),
        ("the he", "cloche", False),  # too short to mean anything
        ("the cup", "tea cup", False),
    ],
)
def test_a_longer_noun_ends_in_a_shorter_one(noun, known, so):
    assert fits(opened(), reference(noun), entity(head=known)) is so


@pytest.mark.parametrize(
    ("one", "other", "so"),
    [
        (("red",), ("blue",), True),
        (("red", "blue"), ("blue",), False),  # a red and blue one is blue, too
        (("small",), ("tiny",), True),
        (("old",), ("red",), False),
        (("left",), ("right",), True),
        ((), ("red",), False),
        (("empty", "chipped"), ("full", "chipped"), True),
        (("pressed",), ("fresh",), True),
        (("wooden",), ("brass",), True),
    ],
)
def test_descriptions_that_exclude_each_other(one, other, so):
    assert contradicts(one, other) is so
    assert contradicts(other, one) is so


@table(
    "word, known, so",
    [
        ("she", {"sort": Sort.PERSON, "gender": Gender.SHE}, True),
        ("she", {"sort": Sort.PERSON, "gender": Gender.HE}, False),
        ("she", {"sort": Sort.PERSON}, True),  # nobody said which
        ("she", {"sort": Sort.THING}, False),
        ("she", {"sort": Sort.PERSON, "plural": True}, False),
        ("he", {"sort": Sort.ANIMAL, "gender": Gender.HE}, True),
        ("it", {"sort": Sort.THING}, True),
        ("it", {"sort": Sort.ANIMAL}, True),
        ("it", {"sort": Sort.PERSON}, False),
        ("it", {"sort": Sort.TIME}, False),
        ("it", {"sort": Sort.THING, "plural": True}, False),
        ("they", {"sort": Sort.THING, "plural": True}, True),
        ("they", {"sort": Sort.GROUP}, True),
        ("they", {"sort": Sort.PERSON, "gender": Gender.THEY}, True),
        ("they", {"sort": Sort.THING}, False),
    ],
)
def test_a_pronoun_fits(word, known, so):
    assert pronoun_fits(pronoun(word), entity(**known)) is so


def test_a_pronoun_without_gender_goes_by_number():
    one = pronoun("it", gender=Gender.UNKNOWN)
    assert pronoun_fits(one, entity())
    assert not pronoun_fits(one, entity(plural=True))


def test_whose_it_is_who_holds_it_and_who_was_said_to_own_it():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), possessor="tom")
    holders = world.holders.set(EntityId("thing-0-1-0"), EntityId("mara"))
    world = structs.replace(world, holders=holders)
    assert owners(world, world.register[Key("t0.1#0")]) == {"tom", "mara"}


def test_an_owner_is_the_same_before_and_after_it_got_its_id():
    world = with_thing(
        opened(), "t0.1#0", id=EntityId("person-0-1-0"), head="Tanya", sort=Sort.PERSON, named=True
    )
    early, late = entity(possessor="t0.1#0"), entity(possessor="person-0-1-0")
    assert owners(world, early) == owners(world, late) == {"t0.1#0"}
    assert fits(world, reference("Tanya's cup", head="cup", possessor=Key("t0.1#0")), late)
