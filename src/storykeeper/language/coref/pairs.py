"""Which earlier mentions a mention may go back to.

A mention looks back over a bounded window, and beyond it to the latest mention with the same head
or a shared part of a name; so the work grows with the length of the text and no faster. The first
candidate of each mention is itself: that it is new.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from storykeeper.language.coref.evidence import Look, numbers, rows
from storykeeper.language.coref.network import Floats, Ints
from storykeeper.language.coref.traits import PRONOUN, Flags, Traits

WINDOW = 40


@dataclass(frozen=True, slots=True)
class Pairs:
    """Candidates of all mentions, one after the other, and what speaks for each."""

    earlier: Ints  # the mention itself for the candidate "new"
    starts: Ints  # where the candidates of each mention begin, and the end of all
    rows: Ints
    numbers: Floats
    same_head: Flags
    same_name: Flags
    other_name: Flags


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


def pairs(traits: Traits) -> Pairs:
    """All candidates with what speaks for each, as far as the two mentions alone say."""
    later, earlier, starts = look_back(traits)
    look = Look.over(traits, later, earlier)
    return Pairs(
        earlier, starts, rows(look), numbers(look),
        look.same_head, look.shared_name, look.other_name,
    )  # fmt: skip
