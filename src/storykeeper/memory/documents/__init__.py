"""Documents an author wrote, taken apart into passages, each with the rule that placed it."""

from storykeeper.memory.documents.partition import Passage, Rule, partition, placed_by_name
from storykeeper.memory.documents.reading import passages_of

__all__ = ["Passage", "Rule", "partition", "passages_of", "placed_by_name"]
