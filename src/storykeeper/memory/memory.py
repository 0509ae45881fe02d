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
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Self

from storykeeper.errors import ItemRefused, MemoryProblem
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import (
    MemoryAdded,
    MemoryRetired,
    MemoryShown,
    MemorySummarised,
)
from storykeeper.memory.assembly import Assembled, assembled
from storykeeper.memory.chats import Said
from storykeeper.memory.compaction.compacting import Declined, Means, compacted
from storykeeper.memory.compaction.summaries import Summary, expand
from storykeeper.memory.documents import Passage
from storykeeper.memory.found import Results, packed
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.moments import moment
from storykeeper.memory.naming import name_or_refuse
from storykeeper.memory.reembedding import Reembedding
from storykeeper.memory.remembering import names, passages_as_records, refuse_line
from storykeeper.memory.search import Asked, search
from storykeeper.memory.sessions import Audience, Before, Sessions
from storykeeper.memory.sharing import one_at_a_time
from storykeeper.memory.store import Store
from storykeeper.memory.tables import KINDS, Eyes, id_of, tag_of
from storykeeper.models.embedders.cache import Progress
from storykeeper.models.port import ChatModel
from storykeeper.scoring.reserve import Reserve
from storykeeper.story.tuning import Policy
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    from datetime import datetime

    Moment = str | float | datetime

LEAST_CLUSTER = 10  # fewer are left until there are more: a summary of one says nothing new
IMPORT_BATCH = 512  # lines that become durable together


@dataclass(frozen=True, slots=True)
class Compacted:
    """What compacting did."""

    summaries: tuple[str, ...]  # ids
    declined: tuple[Declined, ...]
    tokens_before: int = 0  # of what was summed up
    tokens_after: int = 0


