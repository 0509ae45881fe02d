"""Our own words, read from `own.txt`: they speak before WordNet does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from storykeeper.language.lexicon.classes import VerbClass
from storykeeper.language.reading import Gender, Sort

_FILE = Path(__file__).with_name("own.txt")
_SECTION, _COMMENT, _MORE = "== ", "# ", "    "

Rows = tuple[tuple[str, tuple[str, ...]], ...]  # what stands before the colon, and the words
Many = Mapping[str, frozenset[str]]


@lru_cache(maxsize=1)
def sorts() -> Mapping[str, Sort]:
    """What sort of thing a noun is of."""
    rows = (*_section("sorts"), *_section("body"))
    return {word: Sort(sort) for sort, words in rows for word in words}


@lru_cache(maxsize=1)
def of_bodies() -> frozenset[str]:
    """Parts of a body before they are parts of a thing: a hand, a foot, a lip."""
    return frozenset(word for _, words in _section("body") for word in words)


@lru_cache(maxsize=1)
def genders() -> Mapping[str, Gender]:
    """Which pronoun fits a noun."""
    return {word: Gender(gender) for gender, words in _section("genders") for word in words}


@lru_cache(maxsize=1)
def valences() -> Mapping[str, float]:
    """How good or bad a word of feeling, harm or care is, from −1 to 1."""
    return {word: float(value) for value, words in _section("valences") for word in words}


@lru_cache(maxsize=1)
def classes() -> Mapping[str, frozenset[VerbClass]]:
    """What a verb does to a story; with its particle, if that makes another verb of it."""
    found: defaultdict[str, set[VerbClass]] = defaultdict(set)
    for name, words in _section("verbs"):
        for word in words:
            found[word].add(VerbClass(name))
    phrases = {phrase: set(map(VerbClass, names)) for phrase, names in _section("phrases")}
    return {verb: frozenset(some) for verb, some in (found | phrases).items()}


@lru_cache(maxsize=1)
def kin() -> Many:
    """From what may be said later to what it may have been called before: the weapon, a sword.

    A wider word takes up a narrower one, and where both are as wide, either the other; a narrower
    one begins a thing of its own.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row, _ in _section("same"):
        for word in row.split():
            found[word].update(row.split())
    for word, narrower in _section("wider"):
        found[word].update(narrower)
    return {word: frozenset(others - {word}) for word, others in found.items()}


@lru_cache(maxsize=1)
def wholes() -> Many:
    """What a part that is named alone is part of: the hilt, of the sword just drawn."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for parts, some in _section("parts"):
        for part in parts.split():
            found[part].update(some)
    return {part: frozenset(some) for part, some in found.items()}


def _section(name: str) -> Rows:
    return _sections()[name]


@lru_cache(maxsize=1)
def _sections() -> Mapping[str, Rows]:
    found: dict[str, list[str]] = {}
    for line in _FILE.read_text("utf-8").splitlines():
        if line.startswith(_SECTION):
            found[line.removeprefix(_SECTION)] = []
        elif line.startswith(_MORE):
            found[next(reversed(found))][-1] += f" {line.strip()}"
        elif line and not line.startswith(_COMMENT):
            found[next(reversed(found))].append(line)
    return {name: tuple(_rows(lines)) for name, lines in found.items()}


def _rows(lines: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in lines:
        head, _, words = line.partition(":")
        yield head, tuple(words.split())
