"""Laws of gravity: it falls with distance, grows with mass, and is the same for the same world."""

import os
import subprocess
import sys
from math import isclose
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.gravity import asked as asking
from storykeeper.gravity import distance as far
from storykeeper.gravity import mass as weights
from storykeeper.gravity import ways as walking
from storykeeper.gravity.distance import WEIGHTS, Distance
from storykeeper.gravity.landscape import Landscape, landscape
from storykeeper.gravity.layers import Collective
from storykeeper.gravity.modifier import Field
from storykeeper.gravity.possible import degree, for_good, possible
from storykeeper.gravity.pull import Band, band, nearness, pull
from storykeeper.gravity.temperature import temperature
from storykeeper.gravity.ties import Subject
from storykeeper.story.conditions import Condition
from storykeeper.story.scenes import SceneType
from storykeeper.world.conditions import holds
from storykeeper.world.fold import fold
from strategies.hills import (
    asks,
    done,
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
from strategies.stories import Cast, conditions
from strategies.worlds import begun, house, house_turns

TESTS = Path(__file__).parents[1]
UNIT = st.floats(0, 1)
MASSES = st.floats(0, 1e6)
STEPS = st.integers(1, 200)
SOFTENING = st.floats(0.01, 1)
STATED = st.none() | UNIT


# ── one formula at a time ────────────────────────────────────────────────────────────────────


@given(MASSES, UNIT, STEPS, SOFTENING)
def test_a_pull_is_never_more_than_the_mass(mass, distance, steps, softening):
    near = nearness(distance=distance, steps=steps, softening=softening)
    assert 0.0 < near <= 1.0
    assert 0.0 <= pull(mass=mass, nearness=near) <= mass


@given(UNIT, UNIT, STEPS, STEPS, SOFTENING)
def test_nearness_falls_with_distance_and_with_steps(one, other, few, more, softening):
    near, further = sorted((one, other))
    few, more = sorted((few, more))

    def at(distance, steps):
        return nearness(distance=distance, steps=steps, softening=softening)

    assert at(near, few) >= at(further, few)
    assert at(near, few) >= at(near, more)
    order = list(Band)
    assert order.index(band(at(near, few))) >= order.index(band(at(further, more)))


@given(st.floats(0.1, 10), UNIT, st.floats(0.01, 1), st.integers(1, 20), SOFTENING)
def test_a_pull_falls_with_every_bit_of_distance_and_every_step(mass, near, more, steps, softening):
    def at(distance, steps):
        return pull(mass=mass, nearness=nearness(distance=distance, steps=steps,
                                                 softening=softening))  # fmt: skip

    assert at(near + more, steps) < at(near, steps)
    assert isclose(at(near, steps + 1), at(near, steps) * 0.8)
    assert at(0.0, 1) == mass


@given(STATED, STATED, STATED, STATED, st.sampled_from(sorted(WEIGHTS)), STATED)
def test_a_distance_lies_between_the_nearest_and_the_farthest_dimension(i, e, r, p, kind, stated):
    total = Distance(i, e, r, p, kind, stated).total
    known = [d for d in ((stated,) if stated is not None else (i, e, r, p)) if d is not None]
    assert 0.0 <= total <= 1.0
    if known:
        assert min(known) - 1e-12 <= total <= max(known) + 1e-12
    else:
        assert total == 1.0


@given(MASSES, UNIT, UNIT)
def test_a_more_permeable_boundary_lets_more_through(mass, one, other):
    low, high = sorted((one, other))
    weighs = Collective(mass).total
    assert weighs * low <= weighs * high <= weighs


@given(UNIT, st.lists(UNIT, max_size=20))
def test_a_temperature_stays_between_what_it_is_made_of(authored, intensities):
    found = temperature(authored, intensities)
    every = [authored, *intensities]
    assert min(every) - 1e-12 <= found <= max(every) + 1e-12


# ── conditions ───────────────────────────────────────────────────────────────────────────────


@st.composite
def asked_worlds(draw):
    """A world of the house, and a condition about anything in it."""
    cast = Cast(
        people=("ann", "bob"), settings=("hall", "attic"), things=("key",),
        scenes=("hall-scene", "attic-scene"), inner=("tale-scene",), layers=("tale",),
        facts=("secret", "rumour"), events=("bell", "storm"), gates=("hatch",),
        prophecies=("omen",), canon=(), first_beats=("hall-scene/opening",),
    )  # fmt: skip
    return fold(draw(house_turns()), begun()), draw(conditions(cast, cast.gates))


@given(asked_worlds())
def test_what_is_for_good_holds_and_what_holds_is_possible(given_):
    world, condition = given_
    so = holds(world, condition)
    assert so or not for_good(world, condition)
    assert possible(world, condition) or not so
    assert 0.0 <= degree(world, condition) <= 1.0
    if so:
        assert degree(world, condition) == 1.0


@given(asked_worlds(), house_turns(corrections=False))
def test_what_is_for_good_stays_and_what_is_lost_does_not_return(given_, more):
    world, condition = given_
    later = fold(more, world)
    if later.plan is not world.plan:
        return
    if for_good(world, condition):
        assert holds(later, condition)
    if not possible(world, condition):
        assert not holds(later, condition)


@given(asked_worlds(), house_turns(max_turns=2))
def test_answers_that_are_kept_are_those_of_the_new_world(given_, more):
    world, condition = given_
    answers = asking.Asked(world)
    for record in more:
        world = fold([record], world)
        answers = asking.Asked(world, answers)
        assert answers.holds(condition) == holds(world, condition)
        assert answers.degree(condition) == degree(world, condition)
        assert answers.possible(condition) == possible(world, condition)


# ── landscapes ───────────────────────────────────────────────────────────────────────────────


def forget():
    """As if nothing had ever been asked."""
    asking._last.clear()
    for cached in (walking._unvisited, walking.graph, far._stated, weights._standing):
        cached.cache_clear()


@given(house_turns(max_turns=4))
def test_the_landscape_of_a_world_is_the_same_cold_warm_and_after_going_on(records):
    worlds = [begun()]
    for record in records:
        worlds.append(fold([record], worlds[-1]))
    going_on = [landscape(world) for world in worlds]
    again = [landscape(world) for world in reversed(worlds)][::-1]
    cold = []
    for world in worlds:
        forget()
        cold.append(landscape(world))
    assert going_on == again == cold
    assert [each.digest for each in going_on] == [each.digest for each in cold]
    assert landscape(fold(records, begun())) == cold[-1]


NAMES = tuple("abcdef")
SIMPLE = st.sampled_from([knows("f1"), happened("e1"), happened("e2"), knows("f2")])
ASKED = st.one_of(SIMPLE, SIMPLE.map(never), st.lists(SIMPLE, min_size=1, max_size=2).map(
    lambda some: Condition(any_=tuple(some))))  # fmt: skip


@st.composite
def scenes(draw, name):
    """A scene with ways to any others, in circles too, and gates that may contradict themselves."""
    to = draw(st.lists(st.tuples(st.sampled_from(NAMES), st.none() | ASKED), max_size=3))
    gates = draw(st.lists(st.lists(ASKED, min_size=1, max_size=3), max_size=2))
    return scene(
        name, *to,
        mass=draw(st.sampled_from([0.0, 0.5, 0.5, 1.0])),
        type=draw(st.sampled_from(SceneType)),
        setting=draw(st.none() | st.sampled_from(["p", "q", "r"])),
        required=draw(st.booleans()), revisitable=draw(st.booleans()),
        gates=tuple(gate(f"{name}-{i}", *each) for i, each in enumerate(gates)),
        approach=tuple(asks(*each) for each in draw(st.lists(st.lists(ASKED, max_size=2),
                                                             max_size=2))),
    )  # fmt: skip


@st.composite
def hills(draw):
    """A world of a few scenes, anywhere in its story."""
    settings = (place("p", "q"), place("q"), place("r"))
    told = story(*(draw(scenes(name)) for name in NAMES), settings=settings)
    played = draw(st.dictionaries(st.sampled_from(NAMES), st.booleans().map(
        lambda over: done(completed=over))))  # fmt: skip
    facts = draw(st.lists(st.sampled_from(["f1", "f2"]), unique=True))
    events = draw(st.lists(st.sampled_from(["e1", "e2"]), unique=True))
    return world_of(
        told, scene=draw(st.none() | st.sampled_from(NAMES)), scenes=played,
        known=learned(*facts), happened=dict.fromkeys(events, 1),
        places={"ann": draw(st.sampled_from(["p", "q", "r"]))},
        connective_turns=draw(st.integers(0, 5)),
        masses=draw(st.dictionaries(st.sampled_from(NAMES), st.floats(-2, 2))),
    )  # fmt: skip


@given(hills())
def test_any_story_has_a_landscape_and_its_laws_hold(world):
    found = landscape(world)
    check(found)
    pulling = {each.scene for each in found.attractors}
    assert found.here not in pulling
    assert not any(s in pulling for s, state in world.scenes.items() if state.visits)
    connective = [each for each in found.attractors if each.mass.connective]
    assert connective in ([], [found.strongest])


def check(found: Landscape) -> None:
    order = [(-each.pull, each.scene) for each in found.attractors]
    assert order == sorted(order)
    assert len({each.scene for each in found.attractors}) == len(order)
    for each in found.attractors:
        assert 0.0 <= each.pull <= each.mass.total
        assert 0.0 <= each.distance.total <= 1.0
        assert each.way.steps >= 1 + each.way.lateral
    for layer in found.layers:
        assert 0.0 <= layer.strength <= layer.mass.total
    for each in found.gates:
        assert 0.0 <= each.share <= 1.0


ABOUT = st.builds(
    Subject,
    st.lists(st.sampled_from(["ann", "bob", "eve", "key", "hall", "attic"]), max_size=3).map(tuple),
    st.lists(st.sampled_from(["x", "y", "z"]), max_size=2).map(tuple),
    st.lists(st.sampled_from(["secret", "bell"]), max_size=2).map(tuple),
)


@given(house_turns(max_turns=4), ABOUT)
def test_gravity_is_one_and_the_greatest_of_its_terms(records, subject):
    world = fold(records, begun(themed()))
    terms = Field(world.plan, landscape(world)).pulls(subject)
    every = (terms.scene, terms.theme, terms.layer, terms.prophecy)
    assert min(every) >= 0.0
    assert terms.gravity == 1.0 + max(every) >= 1.0


@given(
    house_turns(max_turns=4), ABOUT, st.floats(0, 3), st.sampled_from(["attic-scene", "end-scene"])
)
def test_more_mass_never_lowers_the_gravity_of_anything(records, subject, more, scene):
    world = fold(records, begun(themed()))
    weight = world.masses.get(scene, 0.0)
    heavier = structs.replace(world, masses=world.masses.set(scene, weight + more))
    before = Field(world.plan, landscape(world)).pulls(subject)
    after = Field(world.plan, landscape(heavier)).pulls(subject)
    if world.connective_turns == 0:
        assert after.gravity >= before.gravity
    elif Field(world.plan, landscape(world)).related(subject) == {scene}:
        assert after.scene >= before.scene  # what waiting adds may have moved here, never away


def themed():
    """The house, with themes."""
    story = house()
    themes = {"attic-scene": ("x",), "end-scene": ("y",), "tale-scene": ("z",)}
    scenes = tuple(structs.replace(s, themes=themes.get(s.id, ())) for s in story.scenes)
    layers = tuple(structs.replace(g, themes=("z",)) for g in story.layers)
    return structs.replace(story, scenes=scenes, layers=layers, themes={"x": ("z",)})


# ── other processes ──────────────────────────────────────────────────────────────────────────

SCRIPT = """
from msgspec import structs
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.modifier import Field
from storykeeper.gravity.ties import Subject
from strategies.worlds import begun, example

world = begun(example())
for scene in sorted(world.plan.scenes):
    found = landscape(structs.replace(world, scene=scene))
    names = (*world.plan.cast, *world.plan.things, *world.plan.settings)
    print(found.digest, *(Field(world.plan, found).pulls(Subject(entities=(n,))) for n in names))
"""


def run(seed):
    paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_landscapes_are_the_same_under_another_hash_seed():
    first, second = run("0"), run("1")
    assert len(first.splitlines()) >= 8
    assert first == second
