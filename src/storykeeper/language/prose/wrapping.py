"""Line ends that only a width put there: a file is wrapped, and its paragraphs are not cut by it.

A line was wrapped where the next word would not have fitted on it. That is asked of every line of a
paragraph, against the longest line of the text; and somewhere a sentence must go on over a line
end, or nothing shows that there was a width at all.
"""

from __future__ import annotations

import re
from itertools import pairwise

NARROWEST, WIDEST = 50, 120  # characters; what is wrapped in a file is wrapped to some such width
_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)+")
_GOES_ON = re.compile(r"[\w,]\n\s?[a-z]")


def unwrapped(text: str) -> str:
    """The same with a space for each line end that is none; every place in it stays."""
    width = max(map(len, text.split("\n")))
    if not NARROWEST <= width <= WIDEST or not _GOES_ON.search(text):
        return text
    return _PARAGRAPH.sub(lambda m: _joined(m.group(), width), text)


def _joined(paragraph: str, width: int) -> str:
    lines = paragraph.split("\n")
    wrapped = all(len(one) + 1 + len(other.split()[0]) > width for one, other in pairwise(lines))
    return " ".join(lines) if wrapped else paragraph
