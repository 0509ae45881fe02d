"""What things are called when the author is spoken to."""

from __future__ import annotations

import re

from msgspec import inspect as shapes

_LABELS = {
    "Story": "story.yaml",
    "StoryFile": "story.yaml",
    "StorySections": "a file of sections",
    "StoryEvent": "an event",
    "SceneHead": "a scene",
    "BeatHead": "a beat",
    "Soft": "a piece of soft material",
    "Knows": "`knows`",
    "At": "`at`",
    "Has": "`has`",
    "Did": "`did`",
    "MoodNear": "`mood`",
    "RelationRange": "a relation",
    "Threshold": "`threshold`",
    "Since": "`since`",
    "Within": "`within`",
    "Weighed": "a predicate",
    "Canon": "a canon source",
    "CanonMode": "`compliance`",
    "SceneCast": "the cast of a scene",
    "Images": "images",
    "MoodTarget": "the mood of an approach",
    "EntityMap": "`entity_map`",
    "Permeability": "`permeability`",
    "Sigmoid": "`sigmoid`",
    "Budget": "`budget`",
    "Tuning": "`tuning`",
    "Overrides": "`overrides`",
    "GravityTuning": "`tuning.gravity`",
    "EntityTuning": "`tuning.entities`",
    "MemoryTuning": "`tuning.memory`",
}


def label(cls: type) -> str:
    """`a character`, `an event`: how a message speaks of one of these."""
    name = cls.__name__
    if name in _LABELS:
        return _LABELS[name]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


def range_text(shape: shapes.IntType | shapes.FloatType) -> str:
    """`from 0 to 1`, `of at least 1`, `greater than 0`: the numbers that are allowed."""
    low, above, high = (_figure(each) for each in (shape.ge, shape.gt, shape.le))
    if low and high:
        return f"from {low} to {high}"
    if above and high:
        return f"greater than {above} and up to {high}"
    if low:
        return f"of at least {low}"
    if above:
        return f"greater than {above}"
    return f"of at most {high}"


def _figure(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:,.0f}" if abs(number) >= 1e4 else f"{number:g}"
