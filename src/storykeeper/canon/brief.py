"""`TurnBrief`: what one character gets in one turn.

`text` is what an agent reads: a window like any other, assembled, gated and packed by the same
code. Beside it the same things stand as data, each of them only if it stands in the text: what a
judge may hold an action to is what its actor was told.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from storykeeper.canon.registry import Cite, SourceKind
from storykeeper.story.conditions import Authored
from storykeeper.units import Amount, Change, Count, Id, Unit


class Point(Authored, frozen=True):
    """A place on the plane."""

    x: Change
    y: Change


class EntityKind(StrEnum):
    """What something is."""

    PERSON = "person"
    THING = "thing"
    PLACE = "place"


class Band(StrEnum):
    """How far away something is, as far as anybody can tell."""

    HERE = "here"
    NEAR = "near"
    MIDDLE = "middle"
    FAR = "far"
    UNKNOWN = "unknown"


class Bearing(StrEnum):
    """In which direction."""

    N = "n"
    NE = "ne"
    E = "e"
    SE = "se"
    S = "s"
    SW = "sw"
    W = "w"
    NW = "nw"
    NONE = ""


class Sense(StrEnum):
    """How it is that somebody is aware of something."""

    SELF = "self"
    WITNESSED = "witnessed"  # seen and heard
    SEEN = "seen"
    HEARD = "heard"
    CHANNEL = "channel"
    INTEL = "intel"
    REMEMBERED = "remembered"


class Presence(Authored, frozen=True, kw_only=True):
    """Somebody or something as its perceiver is aware of it.

    What is only heard has no id and no name: it says what it sounds like, a band and a bearing.
    """

    handle: str  # its id; of what is only heard `heard-1`, in the order of the brief
    how: Sense
    kind: EntityKind | None = None  # of what is seen
    band: Band = Band.UNKNOWN
    bearing: Bearing = Bearing.NONE
    at: Point | None = None  # of what is seen, or was; never of what is only heard
    name: str = ""
    faction: Id | None = None
    looks: str = ""
    details: tuple[str, ...] = ()
    status: tuple[Id, ...] = ()
    since: Count = 0  # turns ago that it was so
    sure: Unit = 1.0
    cites: tuple[Cite, ...] = ()


class Threat(Authored, frozen=True, kw_only=True):
    """A presence that may do harm."""

    handle: str
    band: Band
    threat: Unit


class Snippet(Authored, frozen=True, kw_only=True):
    """A passage of canon that stands in a brief."""

    id: str  # `field-manual@1.2#14`
    cite: Cite
    also: tuple[Cite, ...] = ()  # sources that say it in the same words
    kind: SourceKind
    text: str
    heading: tuple[str, ...] = ()
    score: float = 0.0
    trust: Unit = 1.0
    conflicts: tuple[str, ...] = ()  # ids of passages found with it that say otherwise


class Held(Authored, frozen=True, kw_only=True):
    """Something its owner knows or believes, and how it was learned."""

    id: str
    text: str
    how: str
    turn: Count = 0
    sure: Unit = 1.0
    cites: tuple[Cite, ...] = ()


class Standing(Authored, frozen=True, kw_only=True):
    """How its owner stands to somebody."""

    to: Id
    text: str


class Available(Authored, frozen=True, kw_only=True):
    """Something that can be done now, and to whom."""

    verb: Id
    text: str
    targets: tuple[str, ...] = ()  # handles
    channels: tuple[Id, ...] = ()
    costs: dict[Id, Amount] = {}


class Perceived(Authored, frozen=True, kw_only=True):
    """A piece of the past, as its owner perceived it."""

    id: str
    turn: Count
    text: str
    how: Sense
    cites: tuple[Cite, ...] = ()


class LeftOut(Authored, frozen=True, kw_only=True):
    """Something that its owner may know and that there was no room for."""

    id: str
    reason: str
    lacking: Count = 0  # tokens


class TurnBrief(Authored, frozen=True, kw_only=True):
    """What one character gets in one turn: a text, and the same as data."""

    format: Literal[1] = 1
    who: Id
    turn: Count
    tokens: Count
    budget: Count
    digest: str  # SHA-256 of the text
    text: str
    faction: Id | None = None
    at: Point | None = None
    status: tuple[Id, ...] = ()
    resources: dict[Id, Amount] = {}
    objectives: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()  # of its owner, and taboos: never cut
    doctrine: tuple[str, ...] = ()  # of its owner
    visible: tuple[Presence, ...] = ()
    threats: tuple[Threat, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    beliefs: tuple[Held, ...] = ()
    relations: tuple[Standing, ...] = ()
    actions: tuple[Available, ...] = ()
    past: tuple[Perceived, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def cites(self) -> tuple[str, ...]:
        """Every `source_id@version` that something in it comes from, each once."""
        every = [cite for each in self.snippets for cite in (each.cite, *each.also)]
        every += [cite for each in self.visible for cite in each.cites]
        every += [cite for each in self.beliefs for cite in each.cites]
        every += [cite for each in self.past for cite in each.cites]
        return tuple(dict.fromkeys(every))

    @property
    def handles(self) -> frozenset[str]:
        """What an action may name: everybody and everything its owner is aware of."""
        return frozenset(each.handle for each in self.visible)
