"""The sentences of a rendering, and which of them were told before."""

from __future__ import annotations

import re
from bisect import bisect_left

from storykeeper.world.retold import ENDS, told_to, trace

_END = re.compile(rf"[{ENDS}]\s+|\n+")


class Sentences:
    """Those of a text for a player; `told` are traces of what was told before, and to whom."""

    def __init__(self, text: str, told: frozenset[str], *, player: str) -> None:
        self._text = text
        lines = sentences(text)
        self._ends = [end for end, _ in lines]
        self._retold = [bool(mark) and told_to(mark, player) in told for _, mark in lines]

    def told_before(self, at: int) -> bool:
        """Whether the sentence around a place was."""
        line = bisect_left(self._ends, at + 1)
        return line < len(self._retold) and self._retold[line]

    def around(self, at: int) -> str:
        """The sentence around a place in the text."""
        line = bisect_left(self._ends, at + 1)
        return self._text[self.begin(at) : self._ends[min(line, len(self._ends) - 1)]]

    def begin(self, at: int) -> int:
        """Where the sentence around a place begins."""
        line = bisect_left(self._ends, at + 1)
        return self._ends[line - 1] if line else 0


def sentences(text: str) -> list[tuple[int, str]]:
    """Where each sentence ends, and its trace; none for short ones."""
    ends = [match.end() for match in _END.finditer(text)] + [len(text)]
    return [(end, trace(text[start:end])) for start, end in zip([0, *ends], ends, strict=False)]
