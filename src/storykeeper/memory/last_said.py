"""The last thing that was said to each audience: what comes next follows on it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storykeeper.memory.items import Kind
from storykeeper.memory.tables import KINDS, UNDATED

if TYPE_CHECKING:
    from storykeeper.memory.index.index import Index


@dataclass(frozen=True, slots=True)
class LastSaid:
    """The last row of each class that was said, and the last of those with a moment."""

    every: dict[int, int] = field(default_factory=dict)
    dated: dict[int, int] = field(default_factory=dict)

    def take(self, index: Index, *, first: int, leave: Collection[int] = ()) -> None:
        """Go on with the rows from one on, but for those that are later versions of others."""
        import numpy as np

        classes, at = index.classes[first:], index.column("said")[first:]
        said = (index.column("kind")[first:] == KINDS.index(Kind.SAID)) & (classes >= 0)
        if leave:
            said[[row - first for row in leave if row >= first]] = False
        for last, which in ((self.every, said), (self.dated, said & (at > UNDATED))):
            rows = np.flatnonzero(which)
            last.update(zip(classes[rows].tolist(), (rows + first).tolist(), strict=True))
