"""The carrier `summary`: a memory of a chat, summed up, and what each gets of it.

Two have talked for long about one thing and another, and told each other a secret in it; others
have heard other talk. What they said is compacted, and everybody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from storykeeper.bench.leaks.detecting import Shown
from storykeeper.bench.leaks.looking import STRANGER
from storykeeper.bench.leaks.secrets import TRUNK, Moment, Secret, only
from storykeeper.bench.leaks.vocabulary import Vocabulary, capital
from storykeeper.errors import StorykeeperError, WindowRefused
from storykeeper.memories import Memory
from storykeeper.memory.chats import Said
from storykeeper.memory.found import Results

SUMMARY = "summary"
_PEOPLE = ("ann", "tom", "mara", "otto")
_TALK = ("the weather", "the bread", "the road", "the horses", "the roof", "the garden", "the news")
_SAID = ("I thought about {it} again.", "What of {it}?", "They say {it} will be better soon.",
         "Nobody asked me about {it}.", "You were right about {it}, I suppose.")  # fmt: skip
_LINES, _OPEN = 36, 12  # said between the two, and for everybody
_TAIL = 20  # so many of the last stay as they were said
_NOW = Moment(0, TRUNK, {}, "")


class Talk:
    """A memory with a secret in it."""

    def __init__(self, seed: int, path: Path, *, embedder: str) -> None:
        self.random = Random(f"talk {seed}")
        self.words = Vocabulary(self.random)
        self.pair = tuple(self.random.sample(_PEOPLE, 2))
        self.wordings = [self.words.wording() for _ in range(3)]
        self.memory = Memory.open(path, embedder=embedder)

    def secrets(self) -> list[Secret]:
        """What only the two may have; an item's own id is its source."""
        return [
            Secret(SUMMARY, only(*self.pair), w.canary, w.content, topic=w.topic)
            for w in self.wordings
        ]

    def everything_shown(self, times: int) -> Iterator[Shown]:
        """Searches and prompts for everybody, after it was summed up.

        In half of the stories what was summed up is retired, so that only the summary tells it.
        """
        ids = self.memory.add_all(list(self._lines()))
        self.memory.compact()
        if self.random.random() < 0.5:
            self.memory.delete(ids[: _LINES - _TAIL])
        for _ in range(times):
            audience = self.random.choice((*_PEOPLE, STRANGER))
            who = None if audience == STRANGER else audience
            yield self._found(audience, self._search(who))
            yield self._prompt(audience, who)
        yield from self._errors()
        self.memory.close()

    def _lines(self) -> Iterator[Said]:
        secret = [text for w in self.wordings for text in (w.said, w.otherwise)]
        places = self.random.sample(range(_LINES - _TAIL), len(secret))
        told = dict(zip(places, secret, strict=True))
        for i in range(_LINES):
            text = f"{capital(told[i])}." if i in told else self._small_talk()
            yield Said(text, self.pair[i % 2], session="talk", audience=frozenset(self.pair))
        for _ in range(_OPEN):
            yield Said(self._small_talk(), self.random.choice(_PEOPLE), session="talk")

    def _small_talk(self) -> str:
        return self.random.choice(_SAID).format(it=self.random.choice(_TALK))

    def _query(self) -> str:
        wording = self.random.choice(self.wordings)
        everything = " ".join(sorted(wording.content))
        return self.random.choice((f"the {wording.topic}", everything, "What was said?"))

    def _search(self, who: str | None) -> Results:
        budget = self.random.choice((None, self.random.randint(50, 2_000)))
        k = self.random.randint(1, 60)
        return self.memory.search(self._query(), audience=who, k=k, budget=budget)

    def _found(self, audience: str, found: Results) -> Shown:
        return Shown(SUMMARY, audience, _NOW, (found.text, repr(found)))

    def _prompt(self, audience: str, who: str | None) -> Shown:
        tokens = self.random.randint(50, 4_000)
        try:
            made = self.memory.context(self._query(), tokens=tokens, audience=who)
        except WindowRefused as refused:
            return Shown("error", audience, _NOW, (str(refused),))
        return Shown(SUMMARY, audience, _NOW, (made.text, repr(made)))

    def _errors(self) -> Iterator[Shown]:
        memory = self.memory
        wrong: tuple[Callable[[], object], ...] = (
            lambda: memory.get("m999"),
            lambda: memory.expand("m1-nobody"),
            lambda: memory.search("x", k=0),
            lambda: memory.search("x", budget=-1),
            lambda: memory.context("x", tokens=1),
            lambda: memory.delete(["m999"]),
        )
        for call in wrong:
            try:
                call()
            except StorykeeperError as error:
                yield Shown("error", STRANGER, _NOW, (str(error),))
