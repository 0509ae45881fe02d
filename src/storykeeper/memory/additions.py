"""Lines and passages on their way into a ledger: numbered, named, put into sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from storykeeper.errors import ItemRefused
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import MemoryAdded, MemoryRepeated, MemoryRetired
from storykeeper.memory.chats import Said, line_of
from storykeeper.memory.documents import Passage
from storykeeper.memory.items import Kind
from storykeeper.memory.metadata import written
from storykeeper.memory.remembering import passages_as_records, refuse_line
from storykeeper.memory.repeats import likeness, repeats
from storykeeper.memory.sessions import Audience, Before, Sessions
from storykeeper.memory.store import Store
from storykeeper.memory.tables import KINDS, Eyes, id_of, tag_of
from storykeeper.models.embedders.cache import Progress
from storykeeper.units import TurnNo

IMPORT_BATCH = 512  # lines that become durable together
_NO_CLASS = -2  # which no row is of: those that are hidden are of −1
_Same = tuple[Eyes, str, str]  # who may know it, who said it, and what was said of it


Line = Said | str | Mapping[str, Any]


def lines_or_refuse(lines: Iterable[Line]) -> list[Said]:
    """Lines as they may be written; the first that cannot be kept is refused by its number."""
    if isinstance(lines, str):
        raise ItemRefused("several lines are wanted; add() remembers one")
    some = []
    for number, line in enumerate(lines, start=1):
        some.append(line_of(line, where=f"line {number}"))
        refuse_line(some[-1])
    return some


@dataclass(slots=True)
class Additions:
    """Records of some lines, and the id of the item that each line is."""

    store: Store
    namespace: str
    once: bool = False  # what is there is not added again
    session: str = ""  # of lines that name none; without it, that of the line before
    alive_ms: int | None = None  # what expired before is not there
    records: list[AnyRecord] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def added(
        self, lines: Sequence[Said], *, progress: Progress | None = None
    ) -> Iterator[list[str]]:
        """Put lines on record, so many at a time; the ids of those that are there then."""
        for start in range(0, len(lines), IMPORT_BATCH):
            self.store.append(partial(self.take, lines[start : start + IMPORT_BATCH]))
            yield self.ids
            if progress is not None:
                progress(min(start + IMPORT_BATCH, len(lines)), len(lines))

    def take(self, lines: Sequence[Said], first: int) -> list[AnyRecord]:
        """All of them, numbered on from one."""
        self.records, self.ids = [], []
        sessions, number = Sessions(self._before), first
        new: Counter[Eyes] = Counter()
        fresh: dict[_Same, list[tuple[str, str, int]]] = {}
        for line in lines:
            said = replace(line, session=line.session or self.session)
            eyes: Eyes = (self.namespace, _sorted(said.audience))
            metadata = written(said.metadata)
            same = (eyes, said.speaker, metadata)
            if self.once and (found := self._repeated(said.text, same, fresh.get(same, ()))):
                self.ids.append(found[0])
                self.records.append(
                    MemoryRepeated(TurnNo(number - 1), (TurnNo(found[1]),), said.at_ms)
                )
                continue
            new[eyes] += 1
            item = id_of(self.store.tables.added(eyes) + new[eyes], tag=tag_of(eyes))
            fresh.setdefault(same, []).append((said.text, item, number))
            self.ids.append(item)
            self.records.append(
                MemoryAdded(
                    TurnNo(number), said.text, speaker=said.speaker, said_ms=said.at_ms,
                    session=sessions.of(said, item=item), namespace=self.namespace,
                    audience=eyes[1], entities=tuple(dict.fromkeys(said.entities)),
                    weight=said.weight, metadata=metadata, until_ms=said.until_ms,
                )
            )  # fmt: skip
            number += 1
        return self.records

    def _repeated(
        self, text: str, same: _Same, fresh: Iterable[tuple[str, str, int]]
    ) -> tuple[str, int] | None:  # fmt: skip
        """The id and the number of what says the same; none, if nothing does."""
        import numpy as np

        index, tables = self.store.index, self.store.tables
        eyes, speaker, metadata = same
        alike = index.column("same") == likeness(text)
        alike &= index.classes == tables.eyes.get(eyes, _NO_CLASS)
        alike &= index.column("kind") == KINDS.index(Kind.SAID)
        gone = None if self.alive_ms is None else self.store.sieve.expired(self.alive_ms)
        for row in np.flatnonzero(alike if gone is None else alike & ~gone).tolist():
            item = self.store.item(row)
            said = (item.speaker, item.metadata_json) == (speaker, metadata)
            if said and repeats(item.text, text):
                return item.id, row + 1
        for known, item_id, number in fresh:
            if repeats(known, text):
                return item_id, number
        return None

    def _before(self, audience: Audience) -> Before | None:
        """What was said last of what all of an audience know."""
        store = self.store
        classes = store.tables.known_to_all(audience, namespace=self.namespace)
        last, dated = (store.last_said(classes, dated=which) for which in (False, True))
        if last is None:
            return None
        at_ms = None if dated is None else int(store.index.column("said")[dated])
        return Before(store.item(last).session, at_ms)


def _sorted(audience: Audience) -> tuple[str, ...] | None:
    return None if audience is None else tuple(sorted(audience))


def loaded(
    store: Store, passages: Sequence[Passage], *, eyes: Eyes, metadata: str
) -> tuple[str, ...]:  # fmt: skip
    """Put passages of documents on record; those that the same audience had before are retired."""
    made = store.append(lambda n: _loaded(store, passages, first=n, eyes=eyes, metadata=metadata))
    return store.called(record.turn for record in made if isinstance(record, MemoryAdded))


def _loaded(
    store: Store, passages: Sequence[Passage], *, first: int, eyes: Eyes, metadata: str
) -> list[AnyRecord]:  # fmt: skip
    old = _passages(store, {p.document for p in passages}, eyes)
    new: list[AnyRecord] = list(
        passages_as_records(
            passages, first=first, namespace=eyes[0], audience=eyes[1], metadata=metadata
        )
    )
    return [*new, MemoryRetired(TurnNo(first + len(new) - 1), old)] if old and new else new


def _passages(store: Store, documents: set[str], eyes: Eyes) -> tuple[TurnNo, ...]:
    """Numbers of the passages that documents had before for somebody, as the index knows."""
    import numpy as np

    index, tables = store.index, store.tables
    sessions = [n for name, n in tables.sessions.items() if name.split(" › ")[0] in documents]
    found = index.column("kind") == KINDS.index(Kind.WRITTEN)
    found &= index.classes == tables.eyes.get(eyes, _NO_CLASS)
    found &= np.isin(index.column("session"), sessions)
    return tuple(TurnNo(row + 1) for row in np.flatnonzero(found).tolist())
