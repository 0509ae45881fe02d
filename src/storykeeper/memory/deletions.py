"""Taking items out of a memory: found no more, told once, or without their words for good."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from storykeeper.errors import NoSuchItem
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import MemoryRepeated, MemoryRetired
from storykeeper.memory.asker import OWNER
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.reach import Reach, Wanted
from storykeeper.memory.repeats import words_of
from storykeeper.memory.store import Store
from storykeeper.memory.versions import history
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    Told = tuple[frozenset[str] | None, str, str, tuple[str, ...]]


def deleted(store: Store, rows: Callable[[], list[int]]) -> tuple[str, ...]:
    """Take rows out of every search; they stay on record. The ids they had."""
    ids: list[str] = []

    def records(first: int) -> list[AnyRecord]:
        numbers = tuple(TurnNo(row + 1) for row in rows())
        ids[:] = store.called(numbers)
        return [MemoryRetired(TurnNo(first - 1), numbers)] if numbers else []

    store.append(records)
    return tuple(ids)


def forgotten(store: Store, versions: Iterable[Iterable[TurnNo]], *, why: str) -> int:
    """Remove the words of items for good, and of summaries of them; how many records changed."""
    numbers = [number for each in versions for number in each]
    if not numbers:
        return 0
    changed = store.ledger.erase_all(store.run, turns=numbers, why=why)
    store.catch_up()
    return changed


def versions_of(reach: Reach, which: Wanted) -> dict[str, list[TurnNo]]:
    """By id, the numbers of all versions of what is meant, of what was deleted before, too."""
    store, found = reach.store, dict[str, list[TurnNo]]()
    if which.items is None:
        for row in which.rows(reach):
            found[store.item(row).id] = _numbers(store, row)
        return found
    for item in which.items:
        reach.refuse_unseen(item, audience=which.audience)
        try:
            found[item] = _numbers(store, store.row_of(item))
        except NoSuchItem:
            found[item] = history(store, item).numbers
    return found


def _numbers(store: Store, row: int) -> list[TurnNo]:
    return [TurnNo(each + 1) for each in store.tables.versions(row)]


def deduplicated(reach: Reach) -> dict[str, tuple[str, ...]]:
    """Keep the first of what was said more than once: by its id, the ids of those that went."""
    kept: dict[str, tuple[str, ...]] = {}

    def records(first: int) -> list[AnyRecord]:
        kept.clear()
        made: list[AnyRecord] = []
        for (row, item), *others in _together(reach):
            kept[item.id] = tuple(other.id for _, other in others)
            gone = tuple(TurnNo(other + 1) for other, _ in others)
            made.append(MemoryRepeated(TurnNo(first - 1), (TurnNo(row + 1),), item.at_ms, gone))
        return made

    reach.store.append(records)
    return kept


def _together(reach: Reach) -> list[list[tuple[int, Item]]]:
    """What says the same, of one speaker, for the same people, with the same metadata."""
    import numpy as np

    store = reach.store
    rows = np.array(reach.own(OWNER, None), np.int64)
    same = store.index.column("same")[rows]
    _, place, often = np.unique(same, return_inverse=True, return_counts=True)
    groups: dict[Told, list[tuple[int, Item]]] = {}
    for row in rows[often[place] > 1].tolist():
        item = store.item(row)
        if item.kind is Kind.SAID and item.until_ms is None:
            told = (item.audience, item.speaker, item.metadata_json, words_of(item.text))
            groups.setdefault(told, []).append((row, item))
    return [group for group in groups.values() if len(group) > 1]
