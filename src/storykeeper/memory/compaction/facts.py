"""The fact check of a summary that a model wrote: names, numbers and negations are its sources'.

Likeness of vectors cannot see a lost "not", so this is checked apart, and strictly: what is refused
in error costs a nicer sentence, what is let through in error becomes memory.

- *names*: every name in the summary is a word of the sources, a speaker or an entity.
- *numbers*: every number of the summary is one of the sources', whether in digits or in words.
- *negations*: both are read (`language.prose`) as clauses, each with a verb, what it is about,
  and a way: real, denied, or neither (asked, wished, supposed). A clause of the summary is held
  against the sources' clauses of the same verb about the same things; if there are none, against
  all that are about the same things. What it says is real must not be only denied there, nor, of
  the same verb, only asked or supposed; what it denies must be denied there.

The reader reads English. A summary in which fewer than a fifth of the words are English function
words cannot be checked, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from storykeeper.language.reading import Clause, MentionKind, Modality, Reader, Reading
from storykeeper.memory.compaction.sentences import sentences
from storykeeper.memory.compaction.terms import is_function_word, names, numbers, stem, words

READABLE = 0.2  # share of English function words from which a text is taken for English


class Concern(StrEnum):
    """What a summary may get wrong."""

    NAME = "name"
    NUMBER = "number"
    NEGATION = "negation"
    LANGUAGE = "language"  # it cannot be checked


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that the sources do not bear out."""

    concern: Concern
    words: str


def faults(
    summary: str,
    sources: Sequence[str],
    *,
    known: Iterable[str] = (),
    reader: Reader | None = None,
) -> tuple[Fault, ...]:
    """All that a summary says and its sources do not; empty if it may stand.

    `known` are names that may be used besides: of speakers and entities.
    """
    said = words(summary)
    if sum(map(is_function_word, said)) < READABLE * len(said):
        return (Fault(Concern.LANGUAGE, summary[:80]),)
    return (
        *_names(summary, [*sources, *known]),
        *_numbers(summary, sources),
        *_negations(summary, sources, reader or _prose()),
    )


@lru_cache(maxsize=1)
def _prose() -> Reader:
    from storykeeper.language.prose import ProseReader

    return ProseReader(finder=lambda doc, *, cast=(): ())  # who is who does not matter here


def _names(summary: str, sources: Sequence[str]) -> Iterator[Fault]:
    said = {stem(word) for text in sources for word in words(text)}
    found = {name for sentence in sentences(summary) for name in names(sentence)}
    for name in sorted(found):
        if stem(name) not in said:
            yield Fault(Concern.NAME, name)


def _numbers(summary: str, sources: Sequence[str]) -> Iterator[Fault]:
    said = {number for text in sources for number in numbers(text)}
    for number in sorted(numbers(summary) - said):
        yield Fault(Concern.NUMBER, number)


class _Way(StrEnum):
    REAL = "real"
    DENIED = "denied"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class _Claim:
    words: str
    verb: str
    about: frozenset[str]
    way: _Way


def _negations(summary: str, sources: Sequence[str], reader: Reader) -> Iterator[Fault]:
    said = [claim for text in sources for claim in _claims(reader.read(text))]
    for claim in _claims(reader.read(summary)):
        if not _borne_out(claim, said):
            yield Fault(Concern.NEGATION, claim.words)


def _borne_out(claim: _Claim, said: Sequence[_Claim]) -> bool:
    same = [c for c in said if c.verb == claim.verb and _about_the_same(c, claim)]
    ways = {c.way for c in same or (c for c in said if c.about & claim.about)}
    if claim.way is _Way.DENIED:
        return _Way.DENIED in ways
    if claim.way is _Way.REAL and ways:
        return _Way.REAL in ways or (not same and _Way.NEITHER in ways)
    return True


def _about_the_same(one: _Claim, other: _Claim) -> bool:
    return bool(one.about & other.about) or not (one.about and other.about)


def _claims(reading: Reading) -> list[_Claim]:
    return [
        _Claim(
            reading.text[clause.start : clause.end],
            clause.verb,
            _about(clause, reading),
            _way(clause.modality),
        )
        for clause in reading.clauses
    ]


def _about(clause: Clause, reading: Reading) -> frozenset[str]:
    """The things a clause is about: nouns and states, not who does it."""
    places = (*clause.targets, *clause.subjects, *clause.instruments, *clause.locations)
    mentions = (reading.mentions[place] for place in places)
    heads = {stem(m.head) for m in mentions if m.kind is MentionKind.NOUN}
    return frozenset(heads | {stem(word) for word in words(clause.state)})


def _way(modality: Modality) -> _Way:
    if modality is Modality.NEGATED:
        return _Way.DENIED
    return _Way.REAL if modality is Modality.ASSERTED else _Way.NEITHER
