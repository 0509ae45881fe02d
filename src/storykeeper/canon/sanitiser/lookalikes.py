"""Letters that look like other letters, read as these; one for one, so that places stay the same.

Only in words that mix alphabets: a word that is wholly Cyrillic or Greek is what it is.
"""

from __future__ import annotations

import re
import unicodedata

_ALIKE = str.maketrans(
    "аВЕеЅѕІіЈјКкМНоОрРсСТуУхХһԁԛԜѡАΑΒΕΖΗΙΚΜΝΟΡΤΥΧαερουνικɡɑıⅼ",
    "aBEeSsIiJjKkMHoOpPcCTyYxXhdqWwAABEZHIKMNOPTYXaepouvikgail",
)
_WORD = re.compile(r"\w+")
_LATIN = re.compile(r"[A-Za-z]")


def folded(text: str) -> str:
    """The text as it looks; as long as it was."""
    if text.isascii():
        return text
    text = "".join(map(_narrow, text))
    return _WORD.sub(_as_it_looks, text)


def _narrow(char: str) -> str:
    """Full-width, circled and mathematical letters as plain ones."""
    if char.isascii() or char.isspace():
        return char
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 and plain.isascii() else char


def _as_it_looks(found: re.Match[str]) -> str:
    word = found[0]
    if word.isascii() or not _LATIN.search(word):
        return word
    return word.translate(_ALIKE)
