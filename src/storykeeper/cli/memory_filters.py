"""Filters and metadata as they are typed: `stars>=3`, `project=harrow`, or JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import typer

from storykeeper.errors import UNREADABLE

_PART = re.compile(r"(?P<name>[^=<>!]+)(?P<word>=|!=|>=|<=|>|<)(?P<value>.*)", re.DOTALL)
_WORDS = {"=": "$eq", "!=": "$ne", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}

Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILTER",
        help="Only what has this in its metadata: project=harrow, stars>=3, or JSON; @speaker,"
        " @session, @kind and @at are known of all. May be given again: all of them must hold.",
    ),
]
Metadata = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE", help="Kept beside the words: project=harrow. May be given again."
    ),
]


def where_of(written: Sequence[str] | None) -> dict[str, Any] | None:
    """A filter, as the library takes it; none, if none was typed."""
    parts = [_filter(each) for each in written or ()]
    return {"$and": parts} if len(parts) > 1 else next(iter(parts), None)


def metadata_of(written: Sequence[str] | None) -> dict[str, Any]:
    """Metadata as they were typed; NAME= takes one away."""
    found: dict[str, Any] = {}
    for each in written or ():
        name, equals, value = each.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{each!r}: metadata are written NAME=VALUE")
        found[name] = _value(value) if value else None
    return found


def _filter(written: str) -> dict[str, Any]:
    if written.lstrip().startswith("{"):
        try:
            found: dict[str, Any] = msgspec.json.decode(written)
        except UNREADABLE as error:
            raise typer.BadParameter(f"{written!r} is no JSON: {error}") from error
        return found
    part = _PART.fullmatch(written)
    if part is None:
        raise typer.BadParameter(f"{written!r}: write project=harrow, stars>=3, or JSON")
    return {part["name"].strip(): {_WORDS[part["word"]]: _value(part["value"])}}


def _value(written: str) -> Any:
    """A number, true or false as such, a list as JSON; anything else is a text."""
    try:
        found = msgspec.json.decode(written)
    except UNREADABLE:
        return written
    return found if isinstance(found, int | float | bool | list) else written
