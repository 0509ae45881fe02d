"""What little it takes: two ways without any learning, to compare with.

Both take spaCy's noun chunks and possessive pronouns, where a chunk counts if its head is a name, a
personal pronoun, or a noun that the lexicon calls a person, a group or a place. (All chunks, things
and ideas included, would score far lower.)
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from storykeeper.bench.mentions.scores import Span
from storykeeper.language.coref.traits import (
    GENDERS,
    HE,
    IT,
    ME,
    PRONOUNS,
    SHE,
    THEY,
    TITLES,
    UNKNOWN,
    WE,
    YOU,
)
from storykeeper.language.lexicon import gender_of_name, gender_of_noun, sort_of
from storykeeper.language.reading import Sort

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
    from spacy.tokens import Span as Chunk

_SORTS = frozenset({Sort.PERSON, Sort.GROUP, Sort.PLACE})
_SPEAKERS = {ME: "i", WE: "we", YOU: "you"}


def string_match(doc: Doc) -> list[frozenset[Span]]:
    """The same words are one."""
    clusters: dict[str, set[Span]] = defaultdict(set)
    for chunk in _chunks(doc):
        clusters[chunk.text.lower()].add((chunk.start, chunk.end))
    return [frozenset(spans) for spans in clusters.values()]


def string_match_pronouns(doc: Doc) -> list[frozenset[Span]]:
    """The same, but he, she, it and they join the nearest earlier chunk that they fit."""
    clusters: dict[str, set[Span]] = defaultdict(set)
    latest: dict[int, str] = {}  # by the pronoun that fits, the key of the latest cluster
    for chunk in _chunks(doc):
        words = chunk.text.lower()
        fits = PRONOUNS.get(words, UNKNOWN)
        key = _SPEAKERS.get(fits, words)
        if fits in (HE, SHE, IT, THEY):
            key = latest.get(fits, words)
        for fitting in (fits,) if fits else _fitting(chunk):
            latest[fitting] = key
        clusters[key].add((chunk.start, chunk.end))
    return [frozenset(spans) for spans in clusters.values()]


def _chunks(doc: Doc) -> list[Chunk]:
    chunks = {(c.start, c.end): c for c in doc.noun_chunks if _counts(c.root)}
    owners = {(t.i, t.i + 1): doc[t.i : t.i + 1] for t in doc if t.tag_ == "PRP$"}
    return [chunk for _, chunk in sorted({**chunks, **owners}.items())]


def _counts(head: Token) -> bool:
    if head.pos_ == "PRON":
        return head.lower_ in PRONOUNS and head.lower_ != "it"
    return head.pos_ == "PROPN" or sort_of(head.lemma_) in _SORTS


def _fitting(chunk: Chunk) -> tuple[int, ...]:
    """The pronouns that fit, as far as the chunk itself says; any of a person not known further."""
    head = chunk.root
    if head.tag_ in ("NNS", "NNPS"):
        return (THEY,)
    if titled := TITLES.get(chunk[0].lower_, UNKNOWN):
        return (titled,)
    gender = gender_of_name(chunk[0].text) if head.pos_ == "PROPN" else gender_of_noun(head.lemma_)
    if known := GENDERS[gender]:
        return (known,)
    return (IT,) if head.pos_ != "PROPN" and sort_of(head.lemma_) is Sort.PLACE else (HE, SHE)
