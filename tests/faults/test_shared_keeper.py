"""One keeper, many threads: what is told of a line is recorded under that line."""

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from storykeeper import Storykeeper
from storykeeper.errors import NoSuchTurn, PlayError, WrongExpectedVersion
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


def test_a_turn_that_is_stale_is_refused_by_name(tmp_path):
    with Storykeeper.open(tmp_path / "run.db", story=EXAMPLE) as keeper:
        keeper.render(keeper.opening(), "It rains.")
        mine = keeper.begin("I wait.")
        keeper.begin("I nod.")  # somebody else, meanwhile
        with pytest.raises(NoSuchTurn, match=r"turn 1 was begun again with other words; look at"):
            keeper.render(mine, "You wait.")
        keeper.render(keeper.turn(), "You nod.")
        later = keeper.begin("I sit.")
        with pytest.raises(NoSuchTurn, match=r"turn 1 is not under way \(turn 2 is\); use edit"):
            keeper.render(mine, "You wait.")
        keeper.render(later, "You sit.")
        keeper.end_scene()
        assert [(turn.text, turn.prose) for turn in keeper.history()][1:] == [
            ("I nod.", "You nod."), ("I sit.", "You sit."),
        ]  # fmt: skip


def test_two_keepers_of_one_run(tmp_path):
    """As two processes have: who is slower is refused, and nothing of theirs is under another."""
    path = tmp_path / "run.db"
    with Storykeeper.open(path, story=EXAMPLE) as one:
        one.render(one.opening(), "It rains.")
        with Storykeeper.open(path) as other:
            mine = one.begin("I wait.")
            with pytest.raises(WrongExpectedVersion):
                other.begin("I nod.")
            theirs = other.begin("I nod.")
            with pytest.raises(WrongExpectedVersion):
                one.render(mine, "You wait.")
            with pytest.raises(NoSuchTurn, match="begun again with other words"):
                one.render(mine, "You wait.")
            other.render(theirs, "You nod.")
            other.end_scene()
    with Storykeeper.open(path) as again:
        told = [(turn.text, turn.prose) for turn in again.history()]
        assert told[1:] == [("I nod.", "You nod.")]
        assert again.ledger.verify(again.run).good
        again.replay()


@pytest.mark.usefixtures("_switching_often")
def test_who_closes_ends_it_for_all(tmp_path):
    """Those in the middle of something finish it; who comes later is told so by name."""
    keeper = Storykeeper.open(tmp_path / "run.db", story=EXAMPLE)
    keeper.render(keeper.opening(), "It rains.")
    told = itertools.count(1)

    def plays(thread: int) -> str:
        for line in range(200):
            try:
                keeper.render(keeper.begin(f"I count to {thread} and {line}."), "So you do.")
                keeper.read_ahead()
            except NoSuchTurn:
                continue
            except PlayError as problem:
                return str(problem)
            if next(told) == 3:
                keeper.close()
        return ""

    with ThreadPoolExecutor(THREADS) as pool:
        said = set(pool.map(plays, range(THREADS)))
    assert said == {"run main was closed here; open it again to go on"}
    with Storykeeper.open(tmp_path / "run.db") as again:
        assert again.ledger.verify(again.run).good
        again.replay()


class Declaring:
    """A model that is asked what was told, and takes its time."""

    def __init__(self) -> None:
        self.meanwhile = lambda: None

    def complete(self, messages, **more) -> str:
        self.meanwhile()
        return '{"moves": [{"who": ["mara"], "kind": "sleeps", "words": "Mara sleeps"}]}'


def test_a_declaration_is_of_the_telling_that_was_asked_about(tmp_path):
    model = Declaring()
    path = tmp_path / "run.db"
    with Storykeeper.open(path, story=EXAMPLE, staging="call", stager=model) as keeper:
        keeper.render(keeper.opening(), "Mara sleeps.")

        def goes_on() -> None:
            keeper.render(keeper.begin("I nod."), "Mara wakes.")

        model.meanwhile = goes_on
        with ThreadPoolExecutor(1) as pool:
            notes = pool.submit(keeper.read_ahead).result(timeout=60)
        assert "what a model declared of the telling before was dropped" in notes
        assert keeper.world().pending.stage is None
