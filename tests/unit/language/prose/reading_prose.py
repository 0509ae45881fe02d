"""How the tests of the reader ask: by head noun and by verb, as one would point at a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storykeeper.language.coref.referent import Referent
from storykeeper.language.lexicon import gender_of_name, gender_of_noun, sort_of
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import (
    Clause,
    Gender,
    Mention,
    MentionKind,
    Reading,
    Somebody,
    Sort,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_GENDERS = {"he": Gender.HE, "him": Gender.HE, "his": Gender.HE,
            "she": Gender.SHE, "her": Gender.SHE}  # fmt: skip


def _is_somebody(token: Token) -> bool:
    named = token.pos_ == "PROPN" and sort_of(token.text) is not Sort.PLACE
    return named or bool(gender_of_noun(token.lemma_))


def by_gender(doc: Doc, *, cast: tuple[Somebody, ...] = ()) -> tuple[Referent, ...]:
    """A stand-in: a name is one everywhere, and "she" the last woman. The rules are tested here."""
    found: list[Referent] = []
    clusters: dict[str, int] = {}
    last: dict[Gender, int] = {}
    for token in doc:
        if token.lower_ in _GENDERS:
            gender = _GENDERS[token.lower_]
            kind, key = MentionKind.PRONOUN, f"{gender}"
        elif _is_somebody(token):
            gender = gender_of_name(token.text) or gender_of_noun(token.lemma_)
            kind = MentionKind.NAME if token.pos_ == "PROPN" else MentionKind.NOUN
            key = token.lower_
        else:
            continue
        if kind is MentionKind.PRONOUN and gender in last:
            cluster = last[gender]
        else:
            cluster = last[gender] = clusters.setdefault(key, len(clusters))
        found.append(Referent(token.i, token.i + 1, token.i, kind, "PER", gender, False, cluster))
    return tuple(found)


READER = ProseReader(finder=by_gender)


def read(text: str, cast: tuple[Somebody, ...] = ()) -> Reading:
    return READER.read(text, cast=cast)


def mention(reading: Reading, head: str, nth: int = 0) -> Mention:
    """The nth mention with this head."""
    found = [m for m in reading.mentions if m.head == head]
    assert len(found) > nth, f"{head!r} is not among {[m.head for m in reading.mentions]}"
    return found[nth]


def clause(reading: Reading, verb: str, nth: int = 0) -> Clause:
    """The nth clause with this verb."""
    found = [c for c in reading.clauses if c.verb == verb]
    assert len(found) > nth, f"{verb!r} is not among {[c.verb for c in reading.clauses]}"
    return found[nth]


def head_of(reading: Reading, place: int | None) -> str:
    """The head of the mention at a place; nothing for nothing."""
    return "" if place is None else reading.mentions[place].head


def heads(reading: Reading, places: tuple[int, ...]) -> list[str]:
    """The heads of the mentions at some places."""
    return [reading.mentions[p].head for p in places]


def of_sort(reading: Reading, sort: Sort) -> list[str]:
    """The heads of all mentions of a sort, in order."""
    return [m.head for m in reading.mentions if m.sort is sort]
