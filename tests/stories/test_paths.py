"""The scripts of the example lead where their first lines say."""

import pytest

from storykeeper.world.snapshot import dump, load
from strategies.sizes import first
from strategies.worlds import EXAMPLE, begun, example, play

PATHS = sorted((EXAMPLE / "paths").glob("*.txt"))
STORY = example()


def script(path):
    said, *rest = path.read_text("utf-8").splitlines()
    return said, [line for line in rest if line and not line.startswith("#")]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_script_reaches_its_ending(path):
    said, lines = script(path)
    world = play(begun(STORY), ["", *lines])[1]
    assert said.endswith(f"Ends in {world.scene}.")
    assert world.plan.scenes[world.scene].ending


@pytest.mark.parametrize("path", first(2, PATHS), ids=lambda path: path.stem)
def test_it_does_so_after_a_snapshot_in_every_turn(path):
    lines = script(path)[1]
    straight = play(begun(STORY), ["", *lines])[1]
    world = begun(STORY)
    for turn, line in enumerate(["", *lines]):
        world = load(dump(play(world, [line], first=turn)[1]), world.plan)
    assert dump(world) == dump(straight)


def test_every_ending_has_its_script():
    assert {path.stem for path in PATHS} >= {s.id for s in STORY.scenes if s.ending}
