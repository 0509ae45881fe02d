"""Words into the pieces that MiniLM was trained on (WordPiece, uncased).

A text is cleaned, Chinese characters stand by themselves, accents go, capitals become small; words
end at spaces and punctuation; each word is cut, from its beginning, into the longest pieces that
the vocabulary has. A word with no such cut, or of more than a hundred characters, is one unknown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

UNKNOWN, BEGIN, END = 100, 101, 102  # places in the vocabulary
MAX_WORD_CHARS = 100
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


def pieces(text: str) -> list[int]:
    """The places of a text's pieces in the vocabulary, without the marks around them."""
    return [
        piece
        for word in words(text)
        for piece in (_cut(word) if len(word) <= MAX_WORD_CHARS else (UNKNOWN,))
    ]


def words(text: str) -> list[str]:
    """Words and marks of punctuation as the model knows them."""
    spaced = "".join(map(_cleaned, text))
    if not spaced.isascii():
        bare = unicodedata.normalize("NFD", spaced)
        spaced = "".join(char for char in bare if unicodedata.category(char) != "Mn")
    # Character by character: the model never saw a σ that knew it was the last of its word.
    return "".join(map(_apart, spaced)).split()


@lru_cache(maxsize=4096)
def _cleaned(char: str) -> str:
    """A character, a space for any white space, nothing for what has no shape."""
    if char in "\t\n\r":
        return " "
    match unicodedata.category(char):
        case "Zs" | "Zl" | "Zp":
            return " "
        case "Cc" | "Cf" | "Co" | "Cs":
            return ""
    if char == "\ufffd":
        return ""
    return f" {char} " if _ideograph(ord(char)) else char


@lru_cache(maxsize=4096)
def _apart(char: str) -> str:
    """A small letter; a mark of punctuation between spaces."""
    small = char.lower()
    return f" {small} " if _mark(char) else small


def _mark(char: str) -> bool:
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char).startswith("P")


def _ideograph(point: int) -> bool:
    return point >= 0x3400 and any(first <= point <= last for first, last in _IDEOGRAPHS)


@lru_cache(maxsize=65_536)
def _cut(word: str) -> tuple[int, ...]:
    """The longest piece that a word begins with, and so on to its end."""
    known = vocabulary()
    found: list[int] = []
    start = 0
    while start < len(word):
        joint = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if joint + word[start:end] in known), None)
        if end is None:
            return (UNKNOWN,)
        found.append(known[joint + word[start:end]])
        start = end
    return tuple(found)


@cache
def vocabulary() -> Mapping[str, int]:
    """Every piece and its place."""
    source = files("storykeeper.models.embedders").joinpath("wordpieces.txt").read_text("utf-8")
    return {piece: place for place, piece in enumerate(source.split("\n")[:-1])}
