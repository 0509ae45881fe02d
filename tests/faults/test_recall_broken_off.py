"""Recalling that is broken off half-way: what comes after is the same as if it had not been."""

import shutil

import pytest

from storykeeper.memory.index.index import Index
from storykeeper.play import course, recalling
from strategies.recalled import (
    afresh,
    as_kept,
    cache_of,
    copied,
    every,
    kept_from,
    opened,
    played,
)
from strategies.sizes import thinned


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A run of which nothing is kept."""
    with kept_from(2, every_rows=4):
        path = played(tmp_path_factory.mktemp("base") / "run.db")
    shutil.rmtree(cache_of(path))
    return path


@pytest.fixture
def path(base, tmp_path, monkeypatch):
    """It, taken in a few turns at a time."""
    monkeypatch.setattr(course, "BATCH", 3)
    monkeypatch.setattr(recalling, "BATCH", 3)
    with kept_from(2, every_rows=4):
        yield copied(base, tmp_path / "here")


@pytest.mark.parametrize("at", thinned(range(1, 9), every=3))
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
