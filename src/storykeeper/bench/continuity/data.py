"""Playthroughs: a story, what was typed and told turn by turn, and what is needed later.

A fact is in a text if all words of one of its lists stand in it within 400 characters of each
other, as whole words in any case, simple endings allowed. The lists are for measuring: nothing
that makes a window sees them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from storykeeper.errors import StorykeeperError

SPAN = 400
_ENDINGS = r"(?:s|es|d|ed|ing|'s|n|ly)?"


class NoPlaythroughs(StorykeeperError):
    """The data is not where it was looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A turn: what the player typed, and what was told."""

    number: int
    line: str
    prose: str
    stage: Mapping[str, Any] = field(default_factory=dict)  # what was so; as a narrator declares it


@dataclass(frozen=True, slots=True)
class Needed:
    """Something that must not be forgotten, and the turns in which it is needed."""

    id: str
    since: int
    any: tuple[tuple[str, ...], ...]
    turns: tuple[int, ...]
    known_by: tuple[str, ...] = ()
    not_known_by: tuple[str, ...] = ()
    text: str = ""

    def within(self, text: str) -> bool:
        """Whether a text has it."""
        return any(together(text, words) for words in self.any)


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A whole run, as it was told."""

    name: str
    story: Path
    turns: tuple[Told, ...]
    facts: tuple[Needed, ...]

    @property
    def pairs(self) -> int:
        """How often something is needed."""
        return sum(len(fact.turns) for fact in self.facts)


def load(data: Path | None) -> list[Playthrough]:
    """All of `data/playthroughs/*`, by name."""
    folder = data / "playthroughs" if data is not None else None
    found = sorted(folder.glob("*/turns.jsonl")) if folder is not None else []
    if not found:
        raise NoPlaythroughs(f"no playthroughs/*/turns.jsonl in {data}; say where with --data")
    return [_playthrough(each.parent) for each in found]


def _playthrough(folder: Path) -> Playthrough:
    turns = [json.loads(line) for line in _lines(folder / "turns.jsonl")]
    facts = [json.loads(line) for line in _lines(folder / "facts.jsonl")]
    return Playthrough(
        folder.name,
        folder / "story",
        tuple(Told(t["turn"], t["line"], t["prose"], t["stage"]) for t in turns),
        tuple(
            Needed(
                f["id"], f["since"], tuple(tuple(words) for words in f["any"]), tuple(f["needed"]),
                tuple(f["known_by"]), tuple(f["not_known_by"]), f["text"],
            )
            for f in facts
        ),
    )  # fmt: skip


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").splitlines() if line.strip()]


def together(text: str, words: tuple[str, ...]) -> bool:
    """Whether all of these words stand near each other somewhere in a text."""
    places = [[m.start() for m in _pattern(word).finditer(text)] for word in words]
    if not all(places):
        return False
    every = sorted((at, i) for i, found in enumerate(places) for at in found)
    for n, (start, _) in enumerate(every):
        near = {i for at, i in every[n:] if at - start <= SPAN}
        if len(near) == len(words):
            return True
    return False


@lru_cache(maxsize=1_024)
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}{_ENDINGS}(?!\w)", re.IGNORECASE)
