"""Items as rows of an index: what a memory's file and the past of a run have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from storykeeper.errors import ModelUnavailable
from storykeeper.language.time import anchors
from storykeeper.ledger.port import Kept, Vectors
from storykeeper.memory.filters import Where
from storykeeper.memory.items import Item
from storykeeper.memory.sieve import Sieve
from storykeeper.memory.signals import asks, item_terms, key_text
from storykeeper.memory.signals.query import name_words
from storykeeper.memory.tables import Tables, entity_term
from storykeeper.memory.view import View

if TYPE_CHECKING:
    from pathlib import Path

    from storykeeper.memory.index.index import Index
    from storykeeper.memory.index.values import RowData
    from storykeeper.memory.meaning import Meaning, Meant

    Kind = TypeVar("Kind", bound=Index)

BATCH = 256  # items that are embedded and indexed at a time
LEXICAL_SPACE = "words@1"  # the space of what is searched by words alone
WORD_DIMS = 8  # of vectors that are all zero
MOST_VIEWS = 32  # audiences whose view is kept: each takes some bytes for every row


@dataclass(slots=True)
class FileShelf:
    """A ledger file's vectors as a shelf; whoever embeds says whose words they are first."""

    vectors: Vectors
    turns: Mapping[bytes, int] = field(default_factory=dict)

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are there."""
        return self.vectors.get(space, keys)

    def put(self, space: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep these, with the turn of their words."""
        self.vectors.put(
            space,
            [Kept(k, v, self.turns.get(k, 0), self.turns.get(k, 0)) for k, v in vectors.items()],
        )


class Holding(ABC):
    """Items in order, each for those who may know it, with an index over them."""

    index: Index

    def __init__(self, *, meaning: Meaning | None, shelf: FileShelf | None) -> None:
        """`shelf` is the one behind `meaning`, if it wants to know whose words it keeps."""
        self.meaning = meaning
        self.tables = Tables()
        self.unavailable = ""  # why words could not be embedded, the last time it was tried
        self._shelf = shelf
        self._views: dict[tuple[frozenset[int], Hashable], View] = {}
        self._sieve: Sieve | None = None

    @abstractmethod
    def item(self, row: int, /) -> Item:
        """The item of a row."""

    @property
    def sieve(self) -> Sieve:
        """Which rows a filter lets through, and which have expired."""
        if self._sieve is None or self._sieve.index is not self.index:
            self._sieve = Sieve(self.index, self.tables)
        return self._sieve

    def anchors(self, row: int, /) -> int:
        """How many dates and times the item of a row names."""
        return int(self.index.column("anchors")[row])

    @property
    def space(self) -> str:
        """The space of its vectors."""
        return LEXICAL_SPACE if self.meaning is None else self.meaning.space

    def view(
        self, classes: frozenset[int], /, *, where: Where | None = None,
        alive_ms: int | None = None,
    ) -> View:  # fmt: skip
        """What those see who may see these classes; of that what a filter and time leave.

        The same until something is added.
        """
        sifted = self.sieve.sifted(where, alive_ms)
        key, only = (None, None) if sifted is None else sifted
        view = self._views.pop((classes, key), None)  # the one asked for last stands last
        view = view or View(self.index, self.tables, self.item, classes, only=only)
        self._views[classes, key] = view
        if len(self._views) > MOST_VIEWS:
            del self._views[next(iter(self._views))]
        return view

    def _indexed(
        self, kind: type[Kind], folder: Path | None, columns: tuple[str, ...], *,
        read_only: bool = False,
    ) -> Kind:  # fmt: skip
        """The index of a folder in this space; in memory, if there is none."""
        embedder = None if self.meaning is None else self.meaning.embedder
        return kind.open(
            folder,
            space=self.space,
            dims=WORD_DIMS if embedder is None else embedder.dims,
            tiers=() if embedder is None else embedder.tiers,
            columns=columns,
            read_only=read_only,
        )

    def _row_of(
        self, item: Item, meant: Meant, *, version: int, place: int = 0, note: bytes = b"",
        **more: float,
    ) -> RowData:  # fmt: skip
        """What an index keeps of an item; of a later version `place` is the number in its id."""
        from storykeeper.memory.index.values import RowData

        numbers = self.tables.columns_of(
            item, version=version, anchors=self._anchored(item), asks=asks(item), place=place
        )
        terms = (*item_terms(item), *map(entity_term, item.entities))
        eyes = self.tables.eyes_of(item)
        return RowData(terms, eyes, None, numbers | more, meant.pieces.tobytes(), note)

    def _anchored(self, item: Item) -> int:
        return anchors(item.text)

    def _embedded(
        self, items: Sequence[Item], *, turns: Sequence[int], soon: bool = False
    ) -> list[Meant] | None:
        """What items mean; none if the embedder cannot be asked. `turns` are those they go with.

        With `soon`, somebody waits for it.
        """
        if self.meaning is None:
            return self._meaningless(items)
        texts = [key_text(item) for item in items]
        leave = [name_words(item.speaker) for item in items]
        if self._shelf is not None:
            keys = (self.meaning.key(t, leave=w) for t, w in zip(texts, leave, strict=True))
            self._shelf.turns = dict(zip(keys, turns, strict=True))
        try:
            return self.meaning.passages(texts, leave=leave, soon=soon)
        except ModelUnavailable as error:
            self.unavailable = str(error)
            return None

    def _meaningless(self, items: Sequence[Item]) -> list[Meant]:
        """As many vectors that are like nothing."""
        import numpy as np

        from storykeeper.memory.meaning import Meant

        nothing = Meant(np.zeros(self.index.shape.dims, np.int8), np.zeros((0, 0), np.int8))
        return [nothing] * len(items)
