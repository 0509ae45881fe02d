"""A memory has no forks: asked for one, nothing is changed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from storykeeper import Memory
from storykeeper.cli.main import run


@pytest.mark.parametrize("more", [(), ("--name", "other"), ("--json",)])
def test_a_memory_is_not_forked(tmp_path: Path, monkeypatch, capsys, more):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        memory.add("The oak is old")
        memory.add("The oak fell")
    monkeypatch.setattr(sys, "argv", ["storykeeper", "fork", str(path), "--at", "1", *more])
    with pytest.raises(SystemExit) as leaving:
        run()
    assert leaving.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "chat.db is a memory and has no forks" in said.err
    assert "storykeeper backup" in said.err
    with Memory.open(path) as memory:
        assert len(memory.store.ledger.runs()) == 1
        assert {hit.item.text for hit in memory.search("oak")} == {"The oak is old", "The oak fell"}


def test_nor_one_with_nothing_in_it(tmp_path: Path, monkeypatch, capsys):
    path = tmp_path / "chat.db"
    Memory.open(path, embedder="none").close()
    monkeypatch.setattr(sys, "argv", ["storykeeper", "fork", str(path), "--at", "0"])
    with pytest.raises(SystemExit):
        run()
    assert "has no forks" in capsys.readouterr().err
