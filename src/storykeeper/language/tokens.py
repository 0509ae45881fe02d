"""How many tokens a text is.

Exact where the encoding is installed (`rs-bpe`: o200k, cl100k). Elsewhere an estimate from the
characters, script by script (F4.1):

    tokens(t) = Σ over runs of one script ⌈chars(run)/χ(script)⌉

with two sets of χ: the published one (4.0; 2.5 for Cyrillic, Arabic and Hebrew; 1.6 for CJK) and
one measured here (`python -m storykeeper.bench.lexicon_fit.chi`). An estimate that is too low
overflows somebody's model, one that is too high wastes a little room: the larger of the two counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import groupby
from math import ceil

from storykeeper.language.chi import MEASURED

Counter = Callable[[str], int]

PUBLISHED: Mapping[str, float] = {
    "han": 1.6,
    "kana": 1.6,
    "hangul": 1.6,
    "cyrillic": 2.5,
    "arabic": 2.5,
    "hebrew": 2.5,
}
OTHERWISE = 4.0
_LINE_END = re.compile(r"\n(?=[^\s/])")
_REMEMBERED_LINES = 8_192

# First and last code point of the blocks that are counted apart; the rest is "other". "common"
# (spaces, digits, punctuation) belongs to the script it stands in.
_BLOCKS: tuple[tuple[int, int, str], ...] = (
    (0x0000, 0x0040, "common"),
    (0x0041, 0x007E, "latin"),
    (0x007F, 0x00BF, "common"),
    (0x00C0, 0x024F, "accented"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0590, 0x05FF, "hebrew"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "devanagari"),
    (0x0E00, 0x0E7F, "thai"),
    (0x1E00, 0x1EFF, "accented"),
    (0x2000, 0x206F, "common"),
    (0x3000, 0x30FF, "kana"),
    (0x3400, 0x9FFF, "han"),
    (0xAC00, 0xD7AF, "hangul"),
    (0xFF00, 0xFFEF, "kana"),
)


@cache
def script(char: str) -> str:
    """The script a character is counted under."""
    point = ord(char)
    for first, last, name in _BLOCKS:
        if first <= point <= last:
            return name
    return "other"


def scripts(text: str) -> Iterator[str]:
    """The script of each character; common ones take that of the character before them."""
    current = "latin"
    for char in text:
        name = script(char)
        current = current if name == "common" else name
        yield current


def estimate(text: str) -> int:
    """Tokens by script runs, the larger of the published and the measured table."""
    runs = [(name, sum(1 for _ in run)) for name, run in groupby(scripts(text))]
    published = sum(ceil(chars / PUBLISHED.get(name, OTHERWISE)) for name, chars in runs)
    measured = sum(ceil(chars / MEASURED[name]) for name, chars in runs)
    return max(published, measured)


@cache
def counter(encoding: str) -> Counter:
    """The exact counter for an encoding where it is installed, else the estimate."""
    try:
        from rs_bpe.bpe import openai  # 40 ms to import, 150 to load: only when first needed
    except ImportError:
        return estimate
    loaders: dict[str, Callable[[], object]] = {
        "o200k": openai.o200k_base,
        "cl100k": openai.cl100k_base,
    }
    if encoding not in loaders:
        return estimate
    return by_lines(loaders[encoding]().count)  # type: ignore[attr-defined]


def by_lines(count: Counter) -> Counter:
    """The same count, line by line, each line counted once: a window repeats most of the last one.

    No token of these encodings reaches over the end of a line, unless space or a slash follows: so
    the lines add up to the text, exactly.
    """
    known = lru_cache(maxsize=_REMEMBERED_LINES)(count)

    def counted(text: str) -> int:
        total = start = 0
        for end in _LINE_END.finditer(text):
            total += known(text[start : end.end()])
            start = end.end()
        return total + known(text[start:])

    return counted
