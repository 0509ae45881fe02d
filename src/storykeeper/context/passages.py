"""Pieces of the past together again: with what each needs to be understood, as one paragraph.

What leans brings what it leans on, a question its answer, and few words what stands beside them. A
speaker is named where words in quotes stand cut loose from what names them, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from storykeeper.context.pieces import Piece

GAP = " … "
MOST_BROUGHT = 1  # pieces that one brings because it leans on them
SHORT_GAP = 40  # characters
FEW = 10  # content words: of fewer a passage by itself says little
CRUMB = 4  # content words: fewer between two gaps say nothing


def brought(pieces: Sequence[Piece], at: int) -> list[int]:
    """A piece among all of its turn's, with those that it leans on, in order."""
    found = [at]
    if pieces[at].typed:
        return [at, at + 1] if _follow(pieces, at, at + 1) else found
    while pieces[found[0]].leans and len(found) <= MOST_BROUGHT:
        near = _leant_on(pieces, found[0], found[-1])
        if near is None:
            break
        found = sorted((*found, near))
    return found


def _leant_on(pieces: Sequence[Piece], first: int, last: int) -> int | None:
    """What names whoever it is about: what stands before it; of words in quotes that open a
    paragraph what stands behind them in it; or else the player's question.
    """
    piece = pieces[first]
    before = first - 1 if first and _follow(pieces, first - 1, first) else None
    inside = before is not None and pieces[before].paragraph == piece.paragraph
    behind = _follow(pieces, last, last + 1) and pieces[last + 1].paragraph == piece.paragraph
    if piece.is_bare and behind and (not inside or before is None or pieces[before].typed):
        return last + 1
    if before is None or (pieces[before].typed and "?" not in pieces[before].text):
        return None
    return before


def widened(pieces: Sequence[Piece], found: Sequence[int], least: int) -> list[int]:
    """Pieces that stand together, with so many beside them that they have as many content words."""
    first, last = found[0], found[-1]
    while len(_terms(pieces[first : last + 1])) < least:
        before = first and not pieces[first - 1].typed and _follow(pieces, first - 1, first)
        after = _follow(pieces, last, last + 1)
        inside = before and pieces[first - 1].paragraph == pieces[first].paragraph
        if after and (not inside or pieces[last + 1].paragraph == pieces[last].paragraph):
            last += 1
        elif before:
            first -= 1
        else:
            break
    return list(range(first, last + 1))


def _terms(pieces: Sequence[Piece]) -> frozenset[str]:
    return frozenset[str]().union(*(piece.terms for piece in pieces if not piece.typed))


def _follow(pieces: Sequence[Piece], one: int, other: int) -> bool:
    return other < len(pieces) and follows(pieces[one], pieces[other])


def rounded(pieces: Sequence[Piece], kept: Sequence[Piece]) -> list[Piece]:
    """What of a turn is quoted beside what is kept of it; `pieces` are all of it.   F6.10c

    What stands between two of them, where it is so short that a mark would say less; and beside
    few words that would stand alone what they stand beside.
    """
    places = {piece.source for piece in kept}
    at = [i for i, piece in enumerate(pieces) if piece.source in places]
    all_ = set(at)
    for one, other in pairwise(at):
        if sum(len(piece.text) for piece in pieces[one + 1 : other]) <= SHORT_GAP:
            all_.update(range(one, other))
    runs = _runs(sorted(all_))
    for run in runs:
        all_.update(widened(pieces, run, FEW if len(runs) == 1 else CRUMB))
    return [pieces[i] for i in sorted(all_) if pieces[i].source not in places]


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Places that follow each other."""
    found: list[list[int]] = []
    for place in places:
        if found and found[-1][-1] == place - 1:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def follows(before: Piece, piece: Piece) -> bool:
    """Whether a piece stands right behind another, in the same telling of a turn."""
    kinds = {each.source.partition(":")[0] for each in (before, piece)}
    return (before.turn, before.place + 1) == (piece.turn, piece.place) and len(kinds) == 1


def joined(pieces: Sequence[Piece]) -> str:
    """Pieces in their order, as one paragraph; a mark where something was left out."""
    ordered = sorted(pieces, key=lambda p: (p.turn, p.place, p.source))
    text, before = "", None
    for piece in ordered:
        text += "" if before is None else " " if follows(before, piece) else GAP
        text += f"{piece.speaker}: {piece.text}" if _is_loose(before, piece) else piece.text
        before = piece
    return text


def _is_loose(before: Piece | None, piece: Piece) -> bool:
    """Whether words in quotes stand apart from all that says whose they are."""
    if not piece.speaker or before is None or before.turn != piece.turn:
        return bool(piece.speaker)
    if follows(before, piece) and before.paragraph == piece.paragraph:
        return False
    return piece.speaker != before.speaker and piece.speaker not in before.narrated
