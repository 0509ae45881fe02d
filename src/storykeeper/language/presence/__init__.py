"""Who is there, read from talk: people say that they go, come and come back.

`signs` reads one utterance; `Presence` follows a talk as it is said; `perceivers` reads a talk
that is over. See docs/reference/presence.md.
"""

from __future__ import annotations

from storykeeper.language.presence.hindsight import perceivers
from storykeeper.language.presence.naming import Cast
from storykeeper.language.presence.signs import signs
from storykeeper.language.presence.tracking import Presence
from storykeeper.language.presence.values import Kind, Sign, Utterance

__all__ = ["Cast", "Kind", "Presence", "Sign", "Utterance", "perceivers", "signs"]
