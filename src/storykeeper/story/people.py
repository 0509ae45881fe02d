"""The cast: who they are, what they hold true, how they stand to each other, what they feel."""

from __future__ import annotations

from storykeeper.events.vocabulary import Awareness, Tier
from storykeeper.story.conditions import Authored, Condition
from storykeeper.story.minds import Attempt, Show, Tell
from storykeeper.units import Id, Signed, Unit


class Belief(Authored, frozen=True):
    """Something somebody holds true, and how firmly."""

    text: str
    weight: Unit = 0.5


class Goal(Authored, frozen=True):
    """What somebody wants. Closed to everyone else unless `open`."""

    text: str
    weight: Unit = 0.5
    open: bool = False
    by: tuple[Id, ...] = ()  # facts and events: telling or doing them brings it nearer
    against: tuple[Id, ...] = ()  # facts and events that it forbids
    until: Condition | None = None  # from when on it is reached, or given up


class Relation(Authored, frozen=True):
    """How this character stands toward another."""

    to: Id
    reliability: Signed = 0.0
    competence: Signed = 0.0
    benevolence: Signed = 0.0
    affection: Signed = 0.0
    debt: Signed = 0.0
    history: str = ""


class Feeling(Authored, frozen=True):
    """A named emotion, how strong, how far it is known to the one who has it."""

    name: str
    strength: Unit = 0.5
    awareness: Awareness = Awareness.RECOGNISABLE
    toward: Id | None = None
    shown_as: str = ""  # the behaviour a defended feeling is given as


class Mood(Authored, frozen=True):
    """Where somebody stands emotionally, in three measures and any number of feelings."""

    valence: Signed = 0.0
    arousal: Unit = 0.5
    determination: Unit = 0.5
    feelings: tuple[Feeling, ...] = ()


class Scope(Authored, frozen=True):
    """What a character can know of at all: whom and what it has met, which canon it has read."""

    entities: tuple[Id, ...] = ()
    canon: tuple[Id, ...] = ()


class Character(Authored, frozen=True, kw_only=True):
    """One of the cast."""

    id: Id
    name: str
    aliases: tuple[str, ...] = ()
    pronouns: str = "they/them"
    tier: Tier = Tier.PERSISTENT
    line: str  # the character in one line
    speech: str = ""  # how they talk, for the narrator
    at: Id | None = None  # where they are when the story begins
    deaf: bool = False  # no words reach them; what is done before them they see
    rules: tuple[str, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    traits: dict[str, Signed] = {}
    taboos: tuple[str, ...] = ()
    doctrine: tuple[str, ...] = ()
    goals: tuple[Goal, ...] = ()
    capabilities: tuple[str, ...] = ()
    scope: Scope = Scope()
    relations: tuple[Relation, ...] = ()
    mood: Mood = Mood()
    shows: tuple[Show, ...] = ()  # what is to be seen of them
    tells: tuple[Tell, ...] = ()  # what they decide to tell
    does: tuple[Attempt, ...] = ()  # what they do of their own accord
