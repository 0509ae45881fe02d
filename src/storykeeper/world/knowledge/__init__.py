"""Who knows what: facts somebody learned, and where anybody thinks that anything is."""

from storykeeper.world.knowledge.beliefs import believed, believed_place, believed_way, how
from storykeeper.world.knowledge.facts import Knowledge, knows, learn, shared, unlearn

__all__ = [
    "Knowledge", "believed", "believed_place", "believed_way", "how", "knows", "learn", "shared",
    "unlearn",
]  # fmt: skip
