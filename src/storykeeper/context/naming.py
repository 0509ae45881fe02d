"""By which names somebody stands in what an audience gets to see."""

from __future__ import annotations

from storykeeper.context.boundary import Boundary
from storykeeper.context.stances import short_name
from storykeeper.context.words import name_of, told
from storykeeper.events.atoms import Atom, PieceTold
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.story.model import PLAYER
from storykeeper.units import EntityId
from storykeeper.world.knowledge.lessons import held

SOMEBODY = "somebody"
_NO_WAY = frozenset({"", "authored", "revealed"})  # to have learned something
TOLD = "told"
_WAYS = {  # how somebody came to hold something, as one says it of them
    "told": "was told", "read": "has read", "heard": "has heard", "saw": "saw", "seen": "saw",
    "lived": "was there", "inferred": "has worked out",
}  # fmt: skip


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


def handle(boundary: Boundary, fact: str) -> str:
    """What a narrator that declares calls a fact by: an id may say what it is."""
    if not boundary.inline or fact not in boundary.offered:
        return ""
    return f"[F{boundary.offered.index(fact) + 1}] "


def learned_as(boundary: Boundary, fact: str, how: str) -> str:
    """How something was learned, as it stands behind what is said of it.   F8.12

    Who told it, by name to those who may know of them. That the story gave it to them, without a
    way, is the machinery's to know.
    """
    way, _, by = how.partition(" by ")
    if not by:
        return "" if way in _NO_WAY else f" ({way})"
    return f" ({way} by {_teller(boundary, fact, how, by)})"


def has_it(boundary: Boundary, fact: str, how: str, *, once: bool) -> str:
    """That somebody holds something, and from whom or how; `once`, until something overtook it.

    The same words whether it is so or not: who holds it must not learn that from them.
    """
    who = short_name(boundary.plan, boundary.minds[0])
    way, _, by = how.partition(" by ")
    until = ", until it was overtaken" if once else ""
    if by and way == TOLD:
        return f"{who} {'had' if once else 'has'} it from {_teller(boundary, fact, how, by)}{until}"
    if not by and way in _WAYS and not once:
        return f"{who} {_WAYS[way]}"
    return f"As {who} {'once had' if once else 'has'} it{learned_as(boundary, fact, how)}"


def _teller(boundary: Boundary, fact: str, how: str, by: str) -> str:
    """Who told it, by name to those who may know of them."""
    named = by in boundary.plan.cast and (
        _stated(boundary, fact, how) or _is_known(boundary, fact, EntityId(by))
    )
    return name_of(boundary.plan, by) if named else SOMEBODY


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
