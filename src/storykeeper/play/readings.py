"""Readings of what was rendered, each made once.

A rendering is read when it is shown, while the player reads it too; when they answer, its reading
is there. Reading has no say in what is true: a rendering that is swiped leaves only the reading of
another text behind.
"""

from __future__ import annotations

from collections import OrderedDict

from storykeeper.language.reading import Reader, Reading, Somebody

KEPT = 8


class Readings:
    """A reader that remembers the last few texts."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._kept: OrderedDict[tuple[str, tuple[Somebody, ...]], Reading] = OrderedDict()

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """The reading of a text."""
        if not text.strip():
            return Reading(text)
        key = (text, cast)
        found = self._kept.pop(key, None)
        if found is None:
            found = self._reader.read(text, cast=cast)
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found
