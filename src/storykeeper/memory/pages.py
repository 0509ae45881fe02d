"""What a memory holds, a page at a time, in the order in which it was told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.errors import NoSuchItem
from storykeeper.memory.asker import Asker
from storykeeper.memory.items import Item
from storykeeper.memory.reach import Reach
from storykeeper.memory.versions import history

if TYPE_CHECKING:
    from storykeeper.memory.view import View


@dataclass(frozen=True, slots=True)
class Page:
    """Some items, and where to go on."""

    items: tuple[Item, ...]
    total: int  # of all that was asked for, on every page
    next: str | None  # give it as `after`; None: there is no more

    def __getitem__(self, place: int) -> Item:
        return self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)


def page(
    reach: Reach, view: View, *, most: int, after: str | None, newest: bool, audience: Asker
) -> Page:  # fmt: skip
    """The items of a view behind one that they may see; the newest first, if asked."""
    rows = view.told[::-1] if newest else view.told
    start = 0
    if after is not None:
        reach.refuse_unseen(after, audience=audience)
        start = _place_after(reach, view, after, newest=newest)
    some = rows[start : start + most].tolist()
    items = tuple(reach.item(row) for row in some)
    more = start + len(some) < len(rows)
    return Page(items, len(rows), items[-1].id if more and items else None)


def _place_after(reach: Reach, view: View, after: str, *, newest: bool) -> int:
    """How many come up to an item, which may be gone by now."""
    import numpy as np

    tables = reach.store.tables
    try:
        row = reach.row(after)
    except NoSuchItem:
        row = history(reach.store, after).numbers[0] - 1
    origin = tables.origins.get(row, row)
    origins = np.array([tables.origins.get(each, each) for each in view.told.tolist()], np.int64)
    if newest:
        return len(origins) - int(np.searchsorted(origins, origin, side="left"))
    return int(np.searchsorted(origins, origin, side="right"))


def pages(of: Callable[[str | None], Page]) -> Iterator[Item]:
    """The items of all pages, each asked for when the one before it is through."""
    after: str | None = None
    while True:
        some = of(after)
        yield from some
        if (after := some.next) is None:
            return
