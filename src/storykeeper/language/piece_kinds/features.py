"""What the classifier sees of a piece: which rows of its table it adds up, and how much of each.

Words, their beginnings and endings, pairs of words and of shapes are hashed into the table. Only
closed classes (pronouns, auxiliaries) are named here; which words tell of a mind is learned.

A group of features has the length that is its weight, however many features are in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

ROWS = 1 << 15
CHARS = 4_000  # of a piece are read; `staging.pieces` cuts at about 2,000
NEAR = 600  # of the pieces beside it
WORDS_WEIGHT, PAIRS_WEIGHT, TELLING_WEIGHT, BESIDE_WEIGHT = 2.0, 1.0, 1.0, 0.7

Rows = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

_TOKEN = re.compile(r"[^\W\d_]{1,24}(?:['’][^\W\d_]{1,3}\b)?|\d{1,9}|[.,;:!?…—–()*]")
_QUOTED = re.compile(r"[\"“”«»„]|(?:^|\s)[‘'](?=\w)")
_CLOSING = ' \n"”’*'
_MARKS = ";:!?…—–(*"
_STARS = ("*", "_")
_CLASSES = {
    "I": "i me my mine myself we us our ours ourselves i'm i'd i've i'll we're we'd we've we'll",
    "YOU": "you your yours yourself yourselves you're you'd you've you'll",
    "THEY": "he him his himself she her hers herself they them their theirs themselves "
    "he's he'd he'll she's she'd she'll they're they'd they've they'll",
    "IT": "it its itself it's it'd it'll this that these those there there's that's",
    "MAY": "would could might must may should can will shall ought "
    "can't couldn't wouldn't shouldn't won't mustn't",
    "HAD": "had hadn't have haven't has hasn't having",
    "BE": "is isn't are aren't was wasn't were weren't be been being am",
    "NOT": "not no never nothing nobody none nor neither don't doesn't didn't",
}
_CLASS = {word: name for name, words in _CLASSES.items() for word in words.split()}
_PEOPLE = ("I", "YOU", "THEY", "IT")
_ENDINGS = ("ing", "ed", "ly", "ion", "ness", "es", "s", "t", "e")


def features(
    text: str, *, before: str, after: str, person: int, names_someone: bool
) -> tuple[Rows, Values]:
    """The rows of a piece and the value of each; `before` and `after` are the pieces beside it."""
    tokens = _TOKEN.findall(text[:CHARS])
    words = [token.lower().replace("’", "'") for token in tokens]
    groups = (
        (dict.fromkeys(_words(words)), WORDS_WEIGHT),
        (dict.fromkeys(_pairs(words)), PAIRS_WEIGHT),
        (dict.fromkeys(_telling(words, person, names=names_someone)), TELLING_WEIGHT),
        (dict.fromkeys(_beside(text, words, before, after, person)), BESIDE_WEIGHT),
    )
    rows: list[int] = []
    values: list[float] = []
    for group, weight in groups:
        rows.extend(crc32(one.encode("utf-8", "surrogatepass")) % ROWS for one in group)
        values.extend([weight / max(len(group), 1) ** 0.5] * len(group))
    return np.array(rows, np.int64), np.array(values, np.float64)


def is_said(text: str) -> bool:
    """Whether somebody is quoted in a piece."""
    return _QUOTED.search(text) is not None


def _words(words: Sequence[str]) -> Iterator[str]:
    """Words, and how the longer ones begin and end."""
    for word in words:
        yield f"w {word}"
        if len(word) > 4:
            yield f"e {word[-3:]}"
            yield f"h {word[:4]}"


def _pairs(words: Sequence[str]) -> Iterator[str]:
    """Pairs of words, of a class and a word, and of shapes."""
    last, last_shape = "^", "^"
    for word in words:
        shape = _shape(word)
        yield f"b {last} {word}"
        yield f"s {last_shape} {shape}"
        if last in _CLASS:
            yield f"k {last_shape} {word}"
        last, last_shape = word, shape
    yield f"s {last_shape} $"


def _telling(words: Sequence[str], person: int, *, names: bool) -> Iterator[str]:
    """How it is told: of whom, how it begins and ends, and how long it is."""
    yield f"p {person}"
    yield f"n {person} {names}"
    classes = [_CLASS.get(word, "") for word in words]
    found = [name for name in _CLASSES if name in classes]
    for name in found:
        yield f"c {name}"
        yield f"c {person} {name} {min(classes.count(name), 3)}"
        yield f"cn {names} {name}"
    people = "".join(name for name in found if name in _PEOPLE)
    yield f"who {person} {people} {names}"
    first = [word for word in words if word[0].isalpha()][:3]
    for size in (1, 2, 3):
        yield f"f {person} {' '.join(first[:size])}"
        yield f"fs {person} {' '.join(_shape(word) for word in first[:size])}"
    yield f"l {len(words).bit_length()}"
    yield f"q {min(len(words) // 4, 6)}"
    yield f"end {words[-1] if words else ''}"
    for mark in _MARKS:
        if mark in words:
            yield f"m {mark}"


def _beside(
    text: str, words: Sequence[str], before: str, after: str, person: int
) -> Iterator[str]:  # fmt: skip
    """What stands beside it, and whether it takes up what was said."""
    before, after = before.rstrip()[-NEAR:], after.lstrip()[:NEAR]
    last, following = _side(before), _side(after)
    yield f"a {last}"
    yield f"z {following}"
    yield f"az {person} {last} {following}"
    start = text[:NEAR].lstrip()
    yield f"small {start.lstrip('*_')[:1].islower()}"
    yield f"star {start.startswith(_STARS)} {before.lstrip().startswith(_STARS)}"
    if last == "said":
        heard = {token.lower() for token in _TOKEN.findall(before) if len(token) > 3}
        yield f"echo {min(len(heard.intersection(words)), 2)}"
        yield f"asked {before.rstrip(_CLOSING)[-1:]}"


def _side(text: str) -> str:
    if not text:
        return "none"
    return "said" if is_said(text) else "told"


@lru_cache(maxsize=8192)
def _shape(word: str) -> str:
    """The class of a word that has one, a short word itself, of another the ending."""
    if word in _CLASS:
        return _CLASS[word]
    if len(word) <= 3 or not word[0].isalpha():
        return word
    return next((f"-{end}" for end in _ENDINGS if word.endswith(end)), "-")
