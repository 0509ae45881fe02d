"""Facts, and what reveals them; events the author wrote, and what they change."""

from __future__ import annotations

from storykeeper.events.vocabulary import Dimension, How
from storykeeper.story.conditions import Authored, Condition
from storykeeper.story.minds import FactShow
from storykeeper.units import Change, Id, Signed, Unit

CERTAIN = 0.8  # from this confidence on a fact is so; of what is less, a teller may have made it up


class Reveal(Authored, frozen=True):
    """When this holds, these people learn the fact; with `suspects: true`, only its hint."""

    when: Condition
    to: tuple[str, ...] = ("player",)
    how: How = "revealed"
    suspects: bool = False


class Bearing(Authored, frozen=True, rename={"from_": "from"}):
    """A relation that looks different once the fact is known."""

    from_: Id
    to: Id
    note: str


class Fact(Authored, frozen=True, kw_only=True):
    """Something that is so, or is said to be so, and who may know it. Nobody, unless stated."""

    id: Id
    full: str
    hint: str = ""  # what may be said to one who suspects; never a shortened `full`
    said: tuple[str, ...] = ()  # other words by which who knows it tells it
    secret: bool = False
    confidence: Unit = 1.0  # ≥ .8 is true in the world, < .5 takes no part in conditions
    weight: Unit = 0.5  # how much learning it matters
    about: tuple[Id, ...] = ()
    themes: tuple[str, ...] = ()
    layer: Id | None = None
    known_by: dict[str, How] = {}
    suspected_by: dict[str, How] = {}
    believed_by: dict[str, How] = {}
    revealed_by: tuple[Reveal, ...] = ()
    bears_on: tuple[Bearing, ...] = ()
    supersedes: tuple[Id, ...] = ()  # facts that whoever knows this one no longer holds true
    shows: tuple[FactShow, ...] = ()  # what is seen of who has it, when somebody comes near it


class RelationShift(Authored, frozen=True, rename={"from_": "from"}):
    """A change in how somebody stands toward somebody."""

    from_: str
    to: str
    dimension: Dimension
    by: Signed


class MoodShift(Authored, frozen=True):
    """A change in somebody's mood."""

    who: str
    valence: Signed = 0.0
    arousal: Signed = 0.0
    determination: Signed = 0.0


class StoryEvent(Authored, frozen=True, kw_only=True):
    """Something that happens, once, when its condition holds or when a beat says so."""

    id: Id
    summary: str
    when: Condition | None = None
    intensity: Unit = 0.5
    themes: tuple[str, ...] = ()
    about: tuple[Id, ...] = ()
    reveals: tuple[Id, ...] = ()  # facts, to those present
    mass: dict[Id, Change] = {}  # scene → change
    permeability: dict[Id, Signed] = {}  # layer → bump
    relations: tuple[RelationShift, ...] = ()
    moods: tuple[MoodShift, ...] = ()
    moves: dict[str, Id] = {}  # who → setting
    gives: dict[Id, str] = {}  # thing → who holds it now
