"""Shorter forms of a text that need no understanding: its first sentence, its first words."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

BRIEF_WORDS = 30
SKELETON_WORDS = 8
_CONTENT, _STEM = 4, 5  # letters
_WORD = re.compile(r"\w+")
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


@lru_cache(maxsize=4_096)
def excerpt(text: str, asked: str, *, sentences: int) -> str:
    """The sentences that have most words in common with what is asked, in their order.

    Of equals the first; each at most some thirty words. A mark stands where something was left out.
    """
    every, ranked = _ranked(text, asked)
    if not every:
        return first_sentence(text)
    kept = sorted(ranked[:sentences])
    said = [first_words(every[i], BRIEF_WORDS) for i in kept]
    gaps = [b - a > 1 for a, b in pairwise(kept)]
    return said[0] + "".join(
        f"{' …' if gap else ''} {text}" for gap, text in zip(gaps, said[1:], strict=True)
    )


@lru_cache(maxsize=256)
def _ranked(text: str, asked: str) -> tuple[list[str], list[int]]:
    """The sentences of a text, and the places of those that have most in common first."""
    every = [each.group().strip() for each in _SENTENCE.finditer(" ".join(text.split()))]
    wanted = _content(asked)
    order = sorted(range(len(every)), key=lambda i: (-len(wanted & _content(every[i])), i))
    return every, order


@lru_cache(maxsize=1_024)
def _content(text: str) -> frozenset[str]:
    """The longer words of a text, cut short so that their endings do not matter."""
    return frozenset(w[:_STEM].casefold() for w in _WORD.findall(text) if len(w) >= _CONTENT)
