"""The words of a text with their plain forms, against which a model's words are checked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from storykeeper.language.parser import parse
from storykeeper.language.prose.words import Words
from storykeeper.language.verbs import is_verb
from storykeeper.models.spans import Span

_NO_ACTS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text."""

    span: Span
    form: str  # as it stands, in lower case
    plain: str  # "pick" of "picked", "cup" of "cups"
    noun: bool
    verb: bool
    sentence: int


class Parsed:
    """The words of a text, in order."""

    def __init__(self, text: str) -> None:
        self.words = tuple(_words(text))
        self._starts = [word.span.start for word in self.words]
        self._forms = frozenset(form for word in self.words for form in (word.form, word.plain))

    def has(self, words: str) -> bool:
        """Whether each of some words is one of the text, or the plain form of one."""
        return all(word in self._forms for word in words.lower().split())

    def inside(self, span: Span) -> tuple[Word, ...]:
        """The words of a span."""
        first = max(0, bisect_right(self._starts, span.start) - 1)
        last = bisect_right(self._starts, span.end)
        return tuple(word for word in self.words[first:last] if word.span.within(span))

    def verbs(self, said: str) -> Iterator[Word]:
        """The verbs of the text that a word may stand for: "took" for "took" and "take"."""
        said = said.lower()
        return (word for word in self.words if word.verb and said in (word.form, word.plain))

    def names(self, plain: str, *, sentence: int) -> bool:
        """Whether a sentence has a word with that plain form."""
        return any(word.plain == plain for word in self.words if word.sentence == sentence)

    def sentence_at(self, place: int) -> int:
        """The number of the sentence that a character stands in."""
        at = bisect_right(self._starts, place) - 1
        return self.words[at].sentence if at >= 0 else 0


def _words(text: str) -> Iterator[Word]:
    for word in Words.of(parse(text)):
        if word.text.strip():
            yield Word(
                Span(word.start, word.end),
                word.lower,
                word.lemma.lower() or word.lower,
                noun=word.pos in ("NOUN", "PROPN"),
                verb=word.pos in ("VERB", "AUX") or is_verb(word.lower, _NO_ACTS),
                sentence=word.sentence,
            )
