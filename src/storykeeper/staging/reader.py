"""What the prose alone says of who came and went: the reader of a rendering that declares nothing.

Signs are learned (`language.tagger`) and come with a chance. Two thresholds, chosen on labelled
passages, make cues of them: sure enough to change where somebody is, and enough of a doubt to be
unsure of them. Words that some are likely not to hear are for those who are likely to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from storykeeper.events.atoms import Voice
from storykeeper.language.reading import Reader, Reading, Somebody
from storykeeper.language.tagger import DOUBT, HUSH, SURE, Hush, Person, Sign, Tagger
from storykeeper.models.embedders.word_vectors import WordVectors
from storykeeper.staging.cues import Cue, Cued, Private
from storykeeper.units import EntityId
from storykeeper.world.authored import gender_of
from storykeeper.world.state import World

CLOSING = frozenset({"departs", "sleeps"})  # a doubt about these makes somebody unsure


class StageReader(Protocol):
    """Reads who came and went; the same world and reading give the same cues."""

    def cued(self, world: World, reading: Reading, *, player: EntityId) -> Cued:
        """What the prose says of it."""
        ...


class LearnedReader:
    """The learned signs as cues."""

    @cached_property
    def _tagger(self) -> Tagger:
        return Tagger(WordVectors())

    def cued(self, world: World, reading: Reading, *, player: EntityId) -> Cued:
        """What the prose says of who came and went, and who alone hears what."""
        cast = [EntityId(who) for who in world.plan.cast]
        people = [_person(world, who, player) for who in cast]
        places = {s.id: (s.name, *s.aliases) for s in world.plan.settings.values()}
        signs, hushes = self._tagger.tag(reading, people, places)
        text = reading.text
        return Cued(
            tuple(_cues(signs, cast, text)), tuple(_privates(hushes, cast, text))
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class StagedProse:
    """A reader of prose, and beside it one of who came and went."""

    reader: Reader
    stager: StageReader

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """The reading of a text."""
        return self.reader.read(text, cast=cast)


def _person(world: World, who: EntityId, player: EntityId) -> Person:
    card = world.plan.cast[who]
    place = None if who in world.away else world.places.get(who)
    return Person((card.name, *card.aliases), gender_of(card.pronouns), place, who == player)


def _cues(signs: list[Sign], cast: list[EntityId], text: str) -> Iterator[Cue]:
    for sign in signs:
        who, words = (cast[sign.who],), text[sign.start : sign.end].strip()
        to = None if sign.to is None else EntityId(sign.to)
        if sign.p >= SURE:
            yield Cue(sign.start, sign.kind, who, Voice.READER, round(sign.p, 3), to, words=words)
        elif sign.p >= DOUBT and sign.kind in CLOSING:
            yield Cue(sign.start, "doubts", who, Voice.READER, round(sign.p, 3), words=words)


def _privates(hushes: list[Hush], cast: list[EntityId], text: str) -> Iterator[Private]:
    for hush in hushes:
        if hush.p >= HUSH:
            to, words = tuple(cast[who] for who in hush.to), text[hush.start : hush.end]
            yield Private(hush.start, hush.end, None, to, Voice.READER, words)
