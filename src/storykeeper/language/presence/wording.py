"""A text made ready for phrases: straight apostrophes, quotations blanked, sentences, words.

What is found can be shown as it was written: `as_written` leads back to the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

Span = tuple[int, int]

LONGEST = 4_000  # letters read of one utterance: comings and goings are said at its ends
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"'})
_QUOTED = re.compile(r'"[^"]*"|(?<!\w)\'(?:[^\']|(?<=\w)\'(?=\w))*\'(?!\w)')
_SENTENCE = re.compile(r"[^.!?;…\n]+[.!?;…\n]*")
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[^\w\s]")
_OPENS = frozenset(".!?;:,…-–—()[]*\n")


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a mark, and where it stands."""

    text: str  # in small letters
    start: int
    end: int
    raw: str
    first: bool  # of a clause: at the beginning, or after a mark

    @property
    def mark(self) -> bool:
        """Whether it is a mark rather than a word."""
        return not self.raw[0].isalnum()


@dataclass(frozen=True)
class Wording:
    """A text and its parts."""

    text: str

    @cached_property
    def plain(self) -> str:
        """The text in which phrases are looked for: without what is quoted, or too long."""
        straight = self._ends.translate(_STRAIGHT)
        said = straight.strip()
        return _QUOTED.sub(lambda m: _blank(m.group(), whole=m.group() == said), straight)

    def as_written(self, span: Span) -> tuple[str, int, int]:
        """The words of a span of the plain text, and where they stand in the text."""
        cut = len(self.text) - len(self.plain)
        start, end = (place + cut * (place > LONGEST // 2) for place in span)
        return self.text[start:end], start, end

    @cached_property
    def _ends(self) -> str:
        """The text; of a long one the beginning and the end, a line each."""
        if len(self.text) <= LONGEST:
            return self.text
        half = LONGEST // 2
        return f"{self.text[:half]}\n{self.text[-half:]}"

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """Where each begins and ends, with the marks that close it."""
        return tuple(match.span() for match in _SENTENCE.finditer(self.plain))

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words and marks, in order."""
        found, first = [], True
        for match in _TOKEN.finditer(self.plain):
            raw = match.group()
            found.append(Word(raw.lower(), match.start(), match.end(), raw, first))
            first = raw in _OPENS
        return tuple(found)

    @cached_property
    def places(self) -> dict[str, list[Word]]:
        """Every word with where it stands."""
        found: dict[str, list[Word]] = {}
        for word in self.words:
            found.setdefault(word.text, []).append(word)
        return found

    def sentence_at(self, place: int) -> Span:
        """The sentence that a place lies in."""
        n = bisect_right(self.sentences, (place, len(self.plain) + 1)) - 1
        return self.sentences[n] if n >= 0 else (0, len(self.plain))


def _blank(quoted: str, *, whole: bool) -> str:
    """Spaces for somebody else's words; if all is in quotation marks, these are the speaker's."""
    return f" {quoted[1:-1]} " if whole else " " * len(quoted)
