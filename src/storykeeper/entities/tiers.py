"""What a weight is enough for, and how long it lasts (F7.4).

    mentioned → referenced   something is implied about it
    referenced → tracked     called ≥ 3, and Σ weight ≥ θ_track · times, or the player turned to it
    tracked → persistent     called ≥ 3, Σ weight ≥ θ_persist, in ≥ n events, in at least two scenes

What it was called counts only by words of its own, which a pronoun is not: 2 where it takes part in
what is told, 1 where it is only named (world.calling). `times` is larger the less surely it is one
particular thing: 1 if called ≥ 4, 1.6 below; 2 for several, a part, or what is everywhere; a tenth
for somebody named. θ is at least 1.0 once a scene tracks as many as its soft budget. Nothing sinks
below the tier its author gave it.
"""

from __future__ import annotations

from bisect import bisect_right

from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.events.wording import EVERYWHERE
from storykeeper.story.tuning import EntityTuning
from storykeeper.units import SceneId, TurnNo
from storykeeper.world.state import Entity, World

FULL_SCENE_THRESHOLD = 1.0
CALLED, CALLED_OFTEN = 3, 4  # told of once and called once more; twice more, or told of twice
CALLED_TWICE, SEVERAL = 1.6, 2.0  # times the threshold
ASKED_ABOUT, TURNED_TO = 0.12, 0.2  # what a player's acts weigh: to ask about it, to look at it
# A name says that there is one such, and that the story means to come back to it: for somebody it
# is enough to take part in anything at all, a place must at least be turned to.
_NAMED = {Sort.PERSON: 0.1, Sort.ANIMAL: 0.1, Sort.PLACE: 0.4, Sort.GROUP: 0.4}
# What is hardly one particular thing: a part, nobody knows what, and what is there everywhere.
_VAGUE = frozenset({Sort.PART, Sort.UNKNOWN})
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
    waits = "" if known.floor is not None else _waits_for(known)
    if waits:
        return (Tier.REFERENCED if known.total > 0 else Tier.MENTIONED), waits
    if (
        known.total >= tuning.persistence_threshold
        and known.events >= tuning.persistence_events
        and len(known.scenes) >= PERSISTENT_SCENES
    ):
        return Tier.PERSISTENT, (
            f"weight {known.total:.2f} ≥ {tuning.persistence_threshold:g} in {known.events} events"
            f" over {len(known.scenes)} scenes"
        )
    if known.by_player > 0 and known.by_player >= _turned_to(known):
        return Tier.TRACKED, "the player turned to it"
    usual = tuning.tracking_threshold
    least = max(usual * _times(known), threshold if threshold > usual else 0.0)
    if known.total >= least:
        return Tier.TRACKED, f"weight {known.total:.2f} ≥ {least:g}"
    if known.total > 0:
        return Tier.REFERENCED, f"weight {known.total:.2f}"
    return Tier.MENTIONED, "only mentioned"


def _waits_for(known: Entity) -> str:
    """What is still missing before a thing can be tracked at all; empty if nothing is."""
    if not known.told:
        return "only the player spoke of it"
    if known.mentions < CALLED:
        return "not called by its own words again"
    return ""


def _turned_to(known: Entity) -> float:
    """What a player's own acts toward it must weigh for it to be tracked at once."""
    if known.floor is not None:
        return 0.0
    if known.head in EVERYWHERE:
        return float("inf")  # who looks at the floor looks for something on it
    return TURNED_TO if _times(known) > 1.0 else ASKED_ABOUT


def _times(known: Entity) -> float:
    """By how much more it must weigh, the less surely it is one particular thing."""
    if known.floor is not None:
        return 1.0
    if not known.named and (known.plural or known.sort in _VAGUE or known.head in EVERYWHERE):
        return SEVERAL
    if known.mentions < CALLED_OFTEN:
        return CALLED_TWICE
    return _NAMED.get(known.sort, 1.0) if known.named else 1.0


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
