"""Readings of what was rendered, each made once.

A rendering is read when it is shown, while the player reads it too; when they answer, its reading
is there. Reading has no say in what is true: a rendering that is swiped leaves only the reading of
another text behind.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from storykeeper.errors import ReadingInvalid
from storykeeper.language.patience import ENDLESS, Patience, go_on
from storykeeper.language.reading import Reader, Reading, Somebody

if TYPE_CHECKING:
    from storykeeper.staging.reader import StageReader

KEPT = 8
MAX_STEPS = 2_000  # happenings and speeches of one rendering that become atoms


class Readings:
    """A reader that remembers the last few texts."""

    def __init__(self, reader: Reader, *, patience: Patience = ENDLESS) -> None:
        self._reader = reader
        self.patience = patience
        self.stager: StageReader | None = getattr(reader, "stager", None)
        self._kept: OrderedDict[tuple[str, tuple[Somebody, ...]], Reading] = OrderedDict()

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """The reading of a text."""
        if not text.strip():
            return Reading(text)
        key = (text, cast)
        found = self._kept.pop(key, None)
        if found is None:
            go_on()
            found = _limited(_checked(self._reader.read(text, cast=cast), text))
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def forget(self) -> None:
        """No text is remembered any more."""
        self._kept.clear()


def patience_of(reader: Reader) -> Patience:
    """How long a text may be read for a run."""
    found: Patience = getattr(reader, "patience", ENDLESS)
    return found


def _checked(reading: Reading, text: str) -> Reading:
    """A reading that speaks only of what is in it; any reader may stand behind the port."""
    if reading.text != text:
        raise ReadingInvalid("the reader answered with the reading of another text")
    for what, places, count in _references(reading):
        for place in places:
            if place is not None and not 0 <= place < count:
                raise ReadingInvalid(
                    f"the reader speaks of {what} {place}, and there are {count}; mend the reader,"
                    " or open the run without it"
                )
    return reading


def _references(reading: Reading) -> Iterator[tuple[str, tuple[int | None, ...], int]]:
    mentions, clauses = len(reading.mentions), len(reading.clauses)
    quotations = len(reading.quotations)
    for m in reading.mentions:
        yield "mention", (m.possessor, m.whole, m.near), mentions
        yield "quotation", (m.quotation,), quotations
    for c in reading.clauses:
        roles = (*c.actors, *c.targets, *c.subjects, *c.instruments, *c.locations)
        yield "mention", roles, mentions
        yield "quotation", (c.quotation,), quotations
    for q in reading.quotations:
        yield "mention", (q.speaker, q.addressee), mentions
    for link in reading.links:
        yield "clause", (link.first, link.second), clauses
    for implied in reading.implied:
        yield "clause", (implied.clause,), clauses


def _limited(reading: Reading) -> Reading:
    """Says so when there is more in a rendering than is taken from it."""
    steps = len(reading.clauses) + len(reading.quotations)
    if steps <= MAX_STEPS:
        return reading
    note = f"{steps:,} things happen in it; the first {MAX_STEPS:,} are kept apart"
    return replace(reading, notes=(*reading.notes, note))
