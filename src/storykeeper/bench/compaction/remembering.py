"""What was told, in a `Memory`, as anybody would use it."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.bench.memories import fresh
from storykeeper.memory.chats import Said
from storykeeper.memory.found import line
from storykeeper.memory.items import Item


class Remembered:
    """A memory of some items; its ids are its own."""

    def __init__(self, items: Sequence[Item]) -> None:
        """Everything added, in order."""
        self._memory = fresh()
        lines = [Said(i.text, i.speaker, i.at_ms, i.session, i.audience) for i in items]
        self.items: Sequence[Item] = [self._memory.get(i) for i in self._memory.add_all(lines)]

    def search(self, question: str, *, budget: int) -> Sequence[str]:
        """What comes back within a budget of tokens, as it would be shown."""
        hits = self._memory.search(question, budget=budget)
        return [line(hit.item, hit.text) for hit in hits]

    def compact(self) -> Sequence[Item]:
        """Sum up what can be; the summaries, which are searched from now on."""
        return [self._memory.get(made) for made in self._memory.compact().summaries]
