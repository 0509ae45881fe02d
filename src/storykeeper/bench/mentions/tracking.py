"""How many things play would keep track of: over books, and over the scenes of a campaign.

A book's opening is told as one scene, some two hundred words a turn; a campaign's scenes as they
are. What counts is what is tracked at the end, for every 2,000 words.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence

from storykeeper.bench.mentions.campaign_data import Episode
from storykeeper.bench.mentions.following import Followed, Table
from storykeeper.bench.mentions.litbank import Book
from storykeeper.bench.registry import Figures, Say
from storykeeper.events.vocabulary import Tier
from storykeeper.language.reading import Reader
from storykeeper.world.state import Entity

TURN_WORDS = 200
PER_WORDS = 2_000
_NO_SPACE_BEFORE = frozenset(".,;:!?)’”") | {"'s", "n't", "'ll", "'re", "'ve", "'d", "'m", "''"}


def told(book: Book) -> Iterator[str]:
    """A book as renderings: whole sentences, some two hundred words each."""
    ends = [*book.starts[1:], len(book.words)]
    piece: list[str] = []
    for start, end in zip(book.starts, ends, strict=True):
        piece.extend(book.words[start:end])
        if len(piece) >= TURN_WORDS:
            yield _text(piece)
            piece = []
    if piece:
        yield _text(piece)


def _text(words: Sequence[str]) -> str:
    out = ""
    for word in words:
        out += word if not out or word in _NO_SPACE_BEFORE else f" {word}"
    return out


def of_a_book(book: Book, reader: Reader) -> list[Entity]:
    """What is tracked at the end of a book's opening."""
    run = Followed(reader)
    for piece in told(book):
        run.tell(piece)
    return run.entries(Tier.TRACKED)


def of_scenes(episode: Episode, reader: Reader) -> Iterator[tuple[int, list[Entity]]]:
    """Words of each scene of an episode, and what is tracked at its end."""
    for number, scene in enumerate(episode.scenes(), start=1):
        run = Table([episode.game_master], reader)
        for turn in scene:
            run.read(turn, scene=f"{episode.name}/{number}")
        run.finish()
        yield sum(len(turn.text.split()) for turn in scene), run.entries(Tier.TRACKED)


def measure(
    books: Iterable[Book], evenings: Iterable[Episode], reader: Reader, say: Say
) -> Figures:
    """Things tracked for every 2,000 words, over books and scenes."""
    counts: dict[str, list[float]] = {"books": [], "scenes": []}
    for book in books:
        found = of_a_book(book, reader)
        counts["books"].append(PER_WORDS * len(found) / len(book.words))
    say(f"tracked: {len(counts['books'])} books read")
    for episode in evenings:
        for words, found in of_scenes(episode, reader):
            if words:
                counts["scenes"].append(PER_WORDS * len(found) / words)
    say(f"tracked: {len(counts['scenes'])} scenes read")
    both = [*counts["books"], *counts["scenes"]]
    return {
        "median": round(statistics.median(both), 1) if both else 0.0,
        **{name: round(statistics.median(each), 1) for name, each in counts.items() if each},
        "most": round(max(both, default=0.0), 1),
    }
