"""Which earlier mentions a mention may go back to.

A mention looks back over a bounded window, and beyond it to the latest mention with the same head
or a shared part of a name; so the work grows with the length of the text and no faster. The first
candidate of each mention is itself: that it is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from storykeeper.language.coref.evidence import Look, numbers, rows
from storykeeper.language.coref.network import Floats, Ints
from storykeeper.language.coref.traits import PRONOUN, Flags, Traits

WINDOW = 40
BLOCK = 256  # mentions looked at together: enough to be fast, and memory stays flat


@dataclass(frozen=True, slots=True)
class Pairs:
    """Candidates of some mentions, one after the other, and what speaks for each."""

    mentions: range
    starts: Ints  # where the candidates of each mention begin, and the end of all
    earlier: Ints  # the mention itself for the candidate "new"
    rows: Ints
    numbers: Floats
    same_head: Flags
    same_name: Flags
    other_name: Flags

    def of(self, mention: int) -> slice:
        """Where the candidates of a mention stand."""
        at = mention - self.mentions.start
        return slice(int(self.starts[at]), int(self.starts[at + 1]))


def look_back(traits: Traits) -> tuple[Ints, Ints, Ints]:
    """Later, earlier and starts: the window, and the latest kin beyond it."""
    latest: dict[int, int] = {}
    later: list[int] = []
    earlier: list[int] = []
    starts = [0]
    keys = [
        [lemma, *(part for part in parts if part)] if kind != PRONOUN else []
        for kind, lemma, parts in zip(
            traits.kind.tolist(), traits.lemma.tolist(), traits.name.tolist(), strict=True
        )
    ]
    for at in range(len(traits)):
        begin = max(0, at - WINDOW)
        far = sorted({latest[key] for key in keys[at] if latest.get(key, at) < begin})
        earlier += [at, *far, *range(begin, at)]
        later += [at] * (1 + len(far) + at - begin)
        starts.append(len(later))
        latest.update(dict.fromkeys(keys[at], at))
    return np.array(later, np.int64), np.array(earlier, np.int64), np.array(starts, np.int64)


def pairs(traits: Traits) -> Iterator[Pairs]:
    """All candidates with what speaks for each as far as the two mentions say, block by block."""
    later, earlier, starts = look_back(traits)
    for first in range(0, len(traits), BLOCK):
        mentions = range(first, min(first + BLOCK, len(traits)))
        some = starts[first : mentions.stop + 1]
        at = slice(some[0], some[-1])
        look = Look.over(traits, later[at], earlier[at])
        yield Pairs(
            mentions, some - some[0], earlier[at], rows(look), numbers(look),
            look.same_head, look.shared_name, look.other_name,
        )  # fmt: skip
