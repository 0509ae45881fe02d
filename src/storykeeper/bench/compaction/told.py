"""What was told, and what people made of it: CRD3's evenings and SQuALITY's stories.

Of CRD3, the turns of an evening are items, and the parts of the summary that people wrote are
questions. Of SQuALITY, the paragraphs of a story are items, and the first answer that people wrote
to each question about it. Every sentence of theirs with three content words or more is sought.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storykeeper.bench.mentions.campaign_data import episodes
from storykeeper.errors import StorykeeperError
from storykeeper.memory.compaction.sentences import sentences
from storykeeper.memory.compaction.terms import terms
from storykeeper.memory.items import Item

LEAST_TERMS = 3
_PARAGRAPH = re.compile(r"\n\s*\n")


class NothingTold(StorykeeperError):
    """The data is not where it was looked for, or is not of this kind."""


@dataclass(frozen=True, slots=True)
class Told:
    """A memory's items, and the sentences of people's summaries of them."""

    name: str
    items: tuple[Item, ...]
    sought: tuple[str, ...]


def evenings(data: Path, *, most: int | None = None) -> Iterator[Told]:
    """CRD3: an evening each."""
    for episode in episodes(data)[:most]:
        aligned = data / "crd3" / "aligned" / f"{episode.name}_2_0.json"
        try:
            chunks = [chunk["CHUNK"] for chunk in json.loads(aligned.read_text("utf-8"))]
        except (OSError, ValueError, KeyError, TypeError) as wrong:
            raise NothingTold(f"{aligned} is no summary of crd3: {wrong!r}") from wrong
        said = [(" and ".join(turn.speakers), turn.text) for turn in episode.turns]
        yield Told(episode.name, _items(said, session=episode.name), _sought(chunks))


def stories(data: Path, *, most: int | None = None) -> Iterator[Told]:
    """SQuALITY: a story each."""
    path = data / "squality" / "train.jsonl"
    try:
        lines = path.read_text("utf-8").splitlines()[:most]
    except OSError as wrong:
        raise NothingTold(f"no {path}; say with --data where squality is") from wrong
    for number, line in enumerate(lines, start=1):
        try:
            yield _story(f"story {number}", json.loads(line))
        except (ValueError, LookupError, TypeError) as wrong:
            raise NothingTold(f"line {number} of {path} is no story: {wrong!r}") from wrong


def _story(name: str, told: dict[str, Any]) -> Told:
    paragraphs = (" ".join(part.split()) for part in _PARAGRAPH.split(told["document"]))
    answers = (q["responses"][0]["response_text"] for q in told["questions"])
    said = [("", paragraph) for paragraph in paragraphs]
    return Told(name, _items(said, session=name), _sought(answers))


def _items(said: Iterable[tuple[str, str]], *, session: str) -> tuple[Item, ...]:
    kept = [(speaker, text) for speaker, text in said if text.strip()]
    return tuple(
        Item(id=f"{n}", text=text, order=n, speaker=speaker, turn=n, session=session)
        for n, (speaker, text) in enumerate(kept, start=1)
    )


def _sought(texts: Iterable[str]) -> tuple[str, ...]:
    found = (sentence for text in texts for sentence in sentences(text))
    return tuple(dict.fromkeys(s for s in found if len(terms(s)) >= LEAST_TERMS))
