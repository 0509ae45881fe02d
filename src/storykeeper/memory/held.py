"""Items held in memory and searched as those of a file are: the past of a run of a story.

There is no ledger of their own behind them; whoever holds them makes them again.

Imported when something is first recalled: it needs numpy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from storykeeper.errors import ModelUnavailable
from storykeeper.language.time import anchors
from storykeeper.memory.holding import BATCH, FileShelf, Holding
from storykeeper.memory.index.index import Index
from storykeeper.memory.items import Item
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.tables import COLUMNS, NO_TURN
from storykeeper.scoring.narrative import narrative_weights

Floats = NDArray[np.float64]


class _Weighed(Index):
    """An index whose narrative weights may change: a scene that is being played grows denser."""

    weights: Floats | None = None

    def column(self, name: str) -> Floats:
        """A number for every row."""
        known = super().column(name)
        return known if name != "weight" or self.weights is None else self.weights


class Held(Holding):
    """Items in order, each for those who may know it."""

    index: _Weighed

    def __init__(self, *, meaning: Meaning | None = None, shelf: FileShelf | None = None) -> None:
        """Empty. `shelf` is the one behind `meaning`, if it wants to know whose words it keeps."""
        super().__init__(meaning=meaning, shelf=shelf)
        self._items: list[Item] = []
        columns = (*COLUMNS, "turn")
        try:
            self.index = self._indexed(_Weighed, None, columns)
        except ModelUnavailable as error:
            self.meaning, self.unavailable = None, str(error)
            self.index = self._indexed(_Weighed, None, columns)

    @property
    def rows(self) -> int:
        """How many items there are."""
        return len(self._items)

    def item(self, row: int, /) -> Item:
        """The item of a row, with what it weighs now."""
        item, weights = self._items[row], self.index.weights
        if weights is None or weights[row] == item.weight:
            return item
        return replace(item, weight=float(weights[row]))

    def anchors(self, row: int, /) -> int:
        """How many dates and times the item of a row names: read when a question of time comes."""
        return _anchors(self._items[row].text)

    def _anchored(self, item: Item) -> int:
        return 0  # to read them takes longer than all the rest, and few questions are of time

    def add(self, items: Iterable[Item]) -> None:
        """More items, behind those that are there."""
        new = list(items)
        for start in range(0, len(new), BATCH):
            self._add(new[start : start + BATCH])

    def weigh(self, densities: Mapping[str, float], *, thematic: Collection[int]) -> None:
        """Give items their narrative weight as it stands now, by scene and by turn (F2.1b)."""
        numbers = self.tables.sessions
        dense = np.zeros(len(numbers))
        for scene, density in densities.items():
            if scene in numbers:
                dense[numbers[scene]] = density
        turns = np.isin(self.index.column("turn"), sorted(thematic))
        scenes = self.index.column("session").astype(np.int64)
        self.index.weights = narrative_weights(dense[scenes], thematic=turns)

    def _add(self, items: Sequence[Item]) -> None:
        meant = self._embedded(items, turns=[item.turn or 0 for item in items])
        if meant is None:  # searched by words alone from here on, and that is said
            self.meaning, meant = None, self._meaningless(items)
        rows = [
            self._row_of(item, each, version=row, turn=_turn(item))
            for row, (item, each) in enumerate(zip(items, meant, strict=True), start=self.rows + 1)
        ]
        self.index.add(np.stack([each.whole for each in meant]), rows)
        self.index.weights = None
        self._items += [
            replace(item, order=row) for row, item in enumerate(items, start=self.rows + 1)
        ]
        self._views.clear()


@lru_cache(maxsize=4_096)
def _anchors(text: str) -> int:
    return anchors(text)


def _turn(item: Item) -> int:
    return NO_TURN if item.turn is None else item.turn
