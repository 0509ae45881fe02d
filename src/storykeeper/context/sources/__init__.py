"""Tier 3: what the sources propose for this turn.

    entity       whom and what the player's words and this turn's events turn to
    emotion      whose mood shifts, and what may explain it
    gravity      what lies ahead: themes, tone, stakes, how near, who is bound up with it
    layers       tales within the tale: what bleeds through, bridge objects, prophecies, residue
    revelation   what somebody just learned
    echo         an older moment that this one rhymes with
    recalled     what memory found for the player's words

Each is a question of its own, independent of the others. They say things as structured fact with
a note of feeling, never as prose to be repeated, and never name scenes or mechanics. A source may
propose what its audience must not see: the gate decides, and the author's receipt says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate
from storykeeper.context.sources.authored import BEAT, beats, doctrine
from storykeeper.context.sources.entity import entities
from storykeeper.context.sources.revelation import REVELATION, revelations
from storykeeper.context.sources.things import thing_cards

__all__ = ["BEAT", "REVELATION", "proposals", "said_once"]


def proposals(boundary: Boundary, *, told_above: frozenset[str]) -> list[Candidate]:
    """Everything proposed for tier 3; `told_above` are sources that tier 1 already shows."""
    found = [
        *revelations(boundary),
        *entities(boundary, told_above),
        *thing_cards(boundary),
        *beats(boundary),
        *doctrine(boundary),
    ]
    once: dict[str, Candidate] = {}
    for candidate in found:
        once.setdefault(candidate.id, candidate)
    return list(once.values())


def said_once(candidates: Iterable[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """No fact twice: of several candidates that say it the first stays; and those that gave way.

    Asked after the gate: what is hidden must not silence what is not.
    """
    kept: list[Candidate] = []
    merged: list[Candidate] = []
    said: set[str] = set()
    for candidate in candidates:
        facts = {s.partition(":")[2] for s in candidate.sources if s.startswith(("fact:", "hint:"))}
        (merged if facts & said else kept).append(candidate)
        said |= facts
    return kept, merged
