"""Runs played through the engine, with the offline narrator."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from storykeeper import Storykeeper
from storykeeper.engine import Engine, Turn
from storykeeper.events.turns import InputReceived, Rendered, WindowAssembled
from storykeeper.language.reading import Reader
from storykeeper.play.narrate import STAGE, offline
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.units import MAIN
from strategies.ledgers import memory_ledger
from strategies.worlds import EXAMPLE, READER, example, house

EVENING = ["I go on to Harrow.", "I ask Mara about the brass key.", "I look in the oat crock."]


@cache
def script(name: str) -> list[str]:
    """The lines of one of the example's paths."""
    lines = (EXAMPLE / "paths" / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def kept(path: Path, **options) -> Storykeeper:
    """A run of the example in a file."""
    return Storykeeper.open(path, **{"story": example(), "reader": READER} | options)


def unkept(story: Story | None = None, *, reader: Reader = READER) -> Engine:
    """A run of the house in memory."""
    ledger = memory_ledger()
    ledger.begin(MAIN, [adoption(house() if story is None else story)])
    return Engine(ledger, MAIN, reader=reader)


def tell(keeper: Engine, turn: Turn) -> Turn:
    prose = offline(turn.world, turn.present, keeper.history())
    keeper.render(turn, prose, narrator="offline", stage=STAGE)
    return turn


def go(keeper: Engine, *lines: str) -> Turn:
    """The opening, if the run is fresh, and these lines; the last turn."""
    turn = None
    if keeper.world().pending is None and not keeper.history():
        turn = tell(keeper, keeper.opening())
    for line in lines:
        turn = tell(keeper, keeper.begin(line))
    assert turn is not None
    return turn


def records(keeper: Engine, *kinds: type) -> list:
    found = [entry.record for entry in keeper.ledger.read(keeper.run)]
    return [record for record in found if not kinds or isinstance(record, kinds)]


def said(keeper: Engine) -> list[str]:
    """What the player typed, as the ledger has it."""
    return [r.text for r in records(keeper, InputReceived) if r.text]


def shown(keeper: Engine) -> list[str]:
    """The prose the player was shown."""
    return [r.prose for r in records(keeper, Rendered)]


def hashes(found: Iterable) -> list[tuple[int, str]]:
    """The windows among some records: turn and digest."""
    return [(r.turn, r.window) for r in found if isinstance(r, WindowAssembled)]
