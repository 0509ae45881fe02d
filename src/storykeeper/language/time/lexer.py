"""The words of a text with their places, and the numbers among them."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      (?P<word>[^\W\d_]+(?:['’\-][^\W\d_]+)*['’]?)
    | (?P<mark>[.,;:!?()"“”–—-])
    | (?P<iso>\d{4}-\d{1,2}-\d{1,2}(?!\d))
    | (?P<slash>\d{1,2}[/.]\d{1,2}[/.]\d{2,4}(?!\d))
    | (?P<clock>\d{1,2}(?::[0-5]\d){1,2}(?!\d)(?:\s?[apAP]\.?[mM]\b\.?)?
              |\d{1,2}\s?[apAP]\.?[mM]\b\.?)
    | (?P<decade>\d{3}0['’]?s\b)
    | (?P<ordinal>\d{1,4}(?:[sS][tT]|[nN][dD]|[rR][dD]|[tT][hH])\b)
    | (?P<number>\d+)
    """,
    re.VERBOSE,
)


def listed(words: str) -> tuple[str, ...]:
    """The words of a list that is written as a text."""
    return tuple(words.split())


class Token(NamedTuple):
    """A word, a number or a mark."""

    word: str  # in small letters, without "'s"
    start: int
    end: int
    tag: str  # iso, slash, clock, decade, ordinal, number, word, mark
    raw: str

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital."""
        return self.raw[:1].isupper()


def tokens(text: str) -> list[Token]:
    """The words, numbers and marks of a text, in order."""
    found = []
    for match in _TOKEN.finditer(text):
        raw, tag = match.group(), match.lastgroup or "mark"
        word = raw.lower()
        if tag == "word" and ("’" in word or "'" in word):
            word = word.replace("’", "'")
            word = word[:-2] if word.endswith("'s") else word.rstrip("'")
        found.append(Token(word, match.start(), match.end(), tag, raw))
    return found


_UNITS = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ODD_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def _ordinal(word: str) -> str:
    if word in _ODD_ORDINALS:
        return _ODD_ORDINALS[word]
    return word[:-1] + "ieth" if word.endswith("y") else word + "th"


def _tables() -> tuple[dict[str, int], dict[str, int]]:
    cardinals = {word: n for n, word in enumerate(_UNITS)} | {"hundred": 100}
    ordinals = {_ordinal(word): n for n, word in enumerate(_UNITS) if n} | {"hundredth": 100}
    for tens, word in enumerate(_TENS, start=2):
        cardinals[word] = 10 * tens
        ordinals[_ordinal(word)] = 10 * tens
        for n in range(1, 10):
            cardinals[f"{word}-{_UNITS[n]}"] = 10 * tens + n
            ordinals[f"{word}-{_ordinal(_UNITS[n])}"] = 10 * tens + n
    return cardinals, ordinals


CARDINALS, ORDINALS = _tables()
_FEW = {"few": 3, "several": 4, "couple": 2, "dozen": 12}
_MOST = 1_000_000  # a larger count is no count of days or sessions


class Counted(NamedTuple):
    """A count, and where the next word stands."""

    number: int
    after: int
    about: bool


def ordinal_at(words: list[Token], i: int) -> tuple[int, int] | None:
    """The ordinal at `i` and the place after it: 21st, twenty-first, twenty first."""
    if i >= len(words):
        return None
    token = words[i]
    if token.tag == "ordinal":
        return int(token.word[:-2]), i + 1
    if token.word in ORDINALS:
        return ORDINALS[token.word], i + 1
    if token.word in _TENS and i + 1 < len(words) and 0 < ORDINALS.get(words[i + 1].word, 0) < 10:
        return CARDINALS[token.word] + ORDINALS[words[i + 1].word], i + 2
    return None


def count_at(words: list[Token], i: int) -> Counted | None:
    """The count at `i`: 3, three, a, a few, a couple of, twenty one."""
    if i >= len(words):
        return None
    token, article = words[i], False
    if token.tag == "number":
        count = int(token.word) if len(token.word) <= 7 else _MOST + 1
        return Counted(count, i + 1, about=False) if count <= _MOST else None
    if token.word in ("a", "an"):
        article, i = True, i + 1
        if i >= len(words):
            return None
        token = words[i]
    if token.word in _FEW:
        after = i + 2 if i + 1 < len(words) and words[i + 1].word == "of" else i + 1
        return Counted(_FEW[token.word], after, about=token.word not in ("couple", "dozen"))
    if token.word in CARDINALS and (not article or token.word == "hundred"):
        count, i = CARDINALS[token.word], i + 1
        if count in range(20, 100, 10) and i < len(words):
            count += (ones := _ones(words[i].word))
            i += 1 if ones else 0
        return Counted(count, i, about=False)
    return Counted(1, i, about=False) if article else None


def _ones(word: str) -> int:
    return n if 0 < (n := CARDINALS.get(word, 0)) < 10 else 0
