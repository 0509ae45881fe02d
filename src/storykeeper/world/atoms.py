"""What an atom changes in the world."""

from __future__ import annotations

from msgspec import structs

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    EmotionShown,
    EntityChange,
    EntityChanged,
    Implicit,
    InformationTold,
    LineChanged,
    Moved,
    PieceTold,
    PresenceChanged,
    RelationShifted,
    Resolved,
    Role,
    SceneChanged,
    Source,
    SpeechUttered,
    StateAsserted,
    Unresolved,
)
from storykeeper.events.effects import Effect
from storykeeper.events.vocabulary import Dimension, Sort
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.finding import after_appearing, after_showing, knows_where
from storykeeper.world.knowledge.claims import overheard, told
from storykeeper.world.knowledge.sightings import perceivers
from storykeeper.world.layers import noted, taken_up
from storykeeper.world.lines import after_change, closed
from storykeeper.world.retold import said_after
from storykeeper.world.scenes import after_scene_change
from storykeeper.world.sights import (
    Perceived,
    after_going,
    after_leaving,
    after_opening,
    after_placing,
    after_returning,
    after_saying,
)
from storykeeper.world.stage import after_presence, settled
from storykeeper.world.state import (
    Deed,
    Feeling,
    Mood,
    Standing,
    World,
)
from storykeeper.world.whereabouts import is_container

SAYING = "say"  # the deed that words are, in an author's condition


def after_atom(world: World, atom: Atom) -> World:
    """The world after one thing happened in it. Unresolved participants change nothing yet."""
    for who in those(atom, Role.ACTOR) if world.away else ():
        if who in world.away and _brings_back(world, atom, who):
            world = after_returning(world, perceived(world, atom), who)
    if world.unsure and not isinstance(atom.what, PresenceChanged | PieceTold):
        world = settled(world, _evident(atom))
    match atom.what:
        case ActionTaken(act=act, about=about, also=also):
            return _done(world, atom, act, about, also=also)
        case SpeechUttered():
            return _done(said_after(world, atom), atom, SAYING, None)
        case Moved(to=to):
            return _moved(world, atom, to)
        case StateAsserted(at=at) if at is not None:
            return _stated(world, atom, at)
        case EmotionShown():
            return _felt(world, atom, atom.what)
        case InformationTold(fact=fact, at=at, guessed=guessed):
            world = world if fact is None else _heard(world, atom, fact, guessed=guessed)
            return world if at is None else _claimed(world, atom, at)
        case RelationShifted(dimension=dimension, by=by):
            for who in those(atom, Role.ACTOR):
                for whom in those(atom, Role.TARGET):
                    world = shifted(
                        world, who=who, toward=whom, dimension=dimension, by=by, turn=atom.turn
                    )
            return world
        case SceneChanged():
            return after_scene_change(world, atom.what, turn=atom.turn)
        case LineChanged(change=change):
            ends, others = those(atom, Role.ACTOR), those(atom, Role.TARGET)
            called = others or those(atom, Role.SUBJECT)  # of whom has not answered
            return after_change(world, change, actors=ends, to=called)
        case EntityChanged(change=EntityChange.DEPARTED | EntityChange.DESTROYED):
            for who in those(atom, Role.SUBJECT):
                world = closed(after_leaving(world, perceived(world, atom), who), (who,))
            return world
        case PresenceChanged(change=change):
            return after_presence(world, change, those(atom, Role.ACTOR))
        case PieceTold():
            return (
                world  # its words are for those who perceived it; what happened has its own atoms
            )
        case EntityChanged(change=EntityChange.APPEARED) if world.hidden:
            found, finders = those(atom, Role.SUBJECT), those(atom, Role.ACTOR)
            return after_appearing(world, perceived(world, atom), found, by=finders)
        case _:
            return world


def _evident(atom: Atom) -> tuple[EntityId, ...]:
    """Who is there after all, or gone for sure, by doing or saying something."""
    match atom.what:
        case ActionTaken() | Moved() | StateAsserted() | LineChanged():
            return those(atom, Role.ACTOR)
        case SpeechUttered(asleep=asleep, written=written):
            return () if asleep or written else those(atom, Role.ACTOR)
        case EntityChanged():
            return those(atom, Role.SUBJECT)
        case _:
            return ()


def _brings_back(world: World, atom: Atom, who: EntityId) -> bool:
    """Whether somebody who stepped out is back by this: a coming, or words to somebody there."""
    match atom.what:
        case ActionTaken(effects=effects):
            return Effect.COMES in effects
        case SpeechUttered():
            there, to = world.places.get(who), those(atom, Role.TARGET)
            return any(world.places.get(w) == there and w not in world.away for w in to)
        case StateAsserted(at=at):
            return at is not None
        case Moved():
            return True
        case _:
            return False


