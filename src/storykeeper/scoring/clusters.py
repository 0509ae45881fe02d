"""Which turns are summed up together: neighbours in time, in groups of about the same size."""

from __future__ import annotations

CLUSTER_SIZE = 20


def cluster_count(turns: int, *, size: int = CLUSTER_SIZE) -> int:
    """c = ⌈max(n, 1)/k⌉.   F6.1: a size that is not positive means 20."""
    size = size if size > 0 else CLUSTER_SIZE
    return -(-max(turns, 1) // size)


def cluster_index(place: int, *, turns: int, count: int) -> int:
    """⌊i·c/max(n, 1)⌋.   F6.1: the cluster of the turn at place i, from 0."""
    return place * count // max(turns, 1)


def clusters(turns: int, *, size: int = CLUSTER_SIZE) -> list[range]:
    """The places of each cluster.   F6.1: all of them, in order, none empty; none if no turns."""
    if turns <= 0:
        return []
    count = cluster_count(turns, size=size)
    # Where cluster j begins: the least i with ⌊i·c/n⌋ = j.
    starts = [-(-cluster * turns // count) for cluster in range(count + 1)]
    return [range(starts[c], starts[c + 1]) for c in range(count)]
