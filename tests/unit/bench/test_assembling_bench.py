"""`bench latency`: whole windows in long runs that are made up, and scenes out of reach."""

from __future__ import annotations

import pytest

from storykeeper import Storykeeper
from storykeeper.bench import latency
from storykeeper.bench.assembling import assembling, begun, with_far_scenes
from storykeeper.bench.longruns import SCENE_TURNS, Prose, long_run
from storykeeper.bench.prefix.stage import stage
from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.stories import big_story
from storykeeper.gravity.landscape import landscape

PROSE = Prose(
    [f"The {word} was there, as it always is." for word in ("lamp", "cup", "bell", "sea")]
)


@pytest.fixture(scope="module")
def figures(tmp_path_factory) -> Figures:
    found: Figures = {"storykeeper": {}, "floor": {}, "ratio": {}}
    assembling(tmp_path_factory.mktemp("bench"), Setup(say=lambda _: None, quick=True), found)
    return found


@pytest.mark.long
def test_the_figures_are_where_the_interface_says(figures):
    ours, floor = figures["storykeeper"], figures["floor"]["assemble"]
    for turns in ("100", "400"):
        assert 0 < ours["assemble"]["p50"][turns] <= ours["assemble"]["p95"][turns]
        assert 0 < floor[turns]["search"]["p50"] < ours["assemble"]["p50"][turns]
        assert floor[turns]["numpy_scan"]["p50"] > 0
        assert ours["assemble"]["first_ms"][turns] > 0
    assert ours["assemble"]["disk_mb"]["400"] > 0  # long enough to be kept
    assert ours["landscape"]["ms"] > 0
    assert ours["landscape"]["out_of_reach"].keys() == {"10", "50"}
    assert assembling in latency.PARTS


def test_a_long_run_is_played_on_and_remembered(tmp_path):
    path = tmp_path / "long.db"
    long_run(path, 3 * SCENE_TURNS, PROSE, story=stage())
    with Storykeeper.open(path) as keeper:
        world = keeper.world()
        assert world.now == 3 * SCENE_TURNS - 1
        assert world.scene == stage().scenes[2].id
        assert len(world.keys) == 1  # of three scenes one has a thing that earned its place
        turn = keeper.begin("I look at the cup")
        assert turn.window.recalled
        assert any(hit.item.turn == 7 for hit in keeper.recall("What happened in turn 7?"))


def test_the_same_number_gives_the_same_words():
    assert PROSE.of(7) == PROSE.of(7) != PROSE.of(8)
    assert PROSE.typed(7) == PROSE.typed(7)


def test_far_scenes_are_out_of_reach():
    near, far = (begun(with_far_scenes(big_story(10, seed=1), count)) for count in (1, 60))
    assert len(far.plan.scenes) == 70
    assert landscape(near).attractors == landscape(far).attractors
