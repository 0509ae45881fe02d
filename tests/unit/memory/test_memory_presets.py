"""The constants of a search are those that were chosen, for a memory or by an author."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper import Memory
from storykeeper.errors import SettingsInvalid
from storykeeper.play import recalling
from storykeeper.scoring.settings import SEED, STORY
from storykeeper.story.tuning import MemoryTuning, Preset, Tuning
from strategies.parlour import engine, parlour, tell


def likenesses(memory) -> list[float]:
    """Of what came into a prompt by a search, and not by a hop."""
    hits = memory.context("where was the heron", tokens=3_000).found
    return [hit.terms.likeness for hit in hits if hit.parent is None]


def test_a_memory_searches_with_the_constants_of_its_preset(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none") as memory:
        for number in range(200):
            memory.add(f"The heron was seen {number} times")
        story = likenesses(memory)
    assert len(story) == STORY.final_most
    assert STORY.coarse_floor < max(story) < SEED.coarse_floor
    with Memory.open(tmp_path / "chat.db", embedder="none", preset="seed") as memory:
        assert likenesses(memory) == []  # all of it is below the seed's floor


def test_how_unlike_a_prompt_is_can_be_said(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none", diversity=1.0) as memory:
        assert memory.settings == structs.replace(STORY, diversity=1.0)


@pytest.mark.parametrize("wrong", [{"preset": "best"}, {"diversity": 1.5}, {"diversity": -0.1}])
def test_constants_that_cannot_be_are_refused_before_there_is_a_file(tmp_path, wrong):
    with pytest.raises(SettingsInvalid):
        Memory.open(tmp_path / "chat.db", **wrong)
    assert not (tmp_path / "chat.db").exists()


def test_a_story_searches_with_the_constants_of_its_author(monkeypatch):
    asked = []
    plain = recalling.search
    monkeypatch.setattr(
        recalling, "search", lambda *a, **k: asked.append(a[2].settings) or plain(*a, **k)
    )
    tuning = Tuning(memory=MemoryTuning(preset=Preset.SEED, diversity=0.4))
    for story in (parlour(), structs.replace(parlour(), tuning=tuning)):
        keeper = engine(story)
        tell(keeper, "A chipped cup stands on the table.")
        keeper.end_scene()
        keeper.recall("the cup")
    assert asked == [STORY, structs.replace(SEED, diversity=0.4)]
