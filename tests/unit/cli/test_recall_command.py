"""`recall`: what somebody remembers of a run, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from strategies.runs import EVENING, go, kept


@pytest.fixture
def run(tmp_path: Path) -> str:
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
    return str(path)


def asked(*words: str):
    return CliRunner().invoke(app, ["recall", *words])


def test_lines_with_score_and_turn(run):
    answer = asked(run, "Where is the brass key?", "-k", "2")
    assert answer.exit_code == 0
    lines = answer.output.splitlines()
    assert len(lines) == 2
    assert all("  turn " in line for line in lines)
    assert lines == sorted(lines, reverse=True)


def test_for_somebody_within_a_budget_as_json(run):
    answer = asked(run, "the brass key", "--for", "mara", "--budget", "40", "--json")
    found = json.loads(answer.output)
    assert 0 < found["tokens"] <= found["budget"] == 40
    assert found["hits"]
    assert all(hit["id"].startswith("atom:") for hit in found["hits"])
    assert {"turn", "scene", "score", "terms", "signals", "text"} <= set(found["hits"][0])


def test_nothing_found_nobody_known(run):
    assert "nothing like it" in asked(run, "xylophone", "--for", "tobit").output
    refused = asked(run, "key", "--for", "zoe")
    assert refused.exit_code == 1
    assert "zoe" in str(refused.exception)


def test_looking_changes_nothing(run):
    before = Path(run).read_bytes()
    asked(run, "key")
    assert Path(run).read_bytes() == before
