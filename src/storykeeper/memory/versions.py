"""Another version of an item, under the id it has; and what an item was, from the first on.

Nothing is rewritten: a new version is a record beside the old one, and only erasing takes words
away, from all versions at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import structs

from storykeeper.errors import ItemRefused, NoSuchItem
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import (
    MemoryAdded,
    MemoryRepeated,
    MemoryRetired,
    MemorySummarised,
)
from storykeeper.events.turns import TextErased
from storykeeper.ledger.port import Entry
from storykeeper.memory.expiry import AS_IT_IS, Kept
from storykeeper.memory.metadata import Metadata, Value, merged, read
from storykeeper.memory.remembering import parts_of, refuse_unsayable
from storykeeper.memory.store import Store
from storykeeper.memory.tables import Eyes, tag_of
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Revision:
    """What is to be different."""

    text: str | None = None
    speaker: str | None = None
    metadata: Mapping[str, Value | None] | None = None
    at_ms: int | None = None
    until_ms: int | Kept | None = AS_IT_IS
    weight: float | None = None

    def record(self, store: Store, row: int, *, number: int) -> MemoryAdded | None:
        """The next version of an item; None if nothing in it changes."""
        old = store.record(row)
        if isinstance(old, MemorySummarised) or old.document:
            what = "a passage of a document: load() the document again"
            if isinstance(old, MemorySummarised):
                what = "a summary: delete() it, or expand() it and update what it was made of"
            raise ItemRefused(f"{store.item(row).id} is {what}")
        new = self._applied(old)
        if new == old:
            return None
        place = int(store.index.column("nth")[row])
        return structs.replace(
            new, turn=TurnNo(number), replaces=TurnNo(row + 1), place=place
        )  # fmt: skip

    def _applied(self, old: MemoryAdded) -> MemoryAdded:
        text = old.text if self.text is None else self.text
        refuse_unsayable(text)
        forms = (old.brief, old.hint) if text == old.text else ("", "")
        return structs.replace(
            old, text=text, brief=forms[0], hint=forms[1],
            speaker=old.speaker if self.speaker is None else self.speaker,
            said_ms=old.said_ms if self.at_ms is None else self.at_ms,
            weight=old.weight if self.weight is None else self.weight,
            metadata=old.metadata if self.metadata is None else merged(old.metadata, self.metadata),
            until_ms=old.until_ms if self.until_ms is AS_IT_IS else self.until_ms,
        )  # fmt: skip


def revised(store: Store, rows: Callable[[], list[int]], revision: Revision) -> tuple[str, ...]:
    """New versions of some rows, as far as anything changes in them; their ids."""
    ids: list[str] = []

    def records(first: int) -> list[AnyRecord]:
        made: list[AnyRecord] = []
        some = rows()
        ids[:] = store.called(TurnNo(row + 1) for row in some)
        for row in some:
            new = revision.record(store, row, number=first + len(made))
            if new is not None:
                made.append(new)
        return made

    store.append(records)
    return tuple(ids)


# ── what an item was ─────────────────────────────────────────────────────────────────────────


class Turned(StrEnum):
    """What became of an item."""

    ADDED = "added"
    UPDATED = "updated"
    REPEATED = "repeated"  # it was said again, or was there more than once
    DELETED = "deleted"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that became of an item, and how it stood from then on."""

    what: Turned
    recorded_ms: int  # when it came on record
    text: str = ""  # of what was added or updated; nothing is left of what was forgotten
    speaker: str = ""
    at_ms: int | None = None
    metadata_json: str = ""
    until_ms: int | None = None

    @property
    def metadata(self) -> Metadata:
        """What was said of it then."""
        return read(self.metadata_json)


@dataclass(slots=True)
class History:
    """What became of one item, in order, and the numbers of its versions."""

    changes: list[Change]
    numbers: list[TurnNo]


def history(store: Store, item: str) -> History:
    """All that is on record of an item, deleted ones included; refuses an id of none."""
    place, tag = parts_of(item)
    found = History([], [])
    counts: Counter[Eyes] = Counter()
    for entry in store.ledger.read(store.run):
        record = entry.record
        if isinstance(record, MemoryAdded | MemorySummarised):
            eyes = (record.namespace, record.audience)
            at = getattr(record, "place", 0)
            if not at:
                counts[eyes] += 1
                at = counts[eyes]
            if at == place and tag_of(eyes) == tag:
                found.numbers.append(record.turn)
                found.changes.append(_version(entry, first=len(found.numbers) == 1))
        elif found.numbers:
            found.changes += _became(entry, found.numbers)
    if not found.numbers:
        raise NoSuchItem(f"nothing is called {item}")
    return found


def _version(entry: Entry, *, first: bool) -> Change:
    record = entry.record
    assert isinstance(record, MemoryAdded | MemorySummarised)
    return Change(
        Turned.ADDED if first else Turned.UPDATED, entry.at_ms, record.text,
        getattr(record, "speaker", ""), record.said_ms, record.metadata,
        getattr(record, "until_ms", None),
    )  # fmt: skip


def _became(entry: Entry, numbers: Sequence[TurnNo]) -> Iterator[Change]:
    match entry.record:
        case MemoryRetired(of=of) if not {*of}.isdisjoint(numbers):
            yield Change(Turned.DELETED, entry.at_ms)
        case MemoryRepeated(gone=gone) if not {*gone}.isdisjoint(numbers):
            yield Change(Turned.DELETED, entry.at_ms)
        case MemoryRepeated(of=of) if not {*of}.isdisjoint(numbers):
            yield Change(Turned.REPEATED, entry.at_ms, at_ms=entry.record.said_ms)
        case TextErased(of=of) if of == numbers[-1]:
            yield Change(Turned.FORGOTTEN, entry.at_ms)