def those(atom: Atom, role: Role) -> tuple[EntityId, ...]:
    """The known participants in a role."""
    found = [
        p.entity.entity
        for p in atom.participants
        if p.role is role and isinstance(p.entity, Resolved)
    ]
    return tuple(found)


def perceived(world: World, atom: Atom) -> Perceived:
    """An atom as those perceive it who have a part in it and are awake."""
    return Perceived(atom.turn, atom.id, perceivers(world, atom))


def shifted(
    world: World,
    *,
    who: EntityId,
    toward: EntityId,
    dimension: Dimension,
    by: float,
    turn: TurnNo,
) -> World:
    """The world with one standing moved, inside [−1, 1]."""
    standing = world.standings.get((who, toward), Standing())
    value = min(1.0, max(-1.0, getattr(standing, dimension.value) + by))
    moved = structs.replace(
        standing, **{dimension.value: value, "shifts": standing.shifts + 1, "last_shift": turn}
    )
    standings = world.standings.set((who, toward), moved)
    inside = noted(world.inside, who=who, toward=toward, standing=standing)
    return structs.replace(world, standings=standings, inside=inside)


def _done(
    world: World, atom: Atom, act: str, about: EntityId | None, *, also: tuple[str, ...] = ()
) -> World:
    actors, targets = those(atom, Role.ACTOR), those(atom, Role.TARGET)
    done_to = targets or _unaware(world, atom, about)
    # What the prose says the player's character does is not what the player did.
    doers = [w for w in actors if atom.source is not Source.NARRATOR or w not in world.plan.players]
    deeds = [
        Deed(who, each, to, about)
        for each in (act, *also)
        for who in doers
        for to in done_to or (None,)
    ]
    world = structs.replace(world, deeds=(*world.deeds, *deeds))
    return _perceptible(world, atom, actors, targets=targets)


def _unaware(world: World, atom: Atom, about: EntityId | None) -> tuple[EntityId, ...]:
    """Those who sleep through what a player does to them, or do not take the call: it is done to
    them all the same.
    """
    if atom.source is not Source.PLAYER or not isinstance(atom.what, ActionTaken):
        return ()
    rung = {whom for who, whom in world.ringing if who in those(atom, Role.ACTOR)}
    unaware = {*world.asleep, *rung}
    return tuple(w for w in those(atom, Role.SUBJECT) if w in unaware and w != about)


def _perceptible(
    world: World, atom: Atom, actors: tuple[EntityId, ...], *, targets: tuple[EntityId, ...]
) -> World:
    """What a deed changes in who and what can be perceived."""
    if isinstance(atom.what, SpeechUttered):
        asleep = _with(world.asleep, actors) if atom.what.asleep else _but(world.asleep, actors)
        return world if asleep == world.asleep else structs.replace(world, asleep=asleep)
    effects = atom.what.effects if isinstance(atom.what, ActionTaken) else ()
    if Effect.WAKES in effects:
        return structs.replace(world, asleep=_but(world.asleep, (*targets, *actors)))
    if Effect.SLEEPS in effects:
        return structs.replace(world, asleep=_with(world.asleep, actors))
    if Effect.SHUTS in effects or Effect.OPENS in effects:
        return _opened(world, atom, targets, shut=Effect.SHUTS in effects)
    # Whoever hides something is not hidden themselves, whether or not it is known what it is.
    whom = targets if any(p.role is Role.TARGET for p in atom.participants) else actors
    if Effect.HIDES in effects:
        return structs.replace(world, hidden=_with(world.hidden, whom))
    if Effect.STEPS_OUT in effects and not set(actors) & set(world.hidden) and _names_no_goal(atom):
        world = closed(world, actors) if actors else world
        return structs.replace(world, away=_with(world.away, _but(actors, world.plan.players)))
    if Effect.SHOWS in effects and world.hidden:
        return _shown(world, atom, whom, actors)
    return _sensed(world, atom, effects, actors)


def _opened(world: World, atom: Atom, targets: tuple[EntityId, ...], *, shut: bool) -> World:
    things = [each for each in targets if is_container(world, each)]
    return after_opening(world, perceived(world, atom), things, shut=shut) if things else world


def _sensed(
    world: World, atom: Atom, effects: tuple[Effect, ...], actors: tuple[EntityId, ...]
) -> World:
    """Who hears, is seen, and is on a line after a deed."""
    if Effect.DEAFENED in effects or Effect.HEARS in effects:
        ears = _with if Effect.DEAFENED in effects else _but
        return structs.replace(world, deaf=ears(world.deaf, actors))
    if Effect.VANISHES in effects or Effect.APPEARS in effects:
        seen = _with if Effect.VANISHES in effects else _but
        return structs.replace(world, invisible=seen(world.invisible, actors))
    goes = bool(world.lines) and Effect.GOES in effects and _names_elsewhere(world, atom)
    return closed(world, actors) if (goes or Effect.HANGS_UP in effects) and actors else world


