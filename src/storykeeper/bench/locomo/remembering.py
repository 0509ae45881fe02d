"""LoCoMo through `Memory`, as anybody would use it: everything added, then every question asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from storykeeper.bench.locomo.data import Chat
from storykeeper.bench.locomo.found import BUDGETS, FIRST, Found
from storykeeper.memory.chats import Said
from storykeeper.memory.found import FULL, Hit


class Remembers(Protocol):
    """As much of `Memory` as is used."""

    def add_all(self, lines: Sequence[Said], /) -> list[str]:
        """Remember lines; their ids."""
        ...

    def search(self, query: str, /, *, k: int = 10, budget: int | None = None) -> Iterable[Hit]:
        """What answers, the best first."""
        ...


def asked_of(memory: Remembers, chat: Chat) -> list[Found]:
    """What a memory of a chat answers. In a budget only turns that are whole count."""
    lines = [Said(turn.text, turn.speaker, turn.at_ms, turn.session) for turn in chat.turns]
    places = {each: place for place, each in enumerate(memory.add_all(lines))}
    found = []
    for asked in chat.asked:
        hits = memory.search(asked.text, k=max(FIRST))
        inside = {
            budget: frozenset(
                places[hit.item.id]
                for hit in memory.search(asked.text, budget=budget)
                if hit.form == FULL
            )
            for budget in BUDGETS
        }
        order = [places[hit.item.id] for hit in hits]
        found.append(Found(chat, asked.category, asked.gold, order, inside))
    return found
