"""What is found in canon, ranked: how well it answers, times how far its source is believed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from storykeeper.scoring.diversity import diverse_order

CANON_RELEVANCE = 0.7  # of the best that a search found; the others in proportion
DIVERSITY = 0.7  # λ of MMR
Alike = Callable[[int, int], float]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a passage stands: its share of the best relevance, and the trust in its source."""

    share: float
    trust: float
    tie: tuple[str, int] = ("", 0)  # its source and its place in it

    @property
    def score(self) -> float:
        """relevance · trust   F3h: on equal relevance the more trusted is never behind."""
        return CANON_RELEVANCE * self.share * self.trust


def by_trust(found: Sequence[Standing]) -> list[int]:
    """Places in order: by score, then by trust, then as the author has them."""
    return sorted(range(len(found)), key=lambda i: (-found[i].score, -found[i].trust, found[i].tie))


def shares(relevances: Sequence[float]) -> list[float]:
    """Each relevance ÷ the best; all 0 if the best is."""
    best = max(relevances, default=0.0)
    return [each / best if best > 0 else 0.0 for each in relevances]


def diverse(
    found: Sequence[Standing], alike: Alike, opposed: Callable[[int, int], bool], *, most: int
) -> list[int]:
    """The first `most` by MMR; what says otherwise comes along with what it speaks against.

    Two that are opposed are no repetition of each other, however alike their words are.
    """
    order = by_trust(found)
    table = [[0.0 if i != j and opposed(i, j) else alike(i, j) for j in order] for i in order]
    mixed = [
        order[i] for i in diverse_order([found[i].score for i in order], table, weight=DIVERSITY)
    ]
    chosen: dict[int, None] = {}
    for i in mixed:
        if len(chosen) >= most:
            break
        chosen[i] = None
        others = (j for j in order if j not in chosen and opposed(i, j))
        chosen.update(dict.fromkeys(list(others)[: most - len(chosen)]))
    return by_order(chosen, found)


def by_order(chosen: dict[int, None], found: Sequence[Standing]) -> list[int]:
    """These places, by score."""
    return [i for i in by_trust(found) if i in chosen]
