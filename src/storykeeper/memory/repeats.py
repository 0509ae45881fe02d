"""What says the same as something that is remembered: the same words, in the same order.

Case, accents' encoding, spaces, punctuation and articles make no difference; a number, a name, a
"not" or another order of words does. So nothing is taken for a repeat that says another thing.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

_WORD = re.compile(r"\w+(?:[.,:/’'-]\w+)*")
_ARTICLES = frozenset({"a", "an", "the"})
_BYTES = 6  # of a hash: a whole number that a float has room for


def words_of(text: str) -> tuple[str, ...]:
    """The words that count."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    words = tuple(_WORD.findall(folded))
    return tuple(word for word in words if word not in _ARTICLES) or words


def likeness(text: str) -> int:
    """A number that texts of the same words share, and few others; of no words 0."""
    words = words_of(text) or tuple(text.split())
    return int.from_bytes(sha256("\0".join(words).encode("utf-8", "replace")).digest()[:_BYTES])


def repeats(one: str, other: str) -> bool:
    """Whether two texts say the same."""
    return (words_of(one) or one.split()) == (words_of(other) or other.split())
