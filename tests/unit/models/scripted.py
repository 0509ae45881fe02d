"""A model that says what it is told to, and a reader to fall back on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from storykeeper.errors import ModelUnavailable
from storykeeper.language.reading import Reading


@dataclass
class Scripted:
    """A model that says what it is told to, and remembers what it was asked."""

    answer: object
    asked: list = field(default_factory=list)

    def complete(self, messages, *, schema, limit_tokens):
        self.asked.append((messages, schema, limit_tokens))
        if isinstance(self.answer, ModelUnavailable):
            raise self.answer
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer)


@dataclass
class Rules:
    """A fallback that gives a reading made by hand."""

    made: Reading | None = None

    def read(self, text, *, cast=()):
        return self.made or Reading(text, notes=("by rules",))
