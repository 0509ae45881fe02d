"""Sentences that were told before, known again by a trace of their words.

A narrator that is shown what was told tends to tell it again, word for word. What is told again is
no new event.
"""

from __future__ import annotations

import re
from zlib import crc32

from storykeeper.units import TurnNo
from storykeeper.world.state import World

MIN_WORDS = 6  # "She nods." may well happen twice
MAX_LINES = 600
_MARKS = ".,;:!?…“”\"'’‘()[]—–-*_"
_END = re.compile(r"[.!?…”\"]\s+|\n+")


def told_after(world: World, turn: TurnNo) -> tuple[str, ...]:
    """The traces of what was told, with those of the turn that becomes fact."""
    both = (world.answered, world.pending)
    told = next((p for p in both if p is not None and p.turn == turn), None)
    if told is None or not told.prose:
        return world.told_lines
    before = set(world.told_lines)
    fresh = [mark for _, mark in sentences(told.prose) if mark and mark not in before]
    return (*world.told_lines, *dict.fromkeys(fresh))[-MAX_LINES:]


def sentences(text: str) -> list[tuple[int, str]]:
    """Where each sentence ends, and its trace; none for short ones."""
    ends = [match.end() for match in _END.finditer(text)] + [len(text)]
    starts = [0, *ends[:-1]]
    for mark in _MARKS:  # many times as fast as a table
        text = text.replace(mark, " ")
    return [(end, _trace(text[start:end])) for start, end in zip(starts, ends, strict=True)]


def _trace(sentence: str) -> str:
    words = sentence.casefold().split()
    if len(words) < MIN_WORDS:
        return ""
    return f"{crc32(' '.join(words).encode()):08x}"
