"""What of a moment can rhyme, come back to mind, and colour what is told of it.

A turn that was told is a value: what an audience perceived of it is found once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    EmotionShown,
    Implication,
    ImplicationKind,
    InformationTold,
    LineChanged,
    RelationShifted,
    Resolved,
    Role,
    SceneChanged,
    Source,
    SpeechUttered,
)
from storykeeper.gravity.temperature import GRAVE, QUIET, Valence, intensity
from storykeeper.world.plan import Plan

_MOST_KEPT = 1_024
_BRING = (  # the gravest first
    (ImplicationKind.CONFLICT, Valence.CONFLICT),
    (ImplicationKind.CARE, Valence.TENDERNESS),
    (ImplicationKind.TRUST, Valence.CONNECTION),
    (ImplicationKind.EMOTIONAL_CONNECTION, Valence.CONNECTION),
)


@dataclass(frozen=True, slots=True)
class Moment:
    """What of a moment can rhyme, who took part in what, and what it would bring into a scene."""

    entities: frozenset[str]
    place: str
    heat: float
    acts: frozenset[str]
    valence: Valence = Valence.NEUTRAL
    events: Mapping[str, tuple[Atom, ...]] = field(default_factory=dict)


def of_turn(boundary: Boundary, turn: PastTurn) -> Moment:
    """What an audience perceived of a past turn."""
    return perceived(boundary)(turn)


def perceived(boundary: Boundary) -> Callable[[PastTurn], Moment]:
    """The same for many turns: it is asked of all that a window can look at."""
    kept = _kept(boundary.plan.digest, boundary.minds)

    def moment(turn: PastTurn) -> Moment:
        known = kept.get(id(turn))
        if known is not None and known[0] is turn:
            return known[1]
        found = _found(boundary, turn)
        kept[id(turn)] = (turn, found)  # with the turn: an id is only good while that lives
        if len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
        return found

    return moment


@lru_cache(maxsize=16)
def _kept(story: str, minds: tuple[str, ...]) -> dict[int, tuple[PastTurn, Moment]]:
    """What has been found for an audience, in one edition of the story."""
    del story, minds
    return {}


def _found(boundary: Boundary, turn: PastTurn) -> Moment:
    seen = tuple(atom for atom in turn.atoms if boundary.witnessed(atom))
    scene = boundary.plan.scenes.get(turn.scene)
    place = "" if scene is None else scene.setting or ""
    people = set(about(boundary.plan, turn.scene, seen)) - {place, *boundary.minds}
    return Moment(
        frozenset(people), place, intensity(seen), acts(seen), brings(seen), _events(seen)
    )


def acts(atoms: Iterable[Atom]) -> frozenset[str]:
    """What was done, as verbs in their plain form."""
    return frozenset(atom.what.act for atom in atoms if isinstance(atom.what, ActionTaken))


def about(plan: Plan, scene_id: str, atoms: tuple[Atom, ...]) -> tuple[str, ...]:
    """Whom and what of the author's it was about, and where it was."""
    known = (plan.cast, plan.things, plan.settings)
    found = dict.fromkeys(who for atom in atoms for who in _parts(atom))
    authored = [each for each in found if any(each in kind for kind in known)]
    scene = plan.scenes.get(scene_id)
    place = () if scene is None or scene.setting is None else (scene.setting,)
    return tuple(dict.fromkeys((*authored, *place)))


def _parts(atom: Atom) -> list[str]:
    return [
        part.entity.entity
        for part in atom.participants
        if part.role is not Role.WITNESS and isinstance(part.entity, Resolved)
    ]


def _events(atoms: Iterable[Atom]) -> dict[str, tuple[Atom, ...]]:
    """By whoever took part: what happened that can be told again as an event."""
    found: dict[str, tuple[Atom, ...]] = {}
    for atom in atoms:
        if _is_told(atom):
            for who in dict.fromkeys(_parts(atom)):
                found[who] = (*found.get(who, ()), atom)
    return found


def _is_told(atom: Atom) -> bool:
    """Whether it is something that one perceives; what a parser made of prose is not told again."""
    if isinstance(atom.what, RelationShifted | SceneChanged | LineChanged | EmotionShown):
        return False
    if isinstance(atom.what, InformationTold) and not atom.what.claim:
        return False
    return atom.source is not Source.NARRATOR or isinstance(atom.what, SpeechUttered)


# ── what it would bring into a scene ─────────────────────────────────────────────────────────


def brings(atoms: tuple[Atom, ...]) -> Valence:
    """What such a moment would bring into a scene, by the gravest of what happened.   F2.8c"""
    kinds = {each.kind for atom in atoms for each in atom.implications if _is_meant_well(each)}
    heat = intensity(atoms)
    if heat >= GRAVE and ImplicationKind.CONFLICT not in kinds:
        return Valence.TENSION
    ordinary = Valence.CALM if heat <= QUIET else Valence.ROUTINE
    return next((valence for kind, valence in _BRING if kind in kinds), ordinary)


def _is_meant_well(implied: Implication) -> bool:
    """Whether it is what its kind says: trust that is lost is none."""
    return implied.valence >= 0 or implied.kind is ImplicationKind.CONFLICT
