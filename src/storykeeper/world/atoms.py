"""What an atom changes in the world."""

from __future__ import annotations

from msgspec import structs

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    EmotionShown,
    EntityChange,
    EntityChanged,
    InformationTold,
    Moved,
    RelationShifted,
    Resolved,
    Role,
    SceneChange,
    SceneChanged,
    Source,
    SpeechUttered,
)
from storykeeper.events.vocabulary import Dimension
from storykeeper.story.scenes import SceneType
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.knowledge import learn
from storykeeper.world.layers import taken_up
from storykeeper.world.register import forget_texture
from storykeeper.world.state import (
    Deed,
    Feeling,
    Mood,
    SceneState,
    SceneStatus,
    Standing,
    World,
)

_WAKING = frozenset({"wake", "wake up", "rouse", "awaken"})
_SLEEPING = frozenset(
    {"sleep", "doze", "doze off", "faint", "fall asleep", "nod off", "pass out", "drift off"}
)


def after_atom(world: World, atom: Atom) -> World:
    """The world after one thing happened in it. Unresolved participants change nothing yet."""
    match atom.what:
        case ActionTaken(act=act, about=about):
            return _done(world, atom, act, about)
        case SpeechUttered():
            return _done(world, atom, "say", None)
        case Moved(to=to):
            return _moved(world, atom, to)
        case EmotionShown():
            return _felt(world, atom, atom.what)
        case InformationTold(fact=fact) if fact is not None:
            return _heard(world, atom, fact)
        case RelationShifted(dimension=dimension, by=by):
            for who in those(atom, Role.ACTOR):
                for whom in those(atom, Role.TARGET):
                    world = shifted(
                        world, who=who, toward=whom, dimension=dimension, by=by, turn=atom.turn
                    )
            return world
        case SceneChanged():
            return _scene(world, atom, atom.what)
        case EntityChanged(change=EntityChange.DEPARTED | EntityChange.DESTROYED):
            places = world.places
            for who in those(atom, Role.SUBJECT):
                places = places.delete(who) if who in places else places
            return structs.replace(world, places=places)
        case _:
            return world


def those(atom: Atom, role: Role) -> tuple[EntityId, ...]:
    """The known participants in a role."""
    found = [
        p.entity.entity
        for p in atom.participants
        if p.role is role and isinstance(p.entity, Resolved)
    ]
    return tuple(found)


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
    return structs.replace(world, standings=world.standings.set((who, toward), moved))


def _done(world: World, atom: Atom, act: str, about: EntityId | None) -> World:
    targets: tuple[EntityId | None, ...] = those(atom, Role.TARGET) or (None,)
    actors = those(atom, Role.ACTOR)
    # What the prose says the player's character does is not what the player did.
    doers = [w for w in actors if atom.source is not Source.NARRATOR or w not in world.plan.players]
    deeds = tuple(Deed(who, act, to, about) for who in doers for to in targets)
    asleep = world.asleep
    if act in _WAKING:
        asleep = tuple(who for who in asleep if who not in (*targets, *actors))
    elif act == "say":
        asleep = tuple(who for who in asleep if who not in actors)  # who speaks is awake
    if act in _SLEEPING:
        asleep = tuple(sorted({*asleep, *actors}))
    return structs.replace(world, deeds=(*world.deeds, *deeds), asleep=asleep)


def _moved(world: World, atom: Atom, to: EntityId) -> World:
    """People go to places; things go to places or into hands."""
    places, holders = world.places, world.holders
    for who in those(atom, Role.ACTOR):
        places = places.set(who, to)
    for thing in those(atom, Role.SUBJECT):
        if to in world.plan.cast:
            if holders.get(thing) != to:
                world = taken_up(world, thing, turn=atom.turn)
            holders = holders.set(thing, to)
            places = places.delete(thing) if thing in places else places
        else:
            places = places.set(thing, to)
            holders = holders.delete(thing) if thing in holders else holders
    return structs.replace(world, places=places, holders=holders)


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


def _heard(world: World, atom: Atom, fact: str) -> World:
    """Being told an authored fact is learning it from whoever told it."""
    tellers = those(atom, Role.ACTOR)
    how = f"told by {tellers[0]}" if tellers else "heard"
    to = (*those(atom, Role.TARGET), *those(atom, Role.WITNESS))
    known = learn(world.known, fact, to=to, how=how, turn=atom.turn, suspected=False)
    return structs.replace(world, known=known)


def _scene(world: World, atom: Atom, changed: SceneChanged) -> World:
    before = world.scenes.get(changed.scene, SceneState())
    match changed.change:
        case SceneChange.REACHED:
            fresh = before.status is SceneStatus.DORMANT
            state = structs.replace(before, status=SceneStatus.REACHABLE) if fresh else before
        case SceneChange.ENTERED | SceneChange.REVISITED:
            first = atom.turn if before.first_entered is None else before.first_entered
            state = structs.replace(
                before,
                status=SceneStatus.ACTIVE,
                visits=before.visits + 1,
                first_entered=first,
                last_entered=atom.turn,
            )
            world = _entered(world, changed.scene)
        case SceneChange.COMPLETED:
            state = _rested(world, changed.scene, structs.replace(before, completed=True))
        case SceneChange.LEFT:
            state = _rested(world, changed.scene, before)
    return structs.replace(world, scenes=world.scenes.set(changed.scene, state))


def _entered(world: World, scene: SceneId) -> World:
    through = world.connective_turns if is_connective(world, scene) else 0
    entered = structs.replace(world, scene=scene, scene_turns=0, connective_turns=through)
    return forget_texture(entered)


def is_connective(world: World, scene: SceneId | None) -> bool:
    """Whether a scene only leads from one to another."""
    found = None if scene is None else world.plan.scenes.get(scene)
    return found is not None and found.type is SceneType.CONNECTIVE


def _rested(world: World, scene: SceneId, state: SceneState) -> SceneState:
    """A scene nobody is in any more: completed, open to come back to, or only left."""
    if not state.completed:
        return structs.replace(state, status=SceneStatus.REACHABLE)
    found = world.plan.scenes.get(scene)
    again = found is not None and found.revisitable
    status = SceneStatus.REVISITABLE if again else SceneStatus.COMPLETED
    return structs.replace(state, status=status)
