"""The reader of prose: one parse, then rules.

    text → what is prose of it → pieces → parse → words → quotations, mentions, clauses → Reading

Names and pronouns of people and places come from `language.coref`; "it" and "they" of things are
decided here, where only one thing can be meant. Nothing is asked of a model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from storykeeper.language.patience import go_on
from storykeeper.language.prose.anaphora import join_predicates, join_pronouns, join_referents
from storykeeper.language.prose.attach import attach
from storykeeper.language.prose.clauses import colour_mentions, find_clauses
from storykeeper.language.prose.drafts import Happening
from storykeeper.language.prose.implied import find_implied
from storykeeper.language.prose.links import find_links
from storykeeper.language.prose.mentions import Mentions, find_mentions
from storykeeper.language.prose.objects import colour_objects
from storykeeper.language.prose.quotes import Span, quote_spans
from storykeeper.language.prose.repairs import repair
from storykeeper.language.prose.speakers import find_speakers
from storykeeper.language.prose.times import find_times
from storykeeper.language.prose.unread import names_in, pieces, readable, within_limit
from storykeeper.language.prose.words import Words
from storykeeper.language.reading import (
    Mention,
    MentionKind,
    Quotation,
    Reading,
    Somebody,
    Sort,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from storykeeper.language.coref.referent import Referent


class Finder(Protocol):
    """Finds who and where is referred to, and which mentions are one."""

    def __call__(self, doc: Doc, *, cast: tuple[Somebody, ...] = ()) -> tuple[Referent, ...]:
        """The people and places of a parsed text."""
        ...


class ProseReader:
    """Reads prose by parse and rule; the same text gives the same reading."""

    def __init__(self, *, finder: Finder | None = None) -> None:
        self._finder = finder  # None: ours, loaded when first needed

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """The reading of a text."""
        kept, cut = within_limit(text)
        prose = readable(kept)
        reading = Reading(text, notes=(*prose.notes, *([cut] if cut else ())))
        for start, piece in pieces(prose.text):
            go_on()
            parsed = self._parsed(piece, cast)
            reading = _joined(reading, _read_piece(parsed, start, cast, _Bases.after(reading)))
        names = tuple(
            Mention(a, b, text[a:b], text[a:b], MentionKind.NAME, Sort.UNKNOWN, definite=True)
            for stretch in prose.foreign
            for a, b in names_in(text, stretch)
        )
        return _joined(reading, Reading(text, mentions=names))

    def _parsed(self, piece: str, cast: tuple[Somebody, ...]) -> _Parsed:
        from storykeeper.language.coref import referents
        from storykeeper.language.parser import parse

        doc = parse(piece)
        finder = self._finder or referents
        return _Parsed(piece, Words.of(doc), finder(doc, cast=cast))


@dataclass(frozen=True, slots=True)
class _Parsed:
    text: str
    words: Words
    referents: tuple[Referent, ...]


@dataclass(frozen=True, slots=True)
class _Bases:
    """How many of each there were before this piece."""

    mentions: int
    clauses: int
    quotations: int
    clusters: int

    @classmethod
    def after(cls, reading: Reading) -> _Bases:
        clusters = [m.cluster for m in reading.mentions if m.cluster is not None]
        return cls(
            len(reading.mentions),
            len(reading.clauses),
            len(reading.quotations),
            max(clusters, default=-1) + 1,
        )


def _joined(first: Reading, second: Reading) -> Reading:
    return Reading(
        first.text,
        first.mentions + second.mentions,
        first.clauses + second.clauses,
        first.links + second.links,
        first.quotations + second.quotations,
        first.implied + second.implied,
        first.times + second.times,
        first.notes + second.notes,
    )


def _read_piece(parsed: _Parsed, start: int, cast: tuple[Somebody, ...], base: _Bases) -> Reading:
    piece, words = parsed.text, parsed.words
    spans = quote_spans(piece)
    quote_of = _quote_of(words, spans)
    repair(words, quote_of, names=_first_names(cast))
    mentions = find_mentions(words, piece, cast)
    join_referents(mentions, parsed.referents)
    attach(words, mentions, piece)
    happenings = find_clauses(words, mentions, quote_of, _asked(words, quote_of))
    colour_mentions(mentions, happenings)
    colour_objects(words, mentions, happenings)
    for draft in mentions:
        draft.quotation = quote_of[draft.at]
    join_pronouns(words, mentions, happenings)
    join_predicates(words, mentions)
    quotations = find_speakers(words, mentions, happenings, spans, piece)
    return _finished(piece, start, base, words, mentions, happenings, quotations)


def _first_names(cast: tuple[Somebody, ...]) -> frozenset[str]:
    """The first words of names that are written large."""
    first = (name.split()[:1] for somebody in cast for name in somebody.names)
    return frozenset(word.casefold() for words in first for word in words if word[0].isupper())


def _quote_of(words: Words, spans: tuple[Span, ...]) -> list[int | None]:
    found: list[int | None] = [None] * len(words)
    at = 0
    for word in words:
        while at < len(spans) and spans[at].end <= word.start:
            at += 1
        if at < len(spans) and spans[at].inner_start <= word.start < spans[at].inner_end:
            found[word.i] = at
    return found


def _asked(words: Words, quote_of: list[int | None]) -> set[int]:
    """The words of questions: up to each question mark, back to the last stop or quote."""
    asked: set[int] = set()
    start = 0
    for word in words:
        if word.i and quote_of[word.i] != quote_of[word.i - 1]:
            start = word.i
        if word.text.startswith("?"):
            asked.update(range(start, word.i))
        if word.text[:1] in ".!?\n":
            start = word.i + 1
    return asked


def _finished(
    piece: str,
    start: int,
    base: _Bases,
    words: Words,
    mentions: Mentions,
    happenings: list[Happening],
    quotations: list[Quotation],
) -> Reading:
    for happening in happenings:
        if happening.quotation is not None:
            happening.quotation += base.quotations
    for draft in mentions:
        if draft.quotation is not None:
            draft.quotation += base.quotations
        if draft.cluster is not None:
            draft.cluster += base.clusters
    return Reading(
        piece,
        tuple(d.mention(words, piece, by=start, base=base.mentions) for d in mentions),
        tuple(h.clause(words, by=start, base=base.mentions) for h in happenings),
        tuple(find_links(words, happenings, base=base.clauses)),
        tuple(_moved(q, start, base) for q in quotations),
        tuple(find_implied(words, mentions, happenings, piece, base=base.clauses)),
        tuple(find_times(piece, by=start)),
    )


def _moved(quotation: Quotation, start: int, base: _Bases) -> Quotation:
    speaker, addressee = quotation.speaker, quotation.addressee
    return Quotation(
        quotation.start + start,
        quotation.end + start,
        quotation.words,
        None if speaker is None else speaker + base.mentions,
        None if addressee is None else addressee + base.mentions,
        quotation.whispered,
        quotation.written,
    )
