"""Who is meant: people, places, organisations and vehicles, and which mentions are one."""

from __future__ import annotations

from storykeeper.language.coref.referent import Referent
from storykeeper.language.coref.resolver import referents

__all__ = ["Referent", "referents"]
