"""Values over time, from checkpoints."""

import pytest

from storykeeper.events.vocabulary import Dimension
from storykeeper.world.fold import fold
from storykeeper.world.state import SceneStatus
from storykeeper.world.trajectory import Point, ScenePoint, edge, layer, mass, scene
from strategies.worlds import begun, play

LINES = ["", "I go to the attic.", "I ring.", "I go to the hall."]


def checkpoints():
    """The world after each turn."""
    world, points = begun(), []
    for turn, line in enumerate(LINES):
        world = play(world, [line], first=turn)[1]
        points.append((turn, world))
    return points


def test_an_edge():
    points = edge(checkpoints(), who="ann", toward="bob", dimension=Dimension.AFFECTION)
    assert points == (Point(0, 0.2), Point(1, 0.2), Point(2, 0.5), Point(3, 0.5))
    nobody = edge(checkpoints(), who="eve", toward="fox", dimension=Dimension.DEBT)
    assert [p.value for p in nobody] == [0.0] * 4


def test_the_life_of_a_scene():
    points = scene(checkpoints(), "attic-scene")
    assert [(p.turn, p.value.status, p.value.visits) for p in points] == [
        (0, SceneStatus.REACHABLE, 0),
        (1, SceneStatus.ACTIVE, 1),
        (2, SceneStatus.ACTIVE, 1),
        (3, SceneStatus.REVISITABLE, 1),
    ]
    assert [p.value.mass for p in points] == [0.0, 0.0, 0.2, 0.2]


def test_mass_is_what_is_authored_and_what_events_added():
    assert mass(begun(), "hall-scene") == 0.4
    assert mass(begun(), "gone") == 0.0
    assert scene([(0, begun())], "gone") == (Point(0, ScenePoint(SceneStatus.DORMANT, 0, 0.0)),)


def test_the_boundary_of_a_layer():
    first, _, second, *_ = layer(checkpoints(), "tale")
    assert first.value == pytest.approx(0.1)
    assert second.value == pytest.approx(0.1 + 0.33)
    assert layer(checkpoints(), "gone") == ()


def test_no_checkpoints_no_points():
    assert edge([], who="ann", toward="bob", dimension=Dimension.DEBT) == ()
    assert fold([], begun()) == begun()
