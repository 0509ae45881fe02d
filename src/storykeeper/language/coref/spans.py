"""How far a mention reaches: candidates from the parse around its head, described for the network.

A mention may stop at its noun, take one thing after another that hangs on it ("the man", "the man
at the door", "the man at the door who had knocked"), and begin at any word that hangs on it from
the left. A second network ranks these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from storykeeper.language.coref.heads import Grammar, Words, hashed
from storykeeper.language.coref.network import Floats, Ints

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_DEEP = 2  # how far below the head's own children the end may stand
_MOST = 24  # candidates of one head


@dataclass(frozen=True, slots=True)
class Candidate:
    """A head with a beginning and an end."""

    head: int
    start: int
    end: int
    left: int  # the child that it begins with; the head if it begins there
    right: int  # the child that it ends with
    depth: int  # of that child below the head


def candidates(doc: Doc, head: int) -> list[Candidate]:
    """All the spans that a head may have, the narrowest first."""
    token = doc[head]
    lefts = {head: head}
    for child in token.lefts:
        lefts.setdefault(child.i, child.i)
        lefts[child.left_edge.i] = child.i
    rights = {head + 1: (head, 0)}
    for end, last, depth in _ends(token, 0):
        if end > head and (end not in rights or rights[end][1] > depth):
            rights[end] = last, depth
    spans = [
        Candidate(head, start, end, left, right, depth)
        for start, left in lefts.items()
        for end, (right, depth) in rights.items()
    ]
    return sorted(spans, key=lambda c: (c.end - c.start, c.start))[:_MOST]


def _ends(token: Token, depth: int) -> Iterator[tuple[int, int, int]]:
    """Where it may end, with the child that ends there."""
    doc = token.doc
    for child in token.rights:
        end = child.right_edge.i + 1
        yield child.left_edge.i, max(child.left_edge.i - 1, token.i), depth
        yield end, child.i, depth
        while end > token.i + 1 and doc[end - 1].is_punct:
            end -= 1
        yield end, child.i, depth
        if depth < _DEEP and not child.is_punct:
            yield from _ends(child, depth + 1)


def described(parse: Grammar, spans: Sequence[Candidate], categories: Ints) -> tuple[Ints, Floats]:
    """Candidates as the network reads them; one category, that of its head, for each."""
    ids = parse.ids
    last = len(parse.governor) - 1
    table = np.array([(c.head, c.start, c.end, c.left, c.right, c.depth) for c in spans], np.int64)
    head, start, end, left, right, _ = table.T
    before, after, final = np.maximum(start - 1, 0), np.minimum(end, last), end - 1
    columns: list[Words] = []
    for name in ("LOWER", "TAG", "DEP"):
        column = ids[name]
        columns += [column[at] for at in (start, before, after, final)]
    columns += [ids["TAG"][head], ids["LEMMA"][head], ids["DEP"][head], ids["LOWER"][right]]
    columns += [ids["DEP"][left], ids["DEP"][right], ids["TAG"][right], ids["LOWER"][left]]
    kind = categories.astype(np.uint64)
    columns += [
        kind ^ (ids["DEP"][right] << np.uint64(3)),
        kind ^ (ids["LOWER"][right] << np.uint64(3)),
    ]
    columns.append(ids["LOWER"][np.minimum(right + 1, last)])
    rows = np.stack([hashed(c, 100 + salt) for salt, c in enumerate(columns)], axis=1)
    return rows, _numbers(parse, table)


def _numbers(parse: Grammar, table: Ints) -> Floats:
    head, start, end, _, _, depth = table.T
    groups = np.r_[True, head[1:] != head[:-1]].cumsum() - 1
    first, final = np.full(groups[-1] + 1, 1 << 40), np.zeros(groups[-1] + 1, np.int64)
    np.minimum.at(first, groups, start)
    np.maximum.at(final, groups, end)
    widest_left, widest_right = first[groups] == start, final[groups] == end
    after = end - head - 1
    flags = [widest_left, widest_right, after == 0, start == head, depth == 0, depth == 1]
    has = [(parse.child[label][head] >= 0) for label in ("prep", "relcl", "appos", "conj", "poss")]
    inside = [h & (parse.child[label][head] < end) for h, label in
              zip(has, ("prep", "relcl", "appos", "conj", "poss"), strict=True)]  # fmt: skip
    quoted = parse.quoted[start] == parse.quoted[np.maximum(end - 1, 0)]
    sizes = [np.log1p(after), np.log1p(head - start), np.minimum(after, 30) / 30]
    columns = [*flags, *has, *inside, quoted, *sizes]
    return np.stack([np.asarray(c, np.float32) for c in columns], axis=1)
