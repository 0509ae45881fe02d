"""`WorldState`: where everything is, what it gives away, and what may be done.

Everything stands on a plane, and how far it is seen and heard is a number; between two points there
may be a barrier. Whatever nobody can perceive, overhear, be told by their side or remember does
not exist for them (`context.fog`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from storykeeper.canon.brief import EntityKind, Point, Sense
from storykeeper.canon.registry import Cite
from storykeeper.story.conditions import Authored
from storykeeper.units import Amount, Count, Id, Size, Unit


class EntityState(Authored, frozen=True, kw_only=True):
    """Somebody or something: where it is, and what it gives away."""

    id: Id
    name: str
    kind: EntityKind = EntityKind.PERSON
    faction: Id | None = None
    at: Point | None = None  # nothing: it is nowhere on the plane
    held_by: Id | None = None  # then it is where its holder is
    looks: str = ""  # what whoever sees it sees
    details: tuple[str, ...] = ()  # what is seen from near
    heard_as: str = ""  # what whoever only hears it takes it for: "an engine"
    concealment: Unit = 0.0  # the share of everybody's sight that it escapes
    noise: Amount = 0.0  # how far it is heard
    threat: Unit = 0.0  # to those of another faction
    status: tuple[Id, ...] = ()  # `wounded`, `down`
    resources: dict[Id, Amount] = {}


class Barrier(Authored, frozen=True, kw_only=True, rename={"from_": "from"}):
    """Something that stands between two points."""

    from_: Point
    to: Point
    blocks_sight: bool = True
    muffles: Unit = 0.5  # the share of a sound that it takes


class Channel(Authored, frozen=True, kw_only=True):
    """A way to be heard from afar: a radio net, a bell, a line of flags."""

    id: Id
    name: str = ""
    range: Size | None = None  # none: wherever anybody is
    factions: tuple[Id, ...] = ()  # who has the key to it; nobody named: everybody


class Happening(Authored, frozen=True, kw_only=True):
    """Something that happened, and how far it could be perceived."""

    id: Id
    turn: Count
    text: str  # what whoever saw it saw
    apart: str = ""  # what whoever saw it and not its target saw
    by: Id | None = None
    target: Id | None = None
    at: Point | None = None  # where; else where who did it was then
    seen: bool = True  # whether there was anything to see
    loud: Amount = 0.0  # how far it was heard
    heard_as: str = ""  # what whoever only heard it heard: "a shot"
    words: str = ""  # what was said, for whoever heard it
    channel: Id | None = None  # over which the words went
    perceived: dict[Id, Sense] = {}  # who perceived it, and how; settled when it happens
    apart_for: tuple[Id, ...] = ()  # who did not see its target; settled when it happens
    cites: tuple[Cite, ...] = ()


class Report(Authored, frozen=True, kw_only=True):
    """Intelligence: what one side has been told of something, which may be old or wrong."""

    id: Id
    faction: Id
    turn: Count
    text: str
    about: Id | None = None
    at: Point | None = None
    sure: Unit = 1.0
    threat: Unit = 0.0
    cites: tuple[Cite, ...] = ()


class Learned(Authored, frozen=True, kw_only=True):
    """What one character knows or believes, and how it was learned."""

    id: Id
    who: Id
    text: str
    how: str  # saw, heard, told by ana, inferred, read …
    turn: Count = 0
    sure: Unit = 1.0
    cites: tuple[Cite, ...] = ()


class LastKnown(Authored, frozen=True, kw_only=True):
    """Where somebody last perceived something."""

    who: Id
    entity: Id
    turn: Count
    at: Point
    name: str = ""  # as it was called, as it looked, and what it was then
    looks: str = ""
    faction: Id | None = None
    threat: Unit = 0.0


class Verb(Authored, frozen=True, kw_only=True):
    """Something that can be done."""

    id: Id
    text: str  # as an agent is told of it
    done: str = ""  # what others see: "{who} fires at {target}."
    target: bool = False  # whether it is done to somebody or something
    kinds: tuple[EntityKind, ...] = ()  # to what; none named: to all
    moves: bool = False  # whether it goes to a point
    speaks: bool = False  # whether it says words
    by_channel: bool = False  # whether the words may go over a channel
    reach: Size | None = None  # how far the target may be; of moves, how far they go
    costs: dict[Id, Amount] = {}  # resources
    needs: tuple[str, ...] = ()  # capabilities
    unless: tuple[Id, ...] = ()  # a status in which it cannot be done
    puts: tuple[Id, ...] = ()  # the status that its target comes into
    shares: bool = False  # whether the actor's side is told where its target is
    loud: Amount = 0.0
    heard_as: str = ""


class WorldRule(Authored, frozen=True, kw_only=True):
    """A law of this world that a judge can hold an action to."""

    id: Id
    text: str
    verbs: tuple[Id, ...] = ()  # which it forbids
    to: tuple[Id, ...] = ()  # to whom or what; nobody named: to all
    factions: tuple[Id, ...] = ()  # for whom; none named: for everybody
    until: Count | None = None  # the turn from which it no longer holds


class WorldState(Authored, frozen=True, kw_only=True):
    """A moment of a field: all of it, which nobody in it may see."""

    format: Literal[1] = 1
    id: Id
    turn: Count = 0
    near: Annotated[float, Meta(gt=0)] = 15.0  # distance bands: nearer than this is `near`
    far: Annotated[float, Meta(gt=0)] = 40.0  # farther than this is `far`; `middle` between
    ages_after: Count = 12  # turns after which a last-known place is worth nothing
    factions: dict[Id, str] = {}  # and what they are called
    hostile: tuple[tuple[Id, ...], ...] = ()  # factions that are each other's enemies
    entities: tuple[EntityState, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    channels: tuple[Channel, ...] = ()
    happenings: tuple[Happening, ...] = ()
    reports: tuple[Report, ...] = ()
    learned: tuple[Learned, ...] = ()
    last_known: tuple[LastKnown, ...] = ()
    verbs: tuple[Verb, ...] = ()
    rules: tuple[WorldRule, ...] = ()
