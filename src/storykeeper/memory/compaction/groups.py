"""Which items may be summed up together.

Items of one summary have the same audience, the same namespace and the same session, exactly: what
a summary says is known to everybody who knows one of its sources, and to nobody else.

The recent tail is left alone. Whoever looks, the last N items that they see are each among the last
N of their own audience and namespace: so those are left out, and every tail is whole. What
expires is left alone too: a summary would keep what is to go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from storykeeper.memory.items import Item, Kind, Part
from storykeeper.scoring.clusters import CLUSTER_SIZE, clusters

TAIL = 20


@dataclass(frozen=True, slots=True)
class Cluster:
    """Neighbours in time that the same people know."""

    items: tuple[Item, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """What its summary expands to."""
        return tuple(item.id for item in self.items)


def recent_tail(items: Iterable[Item], *, most: int = TAIL) -> frozenset[str]:
    """The ids of the last items of every audience and namespace: a superset of every T_recent."""
    left: dict[tuple[frozenset[str] | None, str], int] = {}
    tail: set[str] = set()
    for item in sorted(items, key=lambda item: -item.order):
        if item.kind is Kind.SUMMARY:
            continue
        key = (item.audience, item.namespace)
        left[key] = left.get(key, max(0, most)) - 1
        if left[key] >= 0:
            tail.add(item.id)
    return frozenset(tail)


def clusters_of(
    items: Iterable[Item],
    *,
    size: int = CLUSTER_SIZE,
    kind: Kind = Kind.SAID,
    leave: Collection[str] = (),
    least: int = 1,
) -> list[Cluster]:
    """F6.1 for each audience, namespace and session: neighbours in time, about `size` of them.

    `leave` names what is not to be summed up: the recent tail, and what a summary has already.
    Where fewer than `least` are left, they wait for more.
    """
    together: dict[tuple[frozenset[str] | None, str, str], list[Item]] = {}
    for item in sorted(items, key=lambda item: item.order):
        lasts = item.part is Part.VARIANT and item.until_ms is None
        if item.kind is kind and lasts and item.id not in leave:
            together.setdefault((item.audience, item.namespace, item.session), []).append(item)
    return [
        Cluster(tuple(group[place] for place in places))
        for group in map(_chronological, together.values())
        if len(group) >= least
        for places in clusters(len(group), size=size)
    ]


def _chronological(group: Sequence[Item]) -> list[Item]:
    """By turn, or by the clock, if all of them have one; else as they were added."""
    if all(item.turn is not None for item in group):
        return sorted(group, key=lambda item: (item.turn or 0, item.order))
    if all(item.at_ms is not None for item in group):
        return sorted(group, key=lambda item: (item.at_ms or 0, item.order))
    return list(group)
