"""Where a prose is set, by what it describes and whom it tells of."""

import pytest

from storykeeper.bootstrap import Storykeeper

STORY = """\
id: tower
title: Tower
players: [ana]
start: yard
voice: Plain.
cast:
  - {id: ana, name: Ana, pronouns: she/her, line: A founder., at: yard}
  - {id: bo, name: Bo, pronouns: he/him, line: A novice., at: yard}
  - {id: cy, name: Cy, pronouns: he/him, line: A cellarer., at: yard}
settings:
  - {id: yard, name: the yard, description: Cobbles and a trough., paths: [{to: belfry}, {to: cellar}]}
  - {id: belfry, name: the belfry, aliases: [the tower], description: A hundred steps under a bronze bell.}
  - {id: cellar, name: the cellar, description: Sacks and barrels., paths: [{to: vault, when: {happened: opened}}]}
  - {id: vault, name: the vault, description: Coffins of saints behind an iron grate.}
events:
  - {id: opened, summary: The grate stands open.}
"""  # noqa: E501
SCENE = "---\ntitle: Yard\nsetting: yard\ntype: connective\n---\n\nThe yard was cold.\n"
UP = (
    "The bell hung in the dark at the top of a hundred steps, bronze and very cold.\n\n"
    "“Mind your head,” said Bo."
)


@pytest.fixture
def keeper(tmp_path):
    folder = tmp_path / "story"
    (folder / "scenes").mkdir(parents=True)
    (folder / "story.yaml").write_text(STORY, "utf-8")
    (folder / "scenes" / "yard.md").write_text(SCENE, "utf-8")
    with Storykeeper.open(tmp_path / "run.db", story=folder) as found:
        found.render(found.opening(), "The yard was cold. Bo and Cy stood by the trough.")
        yield found


def told(keeper, line, prose):
    keeper.render(keeper.begin(line), prose)
    keeper.end_scene()
    return keeper.world()


def test_who_is_described_elsewhere_is_there_with_who_speaks_there(keeper):
    world = told(keeper, "Take me up the tower, Bo.", UP)
    assert (world.places["ana"], world.places["bo"]) == ("belfry", "belfry")
    assert world.places["cy"] == "yard"  # who is not told of stayed
    assert "Mind your head" not in keeper.brief("cy").text
    assert "Mind your head" in keeper.brief("ana").text
    keeper.replay()


def test_talk_of_a_place_leads_nowhere(keeper):
    prose = "“There is a bell up there,” said Bo, and scratched his ear. Cy drank from the trough."
    assert told(keeper, "What is up there?", prose).places["ana"] == "yard"


def test_no_shut_way_is_gone(keeper):
    prose = "The vault was cold. Coffins of saints stood behind the iron grate."
    assert told(keeper, "To the vault.", prose).places["ana"] == "yard"
