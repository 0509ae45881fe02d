"""Words that another process erased are shown by no keeper that was open before."""

import pytest

from storykeeper import Storykeeper
from storykeeper.bootstrap import open_ledger
from storykeeper.ledger.port import Ledger
from storykeeper.units import MAIN, RunId
from strategies.ledgers import memory_ledger, sqlite_ledger, told
from strategies.runs import kept

WORD = "Zmarvel"  # stands in the turn that is erased, and nowhere else


@pytest.fixture
def run(tmp_path):
    """A run of three turns, the first of which has the word on both sides."""
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        for line, prose in [
            (f"I say {WORD} to Tobit", f"Tobit repeats {WORD} and looks at the tower."),
            ("I look at the tower", "The tower stands where it stood."),
            ("I wait", "Nothing stirs on the stones."),
        ]:
            keeper.render(keeper.begin(line), prose)
        keeper.end_scene()
    return path


def erase(path, run=MAIN, *, turn=1) -> None:
    with open_ledger(path) as ledger:
        assert ledger.erase(run, turn=turn)


def shown(keeper: Storykeeper) -> str:
    """All that a keeper shows of its past."""
    views = [keeper.window(text="I look around").text, keeper.window_of(2).text]
    views += [str(keeper.history()), str(keeper.world()), str(keeper.brief("tobit"))]
    views += [str([hit.item for hit in keeper.recall(f"what about {WORD}")])]
    return "\n".join(views)


def test_no_view_shows_what_was_erased_meanwhile(run):
    with Storykeeper.open(run) as keeper:
        assert WORD in shown(keeper)
        erase(run)
        assert WORD not in shown(keeper)
        turn = keeper.begin("I look at Tobit")
        assert WORD not in turn.window.text
        keeper.render(turn, "Tobit looks back.")
        assert WORD not in shown(keeper)
        keeper.replay()


def test_a_fork_forgets_what_was_erased_in_its_parent(run):
    with open_ledger(run) as ledger:
        ledger.fork(MAIN, RunId("what-if"), at=2)
    with Storykeeper.open(f"{run}@what-if") as keeper:
        assert WORD in shown(keeper)
        erase(run)
        assert WORD not in shown(keeper)


def test_a_turn_under_way_goes_on(run):
    with Storykeeper.open(run) as keeper:
        turn = keeper.begin("I wait")
        erase(run, turn=1)
        keeper.render(turn.number, "The tide turns.")
        keeper.begin("I wait")
        assert "The tide turns." in keeper.window().text


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_ledgers_count_erasures_of_all_runs(tmp_path, kind):
    ledger: Ledger = memory_ledger() if kind == "memory" else sqlite_ledger(tmp_path / "run.db")
    with told(ledger):
        assert ledger.erased() == 0
        ledger.fork(MAIN, RunId("fork"), at=2)
        ledger.erase(RunId("fork"), turn=1)
        before = ledger.erased()
        assert before > 0
        ledger.erase(MAIN, turn=5)
        assert ledger.erased() == before + 1
