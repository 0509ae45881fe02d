"""Who perceives what happens (F8.1): whoever is where it happens and awake, and whom sound or sight
reaches, on the same side of a tale within the tale. Where the players are does not matter, unless
it is they who act.
"""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Happening,
    Moved,
    Participant,
    Resolved,
    Role,
    SpeechUttered,
    StateAsserted,
)
from storykeeper.events.effects import Effect
from storykeeper.units import EntityId
from storykeeper.world.earshot import heard_inside, listening, reached_from, same_side
from storykeeper.world.hearing import is_deaf
from storykeeper.world.state import World, present, whose_turn
from storykeeper.world.whereabouts import setting_of

# In this order it is asked where something happens: where those are who do it, before all.
_THERE = (Role.LOCATION, Role.TARGET, Role.SUBJECT)


def witnesses(
    world: World, what: Happening, participants: Sequence[Participant]
) -> tuple[EntityId, ...]:
    """Everyone of the cast who perceives it without a part in it, in the order of the cast.

    Words reach also those in settings that hear this one, and who is on the line with whoever says
    them, or all who are there if it is on speaker; deeds those in settings that see it, unless who
    does them is not seen; a whisper reaches whom it is for. Who goes is seen where they leave and
    where they come to.
    """
    whispered = isinstance(what, SpeechUttered) and what.whispered
    if whispered and any(p.role is Role.TARGET for p in participants):
        return ()
    words = isinstance(what, SpeechUttered) and not what.written
    heard = words and not whispered
    actors = those_in(participants, Role.ACTOR)
    emerging = isinstance(what, ActionTaken) and Effect.EMERGES in what.effects
    if not (heard or emerging) and actors and all(_is_unseen(world, who) for who in actors):
        return ()
    reached = {
        place
        for here in happens_at(world, what, participants)
        for place in (here, *reached_from(world, here, heard=heard))
    }
    into = _spoken_into(world, actors, those_in(participants, Role.TARGET))
    afar = listening(world, into, reached) if heard else set()
    reached |= afar
    inside = heard_inside(world, actors, reached) if heard else set()
    afar |= inside
    side = inside.union(same_side(world, actors))
    involved = {*actors, *those_in(participants, Role.TARGET)}
    return tuple(
        who
        for who in map(EntityId, world.plan.cast)
        if who in side
        and (world.places.get(who) in reached or who in afar)
        and who not in involved
        and who not in world.asleep
        and who not in world.unsure
        and not (words and is_deaf(world, who))
        and (who not in world.away or who in afar)
    )


def with_players(world: World) -> tuple[EntityId, ...]:
    """Those with the player whose turn it is, not stepped out, nor outside their tale."""
    side = same_side(world, world.plan.players)
    return tuple(who for who in present(world) if who in side and who not in world.away)


def attending(world: World) -> tuple[EntityId, ...]:
    """Those of them who perceive what happens there: they are awake, too."""
    lost = {*world.asleep, *world.unsure}
    return tuple(who for who in with_players(world) if who not in lost)


def those_in(participants: Sequence[Participant], *roles: Role) -> tuple[EntityId, ...]:
    """Those with an id who have one of these parts."""
    return tuple(
        p.entity.entity for p in participants if p.role in roles and isinstance(p.entity, Resolved)
    )


def happens_at(
    world: World, what: Happening, participants: Sequence[Participant]
) -> tuple[EntityId, ...]:
    """Where something happens; of a going, where from and where to. Nowhere, if nothing says."""
    if isinstance(what, StateAsserted) and what.at is not None:
        return _settings(world, (what.at,))
    if any(p.role is Role.ACTOR for p in participants):
        places = _settings(world, those_in(participants, Role.ACTOR))
        to = (what.to,) if isinstance(what, Moved) else ()
        return tuple(dict.fromkeys((*places, *_settings(world, to))))
    for role in _THERE:
        places = _settings(world, those_in(participants, role))
        if places:
            return places[:1]
    if isinstance(what, Moved):
        return _settings(world, (what.to,))
    return () if participants else _settings(world, (whose_turn(world),))


def _settings(world: World, entities: Sequence[EntityId]) -> tuple[EntityId, ...]:
    found = (setting_of(world, each) for each in entities)
    return tuple(dict.fromkeys(place for place in found if place is not None))


def _is_unseen(world: World, who: EntityId) -> bool:
    return who in world.hidden or who in world.invisible


def _spoken_into(
    world: World, actors: Sequence[EntityId], to: Sequence[EntityId]
) -> tuple[EntityId, ...]:
    """Those of who speak whose words go over their lines: not what is said to somebody beside
    them, unless all there are heard.
    """
    places = {world.places.get(who) for who in to} - {None}
    return tuple(w for w in actors if w in world.aloud or world.places.get(w) not in places)
