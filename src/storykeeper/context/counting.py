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
def _pricing(count: Counter) -> Counter:
    """What texts cost, remembered by the text itself: a joined one would be hashed each time."""
    return lru_cache(maxsize=REMEMBERED_TEXTS)(lambda text: count(text + SEPARATOR))


def cost(text: str, count: Counter) -> int:
    """Tokens of a piece with the space after it: pieces priced so add up to no less than a text."""
    return _pricing(count)(text) if text else 0
