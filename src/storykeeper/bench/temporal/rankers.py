"""Ways of answering a question with turns of a chat: by words alone, and with the time in it."""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import UTC, datetime

from storykeeper.bench.temporal.chats import Chat, Said
from storykeeper.language.time import Boost, Use, When, narrow

_WORD = re.compile(r"\w+")


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
    """The time of a question first, its words inside that.

    A question of time alone is answered with the whole window in the order in which it was said.
    """

    def __init__(self, chat: Chat) -> None:
        """Over one chat."""
        self._chat = chat
        self._words = Bm25(chat)

    def rank(self, question: str) -> list[int]:
        """Turns, best first."""
        chat = self._chat
        found = narrow(question, now=chat.asked_ms, sessions=chat.timeline, names=chat.speakers)
        if found.filter is not None:
            return self._inside(found.filter, found.rest, pure=found.kind is Use.PURE)
        if found.boost is not None:
            return self._raised(found.boost, found.rest)
        return self._words.rank(question)

    def _inside(self, when: When, rest: str, *, pure: bool) -> list[int]:
        """The window first: as it was said, or by the words left; then everything else."""
        inside = [
            said.place
            for said in self._chat.said
            if when.holds(at_ms=said.at_ms, session=said.session)
        ]
        scores = self._words.scores(rest)
        if not pure:
            inside.sort(key=lambda place: (-scores.get(place, 0.0), place))
        return list(dict.fromkeys((*inside, *self._words.rank(rest))))

    def _raised(self, boost: Boost, rest: str) -> list[int]:
        """As much for lying in the window as for the best words."""
        scores = self._words.scores(rest)
        top = max(scores.values(), default=1.0)
        raised = {
            said.place: scores.get(said.place, 0.0)
            + top * boost.at(at_ms=said.at_ms, session=said.session)
            for said in self._chat.said
        }
        return sorted(raised, key=lambda place: (-raised[place], place))


def _when(said: Said) -> str:
    at = datetime.fromtimestamp(said.at_ms / 1000, tz=UTC)
    return f"{at:%A} {at.day} {at:%B %Y} session {said.session}"


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
