"""A run whose prose is read by the learned reader, where nothing is declared."""

import pytest

from storykeeper.bootstrap import Storykeeper
from storykeeper.errors import SettingsInvalid

STORY = """\
id: tiny
title: Tiny
players: [ana]
start: room
voice: Plain.
cast:
  - {id: ana, name: Ana, pronouns: she/her, line: A cook., at: kitchen}
  - {id: bo, name: Bo, pronouns: he/him, line: A guest., at: kitchen}
  - {id: cy, name: Cy, pronouns: he/him, line: Another., at: kitchen}
settings:
  - {id: kitchen, name: the kitchen, paths: [{to: yard}]}
  - {id: yard, name: the yard}
"""
SCENE = "---\ntitle: Room\nsetting: kitchen\ncast: {required: [bo, cy]}\n---\n\nAna cooks.\n"
PROSE = (
    "Bo takes his hat from the hook and walks out into the yard, and the door falls shut.\n\n"
    "“He has sold the mare,” says Cy, when the steps have died away."
)


@pytest.fixture
def story(tmp_path):
    folder = tmp_path / "story"
    (folder / "scenes").mkdir(parents=True)
    (folder / "story.yaml").write_text(STORY, "utf-8")
    (folder / "scenes" / "room.md").write_text(SCENE, "utf-8")
    return folder


def test_who_left_does_not_hear_what_is_said_then(story, tmp_path):
    with Storykeeper.open(tmp_path / "run.db", story=story) as keeper:
        keeper.render(keeper.opening(), "You stir the pot.")
        keeper.render(keeper.begin("I wait."), PROSE)
        keeper.end_scene()
        assert "sold the mare" not in keeper.brief("bo").text
        assert "sold the mare" in keeper.brief("ana").text
        assert "takes his hat from the hook" in keeper.brief("bo").text  # their own going
        assert "bo" not in [each.who for each in keeper.presence() if each.sure]
        keeper.replay()


def test_a_way_of_staging_that_is_none(story, tmp_path):
    with pytest.raises(SettingsInvalid, match="inline"):
        Storykeeper.open(tmp_path / "run.db", story=story, staging="guess")
