"""Books as examples to learn from: heads with their category, spans, and links between mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from storykeeper.bench.mentions.litbank import Book
from storykeeper.language.coref import heads, spans
from storykeeper.language.coref.chains import Chains
from storykeeper.language.coref.detection import Found
from storykeeper.language.coref.heads import Grammar
from storykeeper.language.coref.network import Floats, Ints
from storykeeper.language.coref.pairs import pairs
from storykeeper.language.coref.quotes import Quoted, quotations
from storykeeper.language.coref.referent import CATEGORIES
from storykeeper.language.coref.traits import Flags, traits

if TYPE_CHECKING:
    from spacy.tokens import Doc

Group = tuple[Ints, Floats, Flags]  # candidates of one choice, and which of them are right


@dataclass(frozen=True, slots=True)
class Example:
    """A parsed book with what is to be learned from it."""

    book: Book
    doc: Doc
    quoted: tuple[Quoted, ...]
    parse: Grammar
    rows: Ints
    numbers: Floats
    labels: Ints  # 0 for no head, else one more than the place in CATEGORIES
    reaches: tuple[Group, ...]


def example(book: Book, doc: Doc) -> Example:
    """Heads and spans of a book."""
    quoted = quotations(doc)
    parse = heads.grammar(doc, quoted)
    at = np.flatnonzero(parse.possible)
    rows, numbers = heads.described(doc, parse, at)
    labels = np.zeros(len(doc), np.int64)
    spans_of: dict[int, tuple[int, int]] = {}
    for m in book.marked:
        head = head_of(doc, m.start, m.end)
        labels[head] = CATEGORIES.index(m.category) + 1
        spans_of[head] = m.start, m.end
    reaches = []
    for head in sorted(spans_of):
        every = spans.candidates(doc, head)
        right = np.array([(c.start, c.end) == spans_of[head] for c in every])
        if len(every) > 1 and right.any():
            category = np.full(len(every), labels[head] - 1)
            reaches.append((*spans.described(parse, every, category), right))
    return Example(book, doc, quoted, parse, rows, numbers, labels[at], tuple(reaches))


def head_of(doc: Doc, start: int, end: int) -> int:
    """The word of a span that hangs on something outside it."""
    for token in doc[start:end]:
        outside = not start <= token.head.i < end or token.head.i == token.i
        if outside and not token.is_punct:
            return int(token.i)
    return end - 1


def links(one: Example, found: list[Found]) -> list[Group]:
    """For each mention found, its candidates with what the gold chains say, and the right ones.

    What was found and is no mention is alone.
    """
    gold = {(m.start, m.end): m.cluster for m in one.book.marked}
    cluster = np.array([gold.get((m.start, m.end), -1 - at) for at, m in enumerate(found)])
    places = [(m.start, m.end, m.head) for m in found]
    about = traits(one.doc, one.parse, one.quoted, places, [m.category for m in found])
    chains = Chains(about)
    chain_of: dict[int, int] = {}
    groups: list[Group] = []
    for block in pairs(about):
        for mention in block.mentions:
            at = block.of(mention)
            said = chains.described(mention, block)
            own = int(cluster[mention])
            chain_of[own] = chains.join(mention, chain_of.get(own, -1))
            right = cluster[block.earlier[at]] == own
            right[0] = False
            right[0] = not right.any()
            if len(right) > 1:
                numbers = np.concatenate([block.numbers[at], said], axis=1)
                groups.append((block.rows[at], numbers, right))
    return groups
