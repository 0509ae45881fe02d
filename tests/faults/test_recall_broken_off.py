"""Recalling that is broken off half-way: what comes after is the same as if it had not been."""

import pytest

from storykeeper.memory.index.index import Index
from storykeeper.play import course, recalling
from strategies.recalled import (
    afresh,
    as_kept,
    cache_of,
    every,
    kept_from,
    opened,
    played,
)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A run of which nothing is kept, taken in a few turns at a time."""
    monkeypatch.setattr(course, "BATCH", 3)
    monkeypatch.setattr(recalling, "BATCH", 3)
    with kept_from(2, every_rows=4):
        path = played(tmp_path / "run.db")
        for each in sorted(cache_of(path).rglob("*"), reverse=True):
            each.rmdir() if each.is_dir() else each.unlink()
        yield path


@pytest.mark.parametrize("at", range(1, 9))
def test_broken_off_at_any_step(path, monkeypatch, at):
    add, steps = Index.add, iter(range(1, 1_000))

    def broken(self, *rows):
        if next(steps) == at:
            raise KeyboardInterrupt
        add(self, *rows)

    monkeypatch.setattr(Index, "add", broken)
    with opened(path) as keeper:
        with pytest.raises(KeyboardInterrupt):
            every(keeper)
        found = every(keeper)
    monkeypatch.undo()
    assert found == afresh(path)
    assert as_kept(path)[0] == found
