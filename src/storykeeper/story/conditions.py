"""Conditions: what must be so for a gate to open, a beat to be told, a scene to follow.

A condition is a mapping. Every key that is set must hold, so several keys mean *all of them*:

    when: {knows: {who: player, fact: the-light}, at: {who: player, place: tower}}

Seven keys combine, the others ask the world one thing. They are parsed and checked here, and
evaluated in `world/`; this module knows nothing of a world.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct, structs

from storykeeper.events.vocabulary import Dimension
from storykeeper.units import Id, Several, Signed, Size, Unit


class Authored(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all that an author writes: frozen, strict, and written back without defaults."""


class Knows(Authored, frozen=True):
    """Somebody knows a fact; with `suspects: true`, suspecting is enough."""

    who: str
    fact: Id
    suspects: bool = False


class RelationRange(Authored, frozen=True, rename={"from_": "from"}):
    """How `from` stands toward `to`, in one dimension, between two values."""

    from_: str
    to: str
    dimension: Dimension
    at_least: Signed = -1.0
    at_most: Signed = 1.0


class MoodNear(Authored, frozen=True):
    """Somebody's mood is near the one stated: each stated measure within `within`."""

    who: str
    valence: Signed | None = None
    arousal: Unit | None = None
    determination: Unit | None = None
    within: Unit = 0.3


class At(Authored, frozen=True):
    """Somebody is in a place: that one, not one within it."""

    who: str
    place: Id


class Has(Authored, frozen=True):
    """Somebody holds a thing."""

    who: str
    thing: Id


class Did(Authored, frozen=True):
    """Somebody did something: a verb in its plain form, to whom or what, and about what.

    It holds in the turn in which it is done; `within`, `since` and `sequence` remember it, and so
    does an event.
    """

    who: str
    act: Annotated[str, Meta(pattern=r"^[a-z]+( [a-z]+)*$", max_length=40)]
    to: Id | None = None
    about: Id | None = None  # an entity: "ask Mara about the key"


class Threshold(Authored, frozen=True):
    """At least so many of these hold."""

    at_least: Several
    of: tuple[Condition, ...]


class Since(Authored, frozen=True):
    """At least so many turns have passed since this first held."""

    turns: Several
    of: Condition


class Within(Authored, frozen=True):
    """This held at some moment of the last so many turns."""

    turns: Several
    of: Condition


class Condition(
    Authored,
    frozen=True,
    cache_hash=True,  # asked many times a turn, and looked up by value
    rename={"all_": "all", "any_": "any", "not_": "not"},
):
    """Every key that is set must hold; an empty condition is a mistake."""

    all_: tuple[Condition, ...] | None = None
    any_: tuple[Condition, ...] | None = None
    not_: Condition | None = None
    threshold: Threshold | None = None
    since: Since | None = None
    sequence: tuple[Condition, ...] | None = None  # each first held no earlier than the last
    within: Within | None = None

    knows: Knows | None = None
    holds: Id | None = None  # a fact is true in the world, whoever knows it
    relation: RelationRange | None = None
    mood: MoodNear | None = None
    at: At | None = None
    present: str | None = None  # somebody is in the present scene
    has: Has | None = None
    did: Did | None = None
    happened: Id | None = None  # an authored event
    told: str | None = None  # a beat, as scene/beat
    visited: Id | None = None  # a scene or a layer, ever
    completed: Id | None = None  # a scene
    opened: Id | None = None  # a gate


COMBINING = frozenset({"all_", "any_", "not_", "threshold", "since", "sequence", "within"})


class Weighed(Authored, frozen=True):
    """One predicate of an approach vector, and how much it counts."""

    when: Condition
    weight: Size = 1.0


@lru_cache(maxsize=65_536)
def parts(condition: Condition) -> tuple[tuple[str, object], ...]:
    """The keys that are set, in the order of the model."""
    named = ((name, getattr(condition, name)) for name in condition.__struct_fields__)
    return tuple((name, value) for name, value in named if value is not None)


def children(condition: Condition) -> Iterator[tuple[tuple[str | int, ...], Condition]]:
    """The conditions directly inside this one, each with its path as the author's file has it."""
    wire = {f.name: f.encode_name for f in structs.fields(condition)}
    for name, value in parts(condition):
        match value:
            case Condition():
                yield (wire[name],), value
            case Since() | Within():
                yield (wire[name], "of"), value.of
            case Threshold():
                for i, inner in enumerate(value.of):
                    yield (wire[name], "of", i), inner
            case tuple():
                for i, inner in enumerate(value):
                    yield (wire[name], i), inner
