"""Who may be somebody already known by name is not tracked beside them."""

import pytest

from storykeeper.entities.decide import decide
from storykeeper.entities.same import may_be
from storykeeper.events.changes import EntityDemoted, EntityPromoted
from storykeeper.events.vocabulary import Gender, Sort, Tier
from storykeeper.units import EntityId, Key, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.state import Edge
from strategies.referred import GARDEN, PARLOUR, looks, opened, said, with_thing
from strategies.tables import table

WIFE, ROSE = Key("t2.1#0"), Key("t1.1#0")
SHE = {"sort": Sort.PERSON, "gender": Gender.SHE, "mentions": 9, "total": 1.0}


def world_with(rose=None, **wife):
    named = {"words": "Rose", "head": "Rose", "named": True, "first": TurnNo(1),
             "id": EntityId("rose")}  # fmt: skip
    world = with_thing(opened(), ROSE, **SHE | named | (rose or {}))
    mine = {"words": "his wife", "head": "wife", "first": TurnNo(2)}
    return with_thing(world, WIFE, **SHE | mine | wife)


def found(world):
    return may_be(world, WIFE, world.register[WIFE])


def test_a_description_may_be_of_a_name():
    assert found(world_with()) == "Rose"


@table(
    "wife",
    [
        {"edges": {ROSE: Edge(0.2, TurnNo(2), PARLOUR)}},  # she did something to Rose
        {"possessor": str(ROSE)},  # Rose's wife
        {"possessor": "rose"},
        {"words": "a woman"},  # a new one, when Rose was known
        {"words": "Ann", "named": True},
        {"plural": True},
        {"by_player": 0.2},
        {"floor": Tier.MENTIONED},
        {"sort": Sort.THING},
        {"gender": Gender.UNKNOWN},
        {"last_scene": GARDEN},
    ],
)
def test_unless_they_are_two(wife):
    assert found(world_with(**wife)) == ""


@pytest.mark.parametrize(
    "rose",
    [
        {"named": False}, {"told": False}, {"mentions": 2}, {"floor": Tier.TRACKED},
        {"sort": Sort.PLACE},
        {"gender": Gender.HE}, {"plural": True}, {"last_scene": GARDEN},
    ],
)  # fmt: skip
def test_or_there_is_nobody_of_that_name_here(rose):
    assert found(world_with(rose)) == ""


def test_somebody_new_may_be_named_later():
    assert found(world_with({"first": TurnNo(3)}, words="a woman")) == "Rose"


def test_the_first_name_in_order_is_given():
    world = with_thing(world_with(), "t1.2#0", **SHE | {"words": "Ada", "named": True, "id": "ada"})
    assert found(world) == "Ada"


def turned(world, at):
    world = evolve(world, looks(at=said("his wife", joins=WIFE)) if at else looks(at=said("it")))
    return [r for r in decide(world, TurnNo(1), ()).records if r.entity in ("wife", "person-2-1-0")]


def test_it_does_not_rise():
    assert not any(isinstance(r, EntityPromoted) for r in turned(world_with(), at=True))
    apart = world_with(gender=Gender.UNKNOWN)
    assert any(isinstance(r, EntityPromoted) for r in turned(apart, at=True))


@pytest.mark.parametrize("at", [True, False])
def test_it_sinks_when_the_name_comes_up(at):
    fields = {"id": EntityId("wife"), "tier": Tier.TRACKED}
    (down,) = turned(world_with(**fields), at=at)
    assert isinstance(down, EntityDemoted)
    assert (down.after, down.why) == (Tier.REFERENCED, "it may be somebody known by name")


def test_what_is_kept_for_good_does_not_sink():
    assert turned(world_with(id=EntityId("wife"), tier=Tier.PERSISTENT), at=True) == []


@table(
    "mine, theirs, one",
    [
        ("Silas", "Silas Marner", True),
        ("Marner", "Silas Marner", True),
        ("Mr. Marner", "Silas Marner", True),
        ("Marner", "Marner", True),
        ("Adam Patch", "Adam J. Patch", True),
        ("plump Buck Mulligan", "Buck", True),
        ("Matthew Cuthbert", "Marilla Cuthbert", False),
        ("Silas", "Marner", False),
        ("the queen", "Marner", False),
        ("Mrs.", "Marner", False),
    ],
)
def test_the_lighter_of_two_namesakes_waits(mine, theirs, one):
    named = {"words": mine, "named": True, "gender": Gender.UNKNOWN}
    world = world_with({"words": theirs, "total": 2.0}, **named)
    assert found(world) == (theirs if one else "")
    assert may_be(world, ROSE, world.register[ROSE]) == ""


@pytest.mark.parametrize(
    "rose",
    [
        {"gender": Gender.HE}, {"floor": Tier.TRACKED}, {"named": False}, {"last_scene": GARDEN},
        {"total": 0.5},
    ],
)  # fmt: skip
def test_but_not_for_one_who_is_somebody_else(rose):
    world = world_with({"total": 2.0} | rose, words="Rose", named=True)
    assert found(world) == ""


def test_nor_for_one_it_had_to_do_with():
    edges = {ROSE: Edge(0.2, TurnNo(2), PARLOUR)}
    assert found(world_with({"total": 2.0}, words="Rose", named=True, edges=edges)) == ""


def test_of_two_alike_one_is_kept():
    world = world_with({"total": 1.0}, words="Rose", named=True)
    waits = [bool(may_be(world, key, world.register[key])) for key in (ROSE, WIFE)]
    assert sorted(waits) == [False, True]
