"""What people would use instead, on the same chats: BM25, and a plain sum of four signals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from storykeeper.bench.locomo.data import Chat, Turn
from storykeeper.memory.signals.words import terms
from storykeeper.models.embedders.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SATURATION, LENGTH_SHARE = 1.5, 0.75


class BM25:
    """Okapi BM25 over some texts, with their own statistics."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.counts = [Counter(terms(text)) for text in texts]
        self.lengths = [count.total() for count in self.counts]
        self.usual = max(sum(self.lengths) / max(len(texts), 1), 1.0)
        self.having = Counter(term for count in self.counts for term in count)

    def scores(self, query: str) -> Floats:
        """Of every text."""
        import numpy as np

        asked = [(term, self._rarity(term)) for term in terms(query)]
        return np.array(
            [
                sum(rarity * self._share(count[term], length) for term, rarity in asked)
                for count, length in zip(self.counts, self.lengths, strict=True)
            ]
        )

    def _rarity(self, term: str) -> float:
        having = self.having[term]
        return math.log(1 + (len(self.counts) - having + 0.5) / (having + 0.5))

    def _share(self, times: int, length: int) -> float:
        damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / self.usual)
        return times * (SATURATION + 1) / (times + damping)


def line(turn: Turn) -> str:
    """Who says it, and what."""
    return f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text


def cosines_of(query: NDArray[np.int8], rows: NDArray[np.int8]) -> Floats:
    """Cosines of whole vectors."""
    import numpy as np

    exact = rows.astype(np.float64)
    one = query.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1) * np.linalg.norm(one)
    return np.asarray(exact @ one / np.maximum(lengths, 1e-9))


def plain_keys(chat: Chat) -> list[str]:
    """Date and turn."""
    return [f"{turn.date} {line(turn)}" for turn in chat.turns]


def context_keys(chat: Chat) -> list[str]:
    """Date, the turn before it in the same session, and the turn."""
    found = []
    for place, turn in enumerate(chat.turns):
        before = chat.turns[place - 1] if place else None
        said = line(before) if before is not None and before.session == turn.session else ""
        found.append(f"{turn.date} {said} {line(turn)}")
    return found


def bm25(chat: Chat) -> list[Floats]:
    """Scores of all turns for each question: BM25 with date and previous turn in the key."""
    ranker = BM25(context_keys(chat))
    return [ranker.scores(asked.text) for asked in chat.asked]


def fusion(chat: Chat, model: MiniLM) -> list[Floats]:
    """z-score sums: BM25 and MiniLM, each with and without the previous turn in the key."""
    plain, context = plain_keys(chat), context_keys(chat)
    lexical = [BM25(plain), BM25(context)]
    dense = [model.passages(plain), model.passages(context)]
    queries = model.queries([asked.text for asked in chat.asked])
    return [
        sum(
            [standard(ranker.scores(asked.text)) for ranker in lexical]
            + [standard(cosines_of(query, rows)) for rows in dense],
            start=standard(cosines_of(query, dense[0])) * 0.0,
        )
        for asked, query in zip(chat.asked, queries, strict=True)
    ]


def standard(scores: Floats) -> Floats:
    """z = (x − mean) / spread; 0 if all are equal."""
    import numpy as np

    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 0 else np.zeros_like(scores)
