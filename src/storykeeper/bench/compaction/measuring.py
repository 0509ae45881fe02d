"""`bench compaction`: tokens before and after, what is still found, and the way back.

*Found* is measured sentence by sentence of what people wrote about an evening or a story: it is
searched for in a memory of it, 800 tokens come back, and what counts is the share of the sentence's
content words that stand in them. *Before*, the memory holds what was told. *After*, it holds the
summaries besides, and of a summary and its sources only the better is shown. `found.summaries` is
harder: the memory holds nothing but the summaries, the recent tail and what declined.

*Tokens* are those of all that was told, and of what stands for it after: the summaries, the tail
and what declined. *expand.exact* is the share of summaries that expand to their cluster, id by id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import fmean

from storykeeper.bench.compaction.remembering import Remembered
from storykeeper.bench.compaction.searching import Kept, Opened, Plain
from storykeeper.bench.compaction.told import NothingTold, Told, evenings, stories
from storykeeper.bench.registry import Figures, Setup
from storykeeper.language.tokens import counter
from storykeeper.memory.compaction.compacting import Embed, Means
from storykeeper.memory.compaction.extractive import spoken
from storykeeper.memory.compaction.groups import clusters_of, recent_tail
from storykeeper.memory.compaction.summaries import expand
from storykeeper.memory.compaction.terms import terms
from storykeeper.memory.items import Item
from storykeeper.memory.memory import LEAST_CLUSTER
from storykeeper.models.embedders.cache import Drawer, Embeddings
from storykeeper.models.embedders.named import embedder

BUDGET = 800
_QUICK = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of compacting one evening or story."""

    items: int
    summaries: int
    declined: int
    tokens_before: int
    tokens_after: int
    exact: int
    confidence: float
    found_before: tuple[float, ...]
    found_after: tuple[float, ...]
    found_summaries: tuple[float, ...]
    unsearched: tuple[float, ...]


def measure(setup: Setup) -> Figures:
    """All of it: each set by itself, and both together."""
    if setup.data is None:
        raise NothingTold("compaction needs crd3 and squality; say with --data where they are")
    most = _QUICK if setup.quick else None
    means = Means(embed=_embedding(), count=counter("o200k"), least=LEAST_CLUSTER)

    sets = {"crd3": evenings(setup.data, most=most), "squality": stories(setup.data, most=most)}
    by_set = {name: _outcomes(name, told, Remembered, means, setup) for name, told in sets.items()}
    every = [outcome for outcomes in by_set.values() for outcome in outcomes]
    ours = figures(every)
    floor = _percent([share for o in every for share in o.unsearched])
    return {
        "storykeeper": {**ours, **{name: figures(each) for name, each in by_set.items()}},
        "floor": {"found": floor},  # the last 800 tokens, without any search
    }


def _embedding() -> Embed:
    found = embedder()
    assert found is not None
    kept = Embeddings(found, Drawer())
    return lambda texts: kept.of(list(texts))


def _outcomes(
    name: str, told: Iterable[Told], opened: Opened, means: Means, setup: Setup
) -> list[Outcome]:
    outcomes = []
    for each in told:
        outcomes.append(outcome(each, opened, means))
        setup.say(_line(f"{name}, {each.name}", outcomes[-1]))
    return outcomes


def outcome(told: Told, opened: Opened, means: Means) -> Outcome:
    """Compact what was told, and look for what people said of it before and after."""
    kept = opened(told.items)
    found_before = _found(told, kept)
    summaries = kept.compact()
    found_after = _found(told, kept)
    gone = {id_ for summary in summaries for id_ in summary.sources}
    left = [item for item in kept.items if item.id not in gone]
    alone = Plain([*left, *(replace(summary, sources=()) for summary in summaries)], means)
    clusters = _clusters(kept.items, means)
    sources = {summary.id: summary.sources for summary in summaries}
    return Outcome(
        items=len(kept.items),
        summaries=len(summaries),
        declined=len(clusters) - len(summaries),
        tokens_before=sum(means.count(spoken(item)) for item in kept.items),
        tokens_after=sum(means.count(spoken(item)) for item in [*left, *summaries]),
        exact=sum(expand(sources, summary) in clusters for summary in sources),
        confidence=fmean(s.confidence or 0.0 for s in summaries) if summaries else 0.0,
        found_before=found_before,
        found_after=found_after,
        found_summaries=_found(told, alone),
        unsearched=_unsearched(told, means),
    )


def _clusters(items: Sequence[Item], means: Means) -> set[tuple[str, ...]]:
    """What summaries must expand to: worked out again, from the items alone."""
    tail = recent_tail(items, most=means.tail)
    return {
        cluster.ids
        for cluster in clusters_of(items, size=means.size, leave=tail, least=means.least)
    }


def _found(told: Told, kept: Kept) -> tuple[float, ...]:
    return tuple(_share(sentence, kept.search(sentence, budget=BUDGET)) for sentence in told.sought)


def _share(sentence: str, shown: Sequence[str]) -> float:
    sought = terms(sentence)
    return len(sought & frozenset[str]().union(*map(_terms, shown))) / len(sought)


@lru_cache(maxsize=1 << 16)
def _terms(shown: str) -> frozenset[str]:
    return terms(shown)


def _unsearched(told: Told, means: Means) -> tuple[float, ...]:
    """The floor: the last 800 tokens that were told, whatever is sought."""
    shown: list[str] = []
    room = BUDGET
    for item in reversed(told.items):
        room -= means.count(spoken(item))
        if room < 0:
            break
        shown.append(spoken(item))
    return tuple(_share(sentence, shown) for sentence in told.sought)


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """Shares in percent, each sentence counting alike."""
    summaries = sum(o.summaries for o in outcomes)
    return {
        "tokens": {
            "before": sum(o.tokens_before for o in outcomes),
            "after": sum(o.tokens_after for o in outcomes),
        },
        "found": {
            "before": _percent([f for o in outcomes for f in o.found_before]),
            "after": _percent([f for o in outcomes for f in o.found_after]),
            "summaries": _percent([f for o in outcomes for f in o.found_summaries]),
        },
        "expand": {"exact": _percent([sum(o.exact for o in outcomes) / max(1, summaries)])},
        "summaries": summaries,
        "declined": sum(o.declined for o in outcomes),
        "confidence": round(fmean(o.confidence for o in outcomes), 3) if outcomes else 0.0,
        "sought": sum(len(o.found_before) for o in outcomes),
    }


def _percent(shares: Sequence[float]) -> float:
    return round(100 * fmean(shares), 2) if shares else 0.0


def _line(name: str, told: Outcome) -> str:
    return (
        f"{name}: {told.items:,} items in {told.summaries} summaries,"
        f" {told.tokens_before:,} → {told.tokens_after:,} tokens, found"
        f" {_percent(told.found_before)} → {_percent(told.found_after)}"
        f" (summaries alone {_percent(told.found_summaries)})"
    )
