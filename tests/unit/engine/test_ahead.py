"""What is found while the player reads: the answer waits for less, and nothing else changes."""

import gc

import pytest

from storykeeper import Storykeeper
from storykeeper.context.so_far import settled
from storykeeper.play.garbage import NEARLY_DUE, collect_meanwhile
from strategies.wherry import READER, wherry

TURNS = 20
TOLD = "Dov counts the {} coins again and lays them on the table. “{},” says Dov. It rains."


def played(path, *, ahead):
    """The windows of a run; and how many stories so far had to be settled while somebody waited."""
    settled.cache_clear()
    windows, waited = [], 0
    with Storykeeper.open(path, story=wherry(), reader=READER, tokens=1_100) as keeper:
        for number in range(TURNS):
            before = settled.cache_info().misses
            turn = keeper.begin(f"I count to {number}.")
            waited += settled.cache_info().misses - before
            windows.append(turn.window.digest)
            keeper.render(turn, TOLD.format(number, number + 100))
            if ahead:
                head = keeper.ledger.head(keeper.run)
                assert keeper.read_ahead() == ()
                assert keeper.ledger.head(keeper.run) == head
    return windows, waited


def test_windows_are_the_same_and_wait_for_less(tmp_path):
    alone, settled_in_windows = played(tmp_path / "alone.db", ahead=False)
    looked, left = played(tmp_path / "ahead.db", ahead=True)
    assert looked == alone
    assert settled_in_windows > 0
    assert left == 0


def test_reading_ahead_of_a_window_that_cannot_be_made_says_nothing(tmp_path):
    with Storykeeper.open(tmp_path / "run.db", story=wherry(), reader=READER) as keeper:
        keeper.render(keeper.opening(), "It is late.")
        keeper.tokens = 10
        assert keeper.read_ahead() == ()


@pytest.fixture
def no_threshold():
    before = gc.get_threshold()
    gc.set_threshold(0)
    yield
    gc.set_threshold(*before)


def test_a_full_collection_is_made_before_it_is_due(no_threshold):
    for _ in range(3):
        collect_meanwhile()  # by then what is loaded is set apart
    gc.collect()
    assert gc.get_freeze_count() > 0
    for _ in range(NEARLY_DUE - 1):
        gc.collect(1)
    collect_meanwhile()
    assert gc.get_count()[2] == NEARLY_DUE - 1  # it is early yet
    gc.collect(1)
    collect_meanwhile()
    assert gc.get_count()[2] == 0
