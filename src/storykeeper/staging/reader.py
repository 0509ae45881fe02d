"""What the prose alone says of who came and went: the reader of a rendering that declares nothing.

Signs are learned (`language.tagger`) and come with a chance. Two thresholds, chosen on labelled
passages, make cues of them: sure enough to change where somebody is, and enough of a doubt to be
unsure of them. Words that some are likely not to hear are for those who are likely to. Where the
player is now is mostly not said but described (`staging.locale`), and who is told of there is with
them (`staging.company`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from storykeeper.events.atoms import Voice
from storykeeper.language.patience import go_on
from storykeeper.language.reading import Reader, Reading, Somebody
from storykeeper.language.regular import moves, unseen, whispers
from storykeeper.language.tagger import DOUBT, HUSH, SURE, Hush, Person, Sign, Tagger
from storykeeper.language.tagger.people import meant
from storykeeper.language.tagger.scene import Places
from storykeeper.models.embedders.word_vectors import WordVectors
from storykeeper.staging.cues import CLOSING, Cue, Cued, Private
from storykeeper.staging.stage_set import Told, on_set, people_of
from storykeeper.staging.tellings import Tellings, units
from storykeeper.units import EntityId
from storykeeper.world.state import World

_Signs = tuple[list[Sign], list[Hush]]

KEPT = 8  # texts


class StageReader(Protocol):
    """Reads who came and went; the same worlds and prose give the same cues."""

    def cued(self, world: World, told: Told, *, then: World | None = None) -> Cued:
        """What the prose says of it, in a world before the line that it answers; `then` is that
        world after the line, if it changed anything.
        """
        ...


class TableReader:
    """What is told in regular ways, as cues; the last few texts are read once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, tuple[Person, ...]], _Signs] = OrderedDict()

    def cued(self, world: World, told: Told, *, then: World | None = None) -> Cued:
        """What the prose says of who came and went, and who alone hears what."""
        signs, hushes = self._signs(world, told)
        text, cast = told.reading.text, told.cast
        cues = (c for c in _cues(signs, cast, text) if not _is_nowhere(c, told.player))
        return Cued(tuple(cues), tuple(_privates(hushes, cast, text)))

    def _signs(self, world: World, told: Told) -> _Signs:
        people = people_of(world, told)
        key = (told.reading.text, people)
        found = self._kept.pop(key, None)
        if found is None:
            go_on()
            places = {s.id: (s.name, *s.aliases) for s in world.plan.settings.values()}
            found = self._read(told.reading, people, places)
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def _read(self, reading: Reading, people: Sequence[Person], places: Places) -> _Signs:
        low = [*whispers(reading, people), *unseen(reading, people)]
        return moves(reading, people, places), low


class LearnedReader(TableReader):
    """The table, what was learned of all that it does not say, and where the prose is set."""

    @cached_property
    def _tellings(self) -> Tellings:
        return Tellings()

    @cached_property
    def _tagger(self) -> Tagger:
        return Tagger(WordVectors())

    def cued(self, world: World, told: Told, *, then: World | None = None) -> Cued:
        """The same, and where nobody declares it, who is where the prose is set, and which facts
        it tells.
        """
        if told.declared:
            return super().cued(world, told)
        signs, _ = self._signs(world, told)
        found = on_set(super().cued(world, told), world, told, signs, then=then)
        who = meant(told.reading, people_of(world, told))
        by = [None if q.speaker is None else who[q.speaker] for q in told.reading.quotations]
        said = units(told.reading, [None if n is None else told.cast[n] for n in by])
        lessons = self._tellings.told(then or world, said, player=told.player)
        return replace(found, lessons=tuple(lessons))

    def _read(self, reading: Reading, people: Sequence[Person], places: Places) -> _Signs:
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
