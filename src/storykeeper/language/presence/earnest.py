"""What makes words of going no going after all: habit, condition, report, another time.

"I have to run every morning", "if I have to go", "he said I must leave", "I'll go to the coast next
year".
"""

from __future__ import annotations

import re

from storykeeper.language.presence.books import book
from storykeeper.language.presence.wording import Span, Wording

_OPENS = re.compile(r"[,;:–—]")
_ENDS = re.compile(r"[,;:.!?–—]|\b(?:but|and|because|since|so|as)\b", re.IGNORECASE)


def in_earnest(wording: Wording, span: Span) -> bool:
    """Whether words are said of now, and not as a habit, a condition or a report."""
    first, last = wording.sentence_at(span[0])
    head = wording.plain[first : span[0]]
    opened = max((mark.end() for mark in _OPENS.finditer(head)), default=0)
    cut = _ENDS.search(wording.plain, span[1], last)
    before = (first + opened, span[0])
    after = (span[1], cut.start() if cut else last)
    return not (_within("before", wording, before) or _within("after", wording, after))


def _within(name: str, wording: Wording, clause: Span) -> bool:
    spans = book("earnest", name).find(wording)
    return any(clause[0] <= start < clause[1] for start, _ in spans)
