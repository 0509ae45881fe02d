"""The five ways to get knowledge wrong: `check` names file, line and what to do, and fails."""

import pytest
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from storykeeper.errors import StoryInvalid

STORY = """\
id: small
title: Small
players: [mara]
start: shore
voice: Plain.
settings: [{id: a, name: A, paths: [{to: b}]}, {id: b, name: B, paths: [{to: a}]}]
cast:
  - {id: mara, name: Mara, line: She keeps the light.}
  - {id: abel, name: Abel, line: He is dead., at: PLACE}
facts:
  - id: f
    full: It burned.
    KNOWN
"""
SHORE = """\
---
title: The shore
setting: a
cast: {required: [abel]}
ending: true
---
The tide is out.
"""
FAULTS = {
    "an unknown person": ("a", "known_by: {mora: saw}", 13, "`mora` should name", "`mara`?"),
    "an unknown teller": ("a", "known_by: {mara: told by mora}", 13, "`mora` should", "`mara`?"),
    "contradictory knowledge": (
        "a", "known_by: {abel: saw}\n    suspected_by: {abel: saw}", 14,
        "`abel` both knows and suspects `f`", "keep one of the two",
    ),
    "a secret with no reveal": (
        "a", "secret: true\n    hint: Ash.\n    known_by: {abel: saw}", 11,
        "nobody can ever learn the secret `f`", "add `revealed_by`",
    ),
    "a circular telling": (
        "a", "known_by: {mara: told by abel, abel: told by mara}", 13,
        "nobody had `f` first: `abel` from `mara` from `abel`", "let one of them have seen it",
    ),
    "somebody in two places": (
        "b", "known_by: {abel: saw}", 9, "`abel` begins at `b`", "leave `at` out",
    ),
}  # fmt: skip


def written(folder, place, known):
    (folder / "scenes").mkdir()
    (folder / "scenes" / "shore.md").write_text(SHORE)
    (folder / "story.yaml").write_text(STORY.replace("PLACE", place).replace("KNOWN", known))
    return folder


@pytest.mark.parametrize(("place", "known", "line", "what", "fix"), FAULTS.values(), ids=FAULTS)
def test_check_says_where_and_what_to_do(tmp_path, place, known, line, what, fix):
    folder = written(tmp_path, place, known)
    answer = CliRunner().invoke(app, ["check", str(folder)])
    assert answer.exit_code == 1
    (said,) = [each for each in answer.output.splitlines() if "error:" in each]
    assert said.startswith(f"story.yaml:{line}:")
    assert what in said
    assert fix in said
    with pytest.raises(StoryInvalid):
        Storykeeper.open(tmp_path / "run.db", story=folder)


def test_without_any_it_plays(tmp_path):
    folder = written(tmp_path, "a", "known_by: {abel: saw}")
    assert CliRunner().invoke(app, ["check", str(folder)]).exit_code == 0
    with Storykeeper.open(tmp_path / "run.db", story=folder) as keeper:
        assert "f" not in keeper.knows("mara")
