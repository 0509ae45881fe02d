"""The golden stories about things, told live and looked at again after close, reopen and rebuild.

How the files beside this one are written is said in golden_story.py.
"""

from pathlib import Path

import pytest
from golden_story import check, play, read, stories

from storykeeper import Storykeeper
from storykeeper.world.fold import fold_all
from storykeeper.world.snapshot import dump
from strategies.parlour import READER
from strategies.runs import records


@pytest.mark.parametrize("path", stories(), ids=lambda path: path.stem)
def test_a_golden_story(path: Path, tmp_path: Path):
    golden = read(path)
    run = tmp_path / "run.db"
    expected = []
    with Storykeeper.open(run, story=golden.story, reader=READER) as keeper:
        for turn, so in play(keeper, golden):
            check(keeper, turn, so)
            expected.append((turn, so))
        live, views = dump(keeper.world()), keeper.entities()
    assert any(so for _, so in expected)
    with Storykeeper.open(run, reader=READER) as again:
        assert dump(again.world()) == live
        assert again.entities() == views
        again.replay()
        for turn, so in expected:
            check(again, turn, so)
        written = records(again)
    assert dump(fold_all(written)) == live


def test_the_stories_of_the_seed_are_here():
    assert len(stories()) >= 15
