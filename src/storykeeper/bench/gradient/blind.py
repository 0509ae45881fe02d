"""Prompts to be told by anybody, who does not know what is compared.

Each prompt is a line of a file: an id, which says nothing, and its messages. Whoever writes gets
one file, in which no turn stands twice, so neither do both renderings of a pair; every file has of
every arm about as many, in no order. What an id is of stands in a key beside them, by which what
they answer, lines of id and text, is found again, even if windows are made otherwise by then.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Sequence
from hashlib import sha256
from itertools import count
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from storykeeper.bench.gradient.arms import Arm, contrasts
from storykeeper.bench.gradient.story import MOMENTS
from storykeeper.bench.registry import Figures
from storykeeper.errors import StorykeeperError
from storykeeper.staging.stage_filter import StageFilter

MOST = 60  # prompts of a file: what one writer tells with care


KEY = "key.json"  # of each id its turn and its arms; not for a writer


def write(folder: Path, pairs: int, seed: int) -> Figures:
    """Files of prompts for so many pairs of each contrast, and their key."""
    asked = [_asked(pair) for pair in range(pairs)]
    many = max(*map(len, asked), ceil(sum(map(len, asked)) / MOST))
    names = _names(seed)
    files: list[list[dict[str, Any]]] = [[] for _ in range(many)]
    key: dict[str, tuple[int, list[str]]] = {}
    for pair, prompts in enumerate(asked):
        # the arms of a turn go to files side by side; told again, to the next ones
        first = pair % MOMENTS + pair // MOMENTS * len(prompts)
        for at, (messages, arms) in enumerate(prompts):
            name = next(names)
            key[name] = (pair, arms)
            files[(first + at) % many].append({"id": name, "messages": messages})
    folder.mkdir(parents=True, exist_ok=True)
    for number, rows in enumerate(files, 1):
        Random(seed + number).shuffle(rows)
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in rows)
        (folder / f"prompts-{number:02}.jsonl").write_text("".join(lines), "utf-8")
    (folder / KEY).write_text(json.dumps(key), "utf-8")
    return {"files": many, "prompts": len(key), "pairs": pairs}


class Answers:
    """What was written for the prompts of a folder."""

    def __init__(self, folder: Path, files: Sequence[Path]) -> None:
        if not (folder / KEY).exists():
            raise StorykeeperError(
                f"{folder} has no {KEY}; name the folder the prompts were put in"
            )
        key = json.loads((folder / KEY).read_text("utf-8"))
        self.pairs = 1 + max(pair for pair, _ in key.values())
        self._texts: dict[tuple[str, int], str] = {}
        for file in files:
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
                if line.strip():
                    name, text = _answer(line, f"{file}:{number}", key)
                    pair, arms = key[name]
                    self._texts |= {(arm, pair): text for arm in arms}

    def prose(self, arm: Arm, moment: int, seed: int) -> str | None:
        """What was written for an arm's window of a moment."""
        return self._texts.get((arm.name, moment))


def _names(seed: int) -> Iterator[str]:
    """Ids that say nothing."""
    return (sha256(f"{seed} {number}".encode()).hexdigest()[:10] for number in count())


def _asked(pair: int) -> list[tuple[list[dict[str, Any]], list[str]]]:
    """The prompts of a turn, each once, with their arms: some come to the same window."""
    arms = {arm.name: arm for each in contrasts() for arm in (each.low, each.high)}
    found: dict[str, tuple[list[dict[str, Any]], list[str]]] = {}
    for name, arm in arms.items():
        messages = arm.messages(pair)
        found.setdefault(json.dumps(messages), (messages, []))[1].append(name)
    return list(found.values())


def _answer(line: str, where: str, known: Container[str]) -> tuple[str, str]:
    try:
        row = json.loads(line)
        name, text = str(row["id"]), str(row["text"])
    except (ValueError, TypeError, KeyError) as error:
        raise StorykeeperError(f'{where}: no answer; it is {{"id": …, "text": …}}') from error
    if name not in known:
        raise StorykeeperError(f"{where}: no answer; no prompt has the id {name!r}")
    held = StageFilter()
    held.add(text)
    held.end()
    return name, held.prose
