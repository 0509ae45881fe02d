"""A summary in the sources' own words: the sentences that say the most for their length.

Each content word of a cluster has a worth: more for names and numbers, more for what is said often.
A sentence is worth the words that no chosen one has yet. The best by worth/√length is taken until
the room is spent (by worth/length, crumbs would win); then all are put back in order, each with its
speaker.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

from storykeeper.memory.compaction.sentences import Unit, units
from storykeeper.memory.compaction.terms import names, numbers, stem, terms
from storykeeper.memory.items import Item

Count = Callable[[str], int]

SHARE = 0.35  # of the sources' tokens
BRIEF_SHARE = 0.25  # of the summary's
HINT_NAMES = 5
_NAMED = 2.0  # a name or a number is worth so many words


@dataclass(frozen=True, slots=True)
class Extract:
    """What was taken out of some items: all of it, and less and less of it."""

    text: str
    brief: str
    hint: str


def spoken(item: Item) -> str:
    """An item as it is shown: with its speaker, if it has one."""
    return f"{item.speaker}: {item.text}" if item.speaker else item.text


def extract(items: Sequence[Item], *, count: Count, share: float = SHARE) -> Extract | None:
    """The sentences of the items that say the most; None if there is nothing to take."""
    room = int(share * sum(count(spoken(item)) for item in items))
    weighed = _Weighed(units(items), items, count)
    chosen = weighed.best(room)
    if not chosen:
        return None
    text = _told(weighed.units, chosen, items)
    less = weighed.best(int(BRIEF_SHARE * count(text)), among=chosen) or chosen[:1]
    brief = _told(weighed.units, less, items)
    return Extract(text, brief if brief != text else "", _hint(weighed, chosen, items))


class _Weighed:
    """The units of some items, with what each would cost and add."""

    def __init__(self, found: list[Unit], items: Sequence[Item], count: Count) -> None:
        self.units = found
        self.terms = [terms(unit.text) for unit in found]
        self.costs = [max(1, count(_line(unit, items))) for unit in found]
        self.marked = [_marked(unit) for unit in found]
        said = Counter(term for each in self.terms for term in each)
        marked = {term for each in self.marked for term in each}
        self.worth = {
            term: (_NAMED if term in marked else 1.0) * log2(1 + times)
            for term, times in sorted(said.items())
        }

    def best(self, room: int, *, among: Sequence[int] | None = None) -> list[int]:
        """Places of the units taken, the best first. Among a few, length does not count."""
        by_length = among is None
        covered: set[str] = set()
        heap = [
            (-self._gain(i, covered, by_length=by_length), i)
            for i in among or range(len(self.units))
        ]
        heapq.heapify(heap)
        chosen: list[int] = []
        while heap:
            _, i = heapq.heappop(heap)
            if self.costs[i] > room:
                continue
            gain = self._gain(i, covered, by_length=by_length)
            if gain <= 0.0:
                continue
            if heap and -gain > heap[0][0]:  # gains only fall: an old one is an upper bound
                heapq.heappush(heap, (-gain, i))
                continue
            chosen.append(i)
            covered |= self.terms[i]
            room -= self.costs[i]
        return chosen

    def _gain(self, i: int, covered: set[str], *, by_length: bool) -> float:
        fresh = sorted(self.terms[i] - covered)  # in one order: the same sum under any hash seed
        return sum(self.worth[term] for term in fresh) / (self.costs[i] ** 0.5 if by_length else 1)


def _line(unit: Unit, items: Sequence[Item]) -> str:
    """A unit as a line of its own, behind its first speaker."""
    speaker = items[unit.parts[0][0]].speaker
    return f"{speaker}: {unit.text}" if speaker else unit.text


def _marked(unit: Unit) -> frozenset[str]:
    """The terms of a unit that are names or numbers."""
    found = {stem(name) for _, sentence in unit.parts for name in names(sentence)}
    return frozenset(found | numbers(unit.text))


def _told(found: Sequence[Unit], chosen: Sequence[int], items: Sequence[Item]) -> str:
    """The chosen units in order; sentences of one item in one line, behind its speaker."""
    lines: list[tuple[int, list[str]]] = []
    for i in sorted(chosen):
        for place, sentence in found[i].parts:
            if not lines or lines[-1][0] != place:
                lines.append((place, []))
            lines[-1][1].append(sentence)
    told = []
    for place, said in lines:
        head = f"{items[place].speaker}: " if items[place].speaker else ""
        told.append(head + " ".join(said))
    return "\n".join(told)


def _hint(weighed: _Weighed, chosen: Sequence[int], items: Sequence[Item]) -> str:
    """Who spoke, and of whom: names alone."""
    places = [place for i in sorted(chosen) for place, _ in weighed.units[i].parts]
    speakers = list(dict.fromkeys(items[p].speaker for p in places if items[p].speaker))
    named = Counter(
        name
        for i in sorted(chosen)
        for _, sentence in weighed.units[i].parts
        for name in sorted(names(sentence))
        if name not in speakers
    )
    best = [name for name, _ in named.most_common(HINT_NAMES)]  # equal ones as they come up
    heads = ", ".join(speakers[:HINT_NAMES])
    return ": ".join(filter(None, (heads, ", ".join(best))))
