"""Readings made by hand, so that what is made of them can be tried without a parser."""

from dataclasses import replace

from storykeeper.events.atoms import Atom, Compound, PieceTold, Source
from storykeeper.events.turns import TurnCommitted
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.language.names import Names
from storykeeper.language.reading import (
    Clause,
    Implied,
    Joint,
    Link,
    Mention,
    MentionKind,
    Quotation,
    Reading,
)
from storykeeper.play.casting import Passage
from storykeeper.play.staged_telling import tell_staged
from storykeeper.play.unfolding import Unfolding
from storykeeper.staging.cues import Cued
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import Pending, World
from strategies.referred import opened

_PRONOUNS = {
    "she": Gender.SHE, "her": Gender.SHE, "he": Gender.HE, "his": Gender.HE, "it": Gender.IT,
    "they": Gender.THEY,
}  # fmt: skip


class Read:
    """A text being read by hand: everything is given as words of it, in order."""

    def __init__(self, text: str) -> None:
        self._reading = Reading(text)
        self._at = 0

    def _span(self, words: str) -> tuple[int, int]:
        taken = {(mention.start, mention.end) for mention in self._reading.mentions}
        start = self._reading.text.index(words, self._at)
        while (start, start + len(words)) in taken:
            start = self._reading.text.index(words, start + 1)
        self._at = start
        return start, start + len(words)

    def _mention(self, words: str, **fields) -> int:
        start, end = self._span(words)
        made = Mention(start, end, words, **fields)
        self._reading = replace(self._reading, mentions=(*self._reading.mentions, made))
        return len(self._reading.mentions) - 1

    def name(self, words: str, **fields) -> int:
        usual = {"head": words, "kind": MentionKind.NAME, "sort": Sort.PERSON, "definite": True}
        return self._mention(words, **usual | fields)

    def noun(self, words: str, **fields) -> int:
        """A noun with its article: the old cup."""
        first, *rest = words.split()
        usual = {
            "head": words.split()[-1], "kind": MentionKind.NOUN, "sort": Sort.THING,
            "gender": Gender.IT, "definite": first.casefold() not in ("a", "an"),
            "descriptors": tuple(rest[:-1]),
        }  # fmt: skip
        return self._mention(words, **usual | fields)

    def pronoun(self, words: str, **fields) -> int:
        plain = words.casefold()
        person = {"you": 2, "your": 2, "i": 1, "my": 1}.get(plain, 3)
        gender = _PRONOUNS.get(plain, Gender.UNKNOWN)
        usual = {
            "head": plain, "kind": MentionKind.PRONOUN, "gender": gender, "person": person,
            "sort": Sort.THING if gender is Gender.IT else Sort.PERSON, "definite": True,
        }  # fmt: skip
        return self._mention(words, **usual | fields)

    def clause(self, verb: str, *actors: int, start: int = 0, end: int | None = None, **fields):
        """A clause; its number."""
        stop = len(self._reading.text) if end is None else end
        made = Clause(start, stop, verb, actors=actors, **fields)
        self._reading = replace(self._reading, clauses=(*self._reading.clauses, made))
        return len(self._reading.clauses) - 1

    def link(self, joint: Joint, first: int, second: int) -> None:
        links = (*self._reading.links, Link(joint, first, second))
        self._reading = replace(self._reading, links=links)

    def quote(self, words: str, **fields) -> int:
        start = self._reading.text.index(words)
        made = Quotation(start, start + len(words), words, **fields)
        self._reading = replace(self._reading, quotations=(*self._reading.quotations, made))
        return len(self._reading.quotations) - 1

    def implies(self, what: str, because: str, clause: int) -> None:
        implied = (*self._reading.implied, Implied(what, because, clause))
        self._reading = replace(self._reading, implied=implied)

    @property
    def done(self) -> Reading:
        return self._reading


def told(read: Read, world: World | None = None, *, text: str = "", turn: int = 1, lines=()):
    """A turn in which this was told and nothing else happened."""
    unfolding = Unfolding(opened() if world is None else world, TurnNo(turn))
    unfolding.add(TurnCommitted(TurnNo(turn), 1))
    pending = Pending(TurnNo(turn), EntityId("ann"), text, take=1, prose=read.done.text)
    names = Names.of(unfolding.world.plan.story)
    tell_staged(unfolding, Passage(pending, read.done, names, frozenset(lines)), Cued())
    return unfolding


def atoms(unfolding: Unfolding, *, source: Source = Source.NARRATOR) -> list[Atom]:
    """What happened; the pieces of the prose stand beside it."""
    return [
        atom
        for atom in unfolding.atoms
        if atom.source is source and not isinstance(atom.what, PieceTold)
    ]


def compounds(unfolding: Unfolding) -> list[Compound]:
    return [record for record in unfolding.records if isinstance(record, Compound)]
