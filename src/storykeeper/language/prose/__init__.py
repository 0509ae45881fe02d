"""Reading prose without a model call: from one parse to mentions, clauses and quotations."""

from __future__ import annotations

from storykeeper.language.prose.reader import ProseReader

__all__ = ["ProseReader"]
