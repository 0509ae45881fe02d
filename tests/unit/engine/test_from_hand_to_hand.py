"""Who has a thing, by the hands that prose puts it into or takes it out of."""

import pytest

from storykeeper.bootstrap import Storykeeper

STORY = """\
id: tiny
title: Tiny
players: [ana]
start: room
voice: Plain.
cast:
  - {id: ana, name: Ana, pronouns: she/her, line: A cook., at: kitchen}
  - {id: bo, name: Bo, pronouns: he/him, line: A guest., at: kitchen}
settings:
  - {id: kitchen, name: the kitchen}
things:
  - {id: spoon, name: the silver spoon, description: Small., held_by: bo}
"""
SCENE = "---\ntitle: Room\nsetting: kitchen\ncast: {required: [bo]}\n---\n\nAna cooks.\n"


@pytest.fixture
def keeper(tmp_path):
    folder = tmp_path / "story"
    (folder / "scenes").mkdir(parents=True)
    (folder / "story.yaml").write_text(STORY, "utf-8")
    (folder / "scenes" / "room.md").write_text(SCENE, "utf-8")
    with Storykeeper.open(tmp_path / "run.db", story=folder) as found:
        found.render(found.opening(), "You stir the pot.")
        yield found


@pytest.mark.parametrize(
    ("prose", "holder"),
    [
        ("Bo lays the silver spoon in your palm.", "ana"),
        ("Bo puts the silver spoon into your hand.", "ana"),
        ("Bo slides the silver spoon across the table to you.", "ana"),
        ("You take the silver spoon from Bo's fingers.", "ana"),
        ("You pluck the silver spoon from Bo's hand.", "ana"),
        ("You look at the silver spoon in Bo's hand.", "bo"),
        ("Bo does not put the silver spoon into your hand.", "bo"),
        ("Bo turns the silver spoon in his fingers.", "bo"),
    ],
)
def test_who_has_it_then(keeper, prose, holder):
    keeper.render(keeper.begin("I wait."), prose)
    keeper.end_scene()
    assert keeper.world().holders.get("spoon") == holder
