"""Where words stand in a text: what a model quotes is looked for, its positions are ours.

A quotation need not have the text's case, quotation marks or line breaks. It is found at the next
place in order, since a model is asked to go through the text once; failing that, at the first place
that nothing else took.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

_STRAIGHT = str.maketrans("‘’‚“”„«»", '\'\'\'"""""')
_AROUND = " .,;:!?\"'()[]{}*_-–—…"


@dataclass(frozen=True, slots=True)
class Span:
    """From a character of a text up to, not with, another."""

    start: int
    end: int

    def within(self, other: Span) -> bool:
        """Whether it lies in another."""
        return other.start <= self.start and self.end <= other.end


class Prose:
    """A text in which words can be found; `original` has the same places, and is what is quoted."""

    def __init__(self, text: str, *, original: str | None = None) -> None:
        self.text = text if original is None else original
        self._even, self._places = _evened(text)
        self._lower = _lowered(self._even)
        self._edges = [not _inside_word(self._even, at) for at in range(len(self._even) + 1)]
        self._next_edge = list(range(len(self._edges)))
        for at in range(len(self._edges) - 2, -1, -1):
            if not self._edges[at]:
                self._next_edge[at] = self._next_edge[at + 1]

    def spans(self, words: str, *, start: int = 0, exact: bool = False) -> Iterator[Span]:
        """Every place of some words that begins at `start` or later, as whole words."""
        hay = self._even if exact else self._lower
        needle = _evened(words.strip())[0].strip(_AROUND)
        needle = needle if exact else _lowered(needle)
        at = hay.find(needle, bisect_left(self._places, start)) if needle else -1
        while at >= 0:
            end = at + len(needle)
            if self._edges[at] and self._edges[end]:
                yield Span(self._places[at], self._places[end - 1] + 1)
            # On to where a word begins: a text of one endless word has no more than one place.
            at = hay.find(needle, self._next_edge[at + 1])

    def has(self, words: str) -> bool:
        """Whether the text has these words."""
        return next(self.spans(words), None) is not None

    def original(self, span: Span) -> str:
        """What stands at a span."""
        return self.text[span.start : span.end]


@dataclass(slots=True)
class Finder:
    """Finds one quotation after another, no place twice."""

    prose: Prose
    _taken: set[Span] = field(default_factory=set)
    _gone: set[str] = field(default_factory=set)  # words with no free place left
    _at: int = 0

    def find(self, words: str) -> Span | None:
        """The next free place of some words."""
        if words in self._gone:
            return None
        for exact in (True, False):
            for onward in (True, False):
                span = self._free(words, start=self._at if onward else 0, exact=exact)
                if span is not None:
                    self._taken.add(span)
                    self._at = span.start if onward else self._at
                    return span
        self._gone.add(words)
        return None

    def _free(self, words: str, *, start: int, exact: bool) -> Span | None:
        spans = self.prose.spans(words, start=start, exact=exact)
        return next((span for span in spans if span not in self._taken), None)


def _evened(text: str) -> tuple[str, list[int]]:
    """A text with straight quotation marks and single spaces, and where each character was."""
    even: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text.translate(_STRAIGHT)):
        if char.isspace():
            if even and even[-1] == " ":
                continue
            char = " "
        even.append(char)
        places.append(place)
    return "".join(even), places


def _lowered(text: str) -> str:
    """In lower case, character by character, so that every one stays where it was."""
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _inside_word(text: str, at: int) -> bool:
    """Whether a place is inside a word, like lamp-keeper, or between a letter and its accent.

    Only in scripts that have capitals: others may put no space between words.
    """
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not (before and after):
        return False
    if unicodedata.combining(after[0]):
        return True
    if before[-1] == "-" or after[0] == "-":
        before, after = before.removesuffix("-"), after.removeprefix("-")
    return bool(before and after) and _wordlike(before[-1]) and _wordlike(after[0])


def _wordlike(char: str) -> bool:
    return char.isdigit() or char.lower() != char.upper()
