"""Talks and stories of which it is known who perceived each line.

Percept-FANToM, `percept/percept-fantom.csv`: a row an utterance ("Ana: …") with its perceivers;
the parts of one conversation overlap and are counted as they are. Percept-ToMi,
`percept/percept-tomi.csv`: a row a story, its sentences beside who perceived each.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from storykeeper.errors import StorykeeperError
from storykeeper.language.presence import Utterance

_LONGEST_HEAD = 80  # letters before the colon; more is a sentence, not who speaks


class NoWitnesses(StorykeeperError):
    """The data is not where it was looked for."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A part of a conversation, and who perceived each utterance."""

    part: str
    utterances: tuple[Utterance, ...]
    gold: tuple[frozenset[str], ...]

    @property
    def cast(self) -> tuple[str, ...]:
        """Everybody of this part, in the order of their names."""
        return tuple(sorted(frozenset().union(*self.gold)))


@dataclass(frozen=True, slots=True)
class Story:
    """A story of short sentences, and who perceived each."""

    index: str
    sentences: tuple[str, ...]
    gold: tuple[frozenset[str], ...]

    @property
    def cast(self) -> tuple[str, ...]:
        """Everybody who perceives something, in the order of their names."""
        return tuple(sorted(frozenset().union(*self.gold)))


def talks(data: Path | None) -> list[Talk]:
    """The conversations of a data folder, part by part."""
    rows: dict[str, list[dict[str, str]]] = {}
    for row in _rows(data, "percept-fantom.csv"):
        rows.setdefault(row["part"], []).append(row)
    return [
        Talk(
            part,
            tuple(_said(row["utterance"]) for row in said),
            tuple(_people(ast.literal_eval(row["perceivers"])) for row in said),
        )
        for part, said in rows.items()
    ]


def stories(data: Path | None) -> list[Story]:
    """The stories of a data folder."""
    return [
        Story(
            row["index"],
            tuple(ast.literal_eval(row["story"])),
            tuple(_people(who) for who in ast.literal_eval(row["perceivers"])),
        )
        for row in _rows(data, "percept-tomi.csv")
    ]


def _rows(data: Path | None, name: str) -> Iterator[dict[str, str]]:
    if data is None:
        raise NoWitnesses("no data folder: give --data DIR or set STORYKEEPER_DATA")
    path = next((p for p in (data / "percept" / name, data / name) if p.is_file()), None)
    if path is None:
        raise NoWitnesses(f"no {name} in {data}: expected percept/{name} there")
    with path.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def _said(line: str) -> Utterance:
    head, colon, text = line.partition(":")
    if not colon or len(head) > _LONGEST_HEAD:
        return Utterance("", line.strip())
    return Utterance(head.strip(), text.strip())


def _people(names: list[str]) -> frozenset[str]:
    return frozenset(name for name in names if name.strip())
