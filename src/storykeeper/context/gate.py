"""The gate: one function, before ranking, closed by default.

Whatever a source proposes passes here or stays out; nothing a source says can change it. A
candidate is as open as its most closed source. One that is only suspected may have a hint and
nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from storykeeper.context.boundary import CLOSED, KNOWN, Ruling
from storykeeper.context.items import Candidate, Refused

NOT_A_HINT = "only a hint may be used of what is suspected"
NO_SOURCE = "an item without a source"
CIRCLE = "derived from itself"


class Rulings(Protocol):
    """The line around one audience: of a story (`boundary`), or of a field (`field`)."""

    def ruling(self, source: str) -> Ruling:
        """Whether this audience may see what comes from this source."""
        ...


def gate(
    candidates: Iterable[Candidate], boundary: Rulings
) -> tuple[list[Candidate], list[Refused]]:
    """Those this audience may see, with their boundary; and the others, each with the rule."""
    wanted = list(candidates)
    derived = {each.id: each.sources for each in wanted}
    permitted: list[Candidate] = []
    refused: list[Refused] = []
    for each in wanted:
        ruling = rule_on(each, boundary, derived)
        if ruling.boundary == CLOSED:
            refused.append(Refused(each, ruling.rule))
        else:
            permitted.append(each.ruled(ruling.boundary))
    return permitted, refused


def rule_on(
    candidate: Candidate, boundary: Rulings, derived: Mapping[str, tuple[str, ...]]
) -> Ruling:
    """The ruling on the most closed of a candidate's sources, sources of sources included."""
    if not candidate.sources:
        return Ruling(CLOSED, NO_SOURCE)
    first, *more = candidate.sources
    itself = first == candidate.id and not more  # as every turn and every fact is: at once
    least = boundary.ruling(first) if itself else _trace(first, boundary, derived, (candidate.id,))
    closed = first
    for source in more:
        found = _trace(source, boundary, derived, (candidate.id,))
        if found.boundary < least.boundary:
            least, closed = found, source
    if CLOSED < least.boundary < KNOWN and (candidate.full or candidate.brief):
        return Ruling(CLOSED, NOT_A_HINT)
    return Ruling(least.boundary, f"{closed}: {least.rule}")


def _trace(
    source: str,
    boundary: Rulings,
    derived: Mapping[str, tuple[str, ...]],
    trail: tuple[str, ...],
) -> Ruling:
    """A source that is itself an item is as open as what it derives from."""
    above = derived.get(source, ())
    if not above or above == (source,) or trail == (source,):
        return boundary.ruling(source)  # nothing stands behind it, or the item that is asked about
    behind = [each for each in above if each != source]
    if source in trail:
        return Ruling(CLOSED, CIRCLE)
    rulings = [_trace(each, boundary, derived, (*trail, source)) for each in behind]
    if source in above:  # `fact:x` is an item and its own source
        rulings.append(boundary.ruling(source))
    return min(rulings, key=lambda ruling: ruling.boundary)
