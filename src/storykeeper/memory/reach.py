"""What somebody reaches in a memory: by an id, by a filter, as far as they may see.

In a namespace, that is what is of it and what all share; the owner of the file reaches everything
from outside of all namespaces. By a filter, what is changed or deleted is of the namespace alone:
clearing one user's memory leaves what all share.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from storykeeper.errors import MemoryProblem, NoSuchItem
from storykeeper.memory.asker import OWNER, Asker
from storykeeper.memory.compaction.summaries import expand
from storykeeper.memory.filters import Where, where_or_refuse
from storykeeper.memory.items import Item
from storykeeper.memory.remembering import parts_of
from storykeeper.memory.store import Store
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    from storykeeper.memory.view import View


@dataclass(frozen=True, slots=True)
class Reach:
    """Of one namespace."""

    store: Store
    namespace: str

    def row(self, item: str, *, audience: Asker = OWNER, alive_ms: int | None = None) -> int:
        """The row behind an id, if they may see it; else it is as if there were none."""
        self.refuse_unseen(item, audience=audience)
        row = self.store.row_of(item)
        gone = None if alive_ms is None else self.store.sieve.expired(alive_ms)
        if gone is not None and gone[row]:
            raise NoSuchItem(f"{item} has expired; update() gives it more time, sweep() forgets it")
        return row

    def item(self, row: int) -> Item:
        """An item with its place among those of the same audience, as its id has it."""
        place = int(self.store.index.column("nth")[row])
        return replace(self.store.item(row), order=place)

    def expanded(self, row: int) -> tuple[Item, ...]:
        """What a summary was made from in the end, as far as it is still there."""
        rows, classes = expand(self.store.tables.sources, row), self.store.index.classes
        return tuple(self.item(each) for each in rows if classes[each] >= 0)

    def expired(self, alive_ms: int | None) -> tuple[str, ...]:
        """The ids of what has expired in the namespace."""
        gone = None if alive_ms is None else self.store.sieve.expired(alive_ms)
        if gone is None:
            return ()
        return self.store.called(TurnNo(row + 1) for row in self.own(OWNER, None) if gone[row])

    def numbers(self, items: Iterable[str]) -> tuple[TurnNo, ...]:
        """What records call some items."""
        return tuple(TurnNo(self.row(item) + 1) for item in items)

    def refuse_unseen(self, item: str, *, audience: Asker) -> None:
        """Refuse an id of what they may not see, as one that is none."""
        if self.store.tables.class_of(parts_of(item)[1]) not in self._classes(audience):
            raise NoSuchItem(f"nothing is called {item}")

    def _classes(self, audience: Asker) -> frozenset[int]:
        tables = self.store.tables
        if audience is OWNER and not self.namespace:
            return frozenset(tables.eyes.values())
        return tables.open_to(audience, namespace=self.namespace)

    def view(self, audience: Asker, where: Where | None, *, alive_ms: int | None) -> View:
        """What they may see."""
        return self.store.view(self._classes(audience), where=where, alive_ms=alive_ms)

    def own(self, audience: Asker, where: Where | None) -> list[int]:
        """The rows of the namespace alone, expired ones included."""
        classes = self.store.tables.open_to(audience, namespace=self.namespace, alone=True)
        rows: list[int] = self.store.view(classes, where=where).told.tolist()
        return rows


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items are meant: some by their ids, or all that a filter lets through."""

    items: tuple[str, ...] | None
    where: Where | None
    audience: Asker

    def refuse_text(self, text: str | None) -> None:
        """Refuse one text for several items."""
        if text is not None and (self.items is None or len(self.items) != 1):
            raise MemoryProblem("a new text is for one item; name its id, and no other")

    def rows(self, reach: Reach) -> list[int]:
        """Their rows, each once; refuses an id that is none."""
        if self.items is None:
            return reach.own(self.audience, self.where)
        return list(
            dict.fromkeys(reach.row(item, audience=self.audience) for item in self.items)
        )  # fmt: skip


def wanted(items: str | Iterable[str] | None, where: object, *, audience: Asker) -> Wanted:
    """Which items are meant, as it was said; refuses what says nothing, or two things."""
    if (items is None) == (where is None):
        raise MemoryProblem(
            "say which items: by their ids, or by where={…}; where={} is everything of a namespace"
        )
    if items is None:
        return Wanted(None, where_or_refuse(where), audience)
    return Wanted((items,) if isinstance(items, str) else tuple(items), None, audience)
