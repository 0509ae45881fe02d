"""Compaction: clusters in, summaries out, one at a time. It shrinks or declines.

Nothing is written here. Whoever asks records each summary as it comes, so that a crash loses at
most the one under way, and what is recorded is left out the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from storykeeper.memory.compaction.abstractive import written
from storykeeper.memory.compaction.extractive import SHARE, Count, Extract, extract, spoken
from storykeeper.memory.compaction.groups import TAIL, Cluster, clusters_of, recent_tail
from storykeeper.memory.compaction.sentences import sentences
from storykeeper.memory.compaction.summaries import Summary
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.metadata import shared
from storykeeper.models.port import ChatModel
from storykeeper.scoring.clusters import CLUSTER_SIZE
from storykeeper.scoring.preservation import Method, Preservation, confidence, preservation_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

Embed = Callable[[Sequence[str]], "NDArray[Any]"]  # a row for each text, of one space


@dataclass(frozen=True, slots=True)
class Declined:
    """A cluster that stays as it is, and why."""

    sources: tuple[str, ...]
    reason: str


NOTHING_TO_SAY = "nothing in it can be taken out"
NOT_SHORTER = "a summary would be no shorter"


@dataclass(frozen=True, slots=True)
class Means:
    """What compaction works with."""

    embed: Embed
    count: Count
    model: ChatModel | None = None  # None: extractive only
    size: int = CLUSTER_SIZE
    tail: int = TAIL
    least: int = 1  # fewer of one audience and session wait for more
    share: float = SHARE


def compacted(
    items: Iterable[Item], means: Means, *, done: Collection[str] = (), kind: Kind = Kind.SAID
) -> Iterator[Summary | Declined]:
    """A summary, or why there is none, for each cluster outside the recent tail.

    `done` are the ids that a summary has been made of already. With `kind` SUMMARY, summaries
    are summed up in their turn.
    """
    for cluster in waiting(items, means, done=done, kind=kind):
        yield summed_up(cluster, means)


def waiting(
    items: Iterable[Item], means: Means, *, done: Collection[str] = (), kind: Kind = Kind.SAID
) -> list[Cluster]:
    """The clusters outside the recent tail that nothing sums up yet."""
    every = list(items)
    tail = recent_tail(every, most=means.tail) if kind is not Kind.SUMMARY else frozenset()
    leave = tail | frozenset(done)
    return clusters_of(every, size=means.size, kind=kind, leave=leave, least=means.least)


def summed_up(cluster: Cluster, means: Means) -> Summary | Declined:
    """One cluster: a model's summary if one is asked for and stands, else the extractive one."""
    items = cluster.items
    source_tokens = sum(means.count(spoken(item)) for item in items)
    taken = extract(items, count=means.count, share=means.share)
    if taken is None:
        return Declined(cluster.ids, NOTHING_TO_SAY)
    if means.count(taken.text) >= source_tokens:
        return Declined(cluster.ids, NOT_SHORTER)
    method = Method.TRIVIAL if len(items) == 1 else Method.EXTRACTIVE
    if means.model is not None:
        proposed = _proposed(items, means, taken, room=int(means.share * source_tokens))
        if proposed is not None:
            taken, kept = proposed
            return _summary(cluster, taken, kept, Method.ABSTRACTIVE, means)
    return _summary(cluster, taken, _preserved(taken.text, items, means), method, means)


def _proposed(
    items: Sequence[Item], means: Means, taken: Extract, *, room: int
) -> tuple[Extract, Preservation] | None:
    assert means.model is not None
    text = written(items, model=means.model, room=room)
    if text is None or means.count(text) >= sum(means.count(spoken(item)) for item in items):
        return None
    kept = _preserved(text, items, means)
    if not kept.passes():
        return None
    first = sentences(text)[0]
    return Extract(text, first if first != text else "", taken.hint), kept


def _preserved(text: str, items: Sequence[Item], means: Means) -> Preservation:
    vectors = means.embed([text, *(item.text for item in items)])
    return preservation_of(vectors[0], vectors[1:])


def _summary(
    cluster: Cluster, taken: Extract, kept: Preservation, method: Method, means: Means
) -> Summary:
    items = cluster.items
    turns = [item.turn for item in items if item.turn is not None]
    times = [item.at_ms for item in items if item.at_ms is not None]
    return Summary(
        text=taken.text,
        brief=taken.brief,
        hint=taken.hint,
        sources=cluster.ids,
        confidence=confidence(kept.confidence),  # no model we ask gives log-probs (F6.4)
        method=method,
        audience=items[0].audience,
        namespace=items[0].namespace,
        session=items[0].session,
        turn=max(turns, default=None),
        at_ms=max(times, default=None),
        entities=tuple(dict.fromkeys(entity for item in items for entity in item.entities)),
        weight=max(item.weight for item in items),
        tokens=means.count(taken.text),
        source_tokens=sum(means.count(spoken(item)) for item in items),
        metadata_json=shared([item.metadata_json for item in items]),
    )
