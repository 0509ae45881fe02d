"""How far scenes are, and places."""

import pytest
from immutables import Map

from storykeeper.events.vocabulary import Dimension
from storykeeper.gravity import roads
from storykeeper.gravity.distance import Distance, distance, mood_distance
from storykeeper.gravity.roads import adjacent, costs, diameter
from storykeeper.story.conditions import Condition, RelationRange, Threshold
from storykeeper.story.places import Path
from storykeeper.story.scenes import MoodTarget, SceneType
from storykeeper.story.tuning import Overrides, SceneOverride
from storykeeper.world.state import Mood, Standing
from strategies.hills import (
    asks,
    gate,
    happened,
    knows,
    learned,
    never,
    place,
    scene,
    story,
    world_of,
)


@pytest.mark.parametrize(
    ("kind", "far"),
    [
        (SceneType.GRAVITATIONAL, 0.2 * 0.5 + 0.4 * 0.25 + 0.1 * 0.8),
        (SceneType.GATE, 0.5 * 0.5 + 0.1 * 0.25 + 0.2 * 0.8),
        (SceneType.THRESHOLD, 0.3 * 0.5 + 0.3 * 0.25 + 0.3 * 0.8),
        (SceneType.CONNECTIVE, 0.1 * 0.5 + 0.2 * 0.25 + 0.6 * 0.8),
    ],
)
def test_each_kind_of_scene_weighs_dimensions_its_own_way(kind, far):
    assert Distance(0.5, 0.25, 0.0, 0.8, kind=kind).total == pytest.approx(far)


def test_only_stated_dimensions_count():
    assert Distance(1.0, None, 0.0, None, kind=SceneType.GRAVITATIONAL).total == pytest.approx(0.4)
    assert Distance(None, 0.5).total == 0.5
    assert Distance(1.0, 1.0, 1.0, 1.0, kind=SceneType.GATE).total == 1.0
    assert Distance(0.0, 0.0, 0.0, 0.0).total == 0.0


def test_a_scene_that_states_nothing_is_as_far_as_can_be():
    found = distance(world_of(story(scene("a"), scene("b"))), "b")
    assert found == Distance()
    assert found.total == 1.0


@pytest.mark.parametrize("stated", [0.0, 0.4])
def test_a_stated_distance_stands_for_all_of_them(stated):
    overrides = Overrides(scenes={"b": SceneOverride(distance=stated)})
    told = story(scene("a"), scene("b", setting="far"), overrides=overrides)
    assert distance(world_of(told), "b").total == stated


def test_a_stated_mass_leaves_the_distance_alone():
    told = story(scene("a"), scene("b"), overrides=Overrides(scenes={"b": SceneOverride(mass=2)}))
    assert distance(world_of(told), "b").total == 1.0


# ── information ──────────────────────────────────────────────────────────────────────────────


def information(*conditions, approach=(), **fields):
    told = story(scene("a"), scene("b", gates=(gate("g", *conditions),), approach=approach))
    return distance(world_of(told, **fields), "b").information


def test_the_share_of_what_gates_want_known():
    wanted = (knows("f1"), knows("f2"), knows("f3"), happened("e1"))
    assert information(*wanted) == 1.0
    assert information(*wanted, known=learned("f1")) == pytest.approx(2 / 3)
    assert information(*wanted, known=learned("f1", suspected=True)) == 1.0
    assert information(*wanted, known=learned("f1", "f2", "f3")) == 0.0


def test_what_is_wanted_inside_of_others_counts_but_not_what_is_to_be_unknown():
    some = Condition(threshold=Threshold(at_least=1, of=(knows("f1"), knows("f2"))))
    assert information(some, never(knows("f3")), known=learned("f1")) == 0.5
    assert information(never(knows("f3"))) is None
    assert information(happened("e1")) is None


def test_of_an_open_gate_nothing_is_wanting():
    either = Condition(any_=(knows("f1"), happened("e1")))
    assert information(either, happened={"e1": 1}) == 1.0
    assert information(either, happened={"e1": 1}, gates={"g": 1}) == 0.0


def test_ways_of_coming_are_no_gates():
    told = story(scene("a"), scene("b", approach=(asks(knows("f1")),)))
    assert distance(world_of(told), "b").information is None


# ── emotion and relation ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wanted", "far"),
    [
        (MoodTarget(valence=1.0), 0.5),  # half of the whole span
        (MoodTarget(arousal=0.9), 0.4),
        (MoodTarget(determination=0.5), 0.0),
        (MoodTarget(valence=-1.0, arousal=1.0), 0.5),
        (MoodTarget(valence=0.4, arousal=0.5, determination=0.8), (0.2 + 0.0 + 0.3) / 3),
        (MoodTarget(), 1.0),
    ],
)
def test_moods_apart(wanted, far):
    assert mood_distance(Mood(0.0, 0.5, 0.5), wanted) == pytest.approx(far)


