"""Items as plain objects, which `import` reads back: one JSON object a line.

What was said goes out, with all that was said of it. Documents are loaded again from their files,
and summaries are made again; a whole memory, its past included, is copied by `storykeeper backup`.
"""

from __future__ import annotations

from typing import Any

from storykeeper.memory.items import Item
from storykeeper.memory.moments import shown

SAID = {"@kind": "said"}  # the filter for it


def exported(item: Item) -> dict[str, Any]:
    """What was said, as an object; what is empty is left out."""
    found = {
        "id": item.id,
        "text": item.text,
        "speaker": item.speaker,
        "at": None if item.at_ms is None else written_moment(item.at_ms),
        "session": item.session,
        "metadata": item.metadata,
        "expires": None if item.until_ms is None else written_moment(item.until_ms),
        "entities": list(item.entities),
        "weight": item.weight,
    }
    kept = {name: value for name, value in found.items() if value}
    return kept if item.audience is None else kept | {"audience": sorted(item.audience)}


def known(item: Item) -> dict[str, str | int]:
    """What the memory itself knows of an item, as far as it does: who said it, where and when."""
    found = {"speaker": item.speaker, "session": item.session, "at_ms": item.at_ms}
    return {name: value for name, value in found.items() if value}


def written_moment(at_ms: int) -> str:
    """A moment as `moment` reads it, to the millisecond."""
    return shown(at_ms).replace(tzinfo=None).isoformat(timespec="milliseconds")
