"""Settings and the paths between them; things, and the forms they take in other layers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from storykeeper.events.vocabulary import Tier
from storykeeper.story.conditions import Authored, Condition
from storykeeper.units import MOST, Id

Cost = Annotated[float, Meta(gt=0.0, le=MOST)]


class Path(Authored, frozen=True, kw_only=True):
    """A way to another setting; both ways unless it says otherwise."""

    to: Id
    cost: Cost = 1.0
    one_way: bool = False
    when: Condition | None = None


class Setting(Authored, frozen=True):
    """A place where something can happen."""

    id: Id
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    within: Id | None = None  # a kitchen is within a house
    paths: tuple[Path, ...] = ()
    hears: tuple[Id, ...] = ()  # settings whose sounds reach here
    sees: tuple[Id, ...] = ()


class Form(Authored, frozen=True):
    """What a bridge object is in another layer."""

    name: str
    description: str = ""


class Thing(Authored, frozen=True):
    """An object. One that has forms in other layers is a bridge object."""

    id: Id
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    descriptors: tuple[str, ...] = ()
    at: Id | None = None  # a setting; or
    held_by: Id | None = None  # one of the cast
    hidden: bool = False  # not seen where it lies, until it is found
    revealed_by: Condition | None = None  # when it comes to light; else whoever searches finds it
    tier: Tier = Tier.TRACKED
    themes: tuple[str, ...] = ()
    symbolism: str = ""
    forms: dict[Id, Form] = {}  # by layer
