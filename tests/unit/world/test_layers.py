"""ψ by hand: waypoints, the sigmoid, bumps that fade, convergence."""

from math import exp

import pytest
from msgspec import structs

from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.story.layers import Permeability, Sigmoid, Waypoint
from storykeeper.story.tuning import LayerOverride, Overrides
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.layers import (
    CONVERGENCE,
    FADED_TURNS,
    bumped,
    curve,
    permeability,
    progress,
    psi,
)
from storykeeper.world.state import Bump, LayerState
from strategies.worlds import begun, changed, example, house, scene_changed

TALE = begun().plan.layers["tale"]  # .1 at the start, .9 at the end


def waypoints(*points):
    return Permeability(waypoints=tuple(Waypoint(progress=p, value=v) for p, v in points))


HARROW = waypoints((0, 0.1), (0.25, 0.2), (0.5, 0.45), (0.75, 0.75), (1, 0.9))


@pytest.mark.parametrize(
    ("share", "value"),
    [(0, 0.1), (0.125, 0.15), (0.25, 0.2), (0.4, 0.35), (0.5, 0.45), (0.6, 0.57), (0.75, 0.75),
     (0.9, 0.84), (1, 0.9)],
)  # fmt: skip
def test_waypoints_are_joined_by_lines(share, value):
    assert curve(HARROW, progress=share) == pytest.approx(value)


def test_before_the_first_and_after_the_last_waypoint_it_is_level():
    points = waypoints((0.4, 0.2), (0.6, 0.8))
    assert [curve(points, progress=p) for p in (0, 0.4, 0.6, 1)] == [0.2, 0.2, 0.8, 0.8]
    assert curve(waypoints(), progress=0.5) == 0.0
    assert curve(waypoints((0.5, 0.3)), progress=0.9) == 0.3


def test_the_order_in_which_waypoints_are_written_does_not_matter():
    assert curve(waypoints((1, 0.9), (0, 0.1)), progress=0.5) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("share", "value"), [(0.5, 0.5), (0.75, 1 / (1 + exp(-2))), (0.25, 1 / (1 + exp(2)))]
)
def test_the_sigmoid(share, value):
    assert curve(Permeability(sigmoid=Sigmoid()), progress=share) == pytest.approx(value)


def test_the_sigmoid_between_its_ends_and_however_steep():
    wide = Sigmoid(low=0.2, high=0.6, k=10.0, t0=0.5)
    assert curve(Permeability(sigmoid=wide), progress=0.5) == pytest.approx(0.4)
    steep = Permeability(sigmoid=structs.replace(wide, k=1e6))
    assert [curve(steep, progress=p) for p in (0, 0.5, 1)] == pytest.approx([0.2, 0.4, 0.6])


def state(*bumps, merged=False):
    return LayerState(bumps=tuple(Bump(*each) for each in bumps), merged=merged)


@pytest.mark.parametrize(
    ("now", "value"),
    [(5, 0.5 + 0.3), (15, 0.5 + 0.3 * exp(-1)), (25, 0.5 + 0.3 * exp(-2)), (400, 0.5)],
)
def test_bumps_fade_by_a_tenth_a_turn(now, value):
    psi_now = permeability(TALE, state((5, 0.3)), progress=0.5, now=now)
    assert psi_now == pytest.approx(value)


def test_bumps_add_up_and_stay_within_bounds():
    two = state((5, 0.05), (7, 0.03))
    assert permeability(TALE, two, progress=0.5, now=7) == pytest.approx(
        0.5 + 0.05 * exp(-0.2) + 0.03
    )
    assert permeability(TALE, state((5, 9.0)), progress=0.5, now=5) == 1.0
    assert permeability(TALE, state((5, -9.0)), progress=0.5, now=5) == 0.0


def test_after_convergence_it_is_one_for_good():
    assert permeability(TALE, state((5, -1.0), merged=True), progress=0.0, now=900) == 1.0


def test_bumps_of_one_turn_are_one_and_the_faded_are_let_go():
    once = bumped(state((5, 0.05)), amount=0.03, turn=5)
    assert once.bumps == (Bump(5, pytest.approx(0.08)),)
    later = bumped(once, amount=0.1, turn=5 + FADED_TURNS)
    assert later.bumps == (Bump(5 + FADED_TURNS, 0.1),)
    assert exp(-0.1 * FADED_TURNS) < 1e-11


def test_progress_is_the_share_of_required_scenes_completed():
    """Of hall and attic; the tale's parent is the main story."""
    world = begun()
    assert progress(world, TALE) == 0.0
    world = evolve(world, scene_changed("hall-scene", "completed"))
    assert progress(world, TALE) == 0.5
    assert psi(world, "tale") == pytest.approx(0.5)
    world = evolve(world, scene_changed("attic-scene", "completed"))
    assert progress(world, TALE) == 1.0
    again = evolve(world, scene_changed("attic-scene", "revisited"))
    assert progress(again, TALE) == 1.0  # coming back is not going back


def test_a_layer_within_a_layer_counts_its_parents_scenes():
    story = changed(house(), "layers", "tale", parent="other")
    world = evolve(begun(story), scene_changed("hall-scene", "completed"))
    assert progress(world, world.plan.layers["tale"]) == 0.0


def test_crossings_and_events_make_it_thinner():
    world = fold([t.TurnCommitted(4), ch.LayerEntered(4, "tale", "hall-scene")], begun())
    assert psi(world, "tale") == pytest.approx(0.1 + 0.05)
    world = evolve(world, ch.EventHappened(4, "bell"))
    assert psi(world, "tale") == pytest.approx(0.1 + 0.05 + 0.3 + 0.03)  # and the key, taken up
    world = evolve(world, t.TurnCommitted(14))
    assert psi(world, "tale") == pytest.approx(0.1 + 0.38 * exp(-1))


def test_an_author_may_state_it_until_it_converges():
    stated = Overrides(layers={"tale": LayerOverride(permeability=0.8)})
    world = begun(house(overrides=stated))
    assert psi(world, "tale") == 0.8
    assert psi(evolve(world, ch.LayerMerged(1, "tale")), "tale") == 1.0


def test_convergence_is_where_the_page_says():
    assert CONVERGENCE == 0.995


def test_the_example_begins_with_a_faint_tale():
    assert psi(begun(example()), "heron-tale") == pytest.approx(0.1)
