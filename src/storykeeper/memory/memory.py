"""`Memory`: what was said, kept and found again, for any chat or agent. No story is needed.

    memory = Memory.open("chat.db")
    memory.add("I moved the meeting to Friday", speaker="Ana", at="2024-05-07T10:00")
    memory.search("when is the meeting", now="2024-05-09")

Everything added is a record of an append-only ledger, durable when `add` returns; the index beside
it is made from the ledger and can be deleted. Nothing is rewritten: a summary stands beside what it
sums up, what is retired stays on record, and only erasing takes words away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Self

from storykeeper.errors import MemoryProblem
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import MemoryAdded, MemoryRetired, MemoryShown
from storykeeper.memory.assembly import Assembled, assembled
from storykeeper.memory.chats import Said
from storykeeper.memory.compaction.compacting import Means
from storykeeper.memory.compaction.summaries import expand
from storykeeper.memory.documents import Passage
from storykeeper.memory.found import Results, packed
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.moments import moment
from storykeeper.memory.naming import name_or_refuse
from storykeeper.memory.reembedding import Reembedding, Unchanged
from storykeeper.memory.refusing import (
    asker_or_refuse,
    most_or_refuse,
    names_or_refuse,
    query_or_refuse,
    room_or_refuse,
    weight_or_refuse,
)
from storykeeper.memory.remembering import names, passages_as_records, refuse_line
from storykeeper.memory.search import Asked, search, view_of
from storykeeper.memory.sessions import Audience, Before, Sessions
from storykeeper.memory.sharing import one_at_a_time
from storykeeper.memory.store import Store
from storykeeper.memory.summing import Compacted, sum_up
from storykeeper.memory.tables import KINDS, Eyes, id_of, tag_of
from storykeeper.models.embedders.cache import Progress
from storykeeper.models.port import ChatModel
from storykeeper.scoring.reserve import Reserve
from storykeeper.scoring.settings import STORY, SearchSettings
from storykeeper.story.tuning import Policy
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    from datetime import datetime

    Moment = str | float | datetime

__all__ = ["Compacted", "Memory"]

LEAST_CLUSTER = 10  # fewer are left until there are more: a summary of one says nothing new
IMPORT_BATCH = 512  # lines that become durable together
_NO_CLASS = -2  # which no row is of: those that are hidden are of −1


class Memory:
    """Things remembered, in order, each for those who may know them.

    Threads may share one: their calls are answered one after another.
    """

    def __init__(
        self, store: Store, *, namespace: str = "", session: str = "",
        settings: SearchSettings = STORY,
    ) -> None:  # fmt: skip
        """Use `Memory.open`. `namespace`: whose durable memory; `session`: the active one."""
        self.store = store
        self.settings = settings
        self.namespace = name_or_refuse(namespace, what="a namespace")
        self.session = name_or_refuse(session, what="a session")
        # A change of embedder under way, or one that could not be begun.
        self.reembedding: Reembedding | Unchanged | None = None
        self.lock = RLock()
        self._closed = False

    @one_at_a_time
    def settle(self, *, wait: bool = False) -> bool:
        """Search in the new space from here on, if one is being made and it is whole.

        Every method does so first; with `wait` it waits for it. Whether no change is under way.
        """
        if self._closed:
            raise MemoryProblem("this memory is closed; open it again")
        change = self.reembedding
        if change is None:
            return True
        if wait:
            change.wait()
        if isinstance(change, Reembedding) and change.ready:
            old, self.store = self.store, change.adopted()
            old.discard()
            self.reembedding = None
        return self.reembedding is None

    @one_at_a_time
    def __len__(self) -> int:
        """How many things were added, summaries and retired ones included."""
        self._up_to_date()
        return self.store.rows

    # ── adding ───────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def add(
        self,
        text: str,
        *,
        speaker: str = "",
        at: Moment | None = None,
        audience: Iterable[str] | None = None,
        session: str | None = None,
        entities: Iterable[str] = (),
        weight: float = 0.0,
    ) -> str:
        """Remember something; its id. Without an audience it is open to everybody.

        Without a session it belongs to the one before it, unless six hours passed since.
        """
        self.settle()
        share = weight_or_refuse(weight)
        said = Said(
            text, speaker, None if at is None else moment(at), session or "",
            None if audience is None else frozenset(names(audience) or ()),
        )  # fmt: skip
        refuse_line(said)
        more = tuple(dict.fromkeys(names_or_refuse(entities, what="an entity")))
        written = self.store.append(lambda n: self._records([said], n, entities=more, weight=share))
        return self._id(written[0])

    @one_at_a_time
    def add_all(self, lines: Sequence[Said], *, progress: Progress | None = None) -> list[str]:
        """Remember many things, in their order; their ids. Those before a failure are kept."""
        self.settle()
        for said in lines:
            refuse_line(said)
        ids: list[str] = []
        for start in range(0, len(lines), IMPORT_BATCH):
            some = lines[start : start + IMPORT_BATCH]
            written = self.store.append(lambda n, some=some: self._records(some, n))  # type: ignore[misc]
            ids += map(self._id, written)
            if progress is not None:
                progress(len(ids), len(lines))
        return ids

    @one_at_a_time
    def load(
        self, passages: Iterable[Passage], *, audience: Iterable[str] | None = None
    ) -> list[str]:
        """Remember the passages of documents.

        Those that the same audience had of an earlier version are retired.
        """
        self.settle()
        wanted = list(passages)
        eyes = names(audience)
        documents = {p.document for p in wanted}

        def records(first: int) -> list[AnyRecord]:
            old = self._passages(documents, (self.namespace, eyes))
            new: list[AnyRecord] = list(
                passages_as_records(wanted, first=first, namespace=self.namespace, audience=eyes)
            )
            last = TurnNo(first + len(wanted) - 1)
            return [*new, MemoryRetired(last, old)] if old and new else new

        return [self._id(r) for r in self.store.append(records) if isinstance(r, MemoryAdded)]

    def _records(
        self, lines: Sequence[Said], first: int, *, entities: tuple[str, ...] = (),
        weight: float = 0.0,
    ) -> list[MemoryAdded]:  # fmt: skip
        records: list[MemoryAdded] = []
        sessions = Sessions(self._before)
        new: Counter[Eyes] = Counter()
        for number, said in enumerate(lines, start=first):
            eyes = None if said.audience is None else tuple(sorted(said.audience))
            whose = (self.namespace, eyes)
            new[whose] += 1
            item = id_of(self.store.tables.added(whose) + new[whose], tag=tag_of(whose))
            records.append(
                MemoryAdded(
                    TurnNo(number), said.text, speaker=said.speaker, said_ms=said.at_ms,
                    session=sessions.of(said, item=item), namespace=self.namespace, audience=eyes,
                    entities=entities, weight=weight,
                )
            )  # fmt: skip
        return records

    def _before(self, audience: Audience) -> Before | None:
        """What was said last of what all of an audience know."""
        store = self.store
        classes = store.tables.known_to_all(audience, namespace=self.namespace)
        last, dated = (store.last_said(classes, dated=which) for which in (False, True))
        if last is None:
            return None
        at_ms = None if dated is None else int(store.index.column("said")[dated])
        return Before(store.item(last).session, at_ms)

    def _passages(self, documents: set[str], eyes: Eyes) -> tuple[TurnNo, ...]:
        """Numbers of the passages that documents had before for somebody, as the index knows."""
        import numpy as np

        index, tables = self.store.index, self.store.tables
        sessions = [n for name, n in tables.sessions.items() if name.split(" › ")[0] in documents]
        found = index.column("kind") == KINDS.index(Kind.WRITTEN)
        found &= index.classes == tables.eyes.get(eyes, _NO_CLASS)
        found &= np.isin(index.column("session"), sessions)
        return tuple(TurnNo(row + 1) for row in np.flatnonzero(found).tolist())

    # ── finding ──────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def search(
        self,
        query: str,
        *,
        audience: str | None = None,
        now: Moment | None = None,
        k: int | None = None,
        budget: int | None = None,
        policy: Policy = Policy.FILL,
    ) -> Results:
        """What answers a query, the best first, from what the audience may know.

        The best ten, or `k`; of a question of time alone all that was said then. With a budget, as
        much as fits into so many tokens. Without an audience, only what is open to everybody.
        `now` is when it is asked: what is recent counts for more, and "last Tuesday" has a meaning.
        """
        asked, most = self._asked(query, audience, now), most_or_refuse(k)
        room = None if budget is None else room_or_refuse(budget)
        self._up_to_date()
        if room is not None:
            most = max(most or 0, 1 + room // 8)
        found = search(self.store, query, asked, most=most, looked_at=k or 0)
        found = replace(found, notes=(*found.notes, *self._notes(asked)))
        if room is None:
            return found
        return packed(found, budget=room, count=self.store.count, policy=policy)

    @one_at_a_time
    def context(
        self,
        query: str,
        *,
        tokens: int,
        audience: str | None = None,
        now: Moment | None = None,
        reserve: Reserve | None = None,
        policy: Policy = Policy.FILL,
    ) -> Assembled:
        """A whole prompt: rules, settings, recent turns, and what answers the query (L §7.8)."""
        asked, room = self._asked(query, audience, now), room_or_refuse(tokens)
        self._up_to_date()
        made = assembled(
            self.store, query, asked, tokens=room, reserve=reserve or Reserve(), policy=policy
        )
        return replace(made, notes=(*made.notes, *self._notes(asked)))

    def _asked(self, query: str, audience: str | None, now: Moment | None) -> Asked:
        query_or_refuse(query)
        return Asked(
            audience=asker_or_refuse(audience), namespace=self.namespace, session=self.session,
            now_ms=None if now is None else moment(now), settings=self.settings,
        )  # fmt: skip

    def _up_to_date(self) -> None:
        """Know what others added; nobody waits long for their words to be embedded."""
        self.settle()
        self.store.catch_up(soon=True)

    def _notes(self, asked: Asked) -> tuple[str, ...]:
        """What whoever asks should know of the embedder."""
        notes: list[str] = []
        if self.reembedding is not None and self.reembedding.problem:
            notes.append(f"The embedder is not changed: {self.reembedding.problem}")
        refused = self.store.refused()
        seen = view_of(self.store, asked).every.mask if refused else ()
        if count := sum(bool(seen[row]) for row in refused):
            notes.append(f"{count:,} items are found by words alone: the embedder refuses them")
        return tuple(notes)

    @one_at_a_time
    def get(self, item: str) -> Item:
        """One item, by its id."""
        self._up_to_date()
        return self._placed(self.store.row_of(item))

    def _placed(self, row: int) -> Item:
        """An item with its place among those of the same audience, as its id has it."""
        place = int(self.store.index.column("nth")[row])
        return replace(self.store.item(row), order=place)

    @one_at_a_time
    def expand(self, item: str) -> tuple[Item, ...]:
        """What a summary was made from in the end, word for word, in order.

        What was retired since is left out, as everywhere.
        """
        self._up_to_date()
        rows = expand(self.store.tables.sources, self.store.row_of(item))
        live = self.store.index.classes >= 0
        return tuple(self._placed(row) for row in rows if live[row])

    # ── changing what is found ───────────────────────────────────────────────────────────────

    @one_at_a_time
    def used(self, items: Iterable[str], *, audience: str) -> None:
        """Say that these were shown to somebody: to them, what is used often counts for more."""
        self.settle()
        shown, to = tuple(items), name_or_refuse(audience, what="an audience")
        if shown:
            self.store.append(lambda n: [MemoryShown(TurnNo(n - 1), self._numbers(shown), to)])

    @one_at_a_time
    def retire(self, items: Iterable[str]) -> None:
        """Take these out of every search; they stay on record."""
        self.settle()
        gone = tuple(items)
        if gone:
            self.store.append(lambda n: [MemoryRetired(TurnNo(n - 1), self._numbers(gone))])

    def _numbers(self, items: Sequence[str]) -> tuple[TurnNo, ...]:
        return tuple(TurnNo(self.store.row_of(item) + 1) for item in items)

    @one_at_a_time
    def erase(self, items: Iterable[str], *, why: str = "") -> int:
        """Remove the words of these for good, and of summaries made of them; records changed."""
        self._up_to_date()
        ledger, run = self.store.ledger, self.store.run
        changed = sum(ledger.erase(run, turn=n, why=why) for n in self._numbers(tuple(items)))
        self.store.catch_up()
        return changed

    @one_at_a_time
    def compact(
        self, *, model: ChatModel | None = None, progress: Progress | None = None
    ) -> Compacted:
        """Sum up what is older than the recent turns, each group for its own audience.

        Each summary is on record as soon as it is made; going on after a stop makes none twice.
        What was said stays, and stays searchable.
        """
        self.settle()
        self.store.catch_up()
        means = Means(
            embed=self.store.embedded, count=self.store.count, model=model, least=LEAST_CLUSTER
        )
        return sum_up(self.store, means, progress=progress)

    # ── the file ─────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def rebuild(self, *, progress: Progress | None = None) -> None:
        """Make the index again from the ledger."""
        self.settle()
        self.store.rebuild(progress)

    @one_at_a_time
    def close(self) -> None:
        """Let go of the file; a change of embedder under way goes on the next time it is asked."""
        if self._closed:
            return
        if self.reembedding is not None and not self.settle():
            self.reembedding.stop()
        self._closed = True
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _id(self, record: AnyRecord) -> str:
        return self.store.called((record.turn,))[0]
