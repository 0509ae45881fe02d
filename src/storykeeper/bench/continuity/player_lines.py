"""What of the acts that authors wait for the lines of playthroughs do, against labels.

    python -m storykeeper.bench.continuity.player_lines [--declared] LABELS DIR …

A label names an act of the story's conditions as "ask oswin tongue": the act, to whom or what, and
about what. `matched` is the share of labelled acts that hold after their turn, `false` the share of
all lines after which an act holds that is not labelled. `awaited` are those labelled acts of which
something would have come when the line was typed (`play.awaited`), `awaited_matched` the share of
them that hold, `awaited_false` the share of all lines after which another of what was waited for
holds: what nothing waits for does nothing. The last line is one JSON object.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from storykeeper.bench.continuity.data import Playthrough, load
from storykeeper.bootstrap import Storykeeper
from storykeeper.play.awaited import Waiting, awaited
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.walk import walk
from storykeeper.world.conditions import holds

Labels = Mapping[tuple[str, int], frozenset[str]]


def labelled(file: Path) -> Labels:
    """The acts that each line of each playthrough does."""
    rows = map(json.loads, filter(str.strip, file.read_text("utf-8").splitlines()))
    return {(row["playthrough"], row["turn"]): frozenset(row["acts"]) for row in rows}


def name_of(did: Did | Waiting) -> str:
    """An act as labels name it."""
    return " ".join(filter(None, (did.act, did.to, did.about)))


Done = tuple[frozenset[str], frozenset[str]]  # the acts that hold, and those waited for before


def done(
    playthrough: Playthrough, *, most: int | None = None, declared: bool = False
) -> dict[int, Done]:
    """The author's acts that hold after each turn, as it was played and told."""
    found: dict[int, Done] = {}
    with (
        TemporaryDirectory(prefix="storykeeper-bench-") as folder,
        Storykeeper.open(Path(folder) / "run.db", story=playthrough.story) as keeper,
    ):
        acts = {name_of(part): part for _, part in walk(keeper.world().plan.story)
                if isinstance(part, Did)}  # fmt: skip
        for told in playthrough.turns[:most]:
            waits = frozenset(map(name_of, awaited(keeper.world())))
            stage = told.stage if declared else None
            keeper.render(keeper.begin(told.line), told.prose, stage=stage or None)
            keeper.end_scene()
            world = keeper.world()
            held = (name for name, did in acts.items() if holds(world, Condition(did=did)))
            found[told.number] = frozenset(held), waits
    return found


def compared(found: Mapping[tuple[str, int], Done], labels: Labels) -> dict[str, float]:
    """Matched and false, in percent, and what they are of."""
    counts: defaultdict[str, int] = defaultdict(int)
    for line, (acts, waits) in found.items():
        wanted = labels.get(line, frozenset())
        counts["awaited"] += len(wanted & waits)
        counts["met"] += len(wanted & waits & acts)
        counts["acts"] += len(wanted)
        counts["matched"] += len(wanted & acts)
        counts["lines"] += 1
        counts["false"] += bool(acts - wanted)
        counts["awaited_false"] += bool(acts & waits - wanted)
    return {
        "matched": round(100 * counts["matched"] / max(1, counts["acts"]), 1),
        "false": round(100 * counts["false"] / max(1, counts["lines"]), 1),
        "acts": counts["acts"], "lines": counts["lines"], "awaited": counts["awaited"],
        "awaited_matched": round(100 * counts["met"] / max(1, counts["awaited"]), 1),
        "awaited_false": round(100 * counts["awaited_false"] / max(1, counts["lines"]), 1),
    }  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    """Print what differs, turn by turn, and the figures."""
    declared = "--declared" in arguments
    file, *folders = (each for each in arguments if each != "--declared")
    labels, every = labelled(Path(file)), dict[tuple[str, int], Done]()
    for playthrough in (p for folder in folders for p in load(Path(folder))):
        for number, (acts, waits) in done(playthrough, declared=declared).items():
            line = (playthrough.name, number)
            wanted, every[line] = labels.get(line, frozenset()), (acts, waits)
            if acts != wanted:
                print(*line, "missed", sorted(wanted - acts), "false", sorted(acts - wanted))
    print(json.dumps({"storykeeper": compared(every, labels)}))


if __name__ == "__main__":
    main(sys.argv[1:])
