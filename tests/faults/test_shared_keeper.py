"""One keeper, many threads: what is told of a line is recorded under that line."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from storykeeper import Storykeeper
from storykeeper.errors import NoSuchTurn
from strategies.worlds import EXAMPLE

THREADS, LINES = 8, 6


@pytest.fixture
def _switching_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_switching_often")
def test_prose_stands_under_its_own_line(tmp_path):
    with Storykeeper.open(tmp_path / "run.db", story=EXAMPLE) as keeper:

        def plays(thread: int) -> int:
            refused = 0
            for line in range(LINES):
                typed = f"I count to {thread} and {line}."
                try:
                    turn = keeper.begin(typed)
                    keeper.window("mara")
                    keeper.render(turn, f"Told of: {typed}")
                except NoSuchTurn:  # another thread began it again, or went on
                    refused += 1
            return refused

        with ThreadPoolExecutor(THREADS) as pool:
            refused = sum(pool.map(plays, range(THREADS)))
        keeper.end_scene()
        told = [turn for turn in keeper.history() if turn.prose.startswith("Told of: ")]
        assert all(turn.prose == f"Told of: {turn.text}" for turn in told)
        assert told
        assert refused < THREADS * LINES
        keeper.replay()
