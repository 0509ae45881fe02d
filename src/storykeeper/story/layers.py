"""Tales within the tale, and the prophecies that reach out of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from storykeeper.story.conditions import Authored, Condition
from storykeeper.units import Id, Size, Unit


class LayerKind(StrEnum):
    """What kind of tale it is; it decides how much comes back out of it."""

    FRAME = "frame"
    MEMORY = "memory"
    DREAM = "dream"
    PARALLEL = "parallel"
    TEXT = "text"
    ALTERNATE = "alternate"


class Waypoint(Authored, frozen=True):
    """Permeability at a share of the parent's required scenes."""

    progress: Unit
    value: Unit


class Sigmoid(Authored, frozen=True):
    """ψ_min + (ψ_max − ψ_min)/(1 + e^(−k(progress − t0)))."""

    low: Unit = 0.0
    high: Unit = 1.0
    k: Size = 8.0
    t0: Unit = 0.5


class Permeability(Authored, frozen=True):
    """How much crosses, as the story goes on: waypoints joined by lines, or a sigmoid."""

    waypoints: tuple[Waypoint, ...] = ()
    sigmoid: Sigmoid | None = None


class Portal(Authored, frozen=True, rename={"from_": "from"}):
    """A way in (`from` outside `to` inside) or out (`from` inside `to` outside)."""

    from_: Id
    to: Id
    when: Condition | None = None


class EntityMap(Authored, frozen=True):
    """Who is who across the boundary."""

    shared: tuple[Id, ...] = ()  # the same on both sides
    projected: dict[Id, Id] = {}  # inside → outside
    discrete: tuple[Id, ...] = ()  # only inside


class Layer(Authored, frozen=True, kw_only=True):
    """A sub-graph of scenes with a boundary: a tale, a dream, a memory."""

    id: Id
    name: str
    kind: LayerKind
    scenes: Annotated[tuple[Id, ...], Meta(min_length=1)]
    parent: Id | None = None  # the main story, unless stated
    base_mass: Unit = 0.3
    permeability: Permeability = Permeability()
    portals: tuple[Portal, ...] = ()
    exits: tuple[Portal, ...] = ()
    themes: tuple[str, ...] = ()
    images: tuple[str, ...] = ()  # what is seen or heard of it outside of it
    residue: Unit = 0.2  # what each visit leaves
    completion_bonus: Size = 0.1
    resonance: Size = 0.0
    player_role: str = ""
    entity_map: EntityMap = EntityMap()
    hidden: bool = False
    revealed_by: Condition | None = None
    reinterprets: str = ""  # what looks different once a hidden layer is known


class Reinforcement(Authored, frozen=True):
    """An event that makes a prophecy stronger."""

    event: Id
    amount: Unit = 0.2


class Prophecy(Authored, frozen=True, kw_only=True):
    """An event that leans on a scene which is not reached yet."""

    id: Id
    source: Id  # an event
    target: Id  # a scene
    base: Unit = 0.3
    reinforced_by: tuple[Reinforcement, ...] = ()
    imagery: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    fulfilled_by: Condition | None = None  # the target completed, unless stated
