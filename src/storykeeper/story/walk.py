"""Every struct of a story, with its path: what checks and tables are written over."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from storykeeper.story.conditions import Authored
from storykeeper.story.problems import Path
from storykeeper.story.reader import shape_of


@cache
def wire_names(cls: type[Struct]) -> tuple[tuple[str, str], ...]:
    """The fields of a struct: as Python has them, and as the author writes them."""
    return tuple((field.name, field.encode_name) for field in shape_of(cls).fields)


def walk(value: object, path: Path = ()) -> Iterator[tuple[Path, Authored]]:
    """This struct and all below it, depth first, in the order of the model."""
    if isinstance(value, Authored):
        yield path, value
        for name, wire in wire_names(type(value)):
            inner = getattr(value, name)
            if inner and isinstance(inner, tuple | dict | Authored):
                yield from walk(inner, (*path, wire))
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            if isinstance(item, Authored):
                yield from walk(item, (*path, i))
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, Authored):
                yield from walk(item, (*path, key))
