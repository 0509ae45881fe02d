"""JSON Schema (2020-12) of the author's files, for editors that complete and check as one types.

The schema knows shapes; what refers to what, and what can be reached, only `check` knows.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from storykeeper.story.model import StoryFile, StorySections
from storykeeper.story.scenes import SceneHead

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# By the name of the file in which an editor is given it.
FILES: dict[str, tuple[type[Struct], str]] = {
    "story.schema.json": (StoryFile, "story.yaml"),
    "sections.schema.json": (StorySections, "any other .yaml file of a story"),
    "scene.schema.json": (SceneHead, "the head of a scene file"),
}


def schemas() -> dict[str, dict[str, Any]]:
    """All schemas, by file name."""
    return {name: schema_of(cls, title=title) for name, (cls, title) in FILES.items()}


def schema_of(cls: type[Struct], *, title: str) -> dict[str, Any]:
    """The schema of one kind of file, complete in itself."""
    (ref,), parts = msgspec.json.schema_components([cls], ref_template="#/$defs/{name}")
    defs = {name: _trimmed(parts[name]) for name in sorted(parts)}
    return {"$schema": DIALECT, "title": title, **ref, "$defs": defs}


def _trimmed(schema: dict[str, Any]) -> dict[str, Any]:
    """One definition; the Python names that msgspec gives as titles say nothing to an author."""
    return {key: value for key, value in schema.items() if key != "title"}
