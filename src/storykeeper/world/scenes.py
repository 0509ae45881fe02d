"""Scenes: what it means to the world that one is reached, entered, left or played to its end."""

from __future__ import annotations

from msgspec import structs

from storykeeper.events.atoms import SceneChange, SceneChanged
from storykeeper.story.scenes import SceneType
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.register import forget_texture
from storykeeper.world.state import SceneState, SceneStatus, World
from storykeeper.world.whereabouts import everyone_at, is_hidden


def after_scene_change(world: World, changed: SceneChanged, *, turn: TurnNo) -> World:
    """The world after a scene was reached, entered, left or played to its end."""
    before = world.scenes.get(changed.scene, SceneState())
    match changed.change:
        case SceneChange.REACHED:
            fresh = before.status is SceneStatus.DORMANT
            state = structs.replace(before, status=SceneStatus.REACHABLE) if fresh else before
        case SceneChange.ENTERED | SceneChange.REVISITED:
            first = turn if before.first_entered is None else before.first_entered
            state = structs.replace(
                before,
                status=SceneStatus.ACTIVE,
                visits=before.visits + 1,
                first_entered=first,
                last_entered=turn,
                found=_found(world, changed.scene),
            )
            world = _entered(world, changed.scene)
        case SceneChange.COMPLETED:
            state = _rested(world, changed.scene, structs.replace(before, completed=True))
        case SceneChange.LEFT:
            state = _rested(world, changed.scene, before)
    return structs.replace(world, scenes=world.scenes.set(changed.scene, state))


def _found(world: World, scene: SceneId) -> tuple[EntityId, ...]:
    """Who is to be seen where a scene is; where it has no place, where the players are."""
    known = world.plan.scenes.get(scene)
    if known is None or known.setting is None:
        players = map(EntityId, world.plan.players)
        places = dict.fromkeys(filter(None, map(world.places.get, players)))
    else:
        places = {EntityId(known.setting): None}
    there = (who for place in places for who in everyone_at(world, place))
    return tuple(who for who in there if who not in world.away and not is_hidden(world, who))


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
