"""The flip test: two runs that differ only in what is hidden from somebody, who sees no difference.

The second run has other words in every whisper that this audience did not hear, and more of them;
other facts, cards, memories, feelings and standings; other ids of what is only suspected; somebody
else in the locked room; other feelings in whoever is moved out of sight; other words for what lies
ahead, and all of `otherwise`. What this audience gets (windows, receipts of its own and of others',
recollections, refusals) must be the same to the last byte. The landscape counts as open to the
narrator: for the narrator nothing is otherwise that it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.detecting import Shown
from storykeeper.bench.leaks.looking import Looking
from storykeeper.bench.leaks.otherwise import vary
from storykeeper.bench.leaks.said import RETRACTED
from storykeeper.bench.leaks.secrets import NARRATOR, TRUNK, Moment
from storykeeper.bench.leaks.stage import Stage
from storykeeper.bootstrap import Storykeeper
from storykeeper.context.window import Window
from storykeeper.language.reading import Reader

AMPLE = 100_000  # tokens: no window is refused for want of them


def twins(seed: int, place: Path, reader: Reader, *, looks: int) -> Iterator[tuple[Shown, Shown]]:
    """What one audience got to see of both runs, pair by pair."""
    one = vary(planted(seed))
    who = looking(one)
    other = vary(planted(seed, hidden_from=who))
    runs = [
        _seen(stage, who, place / f"{name}.db", reader, looks=looks)
        for stage, name in ((one, "one"), (other, "other"))
    ]
    yield from zip(*runs, strict=True)


def looking(stage: Stage) -> str:
    """The audience that looks at both runs of a stage."""
    return Random(f"whom {stage.seed}").choice((NARRATOR, NARRATOR, *stage.everybody))


def differ(one: Shown, other: Shown) -> bool:
    """Whether somebody could tell the two runs apart, by any byte of what they got.

    Of a recollection that is all of it: ids, sources, scores and what they are made of, and notes.
    """
    return (one.where, one.texts) != (other.where, other.texts)


def _seen(stage: Stage, who: str, path: Path, reader: Reader, *, looks: int) -> Iterator[Shown]:
    """Everything that one audience got to see of a run, from the first turn to the last."""
    random = Random(f"looking at {stage.seed}")
    with Storykeeper.open(path, story=stage.story(), reader=reader) as keeper:
        keeper.render(keeper.opening(), "The rain goes on.")
        for step in stage.script():
            turn = keeper.begin(step.line, player=step.player)
            stage.turns[step.mark] = turn.number
            moment = Moment(turn.number, TRUNK, {}, stage.player.id)
            if who != NARRATOR or step.player is None:  # the narrator is one for each player
                yield from _looks(Looking(stage, keeper, moment, random), who, looks)
            keeper.render(turn, step.prose, stage=stage.declared(step))
        keeper.end_scene()
        yield from _looks(Looking(stage, keeper, moment, random), who, looks)
        keeper.retract(stage.turns[RETRACTED])
        yield from _looks(Looking(stage, keeper, moment, random), who, looks)


def _looks(looking: Looking, who: str, times: int) -> Iterator[Shown]:
    """What they get to see of a turn under way and of other lines, and what they recall; and what
    they are told of a window of somebody else.
    """
    for number in range(times):
        text = looking.open_line() if number % 2 else ""
        yield looking.window(who, looking.make(who, text=text, tokens=looking.tokens()))
    yield looking.recall(who, looking.open_line())
    another = looking.make(looking.another(who), text="", tokens=AMPLE)
    if isinstance(another, Window):
        yield looking.told_of(another, who)
