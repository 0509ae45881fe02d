"""By which names somebody stands in what an audience gets to see."""

from __future__ import annotations

from storykeeper.context.boundary import Boundary
from storykeeper.context.words import name_of, told
from storykeeper.events.atoms import Atom, PieceTold
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.story.model import PLAYER
from storykeeper.units import EntityId
from storykeeper.world.knowledge.lessons import held

SOMEBODY = "somebody"
_NO_WAY = frozenset({"", "authored", "revealed"})  # to have learned something


def told_to(boundary: Boundary, atom: Atom) -> str:
    """An atom as one sentence, in which a player's character calls nobody by a name they have not
    heard; others remember whom they saw.
    """
    plan, mind = boundary.plan, boundary.minds[0]
    deeds = not boundary.narrator  # the narrator has the prose that told of them
    as_said, now = not boundary.is_read_for(atom.turn), atom.turn == boundary.present.turn
    if isinstance(atom.what, PieceTold):
        own = boundary.is_read_for(atom.turn)
        return told(plan, atom, boundary.has_met, mind=mind, own=own)
    if mind not in plan.players:
        return told(plan, atom, deeds=deeds, as_said=as_said, now=now)
    return told(plan, atom, boundary.has_met, deeds=deeds, as_said=as_said, now=now)


def learned_as(boundary: Boundary, fact: str, how: str) -> str:
    """How something was learned, as it stands behind what is said of it.   F8.12

    Who told it, by name to those who may know of them. That the story gave it to them, without a
    way, is the machinery's to know.
    """
    way, _, by = how.partition(" by ")
    if not by:
        return "" if way in _NO_WAY else f" ({way})"
    named = by in boundary.plan.cast and (
        _stated(boundary, fact, how) or _is_known(boundary, fact, EntityId(by))
    )
    return f" ({way} by {name_of(boundary.plan, by) if named else SOMEBODY})"


def _stated(boundary: Boundary, fact: str, how: str) -> bool:
    """Whether the author says that they have it so when the story begins."""
    known, mind = boundary.plan.facts[fact], boundary.minds[0]
    names = (mind, PLAYER) if mind in boundary.plan.players else (mind,)
    stated = (known.known_by, known.suspected_by, known.believed_by)
    return any(each.get(name) == how for each in stated for name in names)


def _is_known(boundary: Boundary, fact: str, teller: EntityId) -> bool:
    """Whether they have a name for who told it; others than players know whom they saw tell it."""
    world, mind = boundary.world, boundary.minds[0]
    if boundary.has_met(teller):
        return True
    if mind in boundary.plan.players:
        return Acquaintance(boundary).knows(teller)
    return held(world, (mind, teller), fact) is not None
