"""docs/memory.md is run from top to bottom: its files, its Python and what the commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app

PAGE = Path(__file__).parents[2] / "docs" / "memory.md"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PRINTED = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)
FIGURE = re.compile(r"[+-]?\b\d+\.\d+")  # scores change when the weights are fitted again
ANYTHING = "…"


def agrees(said: str, page: str) -> bool:
    """Whether a transcript is what was said; a line with … stands for any lines."""
    parts = [
        r"(?:.*\n)*?" if line == ANYTHING else re.escape(FIGURE.sub("N", line)) + r"\n"
        for line in page.splitlines()
    ]
    return re.fullmatch("".join(parts), FIGURE.sub("N", said)) is not None


def transcripts(block: str) -> list[tuple[str, str]]:
    """Each command of a console block, and what follows it."""
    found = re.findall(r"^\$ storykeeper (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert len(found) == block.count("$ ")
    return found


def test_the_page_beside_others_is_true(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (PAGE.parent / "how-to" / "instead-of-mem0-chroma-zep.md").read_text("utf-8")
    (ours,) = [block for kind, _, block in BLOCK.findall(text) if kind == "python"]
    exec(compile(ours, "instead.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == PRINTED.findall(ours)


def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    ran = 0
    for kind, file, text in BLOCK.findall(PAGE.read_text("utf-8")):
        if file:
            Path(file).write_text(text, "utf-8")
        elif kind == "python":
            exec(compile(text, "memory.md", "exec"), names)
            assert capsys.readouterr().out.splitlines() == PRINTED.findall(text)
            ran += 1
        elif kind == "console":
            for command, page in transcripts(text):
                answer = CliRunner().invoke(app, shlex.split(command), catch_exceptions=False)
                assert agrees(answer.stdout, page), f"{command}\n{answer.stdout}"
                assert answer.exit_code == 0
                ran += 1
    assert ran >= 20


def test_a_transcript_agrees_only_with_what_was_said():
    assert agrees("a 0.31\nb\nc\n", "a 0.00\nb\nc\n")
    assert agrees("a\nb\nc\n", "a\n…\n")
    assert not agrees("a\nb\nc\n", "a\nc\n")
    assert not agrees("a\nb\n", "a\n")
    assert not agrees("a 3\n", "a 4\n")
