"""SIGKILL in every step of a turn: the run reopens, and at most the unshown prose is missing.

Kills at named steps come first, each step the first, second and third time it is reached; the rest
come at random moments. All of them in a run that begins, swipes, edits, saves and closes.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import processes
import pytest
from playing import CORRECTED, LINES, STEPS
from processes import LONG, asked, chance, times

from storykeeper import Storykeeper
from storykeeper.events.turns import TurnEdited
from storykeeper.play.narrate import offline
from storykeeper.units import MAIN
from storykeeper.world.snapshot import dump
from strategies.runs import go, hashes, kept, records, said, shown, tell
from strategies.worlds import READER

KILLS = times(16, 1_000)
NAMED = [f"{step}-{side}" for step in STEPS for side in ("before", "after")]
# How often each is reached at most, to kill at any of them.
OFTEN = {"append": 11, "rows": 12, "decide": 99, "window": 4, "read": 16, "snapshot": 1,
         "snapshot-row": 1, "close": 1, "file": 1, "run": 1}  # fmt: skip


@pytest.fixture(scope="module")
def forker():
    with processes.forker("playing.py") as process:
        yield process


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """The same lines, and nobody killed: the world, and the hash of every window."""
    return finished(tmp_path_factory.mktemp("straight") / "run.db")


def kill(forker, path: Path, *, step: str = "", nth: int = 0, after: float = 0) -> dict:
    return asked(forker, path=str(path), step=step, nth=nth, after=after)


def orders(luck) -> Iterator[dict]:
    """At every named step, at different passings of it; then at random moments, without end."""
    for step in NAMED:
        often = OFTEN[step.rpartition("-")[0]]
        for _ in range(min(often, times(1, 4))):
            yield {"step": step, "nth": luck.randint(1, often)}
    while True:
        yield {"after": luck.uniform(0.001, 0.2)}


def finished(path: Path) -> tuple[bytes, dict]:
    """Go on from wherever the run is to the end of the lines, and look at what came of it."""
    with kept(path) as keeper:
        pending = keeper.world().pending
        if pending is not None and not pending.take:
            tell(keeper, keeper.turn())
        if keeper.world().pending is None and not keeper.history():
            go(keeper)
        done = [line for line in LINES if line in said(keeper)]
        for line in LINES[len(done) :]:
            correct(keeper)
            go(keeper, line)
        settle_the_prose(keeper)
        correct(keeper)
        keeper.end_scene()
        return dump(keeper.world()), dict(hashes(records(keeper)))


def correct(keeper) -> None:
    """The edit comes once turn 2 is shown."""
    if LINES[1] in said(keeper) and not records(keeper, TurnEdited):
        settle_the_prose(keeper)
        keeper.edit(1, CORRECTED)


def settle_the_prose(keeper) -> None:
    """A process may be killed between the first take and the second."""
    pending = keeper.world().pending
    if pending is not None and pending.prose == "In other words.":
        turn = keeper.turn()
        keeper.render(turn, offline(turn.world, turn.present, keeper.history()))


def check(path: Path, acknowledged: list) -> None:
    with closing(kept(path).ledger) as ledger:  # looks only: closing the run would commit
        keeper = Storykeeper(ledger, MAIN, reader=READER)
        assert keeper.ledger.verify(keeper.run).good
        keeper.replay()
        words, prose = said(keeper), shown(keeper)
        edits = [record.prose for record in records(keeper, TurnEdited)]
        kinds = {"begun": ["", *words], "shown": prose, "edited": edits, "closed": [""]}
        for what, text in acknowledged:
            assert text in kinds[what], f"lost what was {what}"
        pending = keeper.world().pending
        waiting = pending is not None and not pending.take
        begun = 1 + len(words) if prose or words or waiting else 0
        told = len([text for text in prose if text != "In other words."])
        assert begun - told <= 1, "more than the last turn's prose is missing"
        if ["closed", ""] in acknowledged:
            assert pending is None


def test_kills_in_every_step_of_a_turn(forker, straight, tmp_path):
    luck = chance()
    killed = 0
    for number, order in enumerate(orders(luck)):
        path = tmp_path / f"{number}.db"
        outcome = kill(forker, path, **order)
        killed += outcome["killed"]
        acknowledged = outcome["said"]
        try:
            check(path, acknowledged)
            assert finished(path) == straight
            if LONG or number % 10 == 0:
                check(path, acknowledged)
        except Exception as error:
            error.add_note(f"after {order}; acknowledged: {acknowledged}")
            raise
        if killed == KILLS:
            break
    print(f"{killed} killed of {number + 1}")
    assert number < 4 * KILLS, "too many of them were done before they could be killed"
