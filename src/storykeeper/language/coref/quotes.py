"""Which words stand in quotation marks, and whose they are as far as the text says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from storykeeper.language.lexicon import VerbClass, verb_classes

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CLOSES = {"“": "”", "‘": "’", "«": "»", "„": "“", '"': '"', "``": "''", "'": "'"}
_SAYING = frozenset({VerbClass.SAY, VerbClass.ASK})
_STOPS = frozenset('.!?"”’')
_CLIPPED = frozenset({"tis", "twas", "twere", "em", "im", "til", "till", "cause", "bout", "s", "d"})
_NEAR = 4  # tokens between a quotation and its verb


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words in quotation marks, the marks included."""

    start: int
    end: int
    speaker: int = -1  # the word that heads the speaker, if the text names one
    addressee: int = -1
    sure: bool = False  # the speaker is said in the same sentence, or in the same paragraph


def quotations(doc: Doc) -> tuple[Quoted, ...]:
    """All of them, in order."""
    found: list[Quoted] = []
    for first, last in _paragraphs(doc):
        several = (first, last) != (0, len(doc))
        spans = list(_marked(doc, first, last))
        for start, end in spans:
            said = _attributed(doc, (start, end), (first, last))
            if said.speaker < 0 and several:
                said = Quoted(start, end, _acting(doc, spans, (first, last)))
            found.append(replace(said, sure=True) if several else said)
    return tuple(found)


def _paragraphs(doc: Doc) -> Iterator[tuple[int, int]]:
    first = 0
    for token in doc:
        if token.is_space and token.text.count("\n") > 1:
            yield first, token.i
            first = token.i + 1
    yield first, len(doc)


def _marked(doc: Doc, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Where quotations begin and end in a paragraph, which closes what was left open."""
    opened, mark = -1, ""
    for token in doc[first:last]:
        text = token.text
        if opened >= 0 and _closes(token, mark):
            yield opened, token.i + 1
            opened = -1
        elif text == "“" and opened >= 0:  # the speech goes on, its end was left out
            yield opened, token.i
            opened, mark = token.i, text
        elif opened < 0 and text in _CLOSES and (text != "'" or _begins(token)):
            opened, mark = token.i, text
    if opened >= 0:
        yield opened, last


def _closes(token: Token, mark: str) -> bool:
    """Whether a mark ends what another began; an apostrophe that ends a word does not."""
    if mark in "'‘":
        before = token.nbor(-1)
        return token.text == _CLOSES[mark] and (before.is_punct or before.is_space)
    return token.text.startswith(_CLOSES[mark])


def _begins(token: Token) -> bool:
    """Whether a straight single mark is an opening one."""
    if token.i + 1 >= len(token.doc) or token.nbor().lower_ in _CLIPPED:
        return False
    free = token.i == 0 or bool(token.nbor(-1).whitespace_) or not token.nbor(-1).is_alpha
    return free and not token.whitespace_


def _attributed(doc: Doc, span: tuple[int, int], paragraph: tuple[int, int]) -> Quoted:
    """The quotation with its speaker: the subject of the verb of saying beside it."""
    start, end = span
    first, last = paragraph
    after = range(end, min(end + _NEAR, last))
    before = range(start - 1, max(start - 1 - _NEAR, first - 1), -1)
    for side in (after, before):
        sure = True
        for at in side:
            verb = doc[at]
            sure = sure and verb.text not in _STOPS
            if verb.pos_ in ("VERB", "AUX") and not _SAYING.isdisjoint(verb_classes(verb.lemma_)):
                speaker, addressee = _parties(verb)
                if speaker >= 0:
                    return Quoted(start, end, speaker, addressee, sure)
    return Quoted(start, end)


def _acting(doc: Doc, spans: list[tuple[int, int]], paragraph: tuple[int, int]) -> int:
    """Who does something in the same paragraph, outside what is said: the first such subject.

    Only where the text has paragraphs: a new speaker gets a new one.
    """
    inside = {at for start, end in spans for at in range(start, end)}
    for token in doc[slice(*paragraph)]:
        if token.dep_ == "nsubj" and token.i not in inside and token.head.dep_ == "ROOT":
            return int(token.i)
    return -1


def _parties(verb: Token) -> tuple[int, int]:
    """Who says it, and to whom."""
    speaker = addressee = -1
    for child in verb.children:
        if child.dep_ == "nsubj":
            speaker = child.i
        elif child.dep_ in ("dative", "dobj") and child.pos_ in ("PROPN", "PRON"):
            addressee = child.i
        elif child.dep_ in ("prep", "dative") and child.lower_ == "to":
            addressee = next((c.i for c in child.children if c.dep_ == "pobj"), addressee)
    return speaker, addressee
