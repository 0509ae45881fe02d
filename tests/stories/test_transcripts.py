"""Golden transcripts: the example played by its scripts, as a reader of the terminal sees it.

The transcripts are in transcripts/, a file a path. When the story or the narrator has changed and
the new telling is right, accept it and read the difference before you commit it:

    STORYKEEPER_ACCEPT=1 pytest tests/stories/test_transcripts.py
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from strategies.runs import hashes, records, script
from strategies.sizes import first
from strategies.worlds import EXAMPLE

TRANSCRIPTS = Path(__file__).parent / "transcripts"
PATHS = sorted(path.stem for path in (EXAMPLE / "paths").glob("*.txt"))
ACCEPT = os.environ.get("STORYKEEPER_ACCEPT") == "1"
KEPT = "[kept in run.db]\n"


def said(*arguments: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def said_elsewhere(*arguments: str) -> str:
    """The same from another process, which hashes in another order."""
    done = subprocess.run(
        [sys.executable, "-m", "storykeeper", *map(str, arguments)],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def played(lines: Path, *, run: str = "run.db", say=said) -> str:
    return say("play", EXAMPLE, "--run", run, "--script", lines, "--plain")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", first(2, PATHS))
def test_a_path_is_told_as_it_was(name):
    golden = TRANSCRIPTS / f"{name}.txt"
    told = played(EXAMPLE / "paths" / f"{name}.txt")
    if ACCEPT:
        golden.write_text(told, "utf-8")
    assert told == golden.read_text("utf-8")
    said("replay", "run.db")
    check_the_copy()


def check_the_copy():
    """Export, import, and everything is there: the records, the windows, the same bytes again."""
    said("export", "run.db", "-o", "run.jsonl")
    said("import", "run.jsonl", "copy.db")
    said("verify", "copy.db")
    said("export", "copy.db", "-o", "again.jsonl")
    assert Path("again.jsonl").read_bytes() == Path("run.jsonl").read_bytes()
    with Storykeeper.open("run.db") as one, Storykeeper.open("copy.db") as other:
        assert records(one) == records(other)
        windows = hashes(records(one))
        assert other.replay().windows == len(windows)
        assert [other.window_of(turn).digest for turn, _ in windows[-3:]] == [
            digest for _, digest in windows[-3:]
        ]


@pytest.mark.parametrize("name", first(1, PATHS))
def test_a_path_in_two_sittings(name):
    lines = script(name)
    half = len(lines) // 2
    Path("one.txt").write_text("\n".join(lines[:half]), "utf-8")
    Path("two.txt").write_text("\n".join(lines[half:]), "utf-8")
    first = played(Path("one.txt"))
    second = played(Path("two.txt"), say=said_elsewhere)
    coming_back, rest = second.split("\n> ", 1)
    before = first.removesuffix(KEPT)
    assert before + f"> {rest}" == (TRANSCRIPTS / f"{name}.txt").read_text("utf-8")
    assert coming_back.endswith(before.split("\n> ")[-1].partition("\n")[2].rstrip("\n") + "\n")
    assert f": {lines[half - 1]}]" in coming_back
    said("replay", "run.db")


def test_a_transcript_for_every_path_and_no_more():
    assert sorted(path.stem for path in TRANSCRIPTS.glob("*.txt")) == PATHS
