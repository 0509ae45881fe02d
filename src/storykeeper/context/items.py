"""What may stand in a window: candidates with their forms, sources and terms.

A source names what an item derives from, as `kind:name`:

    hard:rules  soft:0  scene:kitchen       what the author wrote for the narrator
    card:mara  line:mara  cast:mara         somebody's private card, their one line, that they exist
    manner:mara  aim:mara                   how somebody talks, what they want and let be seen
    relation:mara/coyle  history:…  mood:…  how somebody stands and feels
    setting:kitchen  thing:key  where:key   a place, a thing, where it is
    way:yard                                a place that one gets to from here
    fact:x  hint:x  belief:mara:x           what is so; what one may say who suspects it; a belief
    learned:mara/x                          that somebody learned a fact
    turn:12  piece:12/3  atom:t12.3         what was told; a piece of it; what happened
    summary:0-15                            what a model made of some turns
    mention:t12.3#1                         what an event said of one who took part in it
    beat:kitchen/opening  input  intent:x   what is to be told now; the player's words; an outcome
    ahead:tower/stakes  gate:x              what is said of what lies ahead; a gate nearly open
    layer:tale  bridge:ring/tale            a tale within the tale; a thing that is of both
    prophecy:x                              what was foretold
    shift:mara  moved:mara/coyle            that somebody's mood shifts, that a standing has
    canon:manual@1911.2#4                   a passage of a source from outside
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from msgspec import Struct

from storykeeper.gravity.temperature import Valence
from storykeeper.gravity.ties import Subject
from storykeeper.scoring.composite import Terms

FULL, BRIEF, HINT = "full", "brief", "hint"
# What may be said only once in a window: texts, not the mere existence of somebody.
ONCE = frozenset({
    "fact", "hint", "belief", "turn", "piece", "atom", "beat", "line", "input", "soft", "hard",
    "scene", "relation", "history", "mood", "canon",
})  # fmt: skip


def is_said_once(source: str) -> bool:
    """Whether what comes from a source may stand in a window once."""
    return source.partition(":")[0] in ONCE


class Tier(IntEnum):
    """The parts of a window, in the order they stand in."""

    PREAMBLE = 1
    JOURNAL = 2
    RETRIEVED = 3
    INPUT = 4


class Class(StrEnum):
    """How an item comes to be in its tier."""

    MANDATORY = "mandatory"
    GRAVITY = "gravity"
    ENRICHMENT = "enrichment"
    REST = "rest"  # more of the past and of the lore, in what all others left


CLASS_ORDER = tuple(Class)
UNRULED = Terms()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that could be shown. Until the gate has ruled, its boundary is 0."""

    id: str
    origin: str  # the source that proposed it
    tier: Tier
    klass: Class
    sources: tuple[str, ...]
    full: str = ""
    brief: str = ""
    hint: str = ""
    entities: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    terms: Terms = UNRULED
    about: tuple[str, ...] = ()  # facts, and events the author wrote
    scenes: tuple[str, ...] = ()  # scenes that it speaks of, without a name
    valence: Valence = Valence.NEUTRAL
    same: str = ""  # candidates that have this in common say the same, and become one
    also: tuple[str, ...] = ()  # origins of those that became one with it
    adds: str = ""  # what it has to say beyond a card of the same thing, which it becomes one with

    @property
    def subject(self) -> Subject:
        """What gravity asks of it."""
        return Subject(self.entities, self.themes, self.about, self.scenes)

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        """Its forms by name, the largest first; empty ones are not there, nor are repeats."""
        named = ((FULL, self.full), (BRIEF, self.brief), (HINT, self.hint))
        seen: dict[str, str] = {}
        for name, text in named:
            if text.strip() and text not in seen:
                seen[text] = name
        return tuple((name, text) for text, name in seen.items())

    def ruled(self, boundary: float) -> Candidate:
        """The same, with what the gate ruled. Written out: it is done for every past turn."""
        t = self.terms
        terms = Terms(t.relevance, t.gravity, boundary, t.trust, t.recency, t.temperature, t.pulls)
        return self.scored(terms)

    def scored(self, terms: Terms) -> Candidate:
        """The same, with other terms."""
        return Candidate(
            self.id, self.origin, self.tier, self.klass, self.sources, self.full, self.brief,
            self.hint, self.entities, self.themes, terms, self.about, self.scenes, self.valence,
            self.same, self.also, self.adds,
        )  # fmt: skip

    def text(self, form: str) -> str:
        """What it says in a form."""
        return {FULL: self.full, BRIEF: self.brief, HINT: self.hint}[form]


class Refused(Struct, frozen=True, gc=False):  # made for every fact that somebody does not know
    """A candidate that the gate kept out, and by which rule."""

    candidate: Candidate
    rule: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A candidate as it stands in a window."""

    candidate: Candidate
    form: str
    tokens: int

    @property
    def text(self) -> str:
        """Its words."""
        return self.candidate.text(self.form)


@dataclass(frozen=True, slots=True)
class Missed:
    """A permitted candidate that is not in the window, and why."""

    candidate: Candidate
    reason: str
    lacking: int = 0  # tokens


def ranked(listed: Sequence[Shown]) -> list[Shown]:
    """What is mandatory as it stands, then the rest by falling score, whenever it came in."""
    first = [each for each in listed if each.candidate.klass is Class.MANDATORY]
    rest = [each for each in listed if each.candidate.klass is not Class.MANDATORY]
    return [*first, *sorted(rest, key=lambda each: -each.candidate.terms.score)]
