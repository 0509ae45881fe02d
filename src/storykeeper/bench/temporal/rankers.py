"""Ways of answering a question with turns of a chat: by words alone, and with `Memory`."""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import UTC, datetime

from storykeeper.bench.memories import fresh
from storykeeper.bench.temporal.chats import Chat, Said
from storykeeper.memory.chats import Said as Line

_WORD = re.compile(r"\w+")
_ASKED_FOR = 400  # as many as any of these questions has answers


class Bm25:
    """Σ idf(w)·f·(k₁ + 1)/(f + k₁(1 − b + b·|d|/avg)), k₁ 1.5, b .75.

    Over a turn's words and speaker; `dated` adds when it was said and in which session, in words.
    """

    def __init__(self, chat: Chat, *, dated: bool = False) -> None:
        """Count the words of all turns."""
        counts = [
            Counter(_words(f"{said.speaker} {said.text} {_when(said) if dated else ''}"))
            for said in chat.said
        ]
        self._lengths = [sum(count.values()) for count in counts]
        self._mean = sum(self._lengths) / max(len(counts), 1)
        self._places: dict[str, list[tuple[int, int]]] = {}
        for place, count in enumerate(counts):
            for word, often in count.items():
                self._places.setdefault(word, []).append((place, often))

    def scores(self, question: str) -> dict[int, float]:
        """The score of every turn that shares a word with the question."""
        total: dict[int, float] = {}
        for word in sorted(set(_words(question))):
            found = self._places.get(word, [])
            idf = math.log(1 + (len(self._lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for place, often in found:
                fill = 1.5 * (0.25 + 0.75 * self._lengths[place] / self._mean)
                total[place] = total.get(place, 0.0) + idf * often * 2.5 / (often + fill)
        return total

    def rank(self, question: str) -> list[int]:
        """Turns by score; older first where it is the same."""
        scores = self.scores(question)
        return sorted(scores, key=lambda place: (-scores[place], place))


class Timed:
    """`Memory`, as anybody would use it: everything added, then asked."""

    def __init__(self, chat: Chat) -> None:
        """Over one chat."""
        self._memory = fresh()
        self._now = None if chat.asked_ms is None else chat.asked_ms / 1_000
        lines = [Line(said.text, said.speaker, said.at_ms, said.session) for said in chat.said]
        ids = self._memory.add_all(lines)
        self._places = {each: said.place for each, said in zip(ids, chat.said, strict=True)}

    def rank(self, question: str) -> list[int]:
        """Turns, best first."""
        hits = self._memory.search(question, now=self._now, k=_ASKED_FOR)
        return [self._places[hit.item.id] for hit in hits]


def _when(said: Said) -> str:
    at = datetime.fromtimestamp(said.at_ms / 1000, tz=UTC)
    return f"{at:%A} {at.day} {at:%B %Y} session {said.session}"


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
