"""Who is here now, and where: what tier 1 does not say, because it changes within a scene.

To the narrator, what differs from how the scene began. To a character, who is with it, how it
stands toward them, and its own mood. It is one short line, and mandatory.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.preamble import begun, place_told, settings_now
from storykeeper.context.sources.proposing import just_told, line, proposed
from storykeeper.context.stances import stands
from storykeeper.context.words import feelings, name_of, person
from storykeeper.scoring.composite import Terms
from storykeeper.units import EntityId
from storykeeper.world.state import Standing

PRESENCE = "presence"


def presence(boundary: Boundary) -> Iterator[Candidate]:
    """The one line about now, if there is something to say."""
    made = _since_it_began(boundary) if boundary.narrator else _around(boundary)
    if made.full:
        yield made


# ── the narrator's ───────────────────────────────────────────────────────────────────────────


def _since_it_began(boundary: Boundary) -> Candidate:
    """Who has gone elsewhere of the players, who has come, and who is not here any more."""
    plan, began = boundary.plan, begun(boundary).people
    moved = list(_moved(boundary))
    come = [who for who in _here(boundary) if who not in began]
    gone = [w for w in began if w not in boundary.here and w not in boundary.minds]
    also = _named("Here now", [person(plan.cast[who]) for who in come])
    without = _named("Not here", [name_of(plan, who) for who in gone])
    lost = [who for who in _here(boundary) if who in boundary.world.unsure]
    doubt = _named("Settle in the telling whether they are still here", [
        name_of(plan, who) for who in lost if who not in boundary.minds
    ])  # fmt: skip
    return _presence(
        full=line(*(_at(boundary, who, described=True) for who in moved), also, without, doubt),
        brief=line(*(_at(boundary, who, described=False) for who in moved), also, without, doubt),
        sources=(
            *(f"where:{who}" for who in (*moved, *come)),
            *(f"setting:{place}" for place in _places(boundary, moved)),
            *(f"cast:{who}" for who in (*moved, *come, *gone, *lost)),
        ),
        entities=tuple(come),
    )


def _moved(boundary: Boundary) -> Iterator[EntityId]:
    """Those of the players who are in another place than the scene began in."""
    began, now = begun(boundary).places, settings_now(boundary)
    for mind in boundary.minds:
        place = boundary.world.places.get(mind)
        if place in now and place not in began:
            yield mind


def _places(boundary: Boundary, people: list[EntityId]) -> list[EntityId]:
    places = (boundary.world.places.get(who) for who in people)
    return list(dict.fromkeys(place for place in places if place is not None))


def _at(boundary: Boundary, who: EntityId, *, described: bool) -> str:
    place = boundary.world.places[who]
    described = described and not just_told(boundary, boundary.plan.settings[place].description)
    told = place_told(boundary, place) if described else name_of(boundary.plan, place)
    return f"{name_of(boundary.plan, who)} is now at {told}" if told else ""


# ── a character's ────────────────────────────────────────────────────────────────────────────


def _around(boundary: Boundary) -> Candidate:
    """Whom it sees, how it stands toward them, and what is in it."""
    me, others = EntityId(boundary.audience), _here(boundary)
    seen = _named("Present", [person(boundary.plan.cast[who]) for who in others])
    toward = {who: text for who in others if (text := _stance(boundary, me, who))}
    mood = boundary.world.moods.get(me)
    felt = " / ".join(feelings(mood)) if mood is not None else ""
    inside = f"In you, or in what you do: {felt}" if felt else ""
    return _presence(
        full=line(seen, *toward.values(), inside),
        brief=line(seen, inside),
        sources=(
            *(f"cast:{who}" for who in others),
            *(f"relation:{me}/{who}" for who in toward),
            *((f"mood:{me}",) if felt else ()),
        ),
        entities=tuple(others),
    )


def _stance(boundary: Boundary, me: EntityId, who: EntityId) -> str:
    return stands(boundary.plan, me, who, boundary.world.standings.get((me, who), Standing()))


# ── both ─────────────────────────────────────────────────────────────────────────────────────


def _here(boundary: Boundary) -> list[EntityId]:
    cast = map(EntityId, boundary.plan.cast)
    return [who for who in cast if who in boundary.here and who != boundary.audience]


def _named(head: str, names: list[str]) -> str:
    return f"{head}: {', '.join(names)}" if names else ""


def _presence(
    *, full: str, brief: str, sources: tuple[str, ...], entities: tuple[EntityId, ...]
) -> Candidate:
    return proposed(
        f"{PRESENCE}:now", origin=PRESENCE, klass=Class.MANDATORY, sources=sources,
        full=full, brief=brief, entities=entities, terms=Terms(),
    )  # fmt: skip
