"""Who leaves, comes, sleeps, wakes, hides or shows up in a text, and who alone hears what is said.

    Reading → stretches → vectors, marks, numbers → networks → signs and hushes

Nothing is decided here. Each sign has a probability; what is sure and what a doubt is for the one
who asks, with the thresholds below, which were chosen on authors that the fit had not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from storykeeper.language.reading import Reading
from storykeeper.language.tagger.destination import AWAY, destination
from storykeeper.language.tagger.features import MARKS
from storykeeper.language.tagger.given import Vectors, given
from storykeeper.language.tagger.model import Model, shipped
from storykeeper.language.tagger.network import Input, Output
from storykeeper.language.tagger.people import Person
from storykeeper.language.tagger.scene import Places, Scene, laid_out

KINDS = ("none", "departs", "arrives", "sleeps", "wakes", "hides", "emerges")
# Chosen on a1, a2, a3 and f1, each read by networks that had not seen its author, by a grid over
# all three: SURE where 93 of 100 who stay are not moved, HUSH where 12 of 100 who cannot hear what
# is quoted are taken for hearers, DOUBT where being unsure of more would close more than it saves.
SURE = 0.42  # a place or sleep changes
DOUBT = 0.2  # the person is unsure
HUSH = 0.1  # the words are only for some
UNSPOKEN = 0.5  # of a chance where no word may mean the person: mostly it is another who goes
FLOOR = 0.05  # below, there is no sign at all


@dataclass(frozen=True, slots=True)
class Sign:
    """That somebody may have left, come, fallen asleep …, in a stretch of the text."""

    start: int
    end: int
    who: int
    kind: str  # one of KINDS but the first
    p: float
    to: str | None = None  # of departing and arriving: a place; None: away


@dataclass(frozen=True, slots=True)
class Hush:
    """How likely words are not for all, and for whom they then are."""

    start: int
    end: int
    p: float
    to: tuple[int, ...]
    closed: tuple[float, ...] = ()  # of each person, how likely they do not hear it


class Tagger:
    """Reads signs; the same reading, people and places give the same signs."""

    def __init__(self, encoder: Vectors, *, model: Model | None = None) -> None:
        self._encoder = encoder
        self._model = model  # None: the shipped one, loaded when first needed

    def tag(
        self, reading: Reading, people: Sequence[Person], places: Places
    ) -> tuple[list[Sign], list[Hush]]:
        """The signs in the order of the text, and a hush for each quotation."""
        if not people or not reading.text.strip():
            return [], []
        scene = laid_out(reading, people, places)
        if not scene.stretches or not scene.words:
            return [], []
        return signs_of(scene, given(scene, self._encoder), self._model or shipped())


def signs_of(scene: Scene, told: Input, model: Model) -> tuple[list[Sign], list[Hush]]:
    """The signs of a scene."""
    output = model.read(told)
    return _signs(scene, told, output, model), _hushes(scene, output)


def _signs(scene: Scene, told: Input, output: Output, model: Model) -> list[Sign]:
    spoken_of = _spoken_of(told)
    now = [person.place for person in scene.people]
    found: list[Sign] = []
    for at, stretch in enumerate(scene.stretches):
        if stretch.quotation is not None:
            continue
        for who in range(len(scene.people)):
            kind = int(np.argmax(output.events[who, at, 1:])) + 1
            p = float(output.events[who, at, kind]) * (1 if spoken_of[who, at] else UNSPOKEN)
            if p < FLOOR:
                continue
            to = None
            if kind <= 2:  # departs, arrives
                to = destination(model.destinations, scene, kind=kind, at=at, who=who, now=now[who])
                if p >= SURE:
                    now[who] = to
            place = None if to == AWAY else to
            found.append(Sign(stretch.start, stretch.end, who, KINDS[kind], p, place))
    return found


def _spoken_of(told: Input) -> npt.NDArray[np.bool_]:
    """People × stretches: whether any word there means the person, or may."""
    found = np.zeros(told.numbers.shape[:2], np.bool_)
    meant = told.marks[:, :, [MARKS.index(mark) for mark in ("person", "maybe", "rival")]].any(2)
    for who, words in enumerate(meant & (told.stretch >= 0)):
        found[who, told.stretch[words]] = True
    return found


def _hushes(scene: Scene, output: Output) -> list[Hush]:
    found: list[Hush] = []
    for at, stretch in enumerate(scene.stretches):
        if stretch.quotation is None:
            continue
        speaker = scene.speakers[stretch.quotation]
        closed = tuple(
            0.0 if who == speaker else float(output.closed[who, at])
            for who in range(len(scene.people))
        )
        to = tuple(who for who, p in enumerate(closed) if who != speaker and p < HUSH)
        found.append(Hush(stretch.start, stretch.end, max(closed), to, closed))
    return found
