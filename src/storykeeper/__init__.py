"""storykeeper: the memory of a story told by a language model."""

from __future__ import annotations

__version__ = "0.1.0"
