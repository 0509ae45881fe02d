"""Texts to catch and texts to leave alone: public sets, fiction, and our own by pattern.

deepset and BIPIA only measure. What ships is fitted on our own patterns and on LitBank, CRD3,
SQuALITY and LongMemEval; the playthroughs, and what `unseen.jsonl` and `unseen_second.jsonl` have,
are in no fit either. The second is by an author who had seen no rule, no pattern and no other row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from storykeeper.bench.compaction.told import stories
from storykeeper.bench.continuity.data import load as playthroughs
from storykeeper.bench.injections.patterns import Pattern, patterns
from storykeeper.bench.mentions.campaign_data import episodes
from storykeeper.bench.mentions.litbank import books
from storykeeper.bench.recall.longmemeval import load as chats
from storykeeper.errors import StorykeeperError

PASSAGE_SENTENCES = 5  # of a novel are a passage
DRAWN = 60  # sentences of a pattern, to learn from
# A chat in which somebody asks a model to write something is no example of what to leave alone.
_ASKED_FOR = re.compile(
    r"\b(?:writ|generat|creat|compos|draft|translat|summari|rewrit|rephras|code|essay|poem|act as|"
    r"pretend|prompt|respon|answer|list|explain|provide)",
    re.IGNORECASE,
)


class NoInjections(StorykeeperError):
    """The data is not where it was looked for."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A text, where it is from, and whether it is to be caught."""

    text: str
    source: str
    group: str  # what is left out together: a book, an episode, a family
    bad: bool = False


# ── to catch ─────────────────────────────────────────────────────────────────────────────────


def deepset(data: Path | None) -> list[Sample]:
    """The labelled rows; more files of the same shape may stand beside it."""
    rows = _json(data, "deepset.json")
    return [Sample(r["text"], "deepset", "deepset", bool(r["label"])) for r in rows]


def bipia(data: Path | None) -> list[Sample]:
    """Attacks that stand in mails and tables, by what they want."""
    rows: dict[str, list[str]] = _json(data, "bipia-text.json")
    return [Sample(text, "bipia", kind, bad=True) for kind, texts in rows.items() for text in texts]


def unseen(name: str = "unseen") -> list[Sample]:
    """Attacks and stories in styles that no pattern has, each by name; nothing is fitted on them"""
    lines = files(__package__).joinpath(f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [Sample(r["text"], name, r["style"], r["bad"]) for r in rows]


def _json(data: Path | None, name: str) -> Any:
    path = None if data is None else data / "injections" / name
    if path is None or not path.is_file():
        raise NoInjections(f"no injections/{name} in {data}; say where it is with --data")
    return json.loads(path.read_text("utf-8"))


# ── to leave alone ───────────────────────────────────────────────────────────────────────────


def novels(data: Path | None) -> Iterator[Sample]:
    """LitBank, a few sentences at a time."""
    for book in books(data):
        told = book.sentences()
        for at in range(0, len(told), PASSAGE_SENTENCES):
            yield Sample(" ".join(told[at : at + PASSAGE_SENTENCES]), "litbank", book.name)


def tables(data: Path) -> Iterator[Sample]:
    """CRD3, turn by turn."""
    for evening in episodes(data):
        for turn in evening.turns:
            if turn.text.strip():
                yield Sample(turn.text, "crd3", evening.name)


def played(data: Path | None) -> Iterator[Sample]:
    """The playthroughs: each line that was typed, each paragraph that was told."""
    for each in playthroughs(data):
        for turn in each.turns:
            for text in (turn.line, *turn.prose.split("\n\n")):
                if text.strip():
                    yield Sample(text, "playthroughs", each.name)


def narrated(data: Path) -> Iterator[Sample]:
    """The passages of `data/perception`, many of them in the second person; they may be shipped."""
    for path in sorted((data / "perception").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            told = "".join(each["text"] for each in row["segments"])
            for text in (row["before"], told):
                if text.strip():
                    yield Sample(text, "perception", path.stem)


def old_stories(data: Path, *, most: int | None = None) -> Iterator[Sample]:
    """SQuALITY, paragraph by paragraph."""
    for told in stories(data, most=most):
        for item in told.items:
            yield Sample(item.text, "squality", told.name)


def asked(data: Path | None) -> Iterator[Sample]:
    """What people say to an assistant in LongMemEval, without what they ask it to write."""
    for row in chats(data):
        for session in row["evidence"]:
            for turn in session["turns"]:
                if turn["role"] == "user" and not _ASKED_FOR.search(turn["content"]):
                    yield Sample(turn["content"], "longmemeval", row["question_id"])


# ── our own, by pattern ──────────────────────────────────────────────────────────────────────


def drawn(found: Iterable[Pattern], *, bad: bool, times: int = DRAWN) -> Iterator[Sample]:
    """Sentences of patterns."""
    for each in found:
        for text in each.drawn(times):
            yield Sample(text, "patterns", each.family, bad)


def ours() -> list[Sample]:
    """All of our own that may be learned from."""
    bad = drawn(patterns("attacks.txt"), bad=True)
    return [*bad, *drawn(patterns("harmless.txt"), bad=False)]
