"""Lines as players might type them at a moment of a playthrough, against what they are to do.

    python -m storykeeper.bench.continuity.typed_lines LINES DIR …

A row of LINES is a line, who wrote it, the playthrough and turn it was written for, and the acts it
does ("ask oswin tongue"). Each is typed at its turn, in a fork of the run as it was declared until
then. `matched` is the share of labelled acts that something waits for and that are within reach
there which then hold; `false` the share of lines after which an act holds that is not labelled, and
did not before. The last line is one JSON object.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from storykeeper.bench.continuity.data import Playthrough, load
from storykeeper.bench.continuity.player_lines import name_of
from storykeeper.bootstrap import Storykeeper
from storykeeper.play.awaited import awaited
from storykeeper.play.line_match import is_within_reach
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.walk import walk
from storykeeper.world.conditions import holds

NOTHING = "The light moves a little on the wall."  # what is told of each: nothing comes of it
Row = Mapping[str, Any]


def tried(playthrough: Playthrough, rows: Sequence[Row]) -> Iterator[tuple[Row, Counter[str]]]:
    """What each line of a playthrough does, counted."""
    by_turn: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row["playthrough"] == playthrough.name:
            by_turn[row["turn"]].append(row)
    with (
        TemporaryDirectory(prefix="storykeeper-bench-") as folder,
        Storykeeper.open(Path(folder) / "run.db", story=playthrough.story) as keeper,
    ):
        for told in playthrough.turns:
            for number, row in enumerate(by_turn[told.number]):
                name = f"typed-{told.number}-{number}"
                keeper.fork(at=told.number - 1, name=name)
                with Storykeeper.open(Path(folder) / f"run.db@{name}") as fork:
                    yield row, _typed(fork, row)
            keeper.render(keeper.begin(told.line), told.prose, stage=told.stage or None)
            keeper.end_scene()


def _typed(keeper: Storykeeper, row: Row) -> Counter[str]:
    before, world = _held(keeper), keeper.world()
    waited = {name_of(each) for each in awaited(world) if is_within_reach(world, each)}
    turn = keeper.begin(row["line"])
    if turn.question:  # asked which one is meant, the line does nothing yet
        return Counter(lines=1, questions=1)
    keeper.render(turn, NOTHING, stage={})
    keeper.end_scene()
    done, wanted = _held(keeper), frozenset(row["acts"])
    return Counter(
        lines=1, acts=len(wanted & waited), matched=len(wanted & waited & done),
        false=bool(done - before - wanted),
    )  # fmt: skip


def _held(keeper: Storykeeper) -> frozenset[str]:
    world = keeper.world()
    acts = [part for _, part in walk(world.plan.story) if isinstance(part, Did)]
    return frozenset(name_of(did) for did in acts if holds(world, Condition(did=did)))


def main(arguments: Sequence[str]) -> None:
    """All playthroughs of all folders, by author."""
    lines, *folders = arguments
    rows = [
        json.loads(each) for each in Path(lines).read_text("utf-8").splitlines() if each.strip()
    ]
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for playthrough in (each for folder in folders for each in load(Path(folder))):
        for row, found in tried(playthrough, rows):
            counts[row["author"]] += found
    print(json.dumps({author: _figures(found) for author, found in sorted(counts.items())}))


def _figures(found: Counter[str]) -> dict[str, float]:
    return {
        "matched": round(100 * found["matched"] / max(1, found["acts"]), 1),
        "false": round(100 * found["false"] / max(1, found["lines"]), 1),
        "acts": found["acts"], "lines": found["lines"], "questions": found["questions"],
    }  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
