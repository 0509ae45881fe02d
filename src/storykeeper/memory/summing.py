"""Summing up what a memory holds: each summary is on record as soon as it is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import MemorySummarised
from storykeeper.memory.compaction.compacting import Declined, Means, summed_up, waiting
from storykeeper.memory.compaction.summaries import Summary
from storykeeper.memory.store import Store
from storykeeper.models.embedders.cache import Progress
from storykeeper.units import TurnNo


@dataclass(frozen=True, slots=True)
class Compacted:
    """What compacting did."""

    summaries: tuple[str, ...]  # ids
    declined: tuple[Declined, ...]
    tokens_before: int = 0  # of what was summed up
    tokens_after: int = 0


def sum_up(store: Store, means: Means, *, progress: Progress | None = None) -> Compacted:
    """Sum up what waits for it. What another sums up, retires or erases meanwhile is left alone."""
    told = list(store.told())
    numbers = {item.id: TurnNo(row + 1) for row, item in told}
    below = _below(store)
    done = {item.id for row, item in told if row in below}
    clusters = waiting((item for _, item in told), means, done=done)
    recording = _Recording(store, store.index_version)
    made: list[str] = []
    declined: list[Declined] = []
    before = after = 0
    for count, cluster in enumerate(clusters, start=1):
        each = summed_up(cluster, means)
        if isinstance(each, Declined):
            declined.append(each)
        elif recorded := recording.of(each, tuple(numbers[item] for item in each.sources)):
            made.append(recorded)
            before, after = before + each.source_tokens, after + each.tokens
        if progress is not None:
            progress(count, len(clusters))
    store.commit()
    return Compacted(tuple(made), tuple(declined), before, after)


@dataclass(slots=True)
class _Recording:
    """Records summaries, and notices what others did since the sources were read."""

    store: Store
    known: int  # the version up to which nobody else has written
    taken: set[int] = field(default_factory=set)  # rows that others summed up

    def of(self, summary: Summary, sources: tuple[TurnNo, ...]) -> str | None:
        """The id of a summary that is on record now; none, if its sources are no longer free."""
        written = self.store.append(
            lambda n: [_record(n, summary, sources)] if self._free(sources) else []
        )
        if not written:
            return None
        self.known += 1
        return self.store.called((written[0].turn,))[0]

    def _free(self, sources: tuple[TurnNo, ...]) -> bool:
        if self.store.index_version != self.known:
            self.known, self.taken = self.store.index_version, _below(self.store)
        classes = self.store.index.classes
        return all(n - 1 not in self.taken and classes[n - 1] >= 0 for n in sources)


def _below(store: Store) -> set[int]:
    """Rows that a summary was made of."""
    return {row for rows in store.tables.sources.values() for row in rows}


def _record(number: int, summary: Summary, of: tuple[TurnNo, ...]) -> AnyRecord:
    eyes = None if summary.audience is None else tuple(sorted(summary.audience))
    return MemorySummarised(
        TurnNo(number), of, summary.text, summary.method.value, summary.confidence,
        said_ms=summary.at_ms, session=summary.session, namespace=summary.namespace,
        audience=eyes, entities=summary.entities, weight=summary.weight,
        brief=summary.brief, hint=summary.hint, metadata=summary.metadata_json,
    )  # fmt: skip
