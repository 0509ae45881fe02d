"""Signs of who is there and who hears, learned from labelled passages."""

from __future__ import annotations

from storykeeper.language.tagger.people import Person
from storykeeper.language.tagger.tagger import DOUBT, HUSH, KINDS, SURE, Hush, Sign, Tagger

__all__ = ["DOUBT", "HUSH", "KINDS", "SURE", "Hush", "Person", "Sign", "Tagger"]
