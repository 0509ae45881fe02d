"""What somebody holds: how firmly, from whom, whether it is so; and where they place things."""

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.play.knowing import Level, knowledge, matrix, tellers
from storykeeper.story.adopt import adoption
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.begin import begin
from storykeeper.world.plan import plan
from storykeeper.world.state import Believed, Known, Sighting

ANN, BOB, CAT = map(EntityId, ("ann", "bob", "cat"))


@pytest.fixture
def world():
    facts = (
        Fact(id="will", full="The will is forged.", hint="The ink is fresh.",
             known_by={"ann": "saw", "bob": "told by ann"}, suspected_by={"cat": "told by bob"}),
        Fact(id="ghost", full="There is a ghost.", confidence=0.1,
             believed_by={"bob": "told by cat", "cat": "dreamed"}, about=("cat",)),
    )  # fmt: skip
    people = tuple(Character(id=who, name=who.title(), line="x") for who in (ANN, BOB, CAT))
    story = Story(
        id="s", title="S", voice="v", players=("ann",), start="x", cast=people, facts=facts
    )
    return begin(plan(adoption(story)))


def test_each_level_has_its_words_and_its_way(world):
    assert knowledge(world, ANN)["will"].level is Level.KNOWS
    assert knowledge(world, CAT)["will"].said == "The ink is fresh."
    assert knowledge(world, CAT)["will"].suspected
    ghost = knowledge(world, BOB)["ghost"]
    assert (ghost.level, ghost.how, ghost.so) == (Level.BELIEVES, "told by cat", False)
    assert list(knowledge(world, ANN)) == ["will"]
    assert [len(each) for each in matrix(world).values()] == [1, 2, 2]


def test_hearsay_is_followed_to_whoever_was_not_told(world):
    assert knowledge(world, CAT)["will"].tellers == (BOB, ANN)
    assert knowledge(world, BOB)["ghost"].tellers == (CAT,)
    assert knowledge(world, ANN)["will"].tellers == ()
    in_a_circle = structs.replace(
        world, known=Map({ANN: Map({"will": Known("told by bob", TurnNo(1))}),
                          BOB: Map({"will": Known("told by ann", TurnNo(1))})}),
    )  # fmt: skip
    assert tellers(in_a_circle, ANN, "will") == (BOB, ANN)  # and it ends


def test_about_keeps_what_is_about_it(world):
    assert list(knowledge(world, BOB, about="cat")) == ["ghost"]
    assert list(knowledge(world, BOB, about="ann")) == []


def test_to_know_is_more_than_to_believe_and_what_was_thought_is_kept(world):
    def holding(**changed):
        belief = Believed(BOB, "saw", TurnNo(3), 0.9, "will", **changed)
        return knowledge(structs.replace(world, beliefs=world.beliefs.set("b", belief)), BOB)

    assert holding()["will"].level is Level.KNOWS
    assert holding().former == ()
    (former,) = holding(superseded=True).former
    assert (former.fact, former.since) == ("will", 3)


def test_one_thinks_another_knows_what_they_told_each_other(world):
    assert list(knowledge(world, BOB, thinker=ANN)) == ["will"]  # she told him
    assert list(knowledge(world, ANN, thinker=BOB)) == ["will"]  # he has it from her
    assert list(knowledge(world, CAT, thinker=ANN)) == []  # Bob told Cat, and nobody saw
    assert list(knowledge(world, CAT, thinker=BOB)) == ["will", "ghost"]


def test_where_things_are_thought_to_be(world):
    seen = Sighting(TurnNo(2), "t2.1", CAT, by=(ANN, CAT))
    told = Sighting(TurnNo(3), "t3.1", None, by=(BOB,), teller=CAT)
    world = structs.replace(world, sightings=Map({EntityId("cup"): (seen, told)}))
    (place,) = knowledge(world, ANN).places
    assert (place.what, place.place, place.since, place.teller, place.so) == (
        "cup", CAT, 2, None, False,
    )  # fmt: skip
    (place,) = knowledge(world, BOB).places
    assert (place.place, place.teller) == (None, CAT)
    assert knowledge(world, CAT, thinker=ANN).places[0].place == CAT
    assert knowledge(world, BOB, thinker=ANN).places == ()
    assert knowledge(world, ANN, about="dog").places == ()
