"""docs/how-to/canon.md is run from top to bottom: its commands, and its Python."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "canon.md").read_text("utf-8")
COMMAND = re.compile(r"^    storykeeper (.*?)(?: {2,}#.*)?$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples" / "the-salt-ford", tmp_path / "examples" / "the-salt-ford")
    (tmp_path / "manual.md").write_text("# Crossing\n\nNobody crosses alone.\n")
    commands = COMMAND.findall(PAGE)
    assert len(commands) >= 8
    for command in commands:
        short = command.replace("--turns 100", "--turns 2")
        typed = "hold\n" * 10 if "--as" in command else ""
        words = shlex.split(short)
        answer = CliRunner().invoke(app, words, input=typed, catch_exceptions=False)
        assert answer.exit_code == 0, f"{command}\n{answer.output}"
    for block in PYTHON.findall(PAGE):
        exec(compile(block, "canon.md", "exec"), {})
        assert "You are Oda" in capsys.readouterr().out


def test_every_name_of_the_seeds_table_leads_somewhere():
    import importlib

    table = PAGE.partition("## The seed's sections")[2]
    rows = [line for line in table.splitlines() if line.startswith("| §")]
    assert {row.split("|")[1].strip()[:2] for row in rows} >= {"§1", "§2", "§3", "§4", "§5", "§6"}
    for name in re.findall(r"`((?:canon|context|memory|models|scoring|staging)\.[\w.]+)`", table):
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            try:
                thing = importlib.import_module(".".join(("storykeeper", *parts[:cut])))
            except ModuleNotFoundError:
                continue
            for part in parts[cut:]:
                assert hasattr(thing, part), name
                thing = getattr(thing, part)
            break
        else:
            pytest.fail(name)
