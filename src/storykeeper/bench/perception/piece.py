"""When a brief has a piece of a passage.

Words are compared, not meanings: a brief that tells it in words of its own does not have it.

- Of *speech* the words inside the quotation marks count, not the tag. They are folded: case,
  punctuation and the form of apostrophes do not matter. Where a speech has no quotation marks, it
  is what stands in italics or after a name in a script; where it is only reported, all of it, as
  of other kinds.
- Of *other kinds* all words count but personal pronouns and the names of the cast. These are taken
  out of both texts, because a brief may say “you” or “the smith” for a name.
- A word is there if a run of at least three words around it stands in one item of the brief. A
  quotation of fewer words must stand there as a quotation of its own, another piece of fewer words
  as a sentence of its own.
- The piece is had if at least 60 % of its words are there.

What somebody has anyway is no evidence. Words in runs that also stand in `before`, in another piece
which this one perceives by the labels, or, for whoever is played, in the line that was typed, count
neither way; where they are more than half of a piece, the pair of piece and person is left out, for
our own figures and for the baselines alike.

Of a brief only what tells events is looked at: its items below the preamble, where the author's
material and who the reader is stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from storykeeper.bench.perception.data import KINDS, Passage, Segment

RUN = 3  # words
ENOUGH = 0.6  # of the words
OWN = 0.5  # of the words, at least, must not be had anyway

Words = tuple[str, ...]

_APOSTROPHES = str.maketrans("‘’ʼ", "'''")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_PRONOUNS = frozenset({
    "i", "me", "my", "mine", "myself", "you", "your", "yours", "yourself", "yourselves",
    "he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself",
    "we", "us", "our", "ours", "ourselves", "they", "them", "their", "theirs", "themselves",
})  # fmt: skip
_CONTRACTED = re.compile(r"'(?:s|m|re|ve|d|ll)$")
_SENTENCE_END = re.compile(r"[.!?…]+|\n")
_DIRECTION = re.compile(r"\*?\([^)]*\)\*?")  # how an actor says it
_SPOKEN = (  # as speech is marked; the first way that a text has is its way
    re.compile(r"[\"“]([^\"“”]*)(?:[\"”]|$)"),
    re.compile(r"‘((?:[^’]|’(?=\w))*)(?:’|$)"),
    re.compile(r"(?<!\w)'(.+?)'(?!\w)", re.DOTALL),
    re.compile(r"^\W*\*+[^*\n]+:\*+ (.+)$", re.MULTILINE),  # a script
    re.compile(r"\*+([^*]+)\*+"),
)


def words(text: str) -> Words:
    """The words of a text, folded."""
    return tuple(_WORD.findall(text.translate(_APOSTROPHES).casefold()))


class Names:
    """What the cast is called: taken out of what is told, with the personal pronouns."""

    def __init__(self, passage: Passage) -> None:
        whole = {name for person in passage.cast for name in person.names}
        large = {part for name in whole for part in name.split() if part[:1].isupper()}
        known = sorted((w for w in map(words, whole | large) if w), key=len, reverse=True)
        self._known = tuple(known)

    def without(self, text: str) -> Words:
        """The words of a text but names and pronouns."""
        given = words(text)
        bare = tuple(_CONTRACTED.sub("", word) for word in given)
        kept: list[str] = []
        at = 0
        while at < len(given):
            named = next((n for n in self._known if bare[at : at + len(n)] == n), ())
            if not named and bare[at] not in _PRONOUNS:
                kept.append(given[at])
            at += len(named) or 1
        return tuple(kept)


@dataclass(frozen=True, slots=True)
class Told:
    """A text in which pieces are looked for: its runs of words, and what stands in it alone."""

    runs: frozenset[Words]
    alone: frozenset[Words]


@dataclass(frozen=True, slots=True)
class Haystack:
    """Texts, read as speech and as what is told."""

    spoken: Told
    told: Told

    @classmethod
    def of(cls, texts: Iterable[str], names: Names) -> Haystack:
        """Each by itself: no run goes from one to the next."""
        each = list(texts)
        quoted = (words(said) for text in each for way in _SPOKEN for said in way.findall(text))
        sentences = (names.without(s) for text in each for s in _SENTENCE_END.split(text))
        return cls(
            Told(frozenset(chain.from_iterable(map(_runs, map(words, each)))), frozenset(quoted)),
            Told(
                frozenset(chain.from_iterable(_runs(names.without(text)) for text in each)),
                frozenset(sentences),
            ),
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A segment as it is looked for: its quotations, or all of it as one part."""

    number: int
    kind: str
    parts: tuple[Words, ...]
    spoken: bool

    @classmethod
    def of(cls, number: int, segment: Segment, names: Names) -> Piece:
        """The words of a segment that count."""
        said = _said(segment.text) if segment.kind == "speech" else ()
        return cls(number, segment.kind, said or (names.without(segment.text),), bool(said))

    def there(self, text: Haystack) -> list[bool]:
        """Of each of its words, whether a text has it."""
        told = text.spoken if self.spoken else text.told
        whole = tuple(chain.from_iterable(self.parts))
        found = [len(whole) < RUN and whole in told.alone] * len(whole)
        for at in range(len(whole) - RUN + 1):
            if whole[at : at + RUN] in told.runs:
                found[at : at + RUN] = [True] * RUN
        at = 0
        for part in self.parts:
            if len(part) < RUN and part in told.alone:
                found[at : at + len(part)] = [True] * len(part)
            at += len(part)
        return found


@dataclass(frozen=True, slots=True)
class Pair:
    """A piece and one of the cast, who perceives it or does not."""

    piece: Piece
    who: str
    perceived: bool
    anyway: tuple[bool, ...]  # of each word, whether they have it from elsewhere

    def had(self, brief: Haystack) -> bool:
        """Whether their brief has the piece."""
        own = [found for found, no in zip(self.piece.there(brief), self.anyway, strict=True)
               if not no]  # fmt: skip
        return sum(own) >= ENOUGH * len(own)


def pairs(passage: Passage, names: Names) -> Iterator[Pair]:
    """Every piece with everyone of the cast, where a brief can show whether they have it."""
    for number, segment in enumerate(passage.segments):
        if segment.kind not in KINDS:
            continue
        piece = Piece.of(number, segment, names)
        for who in passage.people:
            anyway = piece.there(Haystack.of(_elsewhere(passage, number, who), names))
            if anyway and anyway.count(False) >= OWN * len(anyway):
                yield Pair(piece, who, who in segment.perceivers, tuple(anyway))


def _elsewhere(passage: Passage, number: int, who: str) -> Iterator[str]:
    """What somebody may have beside a piece."""
    yield passage.before
    if who == passage.played:
        yield passage.line
    for other, segment in enumerate(passage.segments):
        if other != number and who in segment.perceivers:
            yield segment.text


def _said(text: str) -> tuple[Words, ...]:
    for way in _SPOKEN:
        quoted = (words(_DIRECTION.sub(" ", said)) for said in way.findall(text))
        if found := tuple(filter(None, quoted)):
            return found
    return ()


def _runs(given: Words) -> Iterator[Words]:
    return (given[at : at + RUN] for at in range(len(given) - RUN + 1))
