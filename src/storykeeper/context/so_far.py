"""The story so far: what is older than the tail, in order, in its own words.

Of all that was told before the tail those pieces stand that say most of what the others do not
(F6.10): names, numbers, what came up again. Each scene that was played is one paragraph, headed by
where it was; every piece leads to the turn it is from. A character's is a list of what it
perceived. It changes only where the tail is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.pieces import Piece, joined
from storykeeper.context.vocabulary import number_of, rarities
from storykeeper.scoring.composite import Terms
from storykeeper.scoring.coverage import MARKED, ONCE, covering_many
from storykeeper.units import SceneId

SO_FAR = "so far"

Price = Callable[[str], int]
Worths = npt.NDArray[np.float64]  # of terms, by their numbers


def worths(pieces: Sequence[Piece], *, favoured: Mapping[str, float] | None = None) -> Worths:
    """What each word of these pieces is worth, by number; more, by so much, if it is favoured.

    F6.11, for all words at once.
    """
    rare = rarities()
    times = np.bincount(_all([p.numbered for p in pieces]), minlength=len(rare))
    marked = np.bincount(_all([p.named for p in pieces]), minlength=len(rare)) > 0
    found = np.where(marked, MARKED, 1.0) * np.where(times < 2, ONCE, 1.0) * np.sqrt(rare)
    for term, more in (favoured or {}).items():
        number = number_of(term)
        if number is not None:
            found[number] *= 1 + more
    return found


def _all(numbers: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate(numbers) if numbers else np.zeros(0, dtype=np.int64)


def chosen(pieces: Sequence[Piece], worths: Worths, *, room: int, price: Price) -> list[Piece]:
    """The pieces that say the most in so many tokens; more room only adds to them."""
    kept: list[Piece] = []
    for i in ordered(pieces, worths, price=price):
        room -= price(pieces[i].quoted)
        if room < 0:
            break
        kept.append(pieces[i])
    return kept


def ordered(
    pieces: Sequence[Piece],
    worths: Worths,
    *,
    price: Price,
    factors: Mapping[str, float] | None = None,
) -> Iterator[int]:
    """Places of pieces in the order of what they add.   F6.10; `factors` by source favour some."""
    costs = [price(piece.quoted) for piece in pieces]
    favour = factors or {}
    weights = [p.tells * favour.get(p.source, 1.0) if favour else p.tells for p in pieces]
    return covering_many([p.numbered for p in pieces], costs, worths, factors=weights)


# ── as it stands in a window ─────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Scenes:
    """What the scenes of a story are headed by, as this audience may know it."""

    heads: Mapping[SceneId, str]  # the place, by its name

    def of(self, scene: SceneId) -> str:
        """The heading of a scene's paragraph; empty where nothing may be said."""
        return self.heads.get(scene, "")


def paragraphs(pieces: Sequence[Piece], scenes: Scenes) -> list[Candidate]:
    """One item a scene, in order; a scene that is played again is another paragraph."""
    ordered = sorted(pieces, key=lambda p: (p.turn, p.place, p.source))
    return [
        _paragraph(list(found), scenes.of(scene))
        for scene, found in groupby(ordered, key=lambda p: p.scene)
    ]


def _paragraph(pieces: Sequence[Piece], head: str) -> Candidate:
    text = joined(pieces)
    return _item(pieces, f"{head}: {text}" if head else text)


def listed(pieces: Sequence[Piece]) -> list[Candidate]:
    """One item a piece, as a list."""
    ordered = sorted(pieces, key=lambda p: (p.turn, p.source))
    return [_item([piece], f"- {piece.text}") for piece in ordered]


def _item(pieces: Sequence[Piece], text: str) -> Candidate:
    first = pieces[0].source.partition(":")[2]
    return Candidate(
        id=f"so-far:{first}", origin=SO_FAR, tier=Tier.JOURNAL, klass=Class.ENRICHMENT,
        sources=tuple(piece.source for piece in pieces), full=text,
        terms=Terms(boundary=1.0),
    )  # fmt: skip
