"""`storykeeper here` and `why --heard`: who is where, who perceived a piece, and why."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.play.presence import Evidence, Heard, Present
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan
from storykeeper.world.state import World

_STATES = (("asleep", "asleep"), ("hidden", "hidden"), ("unsure", "not sure"), ("away", "gone out"))


def listed(world: World, present: Sequence[Present]) -> str:
    """Everyone of the cast, where they are, and what is known of those with the player."""
    seen = {each.who: each for each in present}
    people = map(EntityId, world.plan.cast)
    return "\n".join(_line(world, who, seen.get(who)) for who in people)


def _line(world: World, who: EntityId, present: Present | None) -> str:
    place = world.places.get(who)
    where = "nobody knows where" if place is None else _name(world.plan, place)
    states = [word for field, word in _STATES if who in getattr(world, field)]
    body = world.bodies.get(who)
    states += [] if body is None else [f"their body in {_name(world.plan, body)}"]
    line = f"{_name(world.plan, who)}: {', '.join((where, *states))}"
    if present is not None and present.turn is not None:
        words = f" “{present.evidence}”" if present.evidence else ""
        says = f", says the {present.says}" if present.says else ""
        line += f" (turn {present.turn}{says}:{words})" if words else f" (turn {present.turn})"
    return line


def as_data(world: World, present: Sequence[Present]) -> dict[str, object]:
    """The same for programs."""
    seen = {each.who: each for each in present}
    return {
        who: {
            "place": world.places.get(who),
            "body": world.bodies.get(who),
            "unsure": who in world.unsure,
            "asleep": who in world.asleep,
            "hidden": who in world.hidden,
            "here": who in seen,
            "evidence": seen[who].evidence if who in seen else "",
            "says": seen[who].says if who in seen else "",
        }
        for who in map(EntityId, world.plan.cast)
    }


def explained(plan: Plan, pieces: Sequence[Heard], words: str) -> str:
    """Who perceived pieces that have these words, who did not, and who says so."""
    if not pieces:
        return f"no piece of that turn has the words “{words}”"
    return "\n\n".join(_piece(plan, each) for each in pieces)


def _piece(plan: Plan, piece: Heard) -> str:
    spoken = "" if piece.kind != "speech" else " by somebody"
    by = f" by {_name(plan, piece.speaker)}" if piece.speaker else spoken
    lines = [f"“{' '.join(piece.text.split())}”", f"  {piece.kind}{by}; {_for_whom(piece.says)}"]
    lines += [f"  perceived by {_name(plan, each.who)}{_since(each)}" for each in piece.evidence]
    lines += [f"  not by {_name(plan, each)}: {why}" for each, why in piece.kept_from]
    told = {*piece.perceived_by, *(who for who, _ in piece.kept_from)}
    far = ", ".join(_name(plan, who) for who in plan.cast if who not in told)
    return "\n".join([*lines, *([f"  not near: {far}"] if far else [])])


def _for_whom(says: str) -> str:
    """Who says whom it is for."""
    if says in ("", "reader"):
        return "nobody says whom it is for: those there perceive it"
    return f"the {says} says whom it is for"


def _since(evidence: Evidence) -> str:
    """By what they were there."""
    if evidence.turn is None:
        return ", there from the start"
    words = f": “{' '.join(evidence.words.split())}”" if evidence.words else ""
    says = f", says the {evidence.says}" if evidence.says else ""
    return f", there by turn {evidence.turn}{says}{words}"


def _name(plan: Plan, entity: str) -> str:
    for kind in (plan.cast, plan.settings):
        if entity in kind:
            return kind[entity].name or entity
    return entity
