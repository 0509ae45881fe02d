"""Who knows what. Closed by default: whoever is not named does not know.

Knowing only grows: to know is more than to suspect, and what was learned first is how it was
learned. The one way back is a correction on record (`unlearn`).
"""

from __future__ import annotations

from immutables import Map

from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import EMPTY, Known

Knowledge = Map[EntityId, Map[str, Known]]


def learn(
    known: Knowledge,
    fact: str,
    *,
    to: tuple[EntityId, ...],
    how: str,
    turn: TurnNo,
    suspected: bool,
) -> Knowledge:
    """The same, with these people knowing the fact, unless they know it already."""
    for who in to:
        facts = known.get(who, EMPTY)
        before = facts.get(fact)
        if before is None or (before.suspected and not suspected):
            known = known.set(who, facts.set(fact, Known(how, turn, suspected)))
    return known


def shared(known: Knowledge, *, inner: EntityId, outer: EntityId) -> Knowledge:
    """The same, with one knowing all that the other knows: they turned out to be one."""
    facts = known.get(outer, EMPTY)
    for fact, theirs in known.get(inner, EMPTY).items():
        before = facts.get(fact)
        if before is None or (before.suspected and not theirs.suspected):
            facts = facts.set(fact, theirs)
    return known.set(outer, facts) if facts else known


def unlearn(known: Knowledge, fact: str, *, by: tuple[EntityId, ...]) -> Knowledge:
    """The same, with these people not knowing it: only a correction does this."""
    for who in by:
        facts = known.get(who, EMPTY)
        if fact in facts:
            known = known.set(who, facts.delete(fact))
    return known


def knows(known: Knowledge, who: EntityId, fact: str, *, suspects: bool = False) -> bool:
    """Whether somebody knows a fact; with `suspects`, whether they at least suspect it."""
    found = known.get(who, EMPTY).get(fact)
    return found is not None and (suspects or not found.suspected)
