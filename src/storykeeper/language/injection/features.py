"""What the detector sees of a text: words, and for each word the rows of its features.

Every feature belongs to the word it ends at: the word, its beginning, the pair with the word
before, the pairs of beginnings with the four before, the first two and three of a sentence, and its
last. So the weight of any run of words is a difference of two sums. Which words make an order to a
model is learned; none is listed here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

ROWS = 1 << 18
NEAR = 4  # words apart at most, of a pair
BEGINNING = 5  # letters of a word that its forms share
LONGEST_WORD = 24
NOTHING = ROWS  # the row of a feature that a word does not have: it weighs nothing

NAMES = ("word", "begins", "pair", *["near"] * NEAR, "opens", "opens", "closes")
_SALTS = np.array([11, 23, 37, *[53] * NEAR, 71, 89, 97], np.uint64)[:, None]
_MIX, _MIX_PAIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT, _MASK = np.uint64(40), np.uint64(ROWS - 1)
_START = crc32(b"^")

TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{1,3}\b)?|\d+|[.,;:!?…=<>{}\[\]/@#$|\\\"“”«»„—-]")
# Where a sentence ends; and where somebody turns to another in the middle of one.
_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s|\Z)|\n(?![a-zäöüßéàñ])|\s[-–—]+\s|;|"
    r"(?<=[a-zäöüß,?)] )(?=(?:[A-ZÄÖÜ']+[ ,]+){2}[A-ZÄÖÜ']{2})|(?<=[A-Z]{2} )(?=[a-z])"
)

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Read:
    """A text as words, with where each stands, where each sentence begins, and the rows."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    sentences: tuple[tuple[int, int], ...]  # first word, and the one behind the last
    rows: Rows  # one line a word

    def named(self, at: int) -> Iterator[tuple[str, int]]:
        """The features of a word by what they are of, with the row of each."""
        first = next(start for start, end in self.sentences if start <= at < end)
        back = [self.words[at - k] if at - k >= first else "" for k in range(NEAR + 1)]
        said = [back[0], back[0], back[1] or "^", *back[1:], "", "", back[0]]
        for name, other, row in zip(NAMES, said, self.rows[at], strict=True):
            if row != NOTHING:
                words = other if name in ("word", "begins", "closes") else f"{other}·{back[0]}"
                yield f"{name} {words.strip('·')}", int(row)


def read(text: str) -> Read:
    """A text as the detector sees it."""
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    sentences: list[tuple[int, int]] = []
    at = 0
    for end in _ends(text):
        first = len(words)
        for found in TOKEN.finditer(text, at, end):
            if len(words) == first and not found[0][0].isalnum():
                continue  # a sentence begins with its first word, whatever stands before it
            words.append(_plain(found[0]))
            spans.append(found.span())
        if len(words) > first:
            sentences.append((first, len(words)))
        at = end
    return Read(tuple(words), tuple(spans), tuple(sentences), _rows(words, sentences))


def _ends(text: str) -> Iterator[int]:
    yield from (found.end() for found in _END.finditer(text))
    yield len(text)


def _rows(words: list[str], sentences: list[tuple[int, int]]) -> Rows:
    """The rows of the features of each word; NOTHING where it has no such feature."""
    count = len(words)
    if not count:
        return np.zeros((0, len(NAMES)), np.int64)
    hashes = np.array(list(map(_hashes, words)), np.uint64)
    starts = np.array([start for start, _ in sentences])
    ends = np.array([end - 1 for _, end in sentences])
    place = np.arange(count) - np.repeat(starts, ends + 1 - starts)
    whole, begun = hashes[:, 0], hashes[:, 1]
    mixed = np.empty((len(NAMES), count), np.uint64)
    mixed[:] = begun
    mixed[0] = mixed[2] = mixed[-1] = whole
    left = np.zeros((len(NAMES), count), np.uint64)
    left[2, 1:] = whole[:-1]
    left[2, starts] = _START
    for k in range(1, NEAR + 1):
        left[2 + k, k:] = begun[:-k]
    left[-3, 1:] = begun[:-1]
    left[-2, 2:] = begun[1:-1] * _MIX_PAIR + begun[:-2]
    left *= _MIX_PAIR
    mixed += left
    mixed += _SALTS
    mixed *= _MIX
    mixed >>= _SHIFT
    mixed &= _MASK
    rows = mixed.view(np.int64)
    for k in range(1, NEAR + 1):
        rows[2 + k, place < k] = NOTHING
    rows[-3, place != 1] = NOTHING
    rows[-2, place != 2] = NOTHING
    closing = rows[-1, ends]
    rows[-1] = NOTHING
    rows[-1, ends] = closing
    return rows.T


@lru_cache(maxsize=32_768)
def _hashes(word: str) -> tuple[int, int]:
    whole = crc32(word.encode("utf-8", "surrogatepass"))
    return whole, crc32(word[:BEGINNING].encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=32_768)
def _plain(word: str) -> str:
    folded = unicodedata.normalize("NFKC", word).lower().replace("’", "'")
    return folded[:LONGEST_WORD]
