"""What is measured of a query and an item before they are called alike.

    sim(q, d) = σ(b + Σ wᵢ·fᵢ(q, d))

Each fᵢ is one named thing that a person can check: how many of the query's telling words the item
has, how near it is in meaning, who said it, what stands before and after it. `features` measures
them, `storykeeper.scoring.fusion` adds them up and keeps the parts, `learned` has the weights.
"""

from __future__ import annotations

from storykeeper.memory.items import Item
from storykeeper.memory.signals.words import terms

__all__ = ["asks", "item_terms", "key_text"]

_END_CHARS = 60


def key_text(item: Item) -> str:
    """What of an item is embedded: who says it, and what."""
    return f"{item.speaker}: {item.text}" if item.speaker else item.text


def item_terms(item: Item) -> list[str]:
    """The words an item is found by. Its speaker is not among them: who speaks is a signal."""
    return terms(item.text)


def asks(item: Item) -> bool:
    """Whether it ends on a question: what follows it may be the answer."""
    end = item.text[-_END_CHARS:]
    return "?" in end or "？" in end
