"""Texts to fit on: sentences of LitBank and SQuALITY, turns of CRD3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from storykeeper.errors import StorykeeperError

_SENTENCE_END = re.compile(r"(?<=[.!?]) +|(?<=[.!?][”\"’)]) +")


class _Turn(msgspec.Struct, rename="upper"):
    utterances: list[str]


class _Episode(msgspec.Struct, rename="upper"):
    turns: list[_Turn]


class _Passage(msgspec.Struct):
    document: str


class NoData(StorykeeperError):
    """The folder of texts to fit on has none."""


def texts(data: Path) -> list[str]:
    """All of them, each once, the sources in turn sorted by file."""
    found = list(dict.fromkeys([*_litbank(data), *_crd3(data), *_squality(data)]))
    if not found:
        raise NoData(f"nothing to fit on in {data}; it must have litbank, crd3 or squality")
    return found


def sentences(text: str) -> list[str]:
    """A text in pieces that end where a sentence may."""
    flat = " ".join(text.split())
    return [part for part in _SENTENCE_END.split(flat) if part]


def _litbank(data: Path) -> Iterator[str]:
    for path in sorted((data / "litbank" / "coref" / "tsv").glob("*.txt")):
        yield from filter(None, map(str.strip, path.read_text("utf-8").split("\n")))


def _crd3(data: Path) -> Iterator[str]:
    for path in sorted((data / "crd3" / "episodes").glob("*.json")):
        for turn in msgspec.json.decode(path.read_bytes(), type=_Episode).turns:
            yield " ".join(turn.utterances)


def _squality(data: Path) -> Iterator[str]:
    for path in sorted((data / "squality").glob("*.jsonl")):
        for line in filter(None, path.read_bytes().split(b"\n")):
            yield from sentences(msgspec.json.decode(line, type=_Passage).document)
