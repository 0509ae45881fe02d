"""Who is here now, and where: what tier 1 does not say, because it changes within a scene.

To the narrator, where the player's character is and who is there; it stands right before what the
player typed. To a character, who is with it, how it stands toward them, and its own mood, among
what it knows. It is one short line, and mandatory.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.preamble import place_told
from storykeeper.context.sources.proposing import just_told, line, proposed
from storykeeper.context.stances import stands
from storykeeper.context.words import feelings, listed, name_of, person
from storykeeper.scoring.composite import Terms
from storykeeper.units import EntityId
from storykeeper.world.state import Standing
from storykeeper.world.ways import ways_on

PRESENCE = "presence"
MOST_HELD = 6  # things in hands that are told of


def presence(boundary: Boundary) -> Iterator[Candidate]:
    """The one line about now, if there is something to say."""
    made = _here_and_now(boundary) if boundary.narrator else _around(boundary)
    if made.full:
        yield made


# ── the narrator's ───────────────────────────────────────────────────────────────────────────


def _here_and_now(boundary: Boundary) -> Candidate:
    """Where the players are and who else is here, and of whom that has to be settled; for who
    declares what it tells also what the places are called that one gets to from there.
    """
    plan = boundary.plan
    others = [who for who in _here(boundary) if who not in boundary.minds]
    lost = [who for who in others if who in boundary.world.unsure]
    placed = [w for w in boundary.minds if w in boundary.world.places]
    company = listed([person(plan.cast[who]) for who in others])
    also = f"Here too: {company}" if company else ""
    doubt = listed([name_of(plan, who) for who in lost])
    doubt = f"Settle in the telling who is still here: {doubt}" if doubt else ""
    hands = _hands(boundary)
    has = "; ".join(
        f"{name_of(plan, who)} has {listed([name_of(plan, each) for each in things])}"
        for who, things in hands.items()
    )
    ways = ways_on(boundary.world, boundary.minds) if boundary.inline else ()
    on = listed([name_of(plan, place) for place in ways])
    on = f"From here one gets to {on}" if on else ""
    return _presence(
        full=line(*_at(boundary, placed, described=True), also, has, on, doubt),
        brief=line(*_at(boundary, placed, described=False), also, has, on, doubt),
        sources=(
            *(f"way:{place}" for place in ways),
            *(f"seen:{thing}" for things in hands.values() for thing in things),
            *(f"where:{who}" for who in (*placed, *others)),
            *(f"setting:{place}" for place in _places(boundary, placed)),
            *(f"cast:{who}" for who in (*placed, *others)),
        ),
        entities=tuple(others),
        tier=Tier.INPUT,
    )


def _hands(boundary: Boundary) -> dict[EntityId, list[str]]:
    """Who of those here has what, as the players' characters saw it last; the latest, not many.

    Of a narrator that declares: what changes hands is seldom told in words that can be read.
    """
    found = []
    for thing in boundary.plan.things if boundary.inline else ():
        who = boundary.in_hands(thing)
        if who is not None and (who in boundary.here or who in boundary.minds):
            when = boundary.world.sightings[EntityId(thing)][-1].turn
            found.append((-when, thing, who))
    held: dict[EntityId, list[str]] = {}
    for _, thing, who in sorted(found)[:MOST_HELD]:
        held.setdefault(who, []).append(thing)
    return held


def _places(boundary: Boundary, people: list[EntityId]) -> list[EntityId]:
    places = (boundary.world.places.get(who) for who in people)
    return list(dict.fromkeys(p for p in places if p is not None and p in boundary.plan.settings))


def _at(boundary: Boundary, people: list[EntityId], *, described: bool) -> Iterator[str]:
    """Those of the players in each place, and the place."""
    plan, world = boundary.plan, boundary.world
    for place in _places(boundary, people):
        there = listed([person(plan.cast[who]) for who in people if world.places[who] == place])
        told = described and not just_told(boundary, plan.settings[place].description)
        yield f"{there} at {place_told(boundary, place) if told else name_of(plan, place)}"


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
    *,
    full: str,
    brief: str,
    sources: tuple[str, ...],
    entities: tuple[EntityId, ...],
    tier: Tier = Tier.RETRIEVED,
) -> Candidate:
    return proposed(
        f"{PRESENCE}:now", origin=PRESENCE, klass=Class.MANDATORY, sources=sources,
        full=full, brief=brief, entities=entities, terms=Terms(), tier=tier,
    )  # fmt: skip
