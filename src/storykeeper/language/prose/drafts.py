"""Mentions and clauses while they are being made: what is found is added until it is whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from storykeeper.language.prose.words import Words
from storykeeper.language.reading import (
    Clause,
    Gender,
    Mention,
    MentionKind,
    Modality,
    Sort,
)

LIVING = frozenset({Sort.PERSON, Sort.GROUP, Sort.ANIMAL})
SOLID = frozenset({Sort.THING, Sort.PART})


@dataclass(slots=True)
class Draft:
    """A mention being made; `at` is its head word, `first` and `last` the words it spans."""

    at: int
    first: int
    last: int
    head: str
    kind: MentionKind
    sort: Sort
    gender: Gender = Gender.UNKNOWN
    plural: bool = False
    definite: bool = False
    person: int = 3
    descriptors: list[str] = field(default_factory=list)
    possessor: int | None = None
    whole: int | None = None
    place: str = ""
    near: int | None = None
    modality: Modality = Modality.ASSERTED
    quotation: int | None = None
    cluster: int | None = None
    outer: int = -1  # the word by which it takes part: "pair" in "a pair of boots"

    def mention(self, words: Words, text: str, *, by: int, base: int) -> Mention:
        """The finished mention; `base` is the first mention's place, `by` the first character's."""
        start, end = words[self.first].start, words[self.last].end
        return Mention(
            start=start + by,
            end=end + by,
            text=" ".join(text[start:end].split()),
            head=self.head,
            kind=self.kind,
            sort=self.sort,
            gender=self.gender,
            plural=self.plural,
            definite=self.definite,
            person=self.person,
            descriptors=tuple(dict.fromkeys(self.descriptors)),
            possessor=_moved(self.possessor, base),
            whole=_moved(self.whole, base),
            place=self.place,
            near=_moved(self.near, base),
            modality=self.modality,
            quotation=self.quotation,
            cluster=self.cluster,
        )


@dataclass(slots=True)
class Happening:
    """A clause being made; `at` is its verb."""

    at: int
    verb: str
    modality: Modality = Modality.ASSERTED
    actors: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    subjects: list[int] = field(default_factory=list)
    instruments: list[int] = field(default_factory=list)
    locations: list[int] = field(default_factory=list)
    state: str = ""
    quotation: int | None = None
    first: int = 0
    last: int = 0
    own: list[int] = field(default_factory=list)  # its words

    def clause(self, words: Words, *, by: int, base: int) -> Clause:
        """The finished clause."""
        return Clause(
            start=words[self.first].start + by,
            end=words[self.last].end + by,
            verb=self.verb,
            modality=self.modality,
            actors=_all_moved(self.actors, base),
            targets=_all_moved(self.targets, base),
            subjects=_all_moved(self.subjects, base),
            instruments=_all_moved(self.instruments, base),
            locations=_all_moved(self.locations, base),
            state=self.state,
            quotation=self.quotation,
        )


def _moved(place: int | None, base: int) -> int | None:
    return None if place is None else place + base


def _all_moved(places: list[int], base: int) -> tuple[int, ...]:
    return tuple(p + base for p in dict.fromkeys(places))
