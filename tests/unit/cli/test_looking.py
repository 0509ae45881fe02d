"""`tour` shows what it says, and `log --follow` loses nothing between reading and following."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.units import MAIN
from strategies.ledgers import add, shown, sqlite_ledger, told

EXAMPLE = Path(__file__).parents[3] / "examples" / "the-lamp-at-harrow"


def test_the_tour_forks_erases_and_is_tampered_with():
    answer = CliRunner().invoke(app, ["tour", str(EXAMPLE)])
    assert answer.exit_code == 0
    flat = " ".join(answer.output.split())
    for seen in ("run.db@what-if", "[text erased]", "all good", "record 9 is bad"):
        assert seen in flat
    assert "My real name" not in flat.split("Erase turn 2")[1]


def test_the_tour_of_a_story_without_prose(tmp_path: Path):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "only.md").write_text("---\ntitle: Only\nending: true\n---\n")
    (tmp_path / "story.yaml").write_text(
        "id: bare\ntitle: Bare\nplayers: [ada]\nstart: only\nvoice: Plain.\n"
        "cast: [{id: ada, name: Ada, line: Waits.}]\n"
    )
    assert CliRunner().invoke(app, ["tour", str(tmp_path)]).exit_code == 0


def test_what_comes_between_reading_and_following_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "run.db"
    with sqlite_ledger(path) as ledger:
        told(ledger)
        last = ledger.head(MAIN).version
    asked = []

    def follow(self, run, *, after, stop):
        asked.append(after)
        return iter(())

    read = SqliteLedger.read

    def read_while_another_writes(self, run, **span):
        yield from read(self, run, **span)
        with sqlite_ledger(path) as other:
            add(other, shown(9))

    monkeypatch.setattr(SqliteLedger, "follow", follow)
    monkeypatch.setattr(SqliteLedger, "read", read_while_another_writes)
    assert CliRunner().invoke(app, ["log", str(path), "--follow"]).exit_code == 0
    assert asked == [last]


def test_a_kind_that_does_not_exist_is_named(tmp_path: Path):
    with sqlite_ledger(tmp_path / "run.db") as ledger:
        told(ledger)
    answer = CliRunner().invoke(app, ["log", str(tmp_path / "run.db"), "--kind", "renderd"])
    assert answer.exit_code == 2
    assert "renderd" in answer.output
