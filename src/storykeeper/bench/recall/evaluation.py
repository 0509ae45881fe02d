"""Turns that answer, among the first five and ten: ours beside what a developer would use instead.

    bm25      Okapi over the turns
    minilm    the same embedder as ours, one scan of all vectors
    zsum      the sum of these two, each brought to mean 0 and spread 1 over the turns

On LongMemEval, asked in two ways (`longmemeval`), and on LoCoMo, on whose chats the weights that
ship were fitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from storykeeper.bench.locomo import data as locomo
from storykeeper.bench.locomo.baselines import BM25, standard
from storykeeper.bench.locomo.data import Chat
from storykeeper.bench.locomo.preparing import cosines_of
from storykeeper.bench.memories import fresh
from storykeeper.bench.recall import longmemeval
from storykeeper.bench.registry import Figures, Setup
from storykeeper.memories import Memory
from storykeeper.memory.chats import Said
from storykeeper.models.embedders.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Vectors = NDArray[np.int8]

FIRST = (5, 10)
QUICK = 8  # questions of each set
SYSTEMS = ("storykeeper", "bm25", "minilm", "zsum")
Order = Sequence[int]


class Vectored:
    """Texts are embedded once, whichever memory they are in."""

    def __init__(self) -> None:
        self._model = MiniLM()
        self._known: dict[str, Vectors] = {}

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A vector of each."""
        import numpy as np

        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._model.passages(new), strict=True))
        return np.stack([self._known[text] for text in texts])

    def query(self, text: str) -> Vectors:
        """The vector of a question."""
        found: Vectors = self._model.queries([text])[0]
        return found


def measure(setup: Setup) -> Figures:
    """Every system on every set."""
    vectors = Vectored()
    made: Figures = {name: {} for name in SYSTEMS}
    for name, found in _sets(setup, vectors):
        for system in SYSTEMS:
            made[system][name] = _recall([(gold, orders[system]) for gold, orders in found])
        shown = ", ".join(f"{system} {made[system][name]}" for system in SYSTEMS)
        setup.say(f"  {name}, {len(found)} questions: {shown}")
    return made


Found = list[tuple[frozenset[int], dict[str, Order]]]


def _sets(setup: Setup, vectors: Vectored) -> Iterable[tuple[str, Found]]:
    most = QUICK if setup.quick else None
    rows = longmemeval.load(setup.data)
    together = longmemeval.pooled(rows)[:most]
    setup.say(f"longmemeval: {len(rows)} questions, {len(together[0].chat.turns)} turns …")
    memory, places = _remembered(together[0].chat)
    yield "pooled", [_asked(q.chat, q.now_ms, memory, places, vectors) for q in together]
    stacks = list(longmemeval.haystacks(rows))[:most]
    yield "haystack", [_asked(q.chat, q.now_ms, *_remembered(q.chat), vectors) for q in stacks]
    found: Found = []
    for chat in locomo.load(setup.data):
        setup.say(f"locomo: {chat.name} …")
        memory, places = _remembered(chat)
        for asked in chat.asked[:most]:
            one = Chat(chat.name, chat.turns, (asked,))
            found.append(_asked(one, None, memory, places, vectors))
    yield "locomo", found


def _remembered(chat: Chat) -> tuple[Memory, dict[str, int]]:
    memory = fresh()
    lines = [Said(turn.text, turn.speaker, turn.at_ms, turn.session) for turn in chat.turns]
    return memory, {each: place for place, each in enumerate(memory.add_all(lines))}


def _asked(
    chat: Chat, now_ms: int | None, memory: Memory, places: dict[str, int], vectors: Vectored
) -> tuple[frozenset[int], dict[str, Order]]:
    """The turns that answer the question of a chat, and what each system has first."""
    (asked,) = chat.asked
    texts = [turn.text for turn in chat.turns]
    words = BM25(texts).scores(asked.text)
    meaning = cosines_of(vectors.query(asked.text), vectors.passages(texts))
    now = None if now_ms is None else now_ms / 1_000
    ours = [places[hit.item.id] for hit in memory.search(asked.text, now=now, k=max(FIRST))]
    return frozenset(asked.gold), {
        "storykeeper": ours,
        "bm25": _order(words),
        "minilm": _order(meaning),
        "zsum": _order(standard(words) + standard(meaning)),
    }


def _order(scores: Floats) -> Order:
    import numpy as np

    first: list[int] = np.argsort(-scores, kind="stable")[: max(FIRST)].tolist()
    return first


def _recall(found: Sequence[tuple[frozenset[int], Order]]) -> Figures:
    def share(first: int) -> float:
        return fmean(len(gold.intersection(order[:first])) / len(gold) for gold, order in found)

    return {str(first): round(100 * share(first), 1) for first in FIRST}
