"""How hot a scene runs, and what that favours.

T ← T·.5^(1/3) + (1 − .5^(1/3))·intensity   once a turn, from what the author states     F2.8
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from storykeeper.events.atoms import (
    Atom,
    EmotionShown,
    ImplicationKind,
    InformationTold,
    RelationShifted,
    Source,
)

HALF_LIFE_TURNS = 3.0
HIGH_FROM, LOW_TO = 0.66, 0.33
QUIET, ORDINARY, GRAVE = 0.2, 0.4, 0.8  # nothing happens; people talk and do things; they clash


class Valence(StrEnum):
    """What an item would bring into a scene."""

    NEUTRAL = "neutral"
    TENSION = "tension"
    STAKES = "stakes"
    CONFLICT = "conflict"
    URGENCY = "urgency"
    CALM = "calm"
    ROUTINE = "routine"
    EXPOSITION = "exposition"
    REFLECTION = "reflection"
    CONNECTION = "connection"
    TENDERNESS = "tenderness"


HOT_FAVOURS = frozenset({Valence.TENSION, Valence.STAKES, Valence.CONFLICT})
HOT_DAMPS = frozenset({Valence.CALM, Valence.ROUTINE, Valence.EXPOSITION})
COOL_FAVOURS = frozenset({Valence.REFLECTION, Valence.CONNECTION, Valence.TENDERNESS})
COOL_DAMPS = frozenset({Valence.TENSION, Valence.URGENCY})


def temperature(authored: float, intensities: Iterable[float]) -> float:
    """T ← T·k + (1 − k)·intensity, k = .5^(1/3), turn after turn.   F2.8"""
    kept: float = 0.5 ** (1.0 / HALF_LIFE_TURNS)
    found = authored
    for each in intensities:
        found = found * kept + (1.0 - kept) * each
    return found


def intensity(atoms: Iterable[Atom], *, authored: Iterable[float] = ()) -> float:
    """The most intense of what happened in a turn; `authored`: what events state.   F2.8a"""
    return max((*map(_of, atoms), *authored), default=QUIET)


def _of(atom: Atom) -> float:
    hot = GRAVE if any(i.kind is ImplicationKind.CONFLICT for i in atom.implications) else ORDINARY
    match atom.what:
        case RelationShifted(by=by):
            return max(hot, min(1.0, ORDINARY + abs(by)))
        case EmotionShown(arousal=arousal):
            return max(hot, arousal)
        case InformationTold(claim="") if atom.source is Source.RULE:
            return hot  # what words come to: that they told a fact is not for everybody
        case InformationTold(fact=fact) if fact is not None:
            return max(hot, (ORDINARY + GRAVE) / 2)
        case _:
            return hot


def favour(warmth: float, valence: Valence, *, most: float, least: float) -> float:
    """×1.2 for what the moment wants, ×.7 for what it does not, else ×1.   F2.8b"""
    if LOW_TO < warmth < HIGH_FROM:
        return 1.0
    hot = warmth >= HIGH_FROM
    if valence in (HOT_FAVOURS if hot else COOL_FAVOURS):
        return most
    return least if valence in (HOT_DAMPS if hot else COOL_DAMPS) else 1.0
