"""Time in words: what says when, when that was, and what it does to a search."""

from __future__ import annotations

from storykeeper.language.time.anchors import anchors, slots
from storykeeper.language.time.grammar import find
from storykeeper.language.time.inquiry import inquires
from storykeeper.language.time.narrowing import Boost, Narrowing, Use, narrow
from storykeeper.language.time.resolving import beside, resolve
from storykeeper.language.time.timeline import Asked, Timeline
from storykeeper.language.time.values import Expression, Kind
from storykeeper.language.time.whens import Axis, Session, When, Window

__all__ = [
    "Asked",
    "Axis",
    "Boost",
    "Expression",
    "Kind",
    "Narrowing",
    "Session",
    "Timeline",
    "Use",
    "When",
    "Window",
    "anchors",
    "beside",
    "find",
    "inquires",
    "narrow",
    "resolve",
    "slots",
]
