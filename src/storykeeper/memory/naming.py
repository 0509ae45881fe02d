"""Names of people, sessions, things and spaces, as far as they can be stored and told apart."""

from __future__ import annotations

import re

from storykeeper.errors import ItemRefused

_NAME_CHARS = 200
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # no character, or half of one


def name_or_refuse(name: str, *, what: str) -> str:
    """A name that can be stored and told from others."""
    if not isinstance(name, str) or len(name) > _NAME_CHARS or _UNWRITABLE.search(name):
        raise ItemRefused(f"{what} is a short text, not {str(name)[:40]!r}")
    return name


def folder_of(space: str) -> str:
    """What the folder of a space's index is called."""
    return re.sub(r"[^a-zA-Z0-9.@+-]+", "-", space)
