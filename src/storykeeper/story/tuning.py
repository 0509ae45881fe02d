"""The numbers an author may turn. Defaults and ranges are those of docs/maths.md."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from storykeeper.story.conditions import Authored
from storykeeper.units import Id, Several, Size, Unit

Tau = Annotated[int, Meta(ge=50, le=1_000_000)]
OfTheTau = Annotated[int, Meta(ge=150, le=2_000)]  # of 3,300; scales with the window


class Encoding(StrEnum):
    """How tokens are counted."""

    O200K = "o200k"
    CL100K = "cl100k"
    ESTIMATE = "estimate"  # characters per script, calibrated


class Policy(StrEnum):
    """What happens when an item does not fit."""

    FILL = "fill"  # the next one is tried
    PREFIX = "prefix"  # packing stops


class Budget(Authored, frozen=True):
    """The window's size and how it is shared out."""

    tokens: Tau = 3_300
    brief_tokens: Tau = 2_500
    hard_share: Unit = 0.14  # α1: voice, rules and anti-patterns may take this much
    soft_share: Unit = 0.045  # α2: setting and cast, before what was lived through
    recent_share: Unit = 0.18  # β, of 3,300; rises with the window
    retrieved_most: OfTheTau = 600  # tier 3
    retrieved_least: OfTheTau = 400  # before soft material and older turns get anything
    encoding: Encoding = Encoding.O200K
    policy: Policy = Policy.FILL


class GravityTuning(Authored, frozen=True):
    """How strongly what is coming bends what is chosen."""

    attractor_weight: Unit = 0.3
    thematic_weight: Unit = 0.15
    layer_weight: Unit = 0.25
    prophetic_weight: Unit = 0.2
    softening: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.25
    connective_rate: Size = 0.1
    temperature_low: Size = 0.7
    temperature_high: Size = 1.2
    minimum_score: Unit = 0.1


class EntityTuning(Authored, frozen=True):
    """When a mention becomes a thing, and when it fades."""

    tracking_threshold: Size = 0.5
    persistence_threshold: Size = 2.0
    persistence_events: Several = 3
    demotion_scenes: Several = 3
    demotion_turns: Several = 10
    soft_budget: Several = 16


class Preset(StrEnum):
    """Which set of memory constants is in force."""

    STORY = "story"
    SEED = "seed"


class MemoryTuning(Authored, frozen=True):
    """How the past is searched."""

    preset: Preset = Preset.STORY
    diversity: Unit = 0.7  # λ of MMR


class Tuning(Authored, frozen=True):
    """All that may be tuned."""

    gravity: GravityTuning = GravityTuning()
    entities: EntityTuning = EntityTuning()
    memory: MemoryTuning = MemoryTuning()


class SceneOverride(Authored, frozen=True):
    """Replaces what would be computed, to reproduce a published table."""

    mass: Size | None = None
    distance: Unit | None = None


class LayerOverride(Authored, frozen=True):
    """The same for a layer."""

    mass: Size | None = None
    permeability: Unit | None = None


class Overrides(Authored, frozen=True):
    """Numbers stated instead of computed."""

    scenes: dict[Id, SceneOverride] = {}
    layers: dict[Id, LayerOverride] = {}
    prophecies: dict[Id, Size] = {}
