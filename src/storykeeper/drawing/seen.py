"""A landscape as its author sees it: every scene of the story, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from storykeeper.drawing.condition_words import in_words
from storykeeper.gravity.gates import Proximity
from storykeeper.gravity.landscape import Attractor, Landscape
from storykeeper.gravity.possible import possible
from storykeeper.gravity.pull import Band
from storykeeper.story.conditions import Condition
from storykeeper.units import SceneId
from storykeeper.world.state import SceneState, World

VISITED = "visited"  # left before its end; it does not pull
OUT_OF_REACH = "out of reach"  # no way leads there that is not closed for good


@dataclass(frozen=True, slots=True)
class Spot:
    """A scene, with what it pulls if it does; else how it stands."""

    scene: SceneId
    title: str
    standing: str  # a band, or one of the two above
    attractor: Attractor | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A landscape, the world it is of, and every scene in it."""

    world: World
    landscape: Landscape
    spots: tuple[Spot, ...]  # the present one, those that pull by their pull, the others

    @property
    def here(self) -> Spot | None:
        """The present scene."""
        return next((s for s in self.spots if s.standing == Band.ACTIVE), None)

    @property
    def ahead(self) -> tuple[Spot, ...]:
        """Scenes that pull, the strongest first."""
        return tuple(spot for spot in self.spots if spot.attractor is not None)

    @property
    def others(self) -> tuple[Spot, ...]:
        """Scenes that do not pull: over, left, or out of reach."""
        return tuple(s for s in self.spots if s.attractor is None and s.standing != Band.ACTIVE)

    def title(self, scene: str) -> str:
        """What a scene is called."""
        found = self.world.plan.scenes.get(scene)
        return found.title if found is not None else scene

    def waits(self, gate: Proximity) -> str:
        """How far a gate is open, and whether it can still open."""
        asked = Condition(all_=self.world.plan.gates[gate.gate].conditions)
        lost = "" if possible(self.world, asked) else " and can no longer open"
        return f"{gate.share:.0%} open{lost}"

    def unmet(self, gate: Proximity) -> tuple[str, ...]:
        """What a gate still waits for, in words; and what it waits for in vain."""
        plan = self.world.plan
        return tuple(
            in_words(plan, each) + ("" if possible(self.world, each) else " (never any more)")
            for each in gate.unmet
        )


def seen(world: World, landscape: Landscape) -> Seen:
    """Every scene of the story as it stands in a landscape."""
    pulling = {each.scene: each for each in landscape.attractors}
    ids = [SceneId(scene) for scene in world.plan.scenes]
    rest = [scene for scene in ids if scene != landscape.here and scene not in pulling]
    rest.sort(key=lambda scene: _ORDER.index(_standing(world, scene)))
    titles = {scene.id: scene.title for scene in world.plan.scenes.values()}
    here = [Spot(s, titles[s], Band.ACTIVE.value) for s in ids if s == landscape.here]
    ahead = [Spot(e.scene, titles[e.scene], e.band.value, e) for e in landscape.attractors]
    behind = [Spot(s, titles[s], _standing(world, s)) for s in rest]
    return Seen(world, landscape, (*here, *ahead, *behind))


_ORDER = (Band.RESOLVED.value, VISITED, OUT_OF_REACH)


def _standing(world: World, scene: SceneId) -> str:
    state = world.scenes.get(scene, SceneState())
    if state.completed:
        return Band.RESOLVED.value
    return VISITED if state.visits else OUT_OF_REACH


# ── for programs ─────────────────────────────────────────────────────────────────────────────


def as_data(found: Seen) -> dict[str, object]:
    """All of it, with every term."""
    landscape = found.landscape
    strongest = landscape.strongest
    return {
        "turn": landscape.turn,
        "here": landscape.here,
        "strongest": None if strongest is None else strongest.scene,
        "digest": landscape.digest,
        "scenes": [scene_data(spot) for spot in found.spots],
        "layers": [
            {
                "layer": each.layer,
                "name": found.world.plan.layers[each.layer].name,
                "mass": {**structs.asdict(each.mass), "total": each.mass.total},
                "psi": each.psi,
                "strength": each.strength,
                "active": each.active,
            }
            for each in landscape.layers
        ],
        "prophecies": [structs.asdict(each) for each in landscape.prophecies],
        "gates": [
            {**structs.asdict(each), "close": each.close, "in_words": found.unmet(each)}
            for each in landscape.gates
        ],
    }


def scene_data(spot: Spot) -> dict[str, object]:
    """One scene, with every term of its mass and distance if it pulls."""
    found: dict[str, object] = {"scene": spot.scene, "title": spot.title, "band": spot.standing}
    each = spot.attractor
    if each is None:
        return found
    return found | {
        "pull": each.pull,
        "mass": {**structs.asdict(each.mass), "total": each.mass.total},
        "distance": {**structs.asdict(each.distance), "total": each.distance.total},
        "nearness": each.nearness,
        "steps": each.way.steps,
        "lateral": each.way.lateral,
    }