def _shown(
    world: World, atom: Atom, whom: tuple[EntityId, ...], actors: tuple[EntityId, ...]
) -> World:
    """Who comes out is seen; and so is what is found or shown by somebody who is where it is.

    That a player says so finds nothing: they must know where it is, or the rules say it (F8.14).
    """
    things = dict.fromkeys(e for e in (*whom, *those(atom, Role.SUBJECT)) if e in world.hidden)
    found = [each for each in things if each not in world.plan.cast]
    if atom.source is Source.PLAYER:
        ours = world.plan.things  # what play brought forth is as the player says
        found = [e for e in found if e not in ours or all(knows_where(world, w, e) for w in actors)]
    people = tuple(each for each in whom if each in world.plan.cast)
    world = structs.replace(world, hidden=_but(world.hidden, people))
    return after_showing(world, perceived(world, atom), found, by=actors)


def _names_elsewhere(world: World, atom: Atom) -> bool:
    """Whether somebody is told to go to another place; also where it is not believed."""
    here = {world.places.get(who) for who in those(atom, Role.ACTOR)}
    to = (each for each in those(atom, Role.LOCATION) if each in world.plan.settings)
    return any(each not in here for each in to)


def _names_no_goal(atom: Atom) -> bool:
    """Whether a deed is done to nothing and nowhere; or to a place in passing: the room."""
    return not any(
        p.role in (Role.TARGET, Role.SUBJECT, Role.LOCATION)
        and not isinstance(p.entity, Implicit)  # by a door that nobody named
        and not (isinstance(p.entity, Unresolved) and p.entity.sort is Sort.PLACE)
        for p in atom.participants
    )


def _with(before: tuple[EntityId, ...], more: tuple[EntityId, ...]) -> tuple[EntityId, ...]:
    return tuple(sorted({*before, *more}))


def _but(before: tuple[EntityId, ...], gone: tuple[EntityId, ...]) -> tuple[EntityId, ...]:
    return tuple(each for each in before if each not in gone)


def _moved(world: World, atom: Atom, to: EntityId) -> World:
    """People go to places; things go to places, into hands or into other things."""
    for who in those(atom, Role.ACTOR):
        # Who goes elsewhere leaves the telephone, or needs none where they come to.
        stays = world.places.get(who) == to
        world = after_going(world, perceived(world, atom), who, to)
        world = world if stays else closed(world, (who,))
    for thing in those(atom, Role.SUBJECT):
        if to in world.plan.cast and world.holders.get(thing) != to:
            world = taken_up(world, thing, turn=atom.turn)
        world = after_placing(world, perceived(world, atom), thing, to)
    return world


def _stated(world: World, atom: Atom, at: EntityId) -> World:
    """Where somebody or something is said to be, there they are."""
    for each in (*those(atom, Role.SUBJECT), *those(atom, Role.ACTOR)):
        if each in world.plan.cast:
            world = after_going(world, perceived(world, atom), each, at)
        else:
            world = after_placing(world, perceived(world, atom), each, at)
    return world


def _claimed(world: World, atom: Atom, at: EntityId) -> World:
    for teller in those(atom, Role.ACTOR)[:1]:
        for thing in those(atom, Role.SUBJECT):
            world = after_saying(world, perceived(world, atom), thing, at, teller=teller)
    return world


def _felt(world: World, atom: Atom, shown: EmotionShown) -> World:
    """The feeling shown comes last; what the author said of it (how it is shown) stays."""
    moods = world.moods
    toward = next(iter(those(atom, Role.TARGET)), None)
    for who in those(atom, Role.ACTOR) or those(atom, Role.SUBJECT):
        feelings = moods.get(who, Mood()).feelings
        others = tuple(f for f in feelings if f.name != shown.feeling)
        fresh = Feeling(shown.feeling, shown.arousal, shown.awareness)
        same = next((f for f in feelings if f.name == shown.feeling), fresh)
        feeling = structs.replace(
            same, strength=shown.arousal, awareness=shown.awareness, toward=toward or same.toward
        )
        mood = Mood(shown.valence, shown.arousal, shown.determination, (*others, feeling))
        moods = moods.set(who, mood)
    return structs.replace(world, moods=moods)


def _heard(world: World, atom: Atom, fact: str, *, guessed: bool) -> World:
    """Being told an authored fact is learning it from whoever told it, or believing them."""
    tellers = those(atom, Role.ACTOR)
    to = (*those(atom, Role.TARGET), *those(atom, Role.WITNESS))
    teller = tellers[0] if tellers else None
    if guessed and teller is not None:
        return overheard(world, atom, fact, teller=teller, to=to)
    return told(world, atom, fact, teller=teller, to=to)
