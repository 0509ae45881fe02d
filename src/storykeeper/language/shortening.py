"""Shorter forms of a text that need no understanding: its first sentence, its first words."""

from __future__ import annotations

import re
from functools import lru_cache

BRIEF_WORDS = 30
SKELETON_WORDS = 8
_SENTENCE = re.compile(r".+?[.!?…]+[\"'”’)\]*_]*(?=\s|$)", re.DOTALL)


@lru_cache(maxsize=4_096)
def first_sentence(text: str) -> str:
    """The first sentence of a text, at most some thirty words of it."""
    flat = " ".join(text.split())
    match = _SENTENCE.match(flat)
    return first_words(match.group() if match else flat, BRIEF_WORDS)


@lru_cache(maxsize=4_096)
def first_words(text: str, most: int) -> str:
    """The first words of a text; a mark where there were more."""
    words = text.split()
    return " ".join(words) if len(words) <= most else " ".join(words[:most]) + " …"
