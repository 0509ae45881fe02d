"""Passages of narrated prose of which it is known who perceives each piece, and who is where.

`perception/*.jsonl`, one passage a line; a file is an author. What the labels mean is said in the
README beside them.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from storykeeper.errors import StorykeeperError

NOWHERE: Final = frozenset({"away", "unknown"})  # in place of a place: gone, or it is not said
KINDS: Final = ("speech", "action", "description", "thought", "writing")  # asides are nobody's


class NoPassages(StorykeeperError):
    """The data is not where it was looked for, or cannot be read."""


class Person(Struct, frozen=True):
    """One of the cast."""

    id: str
    names: list[str]
    pronouns: str


class Place(Struct, frozen=True):
    """Where somebody can be."""

    id: str
    names: list[str]


class Segment(Struct, frozen=True):
    """A piece of the prose, of one kind and with one audience."""

    text: str
    perceivers: list[str]
    kind: str


class Event(Struct, frozen=True):
    """Something that changes who perceives, or who holds what."""

    segment: int
    kind: str
    who: list[str]
    to: str | list[str] | None = None
    with_: list[str] | None = msgspec.field(default=None, name="with")
    what: str | None = None


class Passage(Struct, frozen=True, kw_only=True):
    """What was typed and told, and what is so by it."""

    id: str
    cast: list[Person]
    player: str | None  # nobody, in some narrated and most human fiction
    pov: str | None
    places: list[Place]
    start: dict[str, str]
    before: str
    line: str
    segments: list[Segment]
    events: list[Event]
    after: dict[str, str]

    @property
    def prose(self) -> str:
        """All of it, as it was shown."""
        return "".join(segment.text for segment in self.segments)

    @property
    def people(self) -> list[str]:
        """The ids of the cast."""
        return [person.id for person in self.cast]

    @property
    def played(self) -> str:
        """Who is played. Where nobody is: whose eyes it is told through, or else the first of
        those at the place where most are at the start.
        """
        if chosen := self.player or self.pov:
            return chosen
        places = Counter(at for at in self.start.values() if at not in NOWHERE)
        most = max(places, key=lambda at: places[at], default=None)
        return next((who for who in self.people if self.start[who] == most), self.people[0])


def load(data: Path | None) -> dict[str, list[Passage]]:
    """All passages of a data folder, by author."""
    if data is None:
        raise NoPassages("no data folder: give --data DIR or set STORYKEEPER_DATA")
    files = sorted((data / "perception").glob("*.jsonl"))
    if not files:
        raise NoPassages(f"no perception/*.jsonl in {data}; say where with --data")
    return {file.stem: _passages(file) for file in files}


def _passages(file: Path) -> list[Passage]:
    found = []
    for number, line in enumerate(file.read_text("utf-8").split("\n"), 1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=Passage))
            except msgspec.MsgspecError as wrong:
                raise NoPassages(f"{file}, line {number}: {wrong}; see its README") from wrong
    return found
