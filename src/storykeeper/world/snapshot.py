"""A world as bytes, and back.

The bytes are canonical: JSON, fields in declared order, every map sorted, what is empty left out.
The same world gives the same bytes in every process, so bytes also serve to compare worlds. The
story is named by its digest only; whoever loads has its plan.

A snapshot saves folding and is never the truth. One of another schema or another story, or one that
does not read, is not loaded: the answer is None and the ledger is folded instead.
"""

from __future__ import annotations

import msgspec
from immutables import Map
from msgspec import Struct

from storykeeper.errors import UNREADABLE
from storykeeper.units import Digest, EntityId, Key, SceneId, TurnNo
from storykeeper.world.plan import Plan
from storykeeper.world.state import (
    Believed,
    Deed,
    Entity,
    Given,
    Inside,
    Known,
    LayerState,
    Lesson,
    Mark,
    Mood,
    Noticed,
    Pending,
    ProphecyState,
    SceneState,
    Sighting,
    Standing,
    World,
)

SCHEMA = 11  # raised whenever the shape below or that of a state in it changes


class _Saved(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The fields of a world that are kept, with plain mappings for its maps."""

    schema: int
    story: Digest
    now: TurnNo = TurnNo(0)
    scene: SceneId | None = None
    scene_turns: int = 0
    connective_turns: int = 0
    inside: tuple[Inside, ...] = ()
    scenes: dict[SceneId, SceneState] = {}
    masses: dict[SceneId, float] = {}
    places: dict[EntityId, EntityId] = {}
    bodies: dict[EntityId, EntityId] = {}
    holders: dict[EntityId, EntityId] = {}
    containers: dict[EntityId, EntityId] = {}
    closed: tuple[EntityId, ...] = ()
    hidden: tuple[EntityId, ...] = ()
    invisible: tuple[EntityId, ...] = ()
    away: tuple[EntityId, ...] = ()
    lines: tuple[tuple[EntityId, EntityId], ...] = ()
    ringing: tuple[tuple[EntityId, EntityId], ...] = ()
    aloud: tuple[EntityId, ...] = ()
    keyed: tuple[EntityId, ...] = ()
    muted: tuple[EntityId, ...] = ()
    asleep: tuple[EntityId, ...] = ()
    unsure: tuple[EntityId, ...] = ()
    deaf: tuple[EntityId, ...] = ()
    sightings: dict[EntityId, tuple[Sighting, ...]] = {}
    haunts: dict[EntityId, tuple[EntityId, ...]] = {}
    met: dict[EntityId, frozenset[EntityId]] = {}
    standings: dict[EntityId, dict[EntityId, Standing]] = {}  # from → to
    moods: dict[EntityId, Mood] = {}
    truths: dict[str, float] = {}
    known: dict[EntityId, dict[str, Known]] = {}
    beliefs: dict[str, Believed] = {}
    taught: dict[str, tuple[Lesson, ...]] = {}
    register: dict[Key, Entity] = {}
    keys: dict[EntityId, Key] = {}
    index: dict[str, tuple[Key, ...]] = {}
    heard: dict[EntityId, tuple[str, ...]] = {}
    guessed: dict[EntityId, tuple[str, ...]] = {}
    tried: dict[EntityId, tuple[str, ...]] = {}
    noticed: dict[EntityId, tuple[Noticed, ...]] = {}
    told_lines: tuple[str, ...] = ()
    recent: tuple[Key, ...] = ()
    mentioned: int = 0
    clocks: dict[SceneId, int] = {}
    given: tuple[Given, ...] = ()
    gates: dict[str, TurnNo] = {}
    told: dict[str, TurnNo] = {}
    happened: dict[str, TurnNo] = {}
    shown: dict[str, TurnNo] = {}
    marks: dict[str, Mark] = {}
    layers: dict[str, LayerState] = {}
    one_with: dict[EntityId, EntityId] = {}
    prophecies: dict[str, ProphecyState] = {}
    deeds: tuple[Deed, ...] = ()
    answered: Pending | None = None
    pending: Pending | None = None


_NOT_KEPT = ("plan", "player")  # a world is saved between turns: it is nobody's
_FIELDS = tuple(name for name in World.__struct_fields__ if name not in _NOT_KEPT)
_SPECIAL = frozenset({"standings", "known"})  # maps of maps
_encoder = msgspec.json.Encoder(order="deterministic")
_decoder: msgspec.json.Decoder[_Saved] = msgspec.json.Decoder(_Saved)


def dump(world: World) -> bytes:
    """Canonical bytes of a world."""
    plain = {name: getattr(world, name) for name in _FIELDS if name not in _SPECIAL}
    plain = {name: dict(v) if isinstance(v, Map) else v for name, v in plain.items()}
    standings: dict[EntityId, dict[EntityId, Standing]] = {}
    for (who, toward), standing in world.standings.items():
        standings.setdefault(who, {})[toward] = standing
    known = {who: dict(facts) for who, facts in world.known.items()}
    return _encoder.encode(
        _Saved(schema=SCHEMA, story=world.plan.digest, standings=standings, known=known, **plain)
    )


def _fits(saved: _Saved, plan: Plan) -> bool:
    """Whether it stands in a scene of the story: a forger's may be any.

    What it keeps of other scenes, layers and prophecies may be of the story before it was edited.
    """
    return saved.scene is None or saved.scene in plan.scenes


def load(body: bytes, plan: Plan) -> World | None:
    """The world that was dumped; None if it is of another schema or another story."""
    try:
        saved = _decoder.decode(body)
    except UNREADABLE:
        return None
    if (saved.schema, saved.story) != (SCHEMA, plan.digest) or not _fits(saved, plan):
        return None
    plain = {name: getattr(saved, name) for name in _FIELDS if name not in _SPECIAL}
    plain = {name: Map(v) if isinstance(v, dict) else v for name, v in plain.items()}
    standings: Map[tuple[EntityId, EntityId], Standing] = Map(
        {(who, to): each for who, row in saved.standings.items() for to, each in row.items()}
    )
    known = Map({who: Map(facts) for who, facts in saved.known.items()})
    return World(plan=plan, standings=standings, known=known, **plain)
