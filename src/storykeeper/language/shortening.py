"""Shorter forms of a text that need no understanding: its first sentence, its first words.

A quotation that is cut keeps both its marks: who reads on must see where somebody's words end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

BRIEF_WORDS = 30
SKELETON_WORDS = 8
_MORE = " …"
_CLOSED_BY = {"“": "”", "«": "»"}
_OPENED_BY = {"”": "“", "»": "«", '"': '"'}
_MARK = re.compile(f"[{''.join({**_CLOSED_BY, **_OPENED_BY})}]")
_BEFORE_WORDS = " (—–-“‘"
_END = re.compile(r"([.!?…]+)[\"'”’)\]*_]*(?=\s|$)")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, up to a full stop and the like that a space follows; and the rest.

    A stop that nothing stands before ends none.
    """
    start = 0
    for end in _END.finditer(text):
        if end.start() > start or len(end[1]) > 1:
            yield text[start : end.end()].strip()
            start = end.end()
    rest = text[start:].strip()
    if rest:
        yield rest


@lru_cache(maxsize=4_096)
def first_sentence(text: str) -> str:
    """The first sentence of a text, at most some thirty words of it."""
    flat = " ".join(text.split())
    first = next(sentences(flat), flat)
    return whole_quotes(_cut(first, BRIEF_WORDS), of=flat)


@lru_cache(maxsize=4_096)
def first_words(text: str, most: int) -> str:
    """The first words of a text; a mark where there were more."""
    flat = " ".join(text.split())
    return whole_quotes(_cut(flat, most), of=flat)


def _cut(text: str, most: int) -> str:
    """The first words of a text whose words stand one space apart."""
    words = text.split(" ", most)
    return text if len(words) <= most else " ".join(words[:most]) + _MORE


def whole_quotes(part: str, *, of: str) -> str:
    """What is left of a text, its quotations closed where they were cut; as it is, if none was."""
    if part == of or "„" in of:  # where “ closes
        return part
    before = after = last = ""
    for found in _MARK.finditer(part):
        mark, place = found.group(), found.start()
        opening = mark == '"' and (place == 0 or part[place - 1] in _BEFORE_WORDS)
        if mark in _CLOSED_BY or opening:
            after = _CLOSED_BY.get(mark, mark)
        else:
            before, after = before if last else _OPENED_BY[mark], ""
        last = mark
    return f"{before}{part}{after}"
