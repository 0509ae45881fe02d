"""A knowledge base as a memory: its passages taken apart, kept, and found again.

Every source is its own audience, `source_id@version`, so a search names the sources its reader has
read, and nothing of any other is counted, weighed or found. Passages go in in batches, each durable
as a whole: what was broken off goes on where it stopped. A source that is not in force any more is
retired: its passages, and every summary made of them, are found by nobody. So is what is there of
other bytes under the same version, or parted otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from storykeeper.canon.knowledge_base import KnowledgeBase
from storykeeper.canon.registry import CanonSource, ChunkBy, Chunking
from storykeeper.canon.texts import Paragraph
from storykeeper.events.remembered import MemoryAdded, MemoryRetired
from storykeeper.language.shortening import sentences
from storykeeper.memory.documents.markdown import markdown_blocks
from storykeeper.memory.documents.partition import SEARCHED, Passage
from storykeeper.memory.found import Hit
from storykeeper.memory.items import Kind
from storykeeper.memory.memory import Memory
from storykeeper.memory.metadata import written
from storykeeper.memory.remembering import passages_as_records
from storykeeper.memory.search import Asked, search
from storykeeper.memory.tables import KINDS, Eyes
from storykeeper.units import TurnNo

MADE_OF = "made-of"  # the metadata of a passage that say which bytes it is from, and how parted
BATCH = 512  # passages that become durable together
Progress = Callable[[int, int], None]  # passages done, of how many


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that was found, and how well it answers."""

    id: str  # `field-manual@1.2#14`
    cite: str
    text: str
    heading: tuple[str, ...]
    relevance: float


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of filling a library."""

    passages: int  # that it holds now
    added: int
    retired: int


# ── taking apart ─────────────────────────────────────────────────────────────────────────────


def passages_of_source(
    source: CanonSource, text: str | Sequence[Paragraph], *, first: int = 1
) -> list[Passage]:
    """The passages of a source, numbered in order; each is found by searching."""
    if isinstance(text, str):
        read = [Paragraph(b.line, b.heading, b.text) for b in markdown_blocks(text)]
    else:
        read = list(text)
    parts = enumerate(_chunks(read, source.chunking), start=first)
    return [Passage(source.cite, n, p.line, p.heading, p.text, SEARCHED) for n, p in parts]


def _chunks(read: Sequence[Paragraph], how: Chunking) -> Iterator[Paragraph]:
    for paragraph in _by(read, how.by):
        for text in parted(paragraph.text, most_chars=how.most_chars):
            yield Paragraph(paragraph.line, paragraph.heading, text)


def _by(read: Sequence[Paragraph], by: ChunkBy) -> Iterator[Paragraph]:
    match by:
        case ChunkBy.BLOCK:
            yield from read
        case ChunkBy.LINE:
            for each in read:
                lines = enumerate(each.text.split("\n"), start=each.line)
                yield from (
                    Paragraph(line, each.heading, text) for line, text in lines if text.strip()
                )
        case ChunkBy.SECTION:
            for heading, inside in groupby(read, key=lambda each: each.heading):
                first, *more = inside
                yield Paragraph(
                    first.line, heading, "\n\n".join((first.text, *(e.text for e in more)))
                )


def parted(text: str, *, most_chars: int) -> Iterator[str]:
    """A text in pieces of at most so many characters, between sentences if it can be, else words;
    one that is not longer as it is.
    """
    if len(text) <= most_chars:
        yield text
        return
    held: list[str] = []
    size = 0
    for piece in _small(text, most_chars):
        if held and size + 1 + len(piece) > most_chars:
            yield " ".join(held)
            held, size = [], 0
        held.append(piece)
        size += len(piece) + (size > 0)
    if held:
        yield " ".join(held)


def _small(text: str, most_chars: int) -> Iterator[str]:
    """Sentences; of one that is too long its words; of a word that is too long its pieces."""
    for sentence in sentences(text):
        if len(sentence) <= most_chars:
            yield sentence
            continue
        for word in sentence.split():
            for start in range(0, len(word), most_chars):
                yield word[start : start + most_chars]


def _made_of(source: CanonSource) -> str:
    return f"{source.sha256} {source.chunking.by} {source.chunking.most_chars}"


# ── keeping ──────────────────────────────────────────────────────────────────────────────────


class Library:
    """The passages of a knowledge base, in a memory of its own."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def fill(self, base: KnowledgeBase, progress: Progress | None = None) -> Ingested:
        """Take in what is in force and not in yet, and retire what is in force no longer.

        Refuses the whole if one source is not sound, before anything is changed.
        """
        texts = {each.cite: base.read(each) for each in base.registry.stable}  # or none of it
        made_of = {each.cite: _made_of(each) for each in base.registry.stable}
        held, last = self._held()
        gone = [cite for cite in held if self._made_of(cite) != made_of.get(cite)]
        retired = self._retire(gone)
        held = {cite: count for cite, count in held.items() if cite not in gone}
        new = {
            source.cite: passages_of_source(source, texts[source.cite])
            for source in base.registry.stable
            if source.cite not in held or source.cite == last  # all others are in, whole
        }
        done = sum(held.values())
        wanted = done + sum(len(some) - held.get(cite, 0) for cite, some in new.items())
        added, before = 0, done
        for cite in sorted(new, key=lambda each: each != last):  # what was broken off comes first
            for start in range(held.get(cite, 0), len(new[cite]), BATCH):
                if progress is not None:
                    progress(before + added, wanted)
                some = new[cite][start : start + BATCH]
                self.take(cite, some, made_of=made_of[cite])
                added += len(some)
        if progress is not None:
            progress(wanted, wanted)
        return Ingested(wanted, added, retired)

    def _held(self) -> tuple[dict[str, int], str]:
        """How many passages there are of each source; and of which the last came in.

        They come in order, a source at a time: only that one may have been broken off.
        """
        import numpy as np

        self.memory.settle()
        store = self.memory.store
        store.catch_up()
        of = {number: names[0] for (_, names), number in store.tables.eyes.items() if names}
        written = store.index.column("kind") == KINDS.index(Kind.WRITTEN)
        rows = np.flatnonzero(written & (store.index.classes >= 0))
        counts = np.bincount(store.index.classes[rows]) if len(rows) else ()
        held = {of[number]: int(count) for number, count in enumerate(counts) if count}
        return held, of[int(store.index.classes[rows[-1]])] if len(rows) else ""

    def held(self, cite: str) -> int:
        """How many passages there are of a source."""
        return self._held()[0].get(cite, 0)

    def _made_of(self, cite: str) -> str | None:
        """What the passages that there are of a source were made of; None if nobody wrote it down.

        One version has one text; but a registry is a file, and may say another by hand.
        """
        import numpy as np

        store = self.memory.store
        (row, *_) = np.flatnonzero(store.index.classes == store.tables.eyes["", (cite,)]).tolist()
        said = store.item(row).metadata.get(MADE_OF)
        return said if isinstance(said, str) else None

    def take(self, cite: str, passages: Sequence[Passage], *, made_of: str = "") -> None:
        """Keep some passages of a source, for those who have read it."""
        said = written({MADE_OF: made_of}) if made_of else ""

        def records(first: int) -> list[MemoryAdded]:
            return passages_as_records(
                passages, first=first, namespace="", audience=(cite,), metadata=said
            )

        self.memory.store.append(records)

    def _retire(self, cites: Sequence[str]) -> int:
        """Nobody finds these any more, nor summaries of them, which are for the same readers."""
        import numpy as np

        store = self.memory.store
        gone: set[int] = set()
        for cite in cites:
            eyes: Eyes = ("", (cite,))
            gone.update(np.flatnonzero(store.index.classes == store.tables.eyes[eyes]).tolist())
        if gone:
            numbers = tuple(TurnNo(row + 1) for row in sorted(gone))
            store.append(lambda n: [MemoryRetired(TurnNo(n - 1), numbers)])
        return len(gone)

    # ── finding ──────────────────────────────────────────────────────────────────────────────

    def search(self, query: str, *, cites: Collection[str], most: int) -> list[Found]:
        """What of these sources answers a query, the best first; its relevance from 0 to 1."""
        names = tuple(sorted(cites))
        if not names or not query.strip():
            return []
        with self.memory.opened.lock:
            self.memory.store.catch_up(soon=True)
            asked = Asked(also=names, settings=self.memory.settings)
            hits = search(self.memory.store, query, asked, most=most)
            return [self._found(hit) for hit in hits if hit.score > 0]

    def _found(self, hit: Hit) -> Found:
        item = hit.item
        (cite,) = item.audience or ("",)
        heading = tuple(item.session.split(" › ")[1:])
        share = min(1.0, max(0.0, hit.score))
        return Found(item.document or f"{cite}#{item.id}", cite, item.text, heading, share)

    def close(self) -> None:
        """Let go of the file."""
        self.memory.close()
