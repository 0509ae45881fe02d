"""What a judge makes of an action, and the log that a run of a field leaves."""

from __future__ import annotations

from enum import StrEnum

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.story.conditions import Authored
from storykeeper.units import Count, Id


class Outcome(StrEnum):
    """What became of an action."""

    ALLOWED = "allowed"
    REPAIRED = "repaired"  # done otherwise than it was asked for
    REFUSED = "refused"


class Verdict(Authored, frozen=True, kw_only=True):
    """What a judge makes of an action: by which rule, and on what evidence."""

    outcome: Outcome = Outcome.ALLOWED
    action: CharacterAction | None = None  # as it is done; none if it is refused
    rule: str = ""
    why: str = ""
    evidence: tuple[str, ...] = ()


class Played(Authored, frozen=True, kw_only=True):
    """One actor's turn in a log: what it was told, what it did, what came of that."""

    turn: Count
    who: Id
    brief: TurnBrief
    action: CharacterAction
    verdict: Verdict
