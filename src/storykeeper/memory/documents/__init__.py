"""Documents an author wrote, taken apart into passages, each with the rule that placed it."""

from storykeeper.memory.documents.partition import Passage, Rule, partition, placed_by_name

__all__ = ["Passage", "Rule", "partition", "placed_by_name"]
