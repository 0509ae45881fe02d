"""The tutorial's story is taken from the page, checked and played; the README's Python is run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from storykeeper.language.tokens import counter
from storykeeper.play.narrate import NAME, STAGE, offline
from storykeeper.story.loader import read_story

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```\w+ file=(\S+)\n(.*?)```", re.DOTALL)


@pytest.fixture
def story(tmp_path: Path) -> Path:
    folder = tmp_path / "my-story"
    for name, text in BLOCK.findall((ROOT / "docs" / "tutorial.md").read_text("utf-8")):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_the_story_on_the_page_has_no_problems(story: Path):
    reading = read_story(story, counters=counter)
    assert [str(p) for p in (*reading.errors, *reading.warnings)] == []


def test_it_plays_as_the_page_says(story: Path, tmp_path: Path):
    told = []
    with Storykeeper.open(tmp_path / "the-well.db", story=story) as keeper:
        turn = keeper.opening()
        for line in (None, "ask Jon", "go to the house", "read the letter", "wait"):
            if line is not None:
                turn = keeper.begin(line)
            told.append(offline(turn.world, turn.present))
            keeper.render(turn, told[-1])
        assert keeper.knows("ada")["the-letter"].how == "read"
    assert "I never opened it" in told[1]
    assert "One plate, one cup" in told[2]
    assert "not his hand" in told[3]


@pytest.fixture
def orchard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The story that `new` makes, changed as the page says."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["new", "the-orchard"]).exit_code == 0
    page = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    for name, text in re.findall(r"```\w+ into=(\S+)\n(.*?)```", page, re.DOTALL):
        (tmp_path / "the-orchard" / name).write_text(text, "utf-8")
    for name, text in re.findall(r"```yaml add=(\S+)\n(.*?)```", page, re.DOTALL):
        file = tmp_path / "the-orchard" / name
        head, below, rest = file.read_text("utf-8").partition("leads_to:")
        first, end, others = rest.partition("\n")
        file.write_text(head + below + first + end + text + others, "utf-8")
    return tmp_path / "the-orchard"


def test_a_first_story_is_changed_as_the_page_says(orchard: Path):
    reading = read_story(orchard, counters=counter)
    assert [str(p) for p in (*reading.errors, *reading.warnings)] == []
    (orchard / "lines.txt").write_text("go to the shed\nwait\ngo to the yard\n", "utf-8")
    told = CliRunner().invoke(
        app, ["play", "the-orchard", "--script", "the-orchard/lines.txt", "--plain"]
    )
    assert "the last nail is empty" in told.stdout
    assert "It is the hoe that is missing" in told.stdout
    found = CliRunner().invoke(
        app, ["simulate", "the-orchard", "--runs", "16", "--seed", "2", "--windows", "0",
              "--jobs", "1", "--json"],
    )  # fmt: skip
    reached = {each["id"]: each["runs"] for each in json.loads(found.stdout)["scenes"]}
    assert reached["shed"] > 0
    assert all(reached.values())


def typed() -> list[tuple[str, list[str]]]:
    """The lines that the page has one type, with the story they are typed in."""
    page = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    blocks = re.findall(r"```text typed=(\S+)\n(.*?)```", page, re.DOTALL)
    return [(story, lines.splitlines()) for story, lines in blocks]


def test_every_line_on_the_page_is_a_turn_where_it_is_typed(orchard: Path, tmp_path: Path):
    folders = {"the-orchard": orchard, "the-lamp-at-harrow": ROOT / "examples/the-lamp-at-harrow"}
    told = []
    for number, (story, lines) in enumerate(typed()):
        with Storykeeper.open(tmp_path / f"{number}.db", story=folders[story]) as keeper:
            turn = keeper.opening()
            keeper.render(turn, offline(turn.world, turn.present))
            for line in lines:
                assert keeper.guidance(line) is None, line
                turn = keeper.begin(line)
                told.append(offline(turn.world, turn.present, keeper.history()))
                keeper.render(turn, told[-1], narrator=NAME, stage=STAGE)
    assert len(told) == 9
    assert "One plate, one cup" in told[-2]  # from the shed, which says no way to the house
    assert "It is your father's name" in told[-1]


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    page = (ROOT / "README.md").read_text("utf-8")
    story, memory = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # a person tries it again
        exec(compile(story, "README.md", "exec"), {})
        said = capsys.readouterr().out
        assert "I ask Mara where the brass key went" in said
        assert "You are Mara Rudd" in said
    for _ in range(2):
        exec(compile(memory, "README.md", "exec"), {})
        first, *rest = capsys.readouterr().out.splitlines()
        assert first == "I moved the meeting to Friday"
        assert rest[:2] == ["[2024-05-07]", "Ana: I moved the meeting to Friday"]
