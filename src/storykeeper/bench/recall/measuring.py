"""What a search in `Memory` measures of each candidate, for whoever fits or tries weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.bench.locomo.data import Asked, Chat
from storykeeper.bench.memories import fresh
from storykeeper.bench.recall.sets import Told
from storykeeper.language.time import Use
from storykeeper.memories import Memory
from storykeeper.memory.candidates import likely
from storykeeper.memory.chats import Said
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.search import Asked as Asking
from storykeeper.memory.search import beside_loses, narrowed_to, view_of
from storykeeper.scoring.diversity import apart
from storykeeper.scoring.fusion import Weights, sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A question's candidates and their features. A turn's row is its place in its chat."""

    chat: str
    category: str
    gold: tuple[int, ...]
    rows: Rows
    features: Floats
    beside: Rows  # see `Likely`


def remembered(chat: Chat, meaning: Meaning) -> Memory:
    """A memory of all that was said."""
    memory = fresh(meaning=meaning)
    memory.add_all([Said(turn.text, turn.speaker, turn.at_ms, turn.session) for turn in chat.turns])
    return memory


def asked_of(memory: Memory, chat: Chat, asked: Asked, now_ms: int | None) -> Measured | None:
    """One question of a memory of a chat; none for one of time alone, which is not ranked."""
    by = Asking(now_ms=now_ms)
    view = view_of(memory.store, by)
    narrowing, then, _ = narrowed_to(view, asked.text, view.every, by)
    if narrowing.kind is Use.PURE:
        return None
    found = likely(memory.store, view, asked.text, narrowing, allowed=view.every, then=then)
    return Measured(chat.name, asked.category, asked.gold, found.rows, found.features, found.beside)


def measured(told: Told, meaning: Meaning) -> Iterator[Measured]:
    """Every question of a chat that is ranked."""
    memory = remembered(told.chat, meaning)
    for asked, now_ms in zip(told.chat.asked, told.now_ms, strict=True):
        if (found := asked_of(memory, told.chat, asked, now_ms)) is not None:
            yield found


def ranked(one: Measured, weights: Weights, *, most: int) -> Sequence[int]:
    """The first turns by other weights."""
    import numpy as np

    found = sums(one.features, weights)
    loses = beside_loses(one.features)
    order = apart(np.stack([found - loses * n for n in range(3)]), one.beside, most=most)
    return [int(one.rows[place]) for place, _ in order]
