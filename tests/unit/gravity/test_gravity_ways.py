"""Which scenes lie ahead, or beside, and how many steps away."""

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.gravity.ways import Way, is_revealed, present_scene, unvisited, ways
from storykeeper.story.conditions import At, Condition, Since
from storykeeper.story.layers import Layer, LayerKind, Portal
from storykeeper.world.plan import key
from storykeeper.world.state import LayerState, Mark
from strategies.hills import done, happened, knows, learned, never, scene, story, world_of


def ahead(told, here=None, **fields):
    """Steps by scene; those beside as negative numbers."""
    found = ways(world_of(told, **{"scene": here, **fields}))
    return {s: -way.steps if way.lateral else way.steps for s, way in found.items()}


def test_a_single_scene_has_nothing_ahead():
    assert ahead(story(scene("a"))) == {}
    assert ahead(story(scene("a", "a"))) == {}


def test_before_it_begins_a_story_stands_at_its_start():
    world = world_of(story(scene("a", "b"), scene("b")))
    assert present_scene(world) == "a"
    assert ways(world) == {"b": Way(1)}


def test_the_fewest_steps_count():
    told = story(scene("a", "b", "c"), scene("b", "c"), scene("c", "d"), scene("d"))
    assert ahead(told, "a") == {"b": 1, "c": 1, "d": 2}


def test_ways_in_a_circle_end():
    told = story(scene("a", "b"), scene("b", "c"), scene("c", "a"))
    assert ahead(told, "a") == {"b": 1, "c": 2}
    assert ahead(told, "c") == {"a": 1, "b": 2}


def test_a_scene_that_nothing_leads_to_is_nowhere():
    assert ahead(story(scene("a", "b"), scene("b"), scene("c", "d"), scene("d")), "a") == {"b": 1}


# ── beside ───────────────────────────────────────────────────────────────────────────────────

FORK = story(scene("a", "b", "c"), scene("b"), scene("c", "d"), scene("d"))


def test_beside_is_back_to_what_both_come_from_and_forward():
    assert ahead(FORK, "b") == {"c": -2, "d": -3}
    assert ahead(FORK, "c") == {"d": 1, "b": -2}


def test_one_passed_over_is_beside_by_the_way_that_leads_to_it():
    told = story(scene("a", "b", "c"), scene("b", "c"), scene("c"))
    assert ahead(told, "c") == {"b": -2}  # back to a, and forward; not straight back


def test_what_nothing_else_leads_to_is_behind_and_not_beside():
    assert ahead(story(scene("a", "b"), scene("b")), "b") == {}


def test_the_nearest_of_several_predecessors_counts():
    told = story(
        scene("r", "a", "x"), scene("a", "b", "y"), scene("b"), scene("y"), scene("x", "y")
    )
    assert ahead(told, "b") == {"y": -2, "a": -3, "x": -3}


def test_going_back_asks_for_nothing_but_going_on_does():
    shut = happened("e1")
    told = story(scene("a", ("b", never(shut)), ("c", never(shut))), scene("b"), scene("c"))
    assert ahead(told, "b") == {"c": -2}
    assert ahead(told, "b", happened={"e1": 1}) == {}


# ── closed for good ──────────────────────────────────────────────────────────────────────────


def test_a_way_that_asks_for_what_happened_not_to_is_closed():
    told = story(scene("a", ("b", never(happened("e1")))), scene("b", "c"), scene("c"))
    assert ahead(told, "a") == {"b": 1, "c": 2}
    assert ahead(told, "a", happened={"e1": 1}) == {}


def test_a_way_that_only_is_not_open_yet_is_a_way():
    told = story(scene("a", ("b", knows("f1"))), scene("b"))
    assert ahead(told, "a") == {"b": 1}


def test_the_way_round_is_longer():
    lost = never(happened("e1"))
    told = story(scene("a", ("c", lost), "b"), scene("b", "c"), scene("c"))
    assert ahead(told, "a") == {"b": 1, "c": 1}
    assert ahead(told, "a", happened={"e1": 1}) == {"b": 1, "c": 2}


def test_a_scene_that_is_over_is_not_gone_through_unless_one_may_come_back():
    def hall(**more):
        return story(scene("a", "b"), scene("b", "c", **more), scene("c"))

    assert ahead(hall(), "a", scenes={"b": done()}) == {}
    assert ahead(hall(), "a", scenes={"b": done(completed=False)}) == {"b": 1, "c": 2}
    assert ahead(hall(revisitable=True), "a", scenes={"b": done()}) == {"b": 1, "c": 2}


