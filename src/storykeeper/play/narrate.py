"""The offline narrator. It tells the author's prose and says plainly what the player did and who is
there; it invents nothing, and says so once.
"""

from __future__ import annotations

from storykeeper.context.history import PresentTurn
from storykeeper.events.atoms import ActionTaken, Atom, Moved, Resolved, Role, SpeechUttered
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.state import World, present

NAME = "offline"
ABOUT = (
    "No model is set, so the offline narrator tells this story: the author's own prose, in order,"
    " and plain words for what you do. It makes nothing up."
)


def offline(world: World, turn: PresentTurn) -> str:
    """Prose for a turn: what was done, what the author wrote for it, who is there."""
    told = [beat.prose.strip() for _, beat in turn.beats]
    if not turn.text:
        return "\n\n".join(told) or company(world, turn.player)
    done = _acknowledged(world, turn)
    rest = told or [company(world, turn.player)]
    return "\n\n".join(part for part in (done, *rest) if part)


def company(world: World, player: EntityId) -> str:
    """Where the player is, and with whom."""
    place = world.plan.settings.get(world.places.get(player) or "")
    others = [_name(world, who) for who in present(world) if who != player]
    where = f"You are in {place.name}" if place is not None else "You are here"
    if place is not None and place.description:
        where = f"{_sentence(place.name)}. {place.description.strip()}"
    return f"{where.rstrip('.')}. {_listed(others)}"


def _acknowledged(world: World, turn: PresentTurn) -> str:
    atoms = [r for r in turn.decided if isinstance(r, Atom) and turn.player in those(r, Role.ACTOR)]
    said = [text for atom in atoms if (text := _deed(world, atom)) is not None]
    return " ".join(dict.fromkeys(said))


def _deed(world: World, atom: Atom) -> str | None:
    targets = [
        _name(world, p.entity.entity)
        for p in atom.participants
        if p.role is Role.TARGET and isinstance(p.entity, Resolved)
    ]
    to = f" {targets[0]}" if targets else ""
    match atom.what:
        case SpeechUttered(words=words):
            return f"“{words.strip()}”"
        case Moved(to=place) if atom.source.value == "player":
            return f"You go to {_name(world, place)}."
        case ActionTaken(act=act, about=about) if act != "go":
            topic = f" about {_name(world, about)}" if about is not None else ""
            joined = f" {_PREPOSITION[act]}" if act in _PREPOSITION and to else ""
            return f"You {act}{joined}{to}{topic}."
        case _:
            return None


_PREPOSITION = {"look": "at", "listen": "to", "talk": "to", "wait": "for", "speak": "to"}


def _name(world: World, entity: EntityId) -> str:
    plan = world.plan
    found = plan.cast.get(entity) or plan.things.get(entity) or plan.settings.get(entity)
    return entity if found is None else str(getattr(found, "name"))  # noqa: B009


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(names: list[str]) -> str:
    if not names:
        return "Nobody else is here."
    if len(names) == 1:
        return f"{_sentence(names[0])} is here."
    return f"{_sentence(', '.join(names[:-1]))} and {names[-1]} are here."
