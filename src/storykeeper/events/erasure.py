"""Taking a person's text out of a record and leaving its structure.

Fields typed `Text` are blanked, wherever they stand; who took part, in which role, with which
weight, stays. So a world folded from a redacted ledger is the same world, with less to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from storykeeper.events.records import AnyRecord


def redacted(record: AnyRecord) -> AnyRecord:
    """The record with every erasable text blanked."""
    blanked = _blank(record, type(record))
    assert isinstance(blanked, type(record))
    return blanked


def has_text(record: AnyRecord) -> bool:
    """Whether there is anything in it to erase."""
    return redacted(record) != record


def _blank(value: Any, hint: Any) -> Any:
    if isinstance(value, str):
        return "" if _erasable(hint) else value
    if isinstance(value, Struct):
        hints = _hints(type(value))
        return msgspec.structs.replace(
            value, **{name: _blank(getattr(value, name), hints[name]) for name in hints}
        )
    if isinstance(value, tuple):
        inner = _element(hint)
        return tuple(_blank(each, inner) for each in value)
    return value


@cache
def _hints(struct: type[Struct]) -> Mapping[str, Any]:
    hints = get_type_hints(struct, include_extras=True)
    return {name: hints[name] for name in struct.__struct_fields__}


def _erasable(hint: Any) -> bool:
    """Whether a str under this hint is a person's text, in any arm of a union."""
    if get_origin(hint) is Annotated:
        return any(
            isinstance(m, Meta) and (m.extra or {}).get("erasable") for m in hint.__metadata__
        )
    return any(_erasable(arm) for arm in get_args(hint))


def _element(hint: Any) -> Any:
    """The hint of a tuple's elements: tuple[X, ...] → X, through Annotated and unions."""
    if get_origin(hint) is tuple:
        return get_args(hint)[0]
    for arm in get_args(hint):
        found = _element(arm)
        if found is not None:
            return found
    return None
