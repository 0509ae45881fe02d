"""What scenes weigh."""

import pytest

from storykeeper.gravity.mass import Mass, connective, mass, satisfaction, structural
from storykeeper.story.conditions import At, Condition
from storykeeper.story.scenes import SceneType
from storykeeper.story.tuning import Overrides, SceneOverride
from strategies.hills import asks, gate, happened, knows, learned, scene, story, world_of
from strategies.tables import table


@table(
    "traits, weighs",
    [
        ({}, 0.0),
        ({"gates": (gate("g1", knows("f1")), gate("g2", knows("f2")))}, 0.1),
        ({"convergence": True}, 0.1),
        ({"type": SceneType.THRESHOLD}, 0.1),
        ({"type": SceneType.GATE}, 0.0),
        ({"required": True}, 0.1),
        ({"hinge": True}, 0.1),
        ({"branch": True}, 0.05),
        ({"ending": True}, 0.0),
        ({"gates": (gate("g", knows("f1")),), "convergence": True, "type": SceneType.THRESHOLD,
          "required": True, "hinge": True, "branch": True}, 0.5),
    ],
)  # fmt: skip
def test_what_a_scene_is_adds_to_its_mass(traits, weighs):
    assert structural(scene("s", **traits)) == pytest.approx(weighs)


TWO_WAYS = (
    asks(knows("f1"), happened("e1"), weights=(3.0, 1.0)),
    asks(knows("f2"), Condition(at=At(who="player", place="hall"))),
)


@pytest.mark.parametrize(
    ("fields", "share"),
    [
        ({}, 0.0),
        ({"known": learned("f1")}, 0.75),  # 3 of 4
        ({"known": learned("f1", suspected=True)}, 0.375),  # half known
        ({"happened": {"e1": 1}}, 0.25),
        ({"known": learned("f2")}, 0.5),  # the other way
        ({"known": learned("f1", "f2")}, 0.75),  # the better of the two
        ({"known": learned("f2"), "places": {"ann": "hall"}}, 1.0),
    ],
)
def test_the_best_way_of_coming_to_it_counts(fields, share):
    world = world_of(story(scene("a"), scene("b", approach=TWO_WAYS, setting="hall")), **fields)
    assert satisfaction(world, "b") == pytest.approx(share)
    assert mass(world, "b").dynamic == pytest.approx(0.2 * share)


@pytest.mark.parametrize("approach", [(), (asks(),), (asks(knows("f1"), weights=(0.0,)),)])
def test_no_way_of_coming_or_none_that_counts_is_no_satisfaction(approach):
    world = world_of(story(scene("a", approach=approach)), known=learned("f1"))
    assert satisfaction(world, "a") == 0.0


def test_all_terms_add_up():
    told = story(scene("a", mass=0.6, required=True, approach=(asks(knows("f1")),)))
    world = world_of(told, known=learned("f1"), masses={"a": 0.3})
    found = mass(world, "a", foretold=0.25)
    assert found == Mass(0.6, 0.1, 0.2, 0.25, 0.3)
    assert found.total == pytest.approx(1.45)


def test_events_may_take_all_of_a_mass_and_never_more():
    world = world_of(story(scene("a", mass=0.4)), masses={"a": -0.3})
    assert mass(world, "a").total == pytest.approx(0.1)
    world = world_of(story(scene("a", mass=0.4)), masses={"a": -3.0})
    assert mass(world, "a").event == -3.0
    assert mass(world, "a").total == 0.0


@pytest.mark.parametrize("stated", [0.0, 0.5, 2.1])
def test_a_stated_mass_replaces_the_whole_sum(stated):
    overrides = Overrides(scenes={"a": SceneOverride(mass=stated)})
    told = story(scene("a", mass=0.9, required=True), overrides=overrides)
    world = world_of(told, masses={"a": 1.0})
    assert mass(world, "a", foretold=0.25).total == stated
    assert Mass(0.5, connective=0.1, stated=stated).total == stated


def test_a_stated_distance_leaves_the_mass_alone():
    overrides = Overrides(scenes={"a": SceneOverride(distance=0.5)})
    assert mass(world_of(story(scene("a", mass=0.9), overrides=overrides)), "a").total == 0.9


@pytest.mark.parametrize(("turns", "adds"), [(0, 0.0), (1, 1 / 15), (2, 0.1), (8, 0.16)])
def test_turns_of_connective_space_add_less_and_less(turns, adds):
    assert connective(turns, rate=0.1) == pytest.approx(adds)
    assert connective(turns, rate=0.0) == 0.0
    assert connective(10**9, rate=0.1) == pytest.approx(0.2)
