"""What each player last heard spoken of, where there are several.

Whom "her" means to one of them must not hang on words that only another heard. Where there is one
player, all that is told is told to them, and the register's own order is theirs.
"""

from __future__ import annotations

from immutables import Map
from msgspec import structs

from storykeeper.events.atoms import Atom, Resolved, Role
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.state import Entity, Noticed, World

MAX_NOTICED = 200
_PERCEIVING = frozenset({Role.ACTOR, Role.TARGET, Role.WITNESS})


def after_noticing(world: World, atom: Atom) -> World:
    """The world after players perceived an atom that the register has counted just now."""
    if len(world.plan.players) < 2 or not world.given or world.given[-1].atom != atom.id:
        return world
    people = {p.entity.entity for p in atom.participants
              if p.role in _PERCEIVING and isinstance(p.entity, Resolved)}  # fmt: skip
    rows = world.noticed
    for who in world.plan.players:
        if who in people:
            rows = rows.set(who, _with(rows.get(who, ()), world, atom))
    return structs.replace(world, noticed=rows)


def _with(before: tuple[Noticed, ...], world: World, atom: Atom) -> tuple[Noticed, ...]:
    rows = {row.key: row for row in before}
    count = max((row.seen for row in before), default=0)
    for key, weight in world.given[-1].weights:
        count += 1
        last = rows.pop(key, None)
        # Rounded: what was added to a larger sum, of more that is hidden, is off by another bit.
        total = round(weight + (last.weight if last is not None else 0.0), 6)
        clock = world.clocks.get(atom.scene, 0)
        rows[key] = Noticed(key, atom.turn, atom.scene, clock, count, total)
    return tuple(rows.values())[-MAX_NOTICED:]


def as_noticed(world: World, who: EntityId, register: Map[Key, Entity]) -> World:
    """The world as one of several players noticed it: nothing else was spoken of lately, and of
    play's own nothing else is there.
    """
    if len(world.plan.players) < 2:
        return structs.replace(world, register=register)
    rows = {row.key: row for row in world.noticed.get(who, ())}
    changed = register.mutate()
    for key, known in register.items():
        row = rows.get(key)
        if row is not None:
            changed[key] = structs.replace(
                known, last=row.turn, last_scene=row.scene, clock=row.clock, seen=row.seen,
                total=row.weight,
            )  # fmt: skip
        elif known.floor is None:
            del changed[key]
        elif known.events:
            changed[key] = structs.replace(
                known, events=0, seen=0, total=0.0, last=TurnNo(0), last_scene=SceneId("")
            )
    return structs.replace(world, register=changed.finish(), recent=tuple(rows))