class Memory:
    """Things remembered, in order, each for those who may know them.

    Threads may share one: their calls are answered one after another.
    """

    def __init__(self, store: Store, *, namespace: str = "", session: str = "") -> None:
        """Use `Memory.open`. `namespace`: whose durable memory; `session`: the active one."""
        self.store = store
        self.namespace = namespace
        self.session = session
        self.reembedding: Reembedding | None = None  # a change of embedder under way
        self.lock = RLock()

    @one_at_a_time
    def settle(self, *, wait: bool = False) -> bool:
        """Search in the new space from here on, if one is being made and it is whole.

        Every method does so first; with `wait` it waits for it. Whether no change is under way.
        """
        change = self.reembedding
        if change is None:
            return True
        if wait:
            change.wait()
        if change.ready:
            old, self.store = self.store, change.adopted()
            old.discard()
            self.reembedding = None
        return self.reembedding is None

    @one_at_a_time
    def __len__(self) -> int:
        """How many things were added, summaries and retired ones included."""
        self.settle()
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
        if not 0.0 <= weight <= 1.0:
            raise ItemRefused(f"a weight is between 0 and 1, not {weight!r}")
        said = Said(
            text, speaker, None if at is None else moment(at), session or "",
            None if audience is None else frozenset(names(audience) or ()),
        )  # fmt: skip
        refuse_line(said)
        more = tuple(dict.fromkeys(entities))
        for entity in more:
            name_or_refuse(entity, what="an entity")
        written = self.store.append(
            lambda n: self._records([said], n, entities=more, weight=weight)
        )
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
        """Remember the passages of documents; those of an earlier version of one are retired."""
        self.settle()
        wanted = list(passages)
        eyes = names(audience)
        old = self._passages({p.document for p in wanted})

        def records(first: int) -> list[AnyRecord]:
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

    def _passages(self, documents: set[str]) -> tuple[TurnNo, ...]:
        """Numbers of the passages that documents had before; found by what the index has."""
        import numpy as np

        index, tables = self.store.index, self.store.tables
        own = [n for (space, _), n in tables.eyes.items() if space == self.namespace]
        sessions = [n for name, n in tables.sessions.items() if name.split(" › ")[0] in documents]
        found = index.column("kind") == KINDS.index(Kind.WRITTEN)
        found &= np.isin(index.classes, own) & np.isin(index.column("session"), sessions)
        return tuple(TurnNo(row + 1) for row in np.flatnonzero(found).tolist())

    # ── finding ──────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def search(
        self,
        query: str,
        *,
        audience: str | None = None,
        now: Moment | None = None,
        k: int = 10,
        budget: int | None = None,
        policy: Policy = Policy.FILL,
    ) -> Results:
        """What answers a query, the best first, from what the audience may know.

        With a budget, as much as fits into so many tokens. Without an audience, only what is open
        to everybody. `now` is when it is asked: it makes what is recent count for more, and
        "last Tuesday" mean something.
        """
        self.settle()
        if k < 1:
            raise MemoryProblem(f"k is {k}; ask for at least one")
        if budget is not None and budget < 0:
            raise MemoryProblem(f"the budget is {budget} tokens; nothing fits into less than none")
        self.store.catch_up()
        most = k if budget is None else max(k, 1 + budget // 8)
        found = search(self.store, query, self._asked(audience, now), most=most, looked_at=k)
        if budget is None:
            return found
        return packed(found, budget=budget, count=self.store.count, policy=policy)

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
        self.settle()
        self.store.catch_up()
        return assembled(
            self.store, query, self._asked(audience, now), tokens=tokens,
            reserve=reserve or Reserve(), policy=policy,
        )  # fmt: skip

    def _asked(self, audience: str | None, now: Moment | None) -> Asked:
        return Asked(
            audience=audience, namespace=self.namespace, session=self.session,
            now_ms=None if now is None else moment(now),
        )  # fmt: skip

    @one_at_a_time
    def get(self, item: str) -> Item:
        """One item, by its id."""
        self.settle()
        return self.store.item(self.store.row_of(item))

    @one_at_a_time
    def expand(self, item: str) -> tuple[Item, ...]:
        """What a summary was made from in the end, word for word, in order.

        What was retired since is left out, as everywhere.
        """
        self.settle()
        rows = expand(self.store.tables.sources, self.store.row_of(item))
        live = self.store.index.classes >= 0
        return tuple(self.store.item(row) for row in rows if live[row])

    # ── changing what is found ───────────────────────────────────────────────────────────────

    @one_at_a_time
    def used(self, items: Iterable[str], *, audience: str) -> None:
        """Say that these were shown to somebody: to them, what is used often counts for more."""
        self.settle()
        of = tuple(TurnNo(self.store.row_of(item) + 1) for item in items)
        if of:
            self.store.append(lambda n: [MemoryShown(TurnNo(n - 1), of, audience)])

    @one_at_a_time
    def retire(self, items: Iterable[str]) -> None:
        """Take these out of every search; they stay on record."""
        self.settle()
        of = tuple(TurnNo(self.store.row_of(item) + 1) for item in items)
        if of:
            self.store.append(lambda n: [MemoryRetired(TurnNo(n - 1), of)])

    @one_at_a_time
    def erase(self, items: Iterable[str], *, why: str = "") -> int:
        """Remove the words of these for good, and of summaries made of them; records changed."""
        self.settle()
        turns = [TurnNo(self.store.row_of(item) + 1) for item in items]
        ledger, run = self.store.ledger, self.store.run
        changed = sum(ledger.erase(run, turn=turn, why=why) for turn in turns)
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
        items = list(self.store.items())
        numbers = {item.id: TurnNo(item.order) for item in items}
        below = {row for rows in self.store.tables.sources.values() for row in rows}
        done = {item.id for item in items if item.order - 1 in below}
        means = Means(
            embed=self.store.embedded, count=self.store.count, model=model, least=LEAST_CLUSTER
        )
        made: list[str] = []
        declined: list[Declined] = []
        before = after = 0
        for each in compacted(items, means, done=done):
            if isinstance(each, Declined):
                declined.append(each)
                continue
            made.append(self._summarise(each, tuple(numbers[item] for item in each.sources)))
            before, after = before + each.source_tokens, after + each.tokens
            if progress is not None:
                progress(len(made), len(made) + 1)
        self.store.commit()
        return Compacted(tuple(made), tuple(declined), before, after)

    def _summarise(self, summary: Summary, of: tuple[TurnNo, ...]) -> str:
        eyes = None if summary.audience is None else tuple(sorted(summary.audience))
        written = self.store.append(
            lambda n: [
                MemorySummarised(
                    TurnNo(n), of, summary.text, summary.method.value, summary.confidence,
                    said_ms=summary.at_ms, session=summary.session, namespace=summary.namespace,
                    audience=eyes, entities=summary.entities, weight=summary.weight,
                    brief=summary.brief, hint=summary.hint,
                )
            ]
        )  # fmt: skip
        return self._id(written[0])

    # ── the file ─────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def rebuild(self, *, progress: Progress | None = None) -> None:
        """Make the index again from the ledger."""
        self.settle()
        self.store.rebuild(progress)

    @one_at_a_time
    def close(self) -> None:
        """Let go of the file; a change of embedder under way goes on the next time it is asked."""
        if self.reembedding is not None and not self.settle():
            self.reembedding.stop()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _id(self, record: AnyRecord) -> str:
        return self.store.called((record.turn,))[0]
