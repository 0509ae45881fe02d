"""What a weight is enough for, and how long it lasts (F7.4).

    mentioned → referenced   something is implied about it
    referenced → tracked     Σ weight ≥ θ_track, or the player turned to what the story has told of
    tracked → persistent     Σ weight ≥ θ_persist, in ≥ n events, in at least two scenes

θ_track is 1.0 once a scene tracks as many as its soft budget. Nothing sinks below the tier its
author gave it.
"""

from __future__ import annotations

from bisect import bisect_right

from storykeeper.events.vocabulary import Tier
from storykeeper.story.tuning import EntityTuning
from storykeeper.units import SceneId, TurnNo
from storykeeper.world.state import Entity, World

FULL_SCENE_THRESHOLD = 1.0
EDGE_HALVES_SCENES, EDGE_INACTIVE = 2, 0.1
PERSISTENT_SCENES = 2
ORDER = tuple(Tier)


def at_least(tier: Tier | None, least: Tier) -> bool:
    """Whether a tier is no lower than another."""
    return tier is not None and ORDER.index(tier) >= ORDER.index(least)


def tier_now(known: Entity, entered: Entered) -> Tier:
    """The tier of an entry: as decided; below tracked, whether it still has to do with others."""
    if known.tier is not None and at_least(known.tier, Tier.TRACKED):
        return known.tier
    kept = at_least(known.floor, Tier.REFERENCED) or entered.active_edges(known)
    return Tier.REFERENCED if kept else Tier.MENTIONED


def tracking_threshold(world: World, scene: SceneId) -> float:
    """What it takes to be tracked in a scene: more, when it is full."""
    tuning = world.plan.story.tuning.entities
    full = tracked_in(world, scene) >= tuning.soft_budget
    return (
        max(tuning.tracking_threshold, FULL_SCENE_THRESHOLD)
        if full
        else (tuning.tracking_threshold)
    )


def tracked_in(world: World, scene: SceneId) -> int:
    """How many things a scene keeps track of: those last seen in it."""
    return sum(
        known.last_scene == scene and at_least(known.tier, Tier.TRACKED)
        for known in world.register.values()
    )


def earned(known: Entity, tuning: EntityTuning, *, threshold: float) -> tuple[Tier, str]:
    """The tier that a weight is enough for, and why, in plain words."""
    if not known.told and known.floor is None:
        return _unheard_of(known)
    if (
        known.total >= tuning.persistence_threshold
        and known.events >= tuning.persistence_events
        and len(known.scenes) >= PERSISTENT_SCENES
    ):
        return Tier.PERSISTENT, (
            f"weight {known.total:.2f} ≥ {tuning.persistence_threshold:g} in {known.events} events"
            f" over {len(known.scenes)} scenes"
        )
    if known.by_player > 0:
        return Tier.TRACKED, "the player turned to it"
    if known.total >= threshold:
        return Tier.TRACKED, f"weight {known.total:.2f} ≥ {threshold:g}"
    if known.total > 0:
        return Tier.REFERENCED, f"weight {known.total:.2f}"
    return Tier.MENTIONED, "only mentioned"


def _unheard_of(known: Entity) -> tuple[Tier, str]:
    """What only a player's words speak of: it waits until the story tells of it."""
    return (Tier.REFERENCED if known.total > 0 else Tier.MENTIONED), "only the player spoke of it"


class Entered:
    """When each scene was last entered: how many distinct scenes there were since a turn."""

    def __init__(self, world: World) -> None:
        self._last = {scene: state.last_entered or 0 for scene, state in world.scenes.items()}
        self._turns = sorted(self._last.values())

    def scenes_since(self, turn: TurnNo, scene: SceneId) -> int:
        """How many distinct scenes were entered after a turn in a scene; to come back is none."""
        back = self._last.get(scene, 0) > turn
        return len(self._turns) - bisect_right(self._turns, turn) - back

    def active_edges(self, known: Entity) -> int:
        """F7.6  edges with weight · ½^(scenes/2) ≥ .1, by the scenes since they were touched."""
        return sum(
            edge.weight * 0.5 ** (self.scenes_since(edge.last, edge.scene) / EDGE_HALVES_SCENES)
            >= EDGE_INACTIVE
            for edge in known.edges.values()
        )