def test_the_nearest_mood_of_the_nearest_player():
    ways = (asks(mood=MoodTarget(valence=1.0)), asks(mood=MoodTarget(valence=-0.4)), asks())
    told = story(scene("a"), scene("b", approach=ways), players=("ann", "cid"))
    assert distance(world_of(told), "b").emotional == pytest.approx(0.2)
    moods = {"ann": Mood(0.0), "cid": Mood(0.9)}
    assert distance(world_of(told, moods=moods), "b").emotional == pytest.approx(0.05)
    assert distance(world_of(told, moods={}), "b").emotional == pytest.approx(0.2)


@pytest.mark.parametrize("approach", [(), (asks(),), (asks(mood=MoodTarget()),)])
def test_no_mood_is_no_dimension(approach):
    assert distance(world_of(story(scene("b", approach=approach))), "b").emotional is None


def test_the_share_of_standings_that_are_wanting():
    likes = RelationRange(from_="bob", to="player", dimension=Dimension.AFFECTION, at_least=0.5)
    owes = RelationRange(from_="player", to="eve", dimension=Dimension.DEBT, at_most=0.0)
    told = story(scene("a"), scene("b", relations=(likes, owes)))
    assert distance(world_of(told), "b").relational == 0.5
    fond = {("bob", "ann"): Standing(affection=0.6)}
    assert distance(world_of(told, standings=fond), "b").relational == 0.0


# ── place ────────────────────────────────────────────────────────────────────────────────────

ROW = (place("hall", ("yard", 1.0)), place("yard", ("road", 3.0)), place("road"), place("isle"))


def physical(at, *, to="road", settings=ROW, players=("ann",)):
    told = story(scene("a"), scene("b", setting=to), settings=settings, players=players)
    return distance(world_of(told, places=Map(at)), "b").physical


def test_the_shortest_way_over_the_longest_shortest_way():
    assert physical({"ann": "hall"}) == 1.0
    assert physical({"ann": "yard"}) == 0.75
    assert physical({"ann": "road"}) == 0.0
    assert physical({"ann": "road"}, to="hall") == 1.0  # paths go both ways


def test_what_no_path_reaches_is_as_far_as_can_be():
    assert physical({"ann": "isle"}) == 1.0
    assert physical({"ann": "isle"}, to="isle") == 0.0
    assert physical({}) == 1.0
    assert physical({"ann": "nowhere"}) == 1.0


def test_of_several_players_the_nearest_counts():
    both = {"players": ("ann", "cid")}
    assert physical({"ann": "hall", "cid": "yard"}, **both) == 0.75
    assert physical({"ann": "yard", "cid": "hall"}, **both) == 0.75
    assert physical({"cid": "road"}, **both) == 0.0


def test_one_setting_and_none():
    assert physical({"ann": "hall"}, to="hall", settings=(place("hall"),)) == 0.0
    assert physical({"ann": "x"}, to="hall", settings=(place("hall"),)) == 1.0
    told = story(scene("a"), scene("b"))
    assert distance(world_of(told), "b").physical is None
    assert diameter(world_of(told).plan) == 0.0


def test_one_way_paths_lead_one_way():
    drop = (place("top", Path(to="foot", one_way=True)), place("foot"), place("den", "top"))
    assert physical({"ann": "top"}, to="foot", settings=drop) == 0.5  # of den, top, foot
    assert physical({"ann": "foot"}, to="top", settings=drop) == 1.0


def test_the_cheapest_way_is_taken_not_the_straightest():
    settings = (place("a", ("c", 9.0), ("b", 1.0)), place("b", ("c", 1.0)), place("c"))
    plan = world_of(story(scene("s"), settings=settings)).plan
    assert costs(plan, "a") == {"a": 0.0, "b": 1.0, "c": 2.0}
    assert diameter(plan) == 2.0
    assert adjacent(plan)["c"] == {"a", "b"}


def test_a_place_without_paths_is_joined_to_what_it_lies_within():
    settings = (place("house", ("road", 4.0)), place("loft", within="house"), place("road"))
    plan = world_of(story(scene("s"), settings=settings)).plan
    assert costs(plan, "loft") == {"loft": 0.0, "house": 1.0, "road": 5.0}
    settings = (place("house"), place("loft", ("shed", 2.0), within="house"), place("shed"))
    plan = world_of(story(scene("s"), settings=settings)).plan
    assert "house" not in costs(plan, "loft")  # its paths say what it is joined to


def test_a_large_map_is_measured_by_sweeps(monkeypatch):
    settings = [place(f"p{i:03}", f"p{i + 1:03}") for i in range(40)]
    told = story(scene("s"), settings=(*settings, place("p040")))
    monkeypatch.setattr(roads, "MEASURED_WHOLE", 10)
    diameter.cache_clear()
    assert diameter(world_of(told).plan) == 40.0
    diameter.cache_clear()
