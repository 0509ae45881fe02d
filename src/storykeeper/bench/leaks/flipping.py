"""The flip test: two runs that differ only in what is hidden from somebody, who sees no difference.

The second run has other words in every whisper that this audience did not hear, and more of them;
other facts, cards, memories, feelings and standings; somebody else in the locked room. What this
audience gets (windows, receipts, recollections, refusals) must be the same to the last byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.detecting import Shown
from storykeeper.bench.leaks.looking import Looking
from storykeeper.bench.leaks.said import RETRACTED
from storykeeper.bench.leaks.secrets import TRUNK, Moment
from storykeeper.bench.leaks.stage import Stage
from storykeeper.bootstrap import Storykeeper
from storykeeper.language.reading import Reader


def twins(
    seed: int, place: Path, reader: Reader, *, looks: int = 5
) -> Iterator[tuple[Shown, Shown]]:
    """What one audience got to see of both runs, pair by pair."""
    one = planted(seed)
    who = Random(f"whom {seed}").choice(one.everybody)
    other = planted(seed, hidden_from=who)
    runs = [
        _seen(stage, who, place / f"{name}.db", reader, looks=looks)
        for stage, name in ((one, "one"), (other, "other"))
    ]
    yield from zip(*runs, strict=True)


def differ(one: Shown, other: Shown) -> bool:
    """Whether somebody could tell the two runs apart.

    Of what is recalled only the words count: its ids still count events that were hidden.
    """
    if one.where == other.where == "recall":
        return one.texts[0] != other.texts[0]
    return (one.where, one.texts) != (other.where, other.texts)


def _seen(stage: Stage, who: str, path: Path, reader: Reader, *, looks: int) -> Iterator[Shown]:
    """Everything that one audience got to see of a run, from the first turn to the last."""
    random = Random(f"looking at {stage.seed}")
    with Storykeeper.open(path, story=stage.story(), reader=reader) as keeper:
        keeper.render(keeper.opening(), "The rain goes on.")
        for step in stage.script():
            turn = keeper.begin(step.line)
            stage.turns[step.mark] = turn.number
            moment = Moment(turn.number, TRUNK, {}, stage.player.id)
            yield from _looks(Looking(stage, keeper, moment, random), who, looks)
            keeper.render(turn, step.prose)
        keeper.end_scene()
        yield from _looks(Looking(stage, keeper, moment, random), who, looks)
        keeper.retract(stage.turns[RETRACTED])
        yield from _looks(Looking(stage, keeper, moment, random), who, looks)


def _looks(looking: Looking, who: str, times: int) -> Iterator[Shown]:
    """What they get to see of a turn under way and of other lines, and what they recall."""
    for number in range(times):
        text = looking.open_line() if number % 2 else ""
        yield looking.window(who, looking.make(who, text=text, tokens=looking.tokens()))
    yield looking.recall(who, looking.open_line())
