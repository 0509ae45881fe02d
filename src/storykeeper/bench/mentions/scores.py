"""Scores of mentions and coreference: mention F1, MUC, B³, CEAF-e, and pronouns.

A mention is a span of tokens, a cluster a set of mentions, a partition a list of clusters without
overlap. Singletons are kept: a cluster of one is a cluster. Counts add over books, so that the
overall figure weighs a mention the same wherever it stands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from storykeeper.bench.mentions.assignment import assignment

Span = tuple[int, int]
Partition = Sequence[frozenset[Span]]


@dataclass(frozen=True, slots=True)
class Tally:
    """Right and possible, of what was found and of what was there."""

    found_right: float = 0.0
    found: float = 0.0
    there_right: float = 0.0
    there: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.found_right + other.found_right,
            self.found + other.found,
            self.there_right + other.there_right,
            self.there + other.there,
        )

    @property
    def precision(self) -> float:
        """Share of what was found that is right, in percent."""
        return 100.0 * self.found_right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Share of what was there that was found, in percent."""
        return 100.0 * self.there_right / self.there if self.there else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        p, r = self.precision, self.recall
        return 2 * p * r / (p + r) if p + r else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """All counts of one book, or of several added together."""

    mentions: Tally = field(default_factory=Tally)
    muc: Tally = field(default_factory=Tally)
    b3: Tally = field(default_factory=Tally)
    ceaf: Tally = field(default_factory=Tally)
    pronouns: Tally = field(default_factory=Tally)
    pronouns_named: Tally = field(default_factory=Tally)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.mentions + other.mentions,
            self.muc + other.muc,
            self.b3 + other.b3,
            self.ceaf + other.ceaf,
            self.pronouns + other.pronouns,
            self.pronouns_named + other.pronouns_named,
        )

    @property
    def average(self) -> float:
        """Mean of the F1 of MUC, B³ and CEAF-e."""
        return (self.muc.f1 + self.b3.f1 + self.ceaf.f1) / 3

    def figures(self) -> dict[str, object]:
        """As the benchmark prints them."""
        return {
            "mention_f1": round(self.mentions.f1, 2),
            "mention_precision": round(self.mentions.precision, 2),
            "mention_recall": round(self.mentions.recall, 2),
            "coref": {
                "avg_f1": round(self.average, 2),
                "muc": round(self.muc.f1, 2),
                "b3": round(self.b3.f1, 2),
                "ceaf": round(self.ceaf.f1, 2),
            },
            "pronoun_accuracy": round(self.pronouns.recall, 2),
            "pronoun_accuracy_named": round(self.pronouns_named.recall, 2),
        }


def score(*, gold: Partition, found: Partition, pronouns: Iterable[Span] = ()) -> Score:
    """All counts of one book."""
    nearest, named = pronoun_links(gold, found, frozenset(pronouns))
    return Score(mentions(gold, found), muc(gold, found), b3(gold, found), ceaf(gold, found),
                 nearest, named)  # fmt: skip


def mentions(gold: Partition, found: Partition) -> Tally:
    """Exact spans."""
    there, got = _spans(gold), _spans(found)
    right = len(there & got)
    return Tally(right, len(got), right, len(there))


def muc(gold: Partition, found: Partition) -> Tally:
    """Σ(|c| − parts of c) / Σ(|c| − 1): links kept, where a mention not found is a part alone."""
    return _both(_muc_side(found, gold), _muc_side(gold, found))


def b3(gold: Partition, found: Partition) -> Tally:
    """Σ_m |gold(m) ∩ found(m)| / |own cluster of m|, over the mentions of each side."""
    return _both(_b3_side(found, gold), _b3_side(gold, found))


def ceaf(gold: Partition, found: Partition) -> Tally:
    """Σ 2|g ∩ f|/(|g| + |f|) over the best one-to-one pairing of clusters, over their number."""
    right = _best_pairing(gold, found)
    return Tally(right, len(found), right, len(gold))


def pronoun_links(
    gold: Partition, found: Partition, pronouns: frozenset[Span]
) -> tuple[Tally, Tally]:
    """Gold pronouns put in the cluster of their gold antecedent.

    A gold pronoun counts if its gold cluster has an earlier mention. Its antecedent is the nearest
    of these (the one that starts last); the pronoun is right if it and its antecedent were both
    found, with their exact spans, in one cluster. The second tally asks more: there the antecedent
    is the nearest earlier mention that is not a pronoun, and pronouns without one do not count.
    """
    place = _places(found)
    nearest, named = [], []
    for cluster in gold:
        inorder = sorted(cluster)
        for at, span in enumerate(inorder):
            if span not in pronouns or not at:
                continue
            nearest.append(_together(place, span, inorder[at - 1]))
            earlier = [s for s in inorder[:at] if s not in pronouns]
            if earlier:
                named.append(_together(place, span, earlier[-1]))
    return _share(nearest), _share(named)


def _together(place: dict[Span, int], one: Span, other: Span) -> bool:
    return one in place and place[one] == place.get(other)


def _share(right: list[bool]) -> Tally:
    return Tally(sum(right), len(right), sum(right), len(right))


def _spans(partition: Partition) -> set[Span]:
    return {span for cluster in partition for span in cluster}


def _places(partition: Partition) -> dict[Span, int]:
    return {span: at for at, cluster in enumerate(partition) for span in cluster}


def _both(ours: tuple[float, float], theirs: tuple[float, float]) -> Tally:
    return Tally(*ours, *theirs)


def _muc_side(clusters: Partition, other: Partition) -> tuple[float, float]:
    place = _places(other)
    right = possible = 0
    for cluster in clusters:
        known = {place[span] for span in cluster if span in place}
        alone = sum(span not in place for span in cluster)
        right += len(cluster) - len(known) - alone
        possible += len(cluster) - 1
    return right, possible


def _b3_side(clusters: Partition, other: Partition) -> tuple[float, float]:
    place = _places(other)
    right = total = 0.0
    for cluster in clusters:
        shared = Counter(place[span] for span in cluster if span in place)
        right += sum(n * n for n in shared.values()) / len(cluster)
        total += len(cluster)
    return right, total


def _best_pairing(gold: Partition, found: Partition) -> float:
    """The best pairing, solved apart for each group of clusters that overlap at all."""
    place = _places(found)
    overlap: dict[tuple[int, int], int] = Counter()
    for g, cluster in enumerate(gold):
        for span in cluster:
            if span in place:
                overlap[g, place[span]] += 1
    worth = {
        (g, f): 2 * n / (len(gold[g]) + len(found[f])) for (g, f), n in sorted(overlap.items())
    }
    total = 0.0
    for group in _connected(worth):
        rows = sorted({g for g, _ in group})
        columns = sorted({f for _, f in group})
        total += assignment([[worth.get((g, f), 0.0) for f in columns] for g in rows])
    return total


def _connected(pairs: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Pairs grouped so that no two groups share a row or a column."""
    of_row: dict[int, list[tuple[int, int]]] = defaultdict(list)
    of_column: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair in pairs:
        of_row[pair[0]].append(pair)
        of_column[pair[1]].append(pair)
    seen: set[tuple[int, int]] = set()
    groups = []
    for pair in (p for row in of_row.values() for p in row):
        if pair in seen:
            continue
        group, todo = [], [pair]
        seen.add(pair)
        while todo:
            here = todo.pop()
            group.append(here)
            fresh = [p for p in (*of_row[here[0]], *of_column[here[1]]) if p not in seen]
            seen.update(fresh)
            todo.extend(dict.fromkeys(fresh))
        groups.append(group)
    return groups
