"""Facts that a prose tells in words of its own, and what only sounds like it."""

import pytest

from storykeeper.bootstrap import Storykeeper

STORY = """\
id: mill
title: Mill
players: [ana]
start: room
voice: Plain.
cast:
  - {id: ana, name: Ana, pronouns: she/her, line: A cook., at: kitchen}
  - {id: bo, name: Bo, pronouns: he/him, line: A guest., at: kitchen}
  - {id: cy, name: Cy, pronouns: he/him, line: Another., at: kitchen}
  - {id: dee, name: Dee, pronouns: she/her, line: Far away., at: barn}
settings:
  - {id: kitchen, name: the kitchen}
  - {id: barn, name: the barn}
facts:
  - id: sold-mill
    secret: true
    full: The old miller sold the windmill to a smuggler for forty silver crowns.
    hint: The miller is richer than his flour.
    known_by: {bo: saw}
    revealed_by: [{when: {did: {who: player, act: ask, to: bo, about: cy}}}]
"""
SCENE = "---\ntitle: Room\nsetting: kitchen\ncast: {required: [bo, cy]}\n---\n\nAna cooks.\n"
TOLD = (
    "“The old miller? He sold that windmill, to a smuggler, for forty crowns in silver,” says {}."
)


GUESS = "“Did the old miller sell the windmill to a smuggler for forty silver crowns?”"


@pytest.fixture
def keeper(tmp_path):
    folder = tmp_path / "story"
    (folder / "scenes").mkdir(parents=True)
    (folder / "story.yaml").write_text(STORY, "utf-8")
    (folder / "scenes" / "room.md").write_text(SCENE, "utf-8")
    with Storykeeper.open(tmp_path / "run.db", story=folder) as found:
        found.render(found.opening(), "You stir the pot.")
        yield found


def who_knows(keeper, prose, line="I wait."):
    keeper.render(keeper.begin(line), prose)
    keeper.end_scene()
    return {who for who in ("ana", "cy", "dee") if "sold-mill" in keeper.knows(who)}


def test_who_hears_it_from_one_who_knows_is_told(keeper):
    assert "ana" in who_knows(keeper, TOLD.format("Bo"))
    assert "sold-mill" not in keeper.knows("dee")
    assert keeper.knows("ana")["sold-mill"].how == "told by bo"
    keeper.replay()


@pytest.mark.parametrize(
    "prose",
    [
        TOLD.format("Cy"),  # who does not know it only guesses
        "The old miller sold the windmill, to a smuggler, for forty silver crowns.",  # a secret
        "“The miller keeps forty geese,” says Bo.",
        "“Nice pot,” says Bo.",
    ],
)
def test_nobody_is_told(keeper, prose):
    assert who_knows(keeper, prose) == set()


def test_what_the_player_guessed_and_hears_back_is_not_told(keeper):
    assert "ana" not in who_knows(keeper, TOLD.format("Bo"), GUESS)


def test_an_edited_turn_counts_as_it_reads_now(keeper):
    who_knows(keeper, TOLD.format("Bo"))
    keeper.edit(1, "“Nice pot,” says Bo.")
    assert "sold-mill" not in keeper.knows("ana")
