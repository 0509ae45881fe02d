"""A fork made after turns were taken back shares exactly what is left, also twice."""

from storykeeper import Storykeeper
from strategies.runs import go, kept

LINES = ("I go on to Harrow.", "I sit.", "I wait.", "I stand up.")


def undo(keeper: Storykeeper) -> None:
    """As /undo does."""
    pending = keeper.world().pending
    if pending is not None and pending.text:
        keeper.reject(why="undo")
    else:
        keeper.retract(keeper.history()[-1].turn, why="undo")


def told(keeper: Storykeeper) -> list[tuple[str, str]]:
    past = [(turn.text, turn.prose) for turn in keeper.history()]
    pending = keeper.world().pending
    return past if pending is None else [*past, (pending.text, pending.prose)]


def test_nothing_that_was_undone_comes_back(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, *LINES)
        whole = told(keeper)
        for _ in range(3):
            undo(keeper)
        left, places = told(keeper), keeper.world().places
        assert left == whole[:2]
        keeper.fork(at=keeper.last_turn(), name="alt")
    with kept(f"{tmp_path / 'run.db'}@alt") as keeper:
        assert told(keeper) == left
        assert keeper.world().places == places
        go(keeper, "I look at the sea.", "I listen.")
        undo(keeper)
        undo(keeper)
        keeper.fork(at=keeper.last_turn(), name="again")
        keeper.replay()
    with kept(f"{tmp_path / 'run.db'}@again") as keeper:
        assert told(keeper) == left
        go(keeper, "I sit.")
        assert [text for text, _ in told(keeper)] == ["", LINES[0], "I sit."]
        keeper.replay()


def test_an_earlier_turn_is_shared_as_it_was(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, *LINES)
        whole = told(keeper)
        keeper.fork(at=2, name="alt")
    with kept(f"{tmp_path / 'run.db'}@alt") as keeper:
        assert told(keeper) == whole[:3]
