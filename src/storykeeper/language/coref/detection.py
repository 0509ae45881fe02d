"""Finding mentions: which words head one and of what, then how far each reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from storykeeper.language.coref import heads, spans
from storykeeper.language.coref.heads import Grammar
from storykeeper.language.coref.network import Floats, Ints, Network

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A mention."""

    start: int
    end: int
    head: int
    category: int  # its place in CATEGORIES
    sure: float


def chances(scores: Floats) -> Floats:
    """Scores as chances: softmax over each row."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    whole: Floats = raised / raised.sum(axis=1, keepdims=True)
    return whole


def detect(
    doc: Doc,
    parse: Grammar,
    *,
    heads_net: Network,
    spans_net: Network,
    floor: float,
    known: Mapping[int, int] | None = None,
) -> list[Found]:
    """Mentions in order. `known` are heads that are certain, with their category."""
    at = np.flatnonzero(parse.possible)
    if not len(at):
        return []
    chance = chances(heads_net.scores(*heads.described(doc, parse, at)))
    sure = 1 - chance[:, 0]
    category = chance[:, 1:].argmax(axis=1)
    for place, kind in (known or {}).items():
        here = at == place
        sure[here], category[here] = 1.0, kind
    kept = np.flatnonzero(sure > floor)
    if not len(kept):
        return []
    return _reaching(doc, parse, spans_net, at[kept], category[kept], sure[kept])


def _reaching(
    doc: Doc, parse: Grammar, net: Network, head: Ints, category: Ints, sure: Floats
) -> list[Found]:
    """Each head with the span that the network likes best; one mention for a span."""
    groups = [spans.candidates(doc, h) for h in head.tolist()]
    sizes = [len(group) for group in groups]
    every = [candidate for group in groups for candidate in group]
    scores = net.scores(*spans.described(parse, every, np.repeat(category, sizes)))[:, 0]
    best: dict[tuple[int, int], Found] = {}
    begin = 0
    for group, size, kind, chance in zip(
        groups, sizes, category.tolist(), sure.tolist(), strict=True
    ):
        chosen = group[int(scores[begin : begin + size].argmax())]
        begin += size
        span = chosen.start, chosen.end
        if span not in best or best[span].sure < chance:
            best[span] = Found(*span, chosen.head, kind, chance)
    return sorted(best.values())
