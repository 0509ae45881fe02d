"""What the numbers in an index's columns stand for: sessions, speakers, who may see, what was used.

Kept as the note of the index's stamp, so that it is as old as the rows it explains.

An item's id counts those that the same people may see, and names who they are: whoever reads it
knows of all that it counts. A number over everything would tell them of what they may not know.
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import TypeVar

import msgspec

from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import MemoryAdded, MemorySummarised
from storykeeper.memory.asker import OWNER, Asker
from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.sessions import knows_all

# Numbers kept for every row. `said` is in milliseconds, `nth` its place among those of its class,
# `until` when it expires (0: never), `same` a number of its words that repeats of it share.
COLUMNS = (
    "version", "said", "session", "speaker", "kind", "part", "weight", "decay", "anchors", "asks",
    "nth", "until", "same",
)  # fmt: skip
UNDATED = float("-inf")  # `said` of what nobody said when
NO_TURN = -1  # `turn`, where there are turns, of what belongs to none
_TAG_CHARS = 12  # 60 bits: a million audiences have one in common with less than 1 in 10⁶
T = TypeVar("T")
KINDS = tuple(Kind)
PARTS = tuple(Part)

Eyes = tuple[str, tuple[str, ...] | None]  # a namespace, and an audience in it


def entity_term(entity: str) -> str:
    """What an item about somebody is found by, which no word of a text can be."""
    return f"\x1f{entity}"


@lru_cache(maxsize=4_096)
def tag_of(eyes: Eyes) -> str:
    """What ids say of those who may see an item: nothing, if everybody may."""
    if eyes == ("", None):
        return ""
    return b32encode(sha256(msgspec.json.encode(eyes)).digest()).decode()[:_TAG_CHARS].lower()


def id_of(nth: int, *, tag: str = "") -> str:
    """`m12`; of what is not everybody's, `m3-k7f3q9xw2abc`."""
    return f"m{nth}-{tag}" if tag else f"m{nth}"


class _Kept(msgspec.Struct, frozen=True):
    eyes: list[Eyes]
    sessions: list[str]
    speakers: list[str]
    uses: dict[str, dict[int, int]]  # by audience: how often a row was shown
    sources: dict[int, list[int]]  # of each summary's row, the rows it was made from
    links: dict[int, list[int]]  # rows that an author linked a row to
    pending: list[int]  # rows whose words have no vector yet
    counts: dict[int, int]  # how many were ever added, by class
    origins: dict[int, int]  # of each row that is a later version: the row of the first
    gone: list[int]  # rows that are not found any more, and still are in the index
    spaces: list[str]  # that were ever in force, the last of them now


