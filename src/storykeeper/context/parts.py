"""The parts of a window that can be left out, to see what each brings."""

from __future__ import annotations

from enum import StrEnum

from storykeeper.context.items import Candidate
from storykeeper.context.sources import GRAVITY, LAYER, RECALLED, STANDING
from storykeeper.context.sources.layers import BRIDGE, PROPHECY


class Part(StrEnum):
    """What a window may be made without."""

    TAIL = "tail"  # more recent turns than the last three
    SO_FAR = "so far"
    STANDING = "standing"
    RECALL = "recall"
    GRAVITY = "gravity"


_PARTS = {
    STANDING: Part.STANDING, RECALLED: Part.RECALL, GRAVITY: Part.GRAVITY, LAYER: Part.GRAVITY,
    BRIDGE: Part.GRAVITY, PROPHECY: Part.GRAVITY,
}  # fmt: skip


def part_of(candidate: Candidate) -> Part | None:
    """The part that a candidate of tier 3 belongs to, if it can be left out."""
    return _PARTS.get(candidate.origin)
