"""What memory holds: items, each with its words, its place in time, and who may know it.

An item is a projection of the ledger: the records are the truth, and all items can be made again
from them. What an audience may not know is left out inside the index, before anything is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from storykeeper.memory.metadata import Metadata, read


class Kind(StrEnum):
    """Where an item comes from."""

    SAID = "said"  # a turn, an utterance, an event: what happened, word for word
    WRITTEN = "written"  # an author's document
    SUMMARY = "summary"  # derived from others, and expands to them


class Part(StrEnum):
    """Which part of the corpus an item belongs to (L §7.2)."""

    HARD = "hard"  # I1: always in, never cut
    SOFT = "soft"  # I2: in authored order, the longest prefix
    VARIANT = "variant"  # V: searched


@dataclass(frozen=True, slots=True)
class Item:
    """Something remembered."""

    id: str
    text: str  # its full form
    # Its place, from 1: in results among what the asker sees; from `get` and `expand` among those
    # of its own audience, as its id says; inside the memory among all that was added.
    order: int
    kind: Kind = Kind.SAID
    part: Part = Part.VARIANT
    speaker: str = ""
    at_ms: int | None = None  # wall time, milliseconds since 1970 as the clock there showed
    turn: int | None = None  # story time
    session: str = ""  # a chat's session, a story's scene: neighbours stand in the same one
    namespace: str = ""  # whose durable memory; "" is everybody's
    audience: frozenset[str] | None = None  # None: open to everybody
    entities: tuple[str, ...] = ()
    weight: float = 0.0  # narrative weight: a(d)
    sources: tuple[str, ...] = ()  # ids of what it derives from; none for what was said
    links: tuple[str, ...] = ()  # ids an author linked it to: hop edges
    confidence: float | None = None  # of a summary (L §5.4)
    brief: str = ""
    hint: str = ""
    document: str = ""  # the passage of a document that it is
    metadata_json: str = ""  # as it is recorded
    until_ms: int | None = None  # from then on it is not found; None: for good

    @property
    def metadata(self) -> Metadata:
        """What whoever added it said of it."""
        return read(self.metadata_json)

    @property
    def decay_rate(self) -> float:
        """1 − confidence.   L §5.5; what is no summary does not decay."""
        return 0.0 if self.confidence is None else 1.0 - self.confidence
