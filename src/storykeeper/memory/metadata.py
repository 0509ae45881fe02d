"""What whoever adds something says of it: a few named values, kept beside the words.

    {"project": "harrow", "stars": 4, "open": True, "tags": ["roof", "slate"]}

Values are texts, numbers, truths, and lists of texts. They are recorded as one JSON object, and are
erased with the words they belong to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import msgspec

from storykeeper.errors import ItemRefused

MOST_CHARS = 100_000  # of one item's, as JSON
_NAME_CHARS = 200
_RESERVED = ("$", "@")  # a filter's own words begin so

Value = str | int | float | bool | list[str]
Metadata = dict[str, Value]

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Metadata)


def written(metadata: Mapping[str, Value] | None) -> str:
    """Metadata as they are recorded; nothing, if there are none."""
    if not metadata:
        _mapping_or_refuse(metadata)
        return ""
    _mapping_or_refuse(metadata)
    found = {_name(name): _value(name, value) for name, value in metadata.items()}
    try:
        made = _encoder.encode(found).decode()
    except UnicodeEncodeError as error:
        raise ItemRefused(f"metadata are not text that can be stored: {error.reason}") from error
    if len(made) > MOST_CHARS:
        raise ItemRefused(
            f"metadata of {len(made):,} characters are too many for one item; at most"
            f" {MOST_CHARS:,}: keep what is long in the text"
        )
    return made


def read(recorded: str) -> Metadata:
    """Metadata from what is recorded."""
    return _decoder.decode(recorded) if recorded else {}


def merged(recorded: str, new: Mapping[str, Value | None]) -> str:
    """What is recorded with new values in it; a name that is given None goes."""
    _mapping_or_refuse(new)
    kept = {name: value for name, value in read(recorded).items() if name not in new}
    return written(kept | {name: value for name, value in new.items() if value is not None})


def shared(recorded: Sequence[str]) -> str:
    """What several have in common, as it is recorded."""
    if not all(recorded):
        return ""
    first, *others = map(read, recorded)
    rest = [other.items() for other in others]
    same = {name: value for name, value in first.items() if all((name, value) in o for o in rest)}
    return written(same)


def _mapping_or_refuse(metadata: object) -> None:
    if metadata is not None and not isinstance(metadata, Mapping):
        raise ItemRefused(f"metadata are named values, not {repr(metadata)[:40]}; write a dict")


def _name(name: object) -> str:
    if not isinstance(name, str) or not name or len(name) > _NAME_CHARS:
        raise ItemRefused(f"a name in metadata is a short text, not {repr(name)[:40]}")
    if name.startswith(_RESERVED):
        raise ItemRefused(f"{name!r}: names in metadata do not begin with $ or @; filters use them")
    return name


def _value(name: str, value: object) -> Value:
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        texts = [each for each in value if isinstance(each, str)]
        if len(texts) == len(value):
            return sorted(texts) if isinstance(value, set | frozenset) else texts
    raise ItemRefused(
        f"metadata {name!r} is {repr(value)[:40]}; a text, a number, True, False or a list of"
        " texts is kept: write others as JSON text"
    )
