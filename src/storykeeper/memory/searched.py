"""What a search needs of whatever holds items: a memory's file, or the past of a run."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from storykeeper.memory.filters import Where
from storykeeper.memory.items import Item
from storykeeper.memory.tables import Tables
from storykeeper.memory.view import View

if TYPE_CHECKING:
    from storykeeper.memory.index.index import Index
    from storykeeper.memory.meaning import Meant


class Understands(Protocol):
    """Says what a query means."""

    def query(self, text: str, *, leave: Collection[str]) -> Meant:
        """A query as numbers; `leave` are words that name who speaks."""
        ...


class Searched(Protocol):
    """Items with an index over them."""

    @property
    def index(self) -> Index:
        """Vectors, words and numbers, row by row."""
        ...

    @property
    def tables(self) -> Tables:
        """What the numbers stand for."""
        ...

    @property
    def meaning(self) -> Understands | None:
        """Nothing, if it is searched by words alone."""
        ...

    @property
    def unavailable(self) -> str:
        """Why words could not be embedded, the last time it was tried."""
        ...

    def item(self, row: int, /) -> Item:
        """The item of a row."""
        ...

    def anchors(self, row: int, /) -> int:
        """How many dates and times the item of a row names."""
        ...

    def view(
        self, classes: frozenset[int], /, *, where: Where | None = None,
        alive_ms: int | None = None,
    ) -> View:  # fmt: skip
        """What those see who may see these classes; of that what a filter and time leave."""
        ...
