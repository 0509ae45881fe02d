"""Cues: what happened in a rendering, in the order of the prose.

A cue says that somebody came, went, slept, woke, hid, called, gave or took something; where in the
prose; who says so; and how sure that is. What is declared counts before what is read.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from storykeeper.events.atoms import Voice
from storykeeper.units import EntityId

GOING = frozenset({"departs", "arrives"})
CLOSING = frozenset({"departs", "sleeps", "doubts"})  # who may no longer perceive anything
COURSE = GOING | {"sleeps", "wakes", "hides", "emerges", "doubts"}
BEFORE = -1  # where in a prose it is told what was so before any of it
PLAINLY = 0.95  # as sure as the table of verbs is a reading that counts beside a declaration
LIKELY = 0.8  # and so sure that it makes unsure: who declares what changed says that no more did


@dataclass(frozen=True, slots=True)
class Cue:
    """Something that changes who perceives, or who holds something."""

    at: int  # where in the prose it is told; its length: at the end; or `BEFORE`
    kind: str
    who: tuple[EntityId, ...]
    says: Voice
    sure: float = 1.0
    to: EntityId | None = None  # a place; None: nobody knows
    people: tuple[EntityId, ...] = ()  # who is given, sent or called something
    thing: EntityId | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Private:
    """Words that only some of those present can hear."""

    start: int
    end: int
    by: EntityId | None
    to: tuple[EntityId, ...]
    says: Voice
    words: str = ""
    afar: tuple[EntityId, ...] = ()  # of these, who hears it also from the next room


@dataclass(frozen=True, slots=True)
class Lesson:
    """A fact that somebody learned by words of the prose; found out, if nobody told it."""

    at: int
    fact: str
    by: EntityId | None
    to: tuple[EntityId, ...]
    says: Voice
    words: str = ""


@dataclass(frozen=True, slots=True)
class Cued:
    """All that somebody says of a rendering."""

    cues: tuple[Cue, ...] = ()
    privates: tuple[Private, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    settled: frozenset[EntityId] = frozenset()  # whose course it tells
    dropped: tuple[str, ...] = ()
    declared: bool = False  # by a person, an author or the narrator
    complete: bool = False  # nothing else happened

    def beside(self, read: Cued, *, player: EntityId) -> Cued:
        """What is declared, and what was read of those whose course it does not tell."""
        mine = tuple(c for c in read.cues if not self.settled.intersection(c.who))
        if self.declared:
            mine = tuple(filter(None, (self._held_against(c, player) for c in mine)))
        low, told = ((), ()) if self.declared else (read.privates, read.lessons)
        both = self.then(Cued(mine, low, told))
        return replace(both, cues=tuple(sorted(both.cues, key=lambda cue: cue.at)))

    def _held_against(self, cue: Cue, player: EntityId) -> Cue | None:
        """What is left of a reading beside a declaration: of its words, and of the player's own
        course, nothing; who is not plainly gone is doubted.
        """
        span = range(cue.at, cue.at + len(cue.words))
        if cue.kind not in COURSE:
            return cue
        if player in cue.who or any(c.words and c.at in span for c in self.cues):
            return None
        if cue.sure >= PLAINLY:
            return cue
        doubted = cue.kind in CLOSING and cue.sure >= LIKELY
        return replace(cue, kind="doubts", to=None) if doubted else None

    def without_courses(self, of: Collection[EntityId]) -> Cued:
        """What is said but of where these go: that is known already."""
        kept = tuple(c for c in self.cues if c.kind not in GOING or not {*c.who} <= {*of})
        return replace(self, cues=kept)

    def before(self, end: int) -> Cued:
        """The same at the beginning, where none of its words stand in the prose: another tells it
        in words of its own, and goes on from it.
        """
        if any(cue.at < end for cue in self.cues):
            return self
        return replace(self, cues=tuple(replace(cue, at=0) for cue in self.cues))

    def then(self, more: Cued) -> Cued:
        """What somebody says, and what another says after them."""
        return Cued(
            (*self.cues, *more.cues), (*self.privates, *more.privates),
            (*self.lessons, *more.lessons), self.settled | more.settled,
            (*self.dropped, *more.dropped), self.declared or more.declared,
            self.complete or more.complete,
        )  # fmt: skip
