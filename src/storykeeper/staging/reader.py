"""What the prose alone says of who came and went: the reader of a rendering that declares nothing.

Signs are learned (`language.tagger`) and come with a chance. Two thresholds, chosen on labelled
passages, make cues of them: sure enough to change where somebody is, and enough of a doubt to be
unsure of them. Words that some are likely not to hear are for those who are likely to.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from storykeeper.events.atoms import Voice
from storykeeper.language.reading import Reader, Reading, Somebody
from storykeeper.language.regular import moves, unseen, whispers
from storykeeper.language.tagger import DOUBT, HUSH, SURE, Hush, Person, Sign, Tagger
from storykeeper.language.tagger.scene import Places
from storykeeper.models.embedders.word_vectors import WordVectors
from storykeeper.staging.cues import Cue, Cued, Private
from storykeeper.units import EntityId
from storykeeper.world.authored import gender_of
from storykeeper.world.state import World

KEPT = 8  # texts
CLOSING = frozenset({"departs", "sleeps"})  # a doubt about these makes somebody unsure


class StageReader(Protocol):
    """Reads who came and went; the same world and reading give the same cues."""

    def cued(
        self, world: World, reading: Reading, cast: Sequence[EntityId], *, player: EntityId
    ) -> Cued:
        """What the prose says of it, of those who may be named in it."""
        ...


class TableReader:
    """What is told in regular ways, as cues; the last few texts are read once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, tuple[Person, ...]], Cued] = OrderedDict()

    def cued(
        self, world: World, reading: Reading, cast: Sequence[EntityId], *, player: EntityId
    ) -> Cued:
        """What the prose says of who came and went, and who alone hears what."""
        people = tuple(_person(world, who, player) for who in cast)
        key = (reading.text, people)
        found = self._kept.pop(key, None)
        if found is None:
            places = {s.id: (s.name, *s.aliases) for s in world.plan.settings.values()}
            signs, hushes = self._read(reading, people, places)
            text = reading.text
            cues = (c for c in _cues(signs, cast, text) if not _is_nowhere(c, player))
            found = Cued(tuple(cues), tuple(_privates(hushes, cast, text)))
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def _read(
        self, reading: Reading, people: Sequence[Person], places: Places
    ) -> tuple[list[Sign], list[Hush]]:
        low = [*whispers(reading, people), *unseen(reading, people)]
        return moves(reading, people, places), low


class LearnedReader(TableReader):
    """The table, and what was learned of all that it does not say."""

    @cached_property
    def _tagger(self) -> Tagger:
        return Tagger(WordVectors())

    def _read(
        self, reading: Reading, people: Sequence[Person], places: Places
    ) -> tuple[list[Sign], list[Hush]]:
        table, low = super()._read(reading, people, places)
        signs, hushes = self._tagger.tag(reading, people, places)
        heard = {hush.start: hush for hush in [*hushes, *low]}
        return _merged(table, signs), [heard[start] for start in sorted(heard)]


@dataclass(frozen=True, slots=True)
class StagedProse:
    """A reader of prose, and beside it one of who came and went."""

    reader: Reader
    stager: StageReader

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """The reading of a text."""
        return self.reader.read(text, cast=cast)


def _merged(table: list[Sign], learned: list[Sign]) -> list[Sign]:
    """What the table says; and what was learned of others, or in other sentences."""
    said = [(sign.who, sign.start, sign.end) for sign in table]
    kept = [
        sign for sign in learned
        if not any(who == sign.who and sign.start < end and start < sign.end
                   for who, start, end in said)
    ]  # fmt: skip
    return sorted([*table, *kept], key=lambda sign: sign.start)


def _is_nowhere(cue: Cue, player: EntityId) -> bool:
    """Whether it takes the player nobody knows where: the prose goes where they do."""
    return cue.kind in ("departs", "doubts") and cue.to is None and player in cue.who


def _person(world: World, who: EntityId, player: EntityId) -> Person:
    card = world.plan.cast[who]
    place = None if who in world.away else world.places.get(who)
    return Person((card.name, *card.aliases), gender_of(card.pronouns), place, who == player)


def _cues(signs: list[Sign], cast: Sequence[EntityId], text: str) -> Iterator[Cue]:
    for sign in signs:
        if sign.kind == "stays":
            continue
        who, words = (cast[sign.who],), text[sign.start : sign.end].strip()
        to = None if sign.to is None else EntityId(sign.to)
        if sign.p >= SURE:
            yield Cue(sign.start, sign.kind, who, Voice.READER, round(sign.p, 3), to, words=words)
        elif sign.p >= DOUBT and sign.kind in CLOSING:
            yield Cue(sign.start, "doubts", who, Voice.READER, round(sign.p, 3), words=words)


def _privates(hushes: list[Hush], cast: Sequence[EntityId], text: str) -> Iterator[Private]:
    for hush in hushes:
        if hush.p >= HUSH:
            to, words = tuple(cast[who] for who in hush.to), text[hush.start : hush.end]
            yield Private(hush.start, hush.end, None, to, Voice.READER, words)
