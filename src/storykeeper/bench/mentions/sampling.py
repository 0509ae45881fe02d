"""A sample of what is tracked, to be judged by hand: half from books, half from a campaign.

Each is shown with the sentences that speak of it and with what is tracked beside it, so that
somebody can say whether it deserves its place. The same data, number and seed give the same sample.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from storykeeper.bench.mentions.campaign_data import Episode
from storykeeper.bench.mentions.following import Followed, Table
from storykeeper.bench.mentions.litbank import Book
from storykeeper.bench.mentions.tracking import told
from storykeeper.bench.registry import Figures, Say
from storykeeper.events.vocabulary import Tier
from storykeeper.language.reading import Reader
from storykeeper.world.state import Entity

_Item = TypeVar("_Item")
OF_A_BOOK, OF_A_SCENE = 3, 2  # at most, so that no text speaks for all
SENTENCES, SENTENCE_CHARS = 6, 260
BESIDE = 14
_SENTENCE_ENDS = re.compile(r"(?<=[.!?”\"])\s+")


@dataclass(frozen=True, slots=True)
class Drawn:
    """One tracked thing, and what somebody needs to judge it."""

    source: str
    thing: Entity
    sentences: tuple[str, ...]
    beside: tuple[str, ...]


def measure(
    number: int,
    seed: int,
    books: Sequence[Book],
    evenings: Sequence[Episode],
    reader: Reader,
    say: Say,
) -> Figures:
    """Print a sample as a list to judge; the figures only say how many were drawn."""
    half = number // 2
    scenes = list(islice(_of_scenes(evenings, reader, random.Random(seed)), half))
    from_books = list(islice(_of_books(books, reader, random.Random(seed)), number - len(scenes)))
    for place, drawn in enumerate([*from_books, *scenes], start=1):
        for line in lines(place, drawn):
            say(line)
    return {"books": len(from_books), "scenes": len(scenes), "seed": seed}


def lines(place: int, drawn: Drawn) -> Iterator[str]:
    """One thing as text."""
    thing = drawn.thing
    yield (
        f"#{place} [{drawn.source}] «{thing.words}» {thing.sort.value}, weight {thing.total:.2f}"
        f" in {thing.events} events, called {thing.mentions}, by the player {thing.by_player:.2f}"
    )
    yield f"    beside: {'; '.join(drawn.beside)}"
    yield from (f"    - {sentence}" for sentence in drawn.sentences)


def _of_books(books: Sequence[Book], reader: Reader, chance: random.Random) -> Iterator[Drawn]:
    for book in _shuffled(books, chance):
        run, texts = Followed(reader), list(told(book))
        for piece in texts:
            run.tell(piece)
        yield from _drawn(f"book {book.name}", run, texts, chance, most=OF_A_BOOK)


def _of_scenes(
    evenings: Sequence[Episode], reader: Reader, chance: random.Random
) -> Iterator[Drawn]:
    scenes = [
        (evening, number, turns)
        for evening in evenings
        for number, turns in enumerate(evening.scenes(), start=1)
    ]
    for evening, number, turns in _shuffled(scenes, chance):
        run = Table([evening.game_master], reader)
        for turn in turns:
            run.read(turn, scene="here")
        run.finish()
        texts = [turn.text for turn in turns]
        yield from _drawn(f"scene {evening.name}/{number}", run, texts, chance, most=OF_A_SCENE)


def _drawn(
    source: str, run: Followed, texts: Sequence[str], chance: random.Random, *, most: int
) -> Iterator[Drawn]:
    things = _shuffled(run.entries(Tier.TRACKED), chance)
    for thing in things[:most]:
        beside = tuple(other.words for other in things if other is not thing)
        yield Drawn(source, thing, tuple(_sentences(texts, thing)), beside[:BESIDE])


def _shuffled(items: Iterable[_Item], chance: random.Random) -> list[_Item]:
    order = list(items)
    chance.shuffle(order)
    return order


def _sentences(texts: Sequence[str], thing: Entity) -> Iterator[str]:
    """The first sentences in which one of its nouns stands: as it began, or as it is called now."""
    nouns = {each.split()[-1] for each in (thing.head, thing.words) if each.split()}
    wanted = re.compile("|".join(rf"\b{re.escape(noun)}" for noun in sorted(nouns)), re.IGNORECASE)
    every = (s for text in texts for s in _SENTENCE_ENDS.split(text) if wanted.search(s))
    for sentence in islice(every, SENTENCES):
        yield " ".join(sentence.split())[:SENTENCE_CHARS]
