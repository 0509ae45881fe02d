"""The finished window, checked again: every law of it, and every source of every item.

Nothing leaves before this has passed; a breach raises and nothing is sent. The numbers are those
of docs/maths.md, F0.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

from storykeeper.canon.provenance import CANON, cite_of
from storykeeper.context.boundary import CLOSED, Boundary
from storykeeper.context.foreign import looks_like_ours
from storykeeper.context.gate import rule_on
from storykeeper.context.items import HINT, Candidate, Shown, Tier, is_said_once
from storykeeper.context.pieces import PIECE
from storykeeper.context.preamble import HARD, SOFT
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.tail import RECENT, Unit
from storykeeper.errors import WindowBreach
from storykeeper.scoring.composite import in_range


def check_window(
    shown: Sequence[Shown],
    *,
    boundary: Boundary,
    soft: Sequence[Candidate],
    past: Sequence[Unit],
    base_units: int,
    text: str,
    counted: int,
    tokens: int,
) -> None:
    """Raise if one law of maths F0 does not hold."""
    _hard_whole(shown, boundary, text)
    _soft_prefix(shown, soft)
    _nothing_twice(shown)
    _recent_complete(shown, past, base_units)
    _scores(shown)
    if counted > tokens:
        raise WindowBreach(f"law 6: {counted:,} tokens in a window of {tokens:,}")
    _sources(shown, boundary)
    _cited(shown)
    for each in shown:
        if looks_like_ours(each):
            raise WindowBreach(f"law 12: {each.candidate.id} has a line that could pass for ours")
        if each.text not in text:
            raise WindowBreach(f"{each.candidate.id} is on the receipt and not in the window")


def _of(shown: Sequence[Shown], origin: str) -> list[Shown]:
    return [each for each in shown if each.candidate.origin == origin]


def _hard_whole(shown: Sequence[Shown], boundary: Boundary, text: str) -> None:
    parts = "\n\n".join(each.text for each in _of(shown, HARD))
    if not parts or not text.startswith(parts):
        raise WindowBreach("law 1: the hard material is not whole at the head of the window")
    if boundary.narrator and len(_of(shown, HARD)) != len(_hard_names(boundary)):
        raise WindowBreach("law 1: a part of the hard material is missing")


def _hard_names(boundary: Boundary) -> list[str]:
    story = boundary.plan.story
    given = (("voice", story.voice), ("rules", story.rules), ("anti_patterns", True),
             ("stage", boundary.inline))  # fmt: skip
    return [name for name, there in given if there]


def _soft_prefix(shown: Sequence[Shown], soft: Sequence[Candidate]) -> None:
    ids = [each.candidate.id for each in _of(shown, SOFT)]
    if ids != [candidate.id for candidate in soft[: len(ids)]]:
        raise WindowBreach(f"law 2: {', '.join(ids)} is no prefix of the soft material")


def _nothing_twice(shown: Sequence[Shown]) -> None:
    ids = Tally(each.candidate.id for each in shown)
    sources = Tally(
        source for each in shown for source in set(each.candidate.sources) if is_said_once(source)
    )
    twice = [name for name, times in (*ids.items(), *sources.items()) if times > 1]
    whole = {source.partition(":")[2] for source in sources if source.startswith("turn:")}
    pieces = (source for source in sources if source.startswith(f"{PIECE}:"))
    twice += [p for p in pieces if p.partition(":")[2].partition("/")[0] in whole]
    if twice:
        raise WindowBreach(f"law 3: {', '.join(sorted(twice))} stands in the window twice")


def _recent_complete(shown: Sequence[Shown], past: Sequence[Unit], base_units: int) -> None:
    ids = [each.candidate.id for each in _of(shown, RECENT)]
    told = [unit.candidate.id for unit in past]
    if ids != told[len(told) - len(ids) :] or len(ids) < min(base_units, len(told)):
        raise WindowBreach(f"law 4: {', '.join(ids) or 'nothing'} is not the end of what was told")
    if any(each.form != "full" for each in _of(shown, RECENT)):
        raise WindowBreach("law 7: a recent turn was shortened")


def _cited(shown: Sequence[Shown]) -> None:
    for each in shown:
        passages = [
            s.partition(":")[2] for s in each.candidate.sources if s.startswith(f"{CANON}:")
        ]
        missing = [cite_of(p) for p in passages if cite_of(p) not in each.text]
        if missing:
            raise WindowBreach(f"law 10: {each.candidate.id} does not cite {', '.join(missing)}")


def _scores(shown: Sequence[Shown]) -> None:
    for each in shown:
        if not in_range(each.candidate.terms):
            raise WindowBreach(f"law 5: {each.candidate.id} has a term out of range")


def _sources(shown: Sequence[Shown], boundary: Boundary) -> None:
    derived = {each.candidate.id: each.candidate.sources for each in shown}
    for each in shown:
        ruling = rule_on(each.candidate, boundary, derived)
        if ruling.boundary == CLOSED:
            raise WindowBreach(f"law 9: {each.candidate.id} is closed to {boundary.audience}")
        if ruling.boundary != each.candidate.terms.boundary:
            raise WindowBreach(f"law 9: {each.candidate.id} was ruled on differently before")
        if ruling.boundary < 1.0 and each.form != HINT:
            raise WindowBreach(f"law 9: {each.candidate.id} may only be hinted at")
        if each.candidate.tier is Tier.RETRIEVED and each.candidate.origin == SO_FAR:
            raise WindowBreach(f"law 3: {each.candidate.id} belongs to the story so far")
