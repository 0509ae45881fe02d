"""Words without their endings, so that "painted" finds "painting" and "went" finds "go".

The steps of Porter's stemmer for English (1980), each a list of endings with what replaces them and
how much word must stand before. Irregular forms are looked up first. Words of other alphabets, and
words with a digit, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

_ASCII = re.compile(r"[a-z]+")
_VOWELS = "aeiou"
_LONGEST = 40  # letters; longer is no word of English

# (ending, its replacement); the first ending that fits decides, whether it is replaced or not.
Endings = Sequence[tuple[str, str]]
_SECOND: Endings = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("logi", "log"),
)  # fmt: skip
_THIRD: Endings = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
_FOURTH: Endings = tuple(
    (ending, "")
    for ending in (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
        "ou", "ism", "ate", "iti", "ous", "ive", "ize",
    )
)  # fmt: skip


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word in small letters without its endings."""
    base = _irregular().get(word, word)
    if len(base) < 3 or len(base) > _LONGEST or not _ASCII.fullmatch(base):
        return base
    base = _participle(_plural(base))
    if base.endswith("y") and _has_vowel(base[:-1]):
        base = base[:-1] + "i"
    base = _replaced(base, _SECOND, least=1)
    base = _replaced(base, _THIRD, least=1)
    base = _replaced(base, _FOURTH, least=2)
    return _tidied(base)


@cache
def _irregular() -> dict[str, str]:
    """Irregular forms and what they are forms of; a form of two words stands for neither."""
    text = files("storykeeper.memory.signals").joinpath("irregular.txt").read_text("utf-8")
    forms: dict[str, str] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            base, *others = line.split()
            forms.update(dict.fromkeys(others, base))
    return forms


def _vowel(word: str, at: int) -> bool:
    """Whether a letter sounds as a vowel: y does after a consonant."""
    if word[at] == "y":
        return at > 0 and not _vowel(word, at - 1)
    return word[at] in _VOWELS


def _has_vowel(word: str) -> bool:
    return any(_vowel(word, at) for at in range(len(word)))


def _measure(word: str) -> int:
    """m: how often a consonant follows a vowel."""
    kinds = [_vowel(word, at) for at in range(len(word))]
    return sum(1 for before, here in pairwise(kinds) if before and not here)


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and not _vowel(word, len(word) - 1)


def _short(word: str) -> bool:
    """Whether it ends consonant, vowel, consonant, the last not w, x or y."""
    if len(word) < 3 or word[-1] in "wxy":
        return False
    last = len(word) - 1
    return not _vowel(word, last) and _vowel(word, last - 1) and not _vowel(word, last - 2)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2] if len(word) > 4 else word[:-1]  # parties, but ties
    if word.endswith(("ss", "us")) or not word.endswith("s"):
        return word
    return word[:-1]


def _participle(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and _has_vowel(rest):
            return _restored(rest)
    return word


def _restored(rest: str) -> str:
    """What "-ed" and "-ing" had changed: hop(p)ed, fil(e)d, creat(e)d."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _doubled(rest) and rest[-1] not in "lsz":
        return rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _short(rest) else rest


def _replaced(word: str, endings: Endings, *, least: int) -> str:
    for ending, new in endings:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if ending == "ion" and not rest.endswith(("s", "t")):
                return word
            return rest + new if _measure(rest) >= least else word
    return word


def _tidied(word: str) -> str:
    """Without a last e, and with one l where there were two."""
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _short(rest)):
            word = rest
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word
