"""A plain search, the same before and after compaction: words and vectors, a budget of tokens.

    sim = ½·max(0, cos) + ½·bm25/(best bm25)        score = sim · Q

Whatever is measured is behind a seam (`Kept`), so that `Memory` can be measured the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from storykeeper.memory.compaction.compacting import Means, compacted
from storykeeper.memory.compaction.extractive import spoken
from storykeeper.memory.compaction.summaries import Summary, better
from storykeeper.memory.compaction.terms import terms
from storykeeper.memory.items import Item
from storykeeper.scoring.hybrid import quality
from storykeeper.scoring.pack import Form, Offer, pack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RANKED = 100  # how deep a ranking is looked at
_K1, _B = 1.2, 0.75


class Kept(Protocol):
    """A memory of what was told."""

    @property
    def items(self) -> Sequence[Item]:
        """What was told, as it is kept."""
        ...

    def search(self, question: str, *, budget: int) -> Sequence[str]:
        """What comes back within a budget of tokens, as it would be shown."""
        ...

    def compact(self) -> Sequence[Item]:
        """Sum up what can be; the summaries, which are searched from now on."""
        ...


Opened = Callable[[Sequence[Item]], Kept]  # a memory of some items, ready to be asked


class Plain:
    """The search of this file over some items."""

    def __init__(self, items: Sequence[Item], means: Means) -> None:
        self.items = items
        self._means, self._embed, self._count = means, means.embed, means.count
        self._index(items)

    def compact(self) -> Sequence[Item]:
        """Sum up what can be."""
        made = (each for each in compacted(self.items, self._means) if isinstance(each, Summary))
        summaries = [
            summary.item(id=f"s{n}", order=len(self.items) + n)
            for n, summary in enumerate(made, start=1)
        ]
        self._index([*self.items, *summaries])
        return summaries

    def _index(self, items: Sequence[Item]) -> None:
        self._items = list(items)
        self._vectors = _unit(self._embed([item.text for item in items]))
        self._quality = np.array([quality(item.decay_rate) for item in items])
        self._words = _Words([spoken(item) for item in items])
        self._sources = {item.id: item.sources for item in items if item.sources}
        self._places = {item.id: place for place, item in enumerate(items)}
        self._offers: dict[str, tuple[Form, ...]] = {}

    def search(self, question: str, *, budget: int) -> Sequence[str]:
        """What comes back within a budget of tokens."""
        like = np.maximum(0.0, self._vectors @ _unit(self._embed([question]))[0])
        by_words = self._words.scores(question)
        scores = (0.5 * like + 0.5 * by_words / max(by_words.max(), 1e-9)) * self._quality
        order = np.argsort(-scores, kind="stable")[:RANKED]
        shown = better([self._items[i].id for i in order], self._sources).kept
        offers = [self._offer(id_, rank) for rank, id_ in enumerate(shown)]
        taken = pack([], offers, budget=budget).taken
        return [self._said(each.item, each.form) for each in taken]

    def _offer(self, id_: str, rank: int) -> Offer[str]:
        if id_ not in self._offers:
            forms = [Form(name, self._count(self._said(id_, name))) for name in ("full", "brief")]
            self._offers[id_] = tuple(form for form in forms if form.tokens)
        return Offer(id_, self._offers[id_], score=1.0 / (1 + rank), tie=(rank,))

    def _said(self, id_: str, form: str) -> str:
        item = self._items[self._places[id_]]
        return spoken(item) if form == "full" else item.brief


class _Words:
    """BM25 over the terms of some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        rows: dict[str, list[tuple[int, int]]] = {}
        lengths = []
        for row, text in enumerate(texts):
            counts = Counter(t for line in text.split("\n") for t in terms(line))
            lengths.append(sum(counts.values()))
            for term, times in counts.items():
                rows.setdefault(term, []).append((row, times))
        length = np.array(lengths, float)
        self._norm = _K1 * (1 - _B + _B * length / max(1.0, length.mean() if lengths else 1.0))
        self._count = len(texts)
        self._hits = {term: np.array(hits).T for term, hits in rows.items()}

    def scores(self, question: str) -> Floats:
        """How well each text matches by words."""
        found = np.zeros(self._count)
        for term in sorted(terms(question)):
            if term in self._hits:
                rows, times = self._hits[term]
                weight = np.log(1 + (self._count - len(rows) + 0.5) / (len(rows) + 0.5))
                found[rows] += weight * times * (_K1 + 1) / (times + self._norm[rows])
        return found


def _unit(vectors: NDArray[Any]) -> Floats:
    exact = np.asarray(vectors, dtype=np.float64)
    length = np.linalg.norm(exact, axis=1, keepdims=True)
    return np.asarray(np.divide(exact, length, out=np.zeros_like(exact), where=length > 0))
