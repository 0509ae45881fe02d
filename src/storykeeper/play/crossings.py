"""From scene to scene: which way is taken, who is taken along, and into a tale and out of it.

Who comes to a place comes to its scene: where the present scene says no way there, the scenes
played before it do, the latest first, with all that their ways ask for. Else every room would have
to name every other, and who stood in one that was forgotten would be told nothing.

Time alone moves nobody: a way that is taken because time has passed waits until those whom it would
bring somewhere are there, unless its author tells how they come (`bridge`).
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.events.atoms import Moved, Role, SceneChange, SceneChanged, Source, Voice
from storykeeper.events.changes import LayerEntered, LayerLeft
from storykeeper.play.beats import told_at
from storykeeper.play.calls import ring_off
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.story.layers import Layer, Portal
from storykeeper.story.scenes import Scene, Transition
from storykeeper.story.stage import MoveKind
from storykeeper.story.standing import asked_at
from storykeeper.units import EntityId, SceneId
from storykeeper.world.conditions import holds, holds_by_deed
from storykeeper.world.earshot import of_the_tale
from storykeeper.world.state import SceneState, World, in_scene, whose_turn
from storykeeper.world.ways import adjoins


def move_on(unfolding: Unfolding) -> bool:
    """Leave the present scene if a portal, an exit or a transition stands open; the first wins."""
    world = unfolding.world
    here = world.plan.scenes[world.scene or world.plan.story.start]
    for layer in world.plan.story.layers:
        for portal in layer.portals:
            if portal.from_ == here.id and _open(world, portal):
                _go_in(unfolding, layer, portal, here)
                return True
        for way_out in layer.exits:
            if way_out.from_ == here.id and _open(world, way_out):
                _go_out(unfolding, layer, way_out, here)
                return True
    for transition in (*here.leads_to, *_by_place(world, here)):
        if _follows(world, here, transition):
            leave(unfolding, here)
            enter(unfolding, world.plan.scenes[transition.to])
            return True
    return False


def _by_place(world: World, here: Scene) -> Iterator[Transition]:
    """Ways to where the player has gone and the present scene is not told, of scenes played before.

    Where the present scene says what it takes to come there, nothing else does; no way leads out
    of a tale or into one, nor out of an ending.
    """
    place = world.places.get(whose_turn(world))
    if place is None or here.ending or here.setting is None or place in told_at(world, here):
        return
    if any(world.places.get(EntityId(who)) == here.setting for who in world.plan.players):
        return  # it goes on with who is still there
    tale_of = world.plan.layer_of.get
    stated = {here.id, *(way.to for way in here.leads_to)}
    played = [
        (state.last_entered, name) for name, state in world.scenes.items()
        if state.last_entered is not None and name in world.plan.scenes
    ]  # fmt: skip
    for _, name in sorted(played, reverse=True):
        for way in world.plan.scenes[name].leads_to:
            asked = () if way.when is None else asked_at(way.when)
            there = world.plan.scenes[way.to].setting == place
            same = tale_of(way.to) == tale_of(here.id) == tale_of(name)
            if there and place in asked and same and way.to not in stated:
                yield way


def _open(world: World, portal: Portal) -> bool:
    if portal.when is None:
        return told_out(world, world.plan.scenes[portal.from_])
    return holds(world, portal.when)


def _follows(world: World, here: Scene, transition: Transition) -> bool:
    if not _may_enter(world, transition.to):
        return False
    if transition.when is None:
        return told_out(world, here) and in_scene(world, whose_turn(world))
    if not holds(world, transition.when):
        return False
    moves_nobody = _are_there(world, world.plan.scenes[transition.to])
    return moves_nobody or bool(transition.bridge) or holds_by_deed(world, transition.when)


def _are_there(world: World, scene: Scene) -> bool:
    """Whether the player and those whom a scene needs are in its place, or are told to come."""
    if scene.setting is None:
        return True
    opening = scene.beats[0].stage if scene.beats else None
    told = set() if opening is None else {
        *opening.here, *(w for m in opening.moves if m.kind is MoveKind.ARRIVES for w in m.who)
    }  # fmt: skip
    wanted = (whose_turn(world), *(w for w in _awaited(scene) if w not in told))
    return all(world.places.get(who) in (scene.setting, None) for who in wanted)


def _may_enter(world: World, scene: str) -> bool:
    """A completed scene is entered again only if its author lets people come back."""
    state = world.scenes.get(SceneId(scene), SceneState())
    return not state.completed or world.plan.scenes[scene].revisitable


def told_out(world: World, scene: Scene) -> bool:
    """Whether a scene has nothing more to tell that does not wait for something."""
    if scene.done_when is not None:
        return holds(world, scene.done_when)
    return all(f"{scene.id}/{b.id}" in world.told for b in scene.beats if b.when is None)


def leave(unfolding: Unfolding, scene: Scene) -> None:
    """A scene is completed when it is told out, and otherwise only left."""
    done = told_out(unfolding.world, scene)
    change = SceneChange.COMPLETED if done else SceneChange.LEFT
    unfolding.happen(SceneChanged(SceneId(scene.id), change), source=Source.RULE)


def enter(unfolding: Unfolding, scene: Scene) -> None:
    """A scene begins: those it needs are brought to its place, but for whom this turn has told to
    be next to it: they have yet to go in. Who was on a line no longer is.
    """
    first = unfolding.world.scene is None
    ring_off(unfolding)
    seen = unfolding.world.scenes.get(SceneId(scene.id), SceneState()).visits
    change = SceneChange.REVISITED if seen else SceneChange.ENTERED
    unfolding.happen(SceneChanged(SceneId(scene.id), change), source=Source.RULE)
    if scene.setting is not None:
        there = EntityId(scene.setting)
        for who in dict.fromkeys((*_taken_along(unfolding, there, first=first), *_awaited(scene))):
            world = unfolding.world
            elsewhere = world.places.get(who) != there or who in world.away
            if elsewhere and not _is_told_beside(unfolding, who, there):
                unfolding.happen(Moved(there), source=Source.RULE, actor=who)
    for follower in dict.fromkeys(t.to for t in scene.leads_to):
        if SceneId(follower) not in unfolding.world.scenes:
            reached = SceneChanged(SceneId(follower), SceneChange.REACHED)
            unfolding.happen(reached, source=Source.RULE)


def _is_told_beside(unfolding: Unfolding, who: EntityId, there: EntityId) -> bool:
    """Whether this turn has declared that somebody came to where a way leads to a place."""
    told = [
        atom.what.to
        for atom in unfolding.atoms
        if isinstance(atom.what, Moved) and atom.says is Voice.NARRATOR
        and who in those_in(atom.participants, Role.ACTOR)
    ]  # fmt: skip
    at = unfolding.world.places.get(who)
    return at is not None and told[-1:] == [at] and adjoins(unfolding.world, at, there)


def _awaited(scene: Scene) -> Iterator[EntityId]:
    """Those whom a scene needs from its opening on: of whom a later beat first tells that they come
    to its place, they are not there until it does.
    """
    later = {who for who, comes in _entrances(scene).items() if comes}
    return (EntityId(who) for who in scene.cast.required if who not in later)


def _entrances(scene: Scene) -> dict[str, bool]:
    """Of each whom the stage of a scene's beats names, whether they first come in after the first
    beat.
    """
    found: dict[str, bool] = {}
    for n, stage in enumerate(beat.stage for beat in scene.beats):
        for move in () if stage is None else stage.moves:
            comes = move.kind is MoveKind.ARRIVES and (not move.to or scene.setting in move.to)
            for who in move.who:
                found.setdefault(who, n > 0 and comes)
        for who in () if stage is None else stage.here:
            found.setdefault(who, False)
    return found


def _taken_along(unfolding: Unfolding, there: EntityId, *, first: bool) -> list[EntityId]:
    """Whom a scene takes to its place: at first the first player, and the others whom the author
    put nowhere; then whose turn it is.

    If it takes them from where they are, those go along who are with them and are played, or came
    there with them in this turn. Where they went by themselves, nobody else is there by it.
    """
    world, player = unfolding.world, whose_turn(unfolding.world)
    here = world.places.get(player)
    if first or here is None:
        return [w for w in world.plan.players if w == player or world.places.get(w) is None]
    came = {
        who
        for atom in unfolding.atoms
        if isinstance(atom.what, Moved) and atom.what.to == here
        for who in those_in(atom.participants, Role.ACTOR)
    }
    with_them = [
        who
        for who in map(EntityId, world.plan.cast)
        if (who in world.plan.players or who in came)
        and world.places.get(who) == here
        and who not in world.away
    ]
    return [player, *(with_them if here != there else ())]


def _go_in(unfolding: Unfolding, layer: Layer, portal: Portal, here: Scene) -> None:
    who = tuple(_drawn_in(unfolding.world, layer))
    unfolding.add(LayerEntered(unfolding.turn, layer.id, SceneId(here.id), who))
    enter(unfolding, unfolding.world.plan.scenes[portal.to])


def _drawn_in(world: World, layer: Layer) -> Iterator[EntityId]:
    """Those of a tale who have a body outside of it; of the players those who go in together."""
    here, tale = world.places.get(whose_turn(world)), of_the_tale(world.plan, layer.id)
    its_own = {world.plan.scenes[scene].setting for scene in layer.scenes}
    for who in map(EntityId, world.plan.cast):
        place = world.places.get(who)
        along = who not in world.plan.players or place == here
        if who in tale and along and place is not None and place not in its_own:
            yield who


def _go_out(unfolding: Unfolding, layer: Layer, way_out: Portal, here: Scene) -> None:
    leave(unfolding, here)
    origins = [i.entered_from for i in unfolding.world.inside if i.layer == layer.id]
    for origin in origins:
        if origin != way_out.to and origin in unfolding.world.plan.scenes:
            leave(unfolding, unfolding.world.plan.scenes[origin])  # it waited, and is left now
    scenes = (unfolding.world.scenes.get(SceneId(s), SceneState()) for s in layer.scenes)
    completed = all(state.completed for state in scenes)
    unfolding.add(LayerLeft(unfolding.turn, layer.id, SceneId(way_out.to), completed))
    enter(unfolding, unfolding.world.plan.scenes[way_out.to])
