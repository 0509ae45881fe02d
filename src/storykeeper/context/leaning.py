"""What may be felt of what leans on the story: it is the narrator's, and no character's.

ahead:tower/stakes   what the author says of a scene that is still to come, unless withheld
gate:cellar          what a gate means, once it is nearly open
layer:tale           a tale within the tale, once it was entered or is known of
prophecy:x           what was foretold and is not fulfilled
"""

from __future__ import annotations

from storykeeper.gravity.gates import proximity
from storykeeper.gravity.ways import is_revealed
from storykeeper.story.scenes import Withheld
from storykeeper.units import SceneId
from storykeeper.world.state import LayerState, SceneState, World

NEARNESS = "nearness"  # how near it is, which nobody can withhold
KINDS = ("ahead", "gate", "layer", "prophecy")


def felt(world: World, kind: str, name: str) -> bool:
    """Whether the narrator may feel it."""
    match kind:
        case "ahead":
            return _ahead(world, *name.partition("/")[::2])
        case "gate":
            return _nearly_open(world, name)
        case "layer":
            return _entered(world, name)
        case "prophecy":
            state = world.prophecies.get(name)
            foretold = name in world.plan.prophecies
            return foretold and state is not None and state.fulfilled is None
    return False


def _ahead(world: World, scene: str, part: str) -> bool:
    known = world.plan.scenes.get(scene)
    if known is None or world.scenes.get(SceneId(scene), SceneState()).visits:
        return False
    return part == NEARNESS or (part in set(Withheld) and Withheld(part) not in known.withheld)


def _nearly_open(world: World, gate_id: str) -> bool:
    gate = world.plan.gates.get(gate_id)
    if gate is None or gate_id in world.gates:
        return False
    return proximity(world, gate, SceneId("")).close


def _entered(world: World, layer_id: str) -> bool:
    layer = world.plan.layers.get(layer_id)
    if layer is None or not is_revealed(world, layer):
        return False
    state = world.layers.get(layer_id, LayerState())
    known_of = layer.hidden  # and revealed
    return state.visits > 0 or state.merged or known_of
