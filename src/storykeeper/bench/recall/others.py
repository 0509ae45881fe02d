"""What a developer would use instead, over the turns of a chat, each with its speaker.

bm25      Okapi with the statistics of the chat
minilm    the same embedder as ours, one scan of all vectors
zsum      the sum of these two, each brought to mean 0 and spread 1 over the turns
chromadb  that database over the same vectors, if it is installed
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from storykeeper.bench.locomo.baselines import BM25, cosines_of, line, standard
from storykeeper.bench.locomo.data import Chat
from storykeeper.memory.meaning import Meaning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Int8 = NDArray[np.int8]

MOST = 10
CHROMA = "chromadb"
AT_ONCE = 5_000  # that it takes
Order = Sequence[int]


class Others:
    """The turns of one chat, held by each of them."""

    def __init__(self, chat: Chat, meaning: Meaning) -> None:
        """`meaning` has the turns on its shelf already, if ours was asked first."""
        import numpy as np

        texts = [line(turn) for turn in chat.turns]
        self._meaning = meaning
        self._words = BM25(texts)
        self._vectors = np.stack([each.whole for each in meaning.passages(texts)])
        self._chroma = _collection(self._vectors) if find_spec(CHROMA) else None

    def orders(self, query: str) -> Iterator[tuple[str, Order]]:
        """What each has first."""
        vector = self._meaning.query(query, leave=()).whole
        words, meaning = self._words.scores(query), cosines_of(vector, self._vectors)
        yield "bm25", _order(words)
        yield "minilm", _order(meaning)
        yield "zsum", _order(standard(words) + standard(meaning))
        if self._chroma is not None:
            found = self._chroma.query(query_embeddings=[_floats(vector)], n_results=MOST)
            yield CHROMA, [int(each) for each in found["ids"][0]]


def _order(scores: Floats) -> Order:
    import numpy as np

    first: list[int] = np.argsort(-scores, kind="stable")[:MOST].tolist()
    return first


def _collection(vectors: Int8) -> Any:
    from uuid import uuid4

    import chromadb

    made = chromadb.EphemeralClient().create_collection(
        uuid4().hex, metadata={"hnsw:space": "cosine"}, embedding_function=None
    )
    for start in range(0, len(vectors), AT_ONCE):
        some = vectors[start : start + AT_ONCE]
        ids = [str(start + n) for n in range(len(some))]
        made.add(ids=ids, embeddings=[_floats(each) for each in some])
    return made


def _floats(vector: Int8) -> list[float]:
    return [float(each) for each in vector]
