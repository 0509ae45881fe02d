"""Opening a run reads what it needs, not every record."""

from __future__ import annotations

import pytest

from storykeeper import Memory, Storykeeper
from storykeeper.errors import StoryNotFound
from storykeeper.ledger.sqlite_tables import Tables
from strategies.runs import EVENING, go, kept


def test_no_question_is_asked_of_every_record(tmp_path, monkeypatch):
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
    asked: list[str] = []
    last = Tables.last
    monkeypatch.setattr(Tables, "sizes", lambda _: asked.append("sizes"))
    monkeypatch.setattr(
        Tables, "last", lambda self, of, *, kind: asked.append(kind) or last(self, of, kind=kind)
    )
    Storykeeper.open(path, read_only=True).ledger.close()
    assert set(asked) == {"story-adopted"}  # which has an index of its own


def test_a_memory_is_still_told_from_a_run(tmp_path):
    Memory.open(tmp_path / "chat.db", embedder="none").close()
    with pytest.raises(StoryNotFound, match="is a memory"):
        Storykeeper.open(tmp_path / "chat.db")
