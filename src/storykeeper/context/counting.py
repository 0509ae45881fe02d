"""Token counts, remembered per text: a turn is counted once, not once a window."""

from __future__ import annotations

from functools import lru_cache

from storykeeper.language.tokens import Counter

REMEMBERED_TEXTS = 8_192
SEPARATOR = "\n\n"


@lru_cache(maxsize=8)
def remembering(count: Counter) -> Counter:
    """The same counter, with its answers remembered."""
    return lru_cache(maxsize=REMEMBERED_TEXTS)(count)


@lru_cache(maxsize=8)
def pricing(count: Counter) -> Counter:
    """What texts cost, remembered by the text itself: a joined one would be hashed each time.

    Tokens of a piece with the space after it: pieces priced so add up to no less than a text.
    """
    return lru_cache(maxsize=REMEMBERED_TEXTS)(lambda t: count(t + SEPARATOR) if t else 0)


def cost(text: str, count: Counter) -> int:
    """What one text costs."""
    return pricing(count)(text)
