"""ToMi as it is published: numbered sentences, after them a question with its answer; beside it a
trace, one line a question: what happens in the story, what kind of question, what kind of story.

    1 Ella entered the garage.
    2 The spinach is in the green_crate.
    3 Where is the spinach really?<tab>green_crate<tab>1
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from storykeeper.errors import StorykeeperError

_LINE = re.compile(r"^(\d+)\s+(.+)$")


class NoTales(StorykeeperError):
    """The data is not where it was looked for, or is not laid out as it should be."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a story."""

    sentences: tuple[str, ...]
    question: str
    gold: str
    trace: tuple[str, ...]  # what happens, as the set names it
    kind: str  # of question: memory, reality, first_order_0_tom …


def tomi(data: Path | None) -> list[Asked]:
    """Every question of every set in the folder that has its trace beside it."""
    if data is None:
        raise NoTales("no data folder: give --data DIR or set STORYKEEPER_DATA")
    folder = Path(data) / "tomi"
    texts = sorted(path for path in folder.glob("*.txt") if path.with_suffix(".trace").is_file())
    if not texts:
        raise NoTales(f"no ToMi in {folder}: NAME.txt and NAME.trace beside it are looked for")
    return [asked for path in texts for asked in _questions(path)]


def _questions(path: Path) -> Iterator[Asked]:
    traces = path.with_suffix(".trace").read_text("utf-8").splitlines()
    sentences: list[str] = []
    number = 0
    for at, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        match = _LINE.match(line)
        if match is None:
            raise NoTales(f"{path}, line {at}: a number and a sentence should stand here")
        text, *more = match.group(2).split("\t")
        if not more:
            sentences.append(text)
            continue
        if number >= len(traces):
            raise NoTales(f"{path}, line {at}: its trace has only {number} lines")
        *events, kind, _ = traces[number].split(",")
        yield Asked(tuple(sentences), text.strip(), more[0].strip(), tuple(events), kind)
        sentences, number = [], number + 1
