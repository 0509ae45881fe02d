"""What a memory without a story is made of: things said, summaries of them, the space in force."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from storykeeper.events.turns import Record
from storykeeper.events.vocabulary import Text
from storykeeper.units import Amount, TurnNo, Unit


class Remembered(Record, frozen=True):
    """Base of what only a memory without a story is made of."""


class MemoryAdded(Remembered, frozen=True, tag="memory-added"):
    """Something to remember. Its turn is its number: the first is 1, and each has its own."""

    text: Text
    speaker: str = ""
    said_ms: int | None = None  # when it was said, as the clock there showed; milliseconds
    session: str = ""
    namespace: str = ""
    audience: tuple[str, ...] | None = None  # who may know it; None: everybody
    entities: tuple[Text, ...] = ()
    weight: Amount = 0.0
    document: str = ""  # the passage of a document that it is; "" if it was said
    part: str = ""  # of a document: hard, soft; "" is searched
    links: tuple[TurnNo, ...] = ()  # numbers of what its author linked it to
    brief: Text = ""
    hint: Text = ""
    metadata: Text = ""  # a JSON object of whoever added it
    until_ms: int | None = None  # from then on it is not found
    replaces: TurnNo = TurnNo(0)  # the number of the version before it, if it is another version
    place: int = 0  # then the number in the id, which all versions share


class MemorySummarised(Remembered, frozen=True, tag="memory-summarised"):
    """A shorter telling of things remembered, which expands to them. It has a number as they do."""

    of: Annotated[tuple[TurnNo, ...], Meta(min_length=1)]  # all it expands to, in the end
    text: Text
    method: str
    confidence: Unit
    over: tuple[TurnNo, ...] = ()  # what it was made from, if that was summaries
    said_ms: int | None = None  # of the last of them
    session: str = ""
    namespace: str = ""
    audience: tuple[str, ...] | None = None  # theirs: what only some may know is never mixed in
    entities: tuple[Text, ...] = ()
    weight: Amount = 0.0
    brief: Text = ""
    hint: Text = ""
    metadata: Text = ""  # what that of all its sources has in common


class MemoryRetired(Remembered, frozen=True, tag="memory-retired"):
    """These are not searched any more; they stay on record."""

    of: Annotated[tuple[TurnNo, ...], Meta(min_length=1)]


class MemoryRepeated(Remembered, frozen=True, tag="memory-repeated"):
    """Somebody said again what is remembered; or it was there more than once, and is once now."""

    of: Annotated[tuple[TurnNo, ...], Meta(min_length=1)]  # what stays
    said_ms: int | None = None
    gone: tuple[TurnNo, ...] = ()  # what was there besides


class MemoryShown(Remembered, frozen=True, tag="memory-shown"):
    """These were shown to somebody: what is used often counts for more, to them."""

    of: Annotated[tuple[TurnNo, ...], Meta(min_length=1)]
    to: str


class EmbedderChosen(Remembered, frozen=True, tag="embedder-chosen"):
    """From here on memory is searched in this space; vectors of two spaces are never compared."""

    space: str
    embedder: str = ""  # the name it is asked for by
