"""LitBank: novels of the public domain with mentions and coreference marked by hand.

Read from a folder laid out as the set is published: `coref/conll` has the tokens, sentences and
clusters, `coref/tsv/*.ann` says of each mention what it is of and whether it is a pronoun.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.bench.mentions.scores import Span
from storykeeper.errors import StorykeeperError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_OPENING = frozenset("([“‘`_")
_CLOSING = re.compile(r"^([.,;:!?)\]%”’]|'s|n't|'(ll|re|ve|m|d)|’s)", re.IGNORECASE)


class NoLitBank(StorykeeperError):
    """The data is not where it was looked for."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A mention as marked by hand."""

    start: int
    end: int
    cluster: int
    category: str
    pronoun: bool


@dataclass(frozen=True, slots=True)
class Book:
    """The opening of a novel."""

    name: str
    words: tuple[str, ...]
    starts: tuple[int, ...]  # first tokens of the sentences
    marked: tuple[Marked, ...]

    @property
    def gold(self) -> list[frozenset[Span]]:
        """Its clusters."""
        clusters: dict[int, set[Span]] = defaultdict(set)
        for m in self.marked:
            clusters[m.cluster].add((m.start, m.end))
        return [frozenset(clusters[c]) for c in sorted(clusters)]

    @property
    def pronouns(self) -> frozenset[Span]:
        """Its pronouns."""
        return frozenset((m.start, m.end) for m in self.marked if m.pronoun)

    def sentences(self) -> list[str]:
        """Its sentences as print has them."""
        spaced = [
            f"{word} " if gap else word
            for word, gap in zip(self.words, _spaces(self.words), strict=True)
        ]
        ends = (*self.starts[1:], len(spaced))
        parts = ("".join(spaced[a:b]) for a, b in zip(self.starts, ends, strict=True))
        return [part.strip() for part in parts]


def books(data: Path | None) -> tuple[Book, ...]:
    """All books below a data folder, by name."""
    if data is None:
        raise NoLitBank("no data folder: give --data DIR or set STORYKEEPER_DATA")
    folder = data / "litbank" if (data / "litbank").is_dir() else data
    paths = sorted((folder / "coref" / "conll").glob("*.conll"))
    if not paths:
        raise NoLitBank(f"no LitBank in {data}: expected litbank/coref/conll/*.conll there")
    return tuple(read_book(path) for path in paths)


def read_book(path: Path) -> Book:
    """One book; what each mention is of stands in the folder beside."""
    words: list[str] = []
    starts: list[int] = []
    spans: list[tuple[int, int, int]] = []
    opened: dict[int, list[int]] = defaultdict(list)
    fresh = True
    for line in path.read_text("utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) < 4:
            fresh = True
            continue
        if fresh:
            starts.append(len(words))
            fresh = False
        here = len(words)
        words.append(cells[3])
        for mark in filter(None, cells[-1].split("|")):
            cluster = int(mark.strip("()"))
            if mark.startswith("("):
                opened[cluster].append(here)
            if mark.endswith(")"):
                spans.append((opened[cluster].pop(), here + 1, cluster))
    return Book(path.stem, tuple(words), tuple(starts), _marked(path, starts, spans))


def _marked(path: Path, starts: list[int], spans: list[tuple[int, int, int]]) -> tuple[Marked, ...]:
    """The mentions, each with what the annotators said it is of."""
    notes = path.parents[1] / "tsv" / f"{path.stem}.ann"
    if not notes.is_file():
        raise NoLitBank(f"{notes.name} is missing beside {path}: it says which are pronouns")
    said: dict[Span, tuple[str, bool]] = {}
    for line in notes.read_text("utf-8").splitlines():
        kind, *cells = line.split("\t")
        if kind == "MENTION":
            _, first, at, last, to, _, category, form = cells[:8]
            span = starts[int(first)] + int(at), starts[int(last)] + int(to) + 1
            said[span] = category, form == "PRON"
    return tuple(
        Marked(start, end, cluster, *said[start, end]) for start, end, cluster in sorted(spans)
    )


def parsed(book: Book, pipeline: Language) -> Doc:
    """The book as the parser sees it: its own tokens, with spaces put where print has them."""
    from spacy.tokens import Doc

    doc = Doc(pipeline.vocab, words=list(book.words), spaces=_spaces(book.words))
    for _, step in pipeline.pipeline:
        doc = step(doc)
    return doc


def _spaces(words: tuple[str, ...]) -> list[bool]:
    """Whether a space follows each word; a straight mark opens when none of its kind is open."""
    spaces = [True] * len(words)
    quoted = {'"': False, "'": False}
    for at, word in enumerate(words):
        tight_before = bool(_CLOSING.match(word))
        tight_after = word in _OPENING
        if word in quoted:
            tight_before = quoted[word] and (word == '"' or words[at - 1][-1] in ",.!?;:-")
            owner = word == "'" and at and words[at - 1][-1] in "sz"  # the miners' dwellings
            tight_after = not quoted[word] and not owner
            if tight_before or tight_after:
                quoted[word] = not quoted[word]
        if tight_before and at:
            spaces[at - 1] = False
        if tight_after:
            spaces[at] = False
    return spaces