class Tables:
    """Names to numbers and back; they only grow."""

    def __init__(self, note: bytes = b"") -> None:
        """From the note of a stamp, or empty."""
        kept = msgspec.msgpack.decode(note, type=_Kept) if note else None
        self.eyes: dict[Eyes, int] = _numbered(kept.eyes if kept else ())
        self.sessions: dict[str, int] = _numbered(kept.sessions if kept else ())
        self.speakers: dict[str, int] = _numbered(kept.speakers if kept else ())
        self.uses: dict[str, dict[int, int]] = dict(kept.uses) if kept else {}
        self.sources: dict[int, list[int]] = dict(kept.sources) if kept else {}
        self.links: dict[int, list[int]] = dict(kept.links) if kept else {}
        self.pending: set[int] = set(kept.pending) if kept else set()
        self.counts: dict[int, int] = dict(kept.counts) if kept else {}
        self.origins: dict[int, int] = dict(kept.origins) if kept else {}
        self.gone: set[int] = set(kept.gone) if kept else set()
        self.spaces: list[str] = list(kept.spaces) if kept else []
        self._known_tags: list[str] = []
        self._classes: dict[str, int] = {}  # by tag

    def note(self) -> bytes:
        """All of it, as bytes."""
        return msgspec.msgpack.encode(
            _Kept(
                list(self.eyes), list(self.sessions), list(self.speakers), self.uses,
                self.sources, self.links, sorted(self.pending), self.counts, self.origins,
                sorted(self.gone), self.spaces,
            )
        )  # fmt: skip

    def eyes_of(self, item: Item) -> int:
        """The class of those who may see an item."""
        audience = None if item.audience is None else tuple(sorted(item.audience))
        return _number(self.eyes, (item.namespace, audience))

    def tag(self, number: int) -> str:
        """What the ids of a class end in."""
        return self._tags()[number]

    def class_of(self, tag: str) -> int | None:
        """The class that ids with this tag are of; none, if there is nothing for them."""
        self._tags()
        return self._classes.get(tag)

    def _tags(self) -> list[str]:
        """Of every class, by its number; those that are new are added."""
        for eyes in islice(self.eyes, len(self._known_tags), None):
            self._known_tags.append(tag_of(eyes))
            self._classes[self._known_tags[-1]] = self.eyes[eyes]
        return self._known_tags

    def added(self, eyes: Eyes) -> int:
        """How many things were ever added for them, retired ones included."""
        return self.counts.get(self.eyes.get(eyes, -1), 0)

    def open_to(self, audience: Asker, *, namespace: str, alone: bool = False) -> frozenset[int]:
        """The classes that somebody may see: what is everybody's, and what names them.

        Nobody in particular sees only what is open to everybody. A namespace is its own and the
        one that all share; with `alone`, only its own.
        """
        return frozenset(
            number
            for (space, names), number in self.eyes.items()
            if space in ((namespace,) if alone else ("", namespace))
            and (names is None or audience is OWNER or audience in names)
        )

    def known_to_all(self, audience: frozenset[str] | None, *, namespace: str) -> frozenset[int]:
        """The classes that everybody may see who may see something of this audience."""
        return frozenset(
            number
            for (space, names), number in self.eyes.items()
            if space in ("", namespace)
            and knows_all(None if names is None else frozenset(names), of=audience)
        )

    def columns_of(
        self, item: Item, *, version: int, anchors: int, asks: bool, place: int = 0
    ) -> dict[str, float]:
        """The numbers of an item's row, which comes after those of its class so far.

        Of a later version `place` is the number in its id.
        """
        eyes = self.eyes_of(item)
        if not place:
            self.counts[eyes] = place = self.counts.get(eyes, 0) + 1
        return {
            "version": version,
            "said": UNDATED if item.at_ms is None else item.at_ms,
            "session": _number(self.sessions, item.session),
            "speaker": _number(self.speakers, item.speaker),
            "kind": KINDS.index(item.kind),
            "part": PARTS.index(item.part),
            "weight": item.weight,
            "decay": item.decay_rate,
            "anchors": anchors,
            "asks": float(asks),
            "nth": place,
        }

    def link(self, record: AnyRecord, row: int) -> None:
        """What a row was made from, or its author linked it to."""
        if isinstance(record, MemorySummarised) and record.text:  # erased, it sums up nothing
            self.sources[row] = [number - 1 for number in record.over or record.of]
        elif isinstance(record, MemoryAdded) and record.links:
            self.links[row] = [number - 1 for number in record.links]

    def versions(self, row: int) -> list[int]:
        """The rows of an item that stands in a row: of its first version, and of those since."""
        first = self.origins.get(row, row)
        return [first, *(later for later, of in self.origins.items() if of == first)]

    def replace(self, row: int, *, by: int) -> None:
        """A row is a later version of another: what was said of that is said of it."""
        self.origins[by] = self.origins.get(row, row)
        for counts in self.uses.values():
            if row in counts:
                counts[by] = counts.pop(row)
        for sources in self.sources.values():
            sources[:] = [by if source == row else source for source in sources]

    def use(self, rows: Iterable[int], *, by: str) -> None:
        """Rows were shown to somebody once more."""
        counts = self.uses.setdefault(by, {})
        for row in rows:
            counts[row] = counts.get(row, 0) + 1


def _numbered(names: Iterable[T]) -> dict[T, int]:
    return {name: number for number, name in enumerate(names)}


def _number(known: dict[T, int], name: T) -> int:
    return known.setdefault(name, len(known))
