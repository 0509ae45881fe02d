"""The index of the register: what could be meant by a word, by noun, name or descriptor."""

from __future__ import annotations

from immutables import Map

from storykeeper.units import Key
from storykeeper.world.state import Entity

MAX_INDEXED = 64  # by one word


def indexed(
    index: Map[str, tuple[Key, ...]],
    key: Key,
    known: Entity,
    register: Map[Key, Entity],
    *,
    but: Entity | None = None,
) -> Map[str, tuple[Key, ...]]:
    """The index with an entry, by every word it could be found by."""
    there = frozenset() if but is None else _words(but)
    for word in sorted(_words(known) - there):
        keys = index.get(word, ())
        if key not in keys:
            index = index.set(word, (*_room(keys, register), key))
    return index


def _room(keys: tuple[Key, ...], register: Map[Key, Entity]) -> tuple[Key, ...]:
    """Keys with room for one more: the oldest texture gives way, and nothing that has an id."""
    if len(keys) < MAX_INDEXED:
        return keys
    old = (key for key in keys if key not in register or not register[key].id)
    gone = next(old, keys[0])
    return tuple(key for key in keys if key != gone)


def _words(known: Entity) -> frozenset[str]:
    return frozenset((*known.head.casefold().split(), *known.descriptors))
