"""What of the acts that authors wait for the lines of playthroughs do, against labels.

    python -m storykeeper.bench.continuity.player_lines LABELS DIR …

A label names an act of the story's conditions as "ask oswin tongue": the act, to whom or what, and
about what. `matched` is the share of labelled acts that hold after their turn, `false` the share of
all lines after which an act holds that is not labelled. The last line is one JSON object.
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
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.walk import walk
from storykeeper.world.conditions import holds

Labels = Mapping[tuple[str, int], frozenset[str]]


def labelled(file: Path) -> Labels:
    """The acts that each line of each playthrough does."""
    rows = map(json.loads, filter(str.strip, file.read_text("utf-8").splitlines()))
    return {(row["playthrough"], row["turn"]): frozenset(row["acts"]) for row in rows}


def _name(did: Did) -> str:
    return " ".join(filter(None, (did.act, did.to, did.about)))


def done(playthrough: Playthrough, *, most: int | None = None) -> dict[int, frozenset[str]]:
    """The author's acts that hold after each turn, as it was played and told."""
    found: dict[int, frozenset[str]] = {}
    with (
        TemporaryDirectory(prefix="storykeeper-bench-") as folder,
        Storykeeper.open(Path(folder) / "run.db", story=playthrough.story) as keeper,
    ):
        acts = {_name(part): part for _, part in walk(keeper.world().plan.story)
                if isinstance(part, Did)}  # fmt: skip
        for told in playthrough.turns[:most]:
            keeper.render(keeper.begin(told.line), told.prose)
            keeper.end_scene()
            world = keeper.world()
            found[told.number] = frozenset(
                name for name, did in acts.items() if holds(world, Condition(did=did))
            )
    return found


def compared(found: Mapping[tuple[str, int], frozenset[str]], labels: Labels) -> dict[str, float]:
    """Matched and false, in percent, and what they are of."""
    counts: defaultdict[str, int] = defaultdict(int)
    for line, acts in found.items():
        wanted = labels.get(line, frozenset())
        counts["acts"] += len(wanted)
        counts["matched"] += len(wanted & acts)
        counts["lines"] += 1
        counts["false"] += bool(acts - wanted)
    return {
        "matched": round(100 * counts["matched"] / max(1, counts["acts"]), 1),
        "false": round(100 * counts["false"] / max(1, counts["lines"]), 1),
        "acts": counts["acts"], "lines": counts["lines"],
    }  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    """Print what differs, turn by turn, and the figures."""
    labels, every = labelled(Path(arguments[0])), {}
    for playthrough in (p for folder in arguments[1:] for p in load(Path(folder))):
        for number, acts in done(playthrough).items():
            line = (playthrough.name, number)
            wanted, every[line] = labels.get(line, frozenset()), acts
            if acts != wanted:
                print(*line, "missed", sorted(wanted - acts), "false", sorted(acts - wanted))
    print(json.dumps({"storykeeper": compared(every, labels)}))


if __name__ == "__main__":
    main(sys.argv[1:])
