"""Where in a window a sentence of the past stands, or why it does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from storykeeper.context.boundary import CLOSED, Boundary
from storykeeper.context.items import Shown
from storykeeper.context.pieces import Piece
from storykeeper.context.tail import Unit, units

NO_ROOM = "others say more of what matters, and there is no more room"
_EVEN = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "…": "."})


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A piece of the past that has the words, the item that shows it, or why none does."""

    piece: Piece
    shown: Shown | None
    reason: str = ""


def whereabouts(boundary: Boundary, shown: tuple[Shown, ...], words: str) -> Iterator[Whereabouts]:
    """Of every piece in reach that has these words, oldest first."""
    wanted = _plain(words)
    by_source = {source: each for each in shown for source in each.candidate.sources}
    past = [unit for turn in units(boundary) for unit in reversed(turn)]
    for unit in reversed(past):
        whole = by_source.get(unit.candidate.id)
        for piece in unit.pieces:
            if wanted in _plain(piece.text):
                where = whole or by_source.get(piece.source)
                yield Whereabouts(piece, where, "" if where else _why(boundary, unit))


def _why(boundary: Boundary, unit: Unit) -> str:
    ruling = boundary.ruling(unit.candidate.id)
    return f"withheld by the rule «{ruling.rule}»" if ruling.boundary == CLOSED else NO_ROOM


def _plain(text: str) -> str:
    return " ".join(text.translate(_EVEN).casefold().split())
