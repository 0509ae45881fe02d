"""A scene as the network takes it: vectors of its words, marks, numbers, who speaks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Protocol

import numpy as np

from storykeeper.language.tagger.features import marks
from storykeeper.language.tagger.network import Floats, Input
from storykeeper.language.tagger.numbers import numbers
from storykeeper.language.tagger.people import Person
from storykeeper.language.tagger.scene import Places, Scene

_PIECES = 8  # words of a name that the opening gives


class Vectors(Protocol):
    """What words mean where they stand: `models.embedders.word_vectors`."""

    def vectors(self, opening: str, sentences: Sequence[Sequence[str]]) -> Floats:
        """One row for each word of all sentences, read after an opening."""
        ...


def given(scene: Scene, encoder: Vectors) -> Input:
    """What the network is told of a scene."""
    sentences = [
        [word.text for word in sentence]
        for _, sentence in groupby(scene.words, key=lambda word: word.sentence)
    ]
    stretch = np.full(len(scene.words), -1, np.int64)
    for n, each in enumerate(scene.stretches):
        for word in each.words:
            stretch[word.i] = n
    speakers = [
        None if each.quotation is None else scene.speakers[each.quotation]
        for each in scene.stretches
    ]
    return Input(
        encoder.vectors(opening(scene.people, scene.places), sentences),
        marks(scene),
        stretch,
        numbers(scene),
        np.array([-1 if who is None else who for who in speakers], np.int64),
    )


def opening(people: Sequence[Person], places: Places) -> str:
    """ "the forge: Ines (you), Tom. the yard: nobody." """
    there: dict[str | None, list[str]] = {}
    for person in people:
        name = " ".join((person.names[0] if person.names else "somebody").split()[:_PIECES])
        there.setdefault(person.place, []).append(f"{name} (you)" if person.is_player else name)
    said = [
        f"{next(iter(places.get(place or '', ())), 'away')}: {', '.join(names)}."
        for place, names in there.items()
    ]
    empty = [
        f"{names[0]}: nobody." for place, names in places.items() if names and place not in there
    ]
    return " ".join([*said, *empty])
