"""`play` with a model that plays the characters, behind real HTTP: by options, and by settings."""

import json
import os
import subprocess
import sys

from storykeeper import Storykeeper
from storykeeper.events.changes import ActionProposed
from strategies.chat_servers import closed_port, says, serving
from strategies.minds import LIE, SCENE, SECRET, TEXT

LINES = "I push the lamp.\nI ask Mara about the key.\n"
TELLS = json.dumps({"verb": "tells-0", "target": "coyle", "words": SECRET})


def played(folder, *options):
    """What is told of the kitchen, offline, with these options."""
    story = folder / "kitchen"
    (story / "scenes").mkdir(parents=True)
    (story / "story.yaml").write_text(TEXT, "utf-8")
    (story / "scenes" / "supper.md").write_text(SCENE, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "storykeeper", "play", "kitchen", "--run", "run.db", "--plain",
         *options],
        input=LINES, capture_output=True, text=True, cwd=folder, check=False,
        env=os.environ | {"XDG_CONFIG_HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def chosen(folder):
    """What was chosen for Mara, and by whom."""
    with Storykeeper.open(folder / "run.db", read_only=True) as keeper:
        records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    return [(r.option, r.by) for r in records if isinstance(r, ActionProposed) and r.who == "mara"]


def test_who_plays_them_is_an_option_of_play(tmp_path):
    with serving(says(TELLS)) as server:
        options = ("--characters", server.url, "--characters-model", "small")
        told = played(tmp_path, *options)
    assert "small plays those whom nobody plays" in told
    assert SECRET in told
    assert ("mara/tells/0", "small") in chosen(tmp_path)
    assert {body["model"] for body in server.bodies} == {"small"}


def test_or_stands_in_the_settings(tmp_path):
    with serving(says(TELLS)) as server:
        settings = tmp_path / "mine.toml"
        settings.write_text(f'[characters]\nurl = "{server.url}"\nname = "small"\n', "utf-8")
        assert SECRET in played(tmp_path, "--settings", str(settings))
    assert ("mara/tells/0", "small") in chosen(tmp_path)


def test_without_one_or_one_that_answers_the_rules_choose(tmp_path):
    none, gone = tmp_path / "none", tmp_path / "gone"
    for folder, options in (
        (none, ("--characters", "offline")),
        (gone, ("--characters", f"http://127.0.0.1:{closed_port()}/v1")),
    ):
        folder.mkdir()
        told = played(folder, *options)
        assert LIE in told
        assert SECRET not in told
        assert chosen(folder) == []