def test_scenes_that_were_visited_do_not_compete():
    told = story(scene("a", "b"), scene("b", "c", revisitable=True), scene("c"))
    assert unvisited(world_of(told, scene="a", scenes={"b": done()})) == {"c": Way(2)}


# ── tales within the tale ────────────────────────────────────────────────────────────────────


def tale(**more):
    return Layer(
        id="tale", name="Tale", kind=LayerKind.DREAM, scenes=("t", "u"),
        portals=(Portal(from_="a", to="t"),), exits=(Portal(from_="u", to="b"),), **more,
    )  # fmt: skip


def told_with(**more):
    return story(scene("a", "c"), scene("b"), scene("c"), scene("t", "u"), scene("u"),
                 layers=(tale(**more),))  # fmt: skip


def test_going_in_and_coming_out_are_steps():
    assert ahead(told_with(), "a") == {"c": 1, "t": 1, "u": 2, "b": 3}
    assert ahead(told_with(), "u") == {"b": 1, "c": -3, "t": -3}


def test_a_tale_is_entered_and_left_whatever_was_played_there():
    over = {"t": done(), "b": done()}
    assert ahead(told_with(), "a", scenes=over) == {"c": 1, "t": 1, "u": 2, "b": 3}
    assert ahead(told_with(), "a", scenes={"u": done()}) == {"c": 1, "t": 1}


def test_a_hidden_tale_is_nowhere_and_on_no_way():
    assert ahead(told_with(hidden=True), "a") == {"c": 1}
    assert ahead(told_with(hidden=True), "b") == {}  # though it leads here
    assert ahead(told_with(hidden=True), "c") == {}


@pytest.mark.parametrize("fields", [
    {"layers": {"tale": LayerState(visits=1)}},
    {"layers": {"tale": LayerState(merged=True)}},
    {"scenes": {"u": done()}},
    {"known": learned("f1")},
])  # fmt: skip
def test_a_hidden_tale_is_felt_once_it_was_entered_or_is_known_of(fields):
    told = told_with(hidden=True, revealed_by=knows("f1"))
    assert not is_revealed(world_of(told), told.layers[0])
    assert is_revealed(world_of(told, **fields), told.layers[0])
    assert "t" in ahead(told, "a", **fields)


# ── what is kept ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lasting", "name", "value"),
    [
        (happened("e1"), "happened", {"e1": 1}),
        (knows("f1"), "known", learned("f1")),
        (Condition(told="a/x"), "told", {"a/x": 1}),
        (Condition(opened="g"), "gates", {"g": 1}),
        (Condition(visited="a"), "scenes", {"a": done()}),
        (Condition(visited="tale"), "layers", {"tale": LayerState(visits=1)}),
        (
            Condition(sequence=(happened("e1"),)),
            "marks",
            {key(happened("e1")): Mark(1, 1, holds=True)},
        ),
    ],
)
def test_ways_are_worked_out_anew_when_what_they_rest_on_changes(lasting, name, value):
    told = story(scene("a", ("b", never(lasting))), scene("b"), scene("t"), scene("u"),
                 layers=(structs.replace(tale(), portals=(), exits=()),))  # fmt: skip
    world = world_of(told)
    assert unvisited(world) == {"b": Way(1)}
    assert unvisited(structs.replace(world, **{name: Map(value)})) == {}
    assert unvisited(world) == {"b": Way(1)}


def test_the_same_maps_have_the_same_ways():
    world = world_of(story(scene("a", "b"), scene("b")))
    assert unvisited(world) is unvisited(structs.replace(world, now=7))


def test_ways_may_close_by_the_passing_of_turns():
    late = Condition(since=Since(turns=3, of=happened("e1")))
    told = story(scene("a", ("b", never(late))), scene("b"))
    marks = {key(happened("e1")): Mark(1, 1, holds=True)}
    world = world_of(told, happened={"e1": 1}, marks=marks, now=2)
    assert unvisited(world) == {"b": Way(1)}
    assert unvisited(structs.replace(world, now=4)) == {}


def test_a_hidden_tale_may_be_known_of_by_where_one_stands():
    there = Condition(at=At(who="player", place="well"))
    told = told_with(hidden=True, revealed_by=there)
    world = world_of(told, scene="a")
    assert "t" not in unvisited(world)
    moved = structs.replace(world, places=world.places.set("ann", "well"))
    assert "t" in unvisited(moved)
