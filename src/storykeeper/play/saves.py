"""Snapshots of a run: the world and the last turns, so that opening need not read everything.

A snapshot is a speed-up. One that does not fit (other schema, other story, other link) is not used.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from storykeeper.context.history import PastTurn, Summed
from storykeeper.errors import UNREADABLE
from storykeeper.ledger.port import Snapshot
from storykeeper.play.past import Past
from storykeeper.units import Version
from storykeeper.world.plan import Plan
from storykeeper.world.snapshot import dump, load
from storykeeper.world.state import World

_SCHEMA = 2


class _Save(Struct, frozen=True):
    schema: int
    world: msgspec.Raw
    past: tuple[PastTurn, ...]
    older: tuple[tuple[PastTurn, ...], ...] = ()
    summaries: tuple[Summed, ...] = ()


def save(world: World, past: Past, *, version: Version, link: bytes) -> Snapshot:
    """World and past, put aside."""
    older = tuple(map(tuple, past.chronicle.levels))
    made = _Save(_SCHEMA, msgspec.Raw(dump(world)), tuple(past.turns), older, tuple(past.summaries))
    body = msgspec.json.encode(made)
    return Snapshot(version, link, body)


def restore(snapshot: Snapshot, plan: Plan) -> tuple[World, Past] | None:
    """What was put aside; None if it does not fit."""
    try:
        saved = msgspec.json.decode(snapshot.body, type=_Save)
    except UNREADABLE:
        return None
    world = load(bytes(saved.world), plan) if saved.schema == _SCHEMA else None
    return None if world is None else (world, Past(saved.past, saved.older, saved.summaries))
