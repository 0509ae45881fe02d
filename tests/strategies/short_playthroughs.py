"""A playthrough of the example story in which nothing is told but how often a bell rang."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from storykeeper.bench.continuity.data import Told

HARROW = Path(__file__).parents[2] / "examples" / "the-lamp-at-harrow"


def bells(turns: int) -> list[Told]:
    """So many turns."""
    rang = "The bell rang {} times over the grey water of the bay. "
    return [Told(n, f"I wait for bell {n}.", rang.format(n) * 9) for n in range(1, turns + 1)]


def needed(name: str, since: int, words: Sequence[Sequence[str]], *turns: int) -> dict:
    """A fact that these turns need."""
    return {
        "id": name, "since": since, "any": words, "needed": turns, "known_by": [],
        "not_known_by": [], "text": name,
    }  # fmt: skip


def playthrough(data: Path, told: Sequence[Told], facts: Sequence[Mapping]) -> None:
    """Write it where benchmarks look for playthroughs."""
    folder = data / "playthroughs" / "mini"
    folder.mkdir(parents=True)
    (folder / "story").symlink_to(HARROW)
    turns = [{"turn": t.number, "line": t.line, "prose": t.prose, "stage": {}} for t in told]
    for name, rows in (("turns", turns), ("facts", facts)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
