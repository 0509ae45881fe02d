"""Plain values as YAML that people like to read, and that reads back as what it was.

Mappings and lists in blocks, short lists in brackets, texts of several lines as `|`. A text
stands without quotes only if nothing in it could be taken for anything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from storykeeper.story.nodes import resolved

MAX_LINE = 96

_BARE = re.compile(r"[\w(“‘…][\w ,.;!?()'/+%=“”‘’…–—-]*")  # and neither `: ` nor ` #`
# In brackets a comma ends an item, and some parsers take any `?` for a key.
_BARE_INSIDE = re.compile(r"[\w(][\w .;!()'/+%=’–—-]*")
_BLOCK = re.compile(r"[^ \t\n][^\t\x7f-\x9f\u2028\u2029\ufeff]*(?<![ \t])\n?")
_ESCAPE = {ord(char): f"\\u{ord(char):04x}" for char in "\x7f\u2028\u2029\ufeff"}
_ESCAPE |= {code: f"\\u{code:04x}" for code in range(0x80, 0xA0)}


def yaml_text(mapping: dict[str, object]) -> str:
    """One YAML document."""
    return "\n".join(_mapping(mapping, 0)) + "\n" if mapping else ""


def _mapping(mapping: dict[str, object], indent: int) -> Iterator[str]:
    pad = " " * indent
    for key, value in mapping.items():
        name = _scalar(key, bare=_BARE_INSIDE)
        yield from _value(f"{pad}{name}:", value, indent)


def _value(before: str, value: object, indent: int) -> Iterator[str]:
    """The lines of a value that follows `key:` or `-`."""
    inline = _inline(value)
    if inline is not None and len(before) + len(inline) < MAX_LINE:
        yield f"{before} {inline}"
    elif isinstance(value, dict):
        yield before
        yield from _mapping(value, indent + 2)
    elif isinstance(value, list):
        yield before
        yield from _items(value, indent + 2)
    elif isinstance(value, str) and "\n" in value and _fits_block(value):
        yield f"{before} |{'' if value.endswith(chr(10)) else '-'}"
        for line in value.removesuffix("\n").split("\n"):
            yield f"{' ' * (indent + 2)}{line}" if line else ""
    else:
        yield f"{before} {_scalar(value)}"


def _items(items: list[object], indent: int) -> Iterator[str]:
    pad = " " * indent
    for item in items:
        if isinstance(item, dict) and item and _inline(item) is None:
            lines = list(_mapping(item, indent + 2))
            yield f"{pad}- {lines[0][indent + 2 :]}"
            yield from lines[1:]
        else:
            yield from _value(f"{pad}-", item, indent)


def _inline(value: object) -> str | None:
    """A short collection on one line; None if it should stand in a block."""
    if isinstance(value, dict):
        if not value:
            return "{}"
        nested = any(isinstance(v, list | dict) and v for v in value.values())
        if nested or len(value) > 4 or "id" in value:  # what has an id deserves lines of its own
            return None
        pairs = [f"{_scalar(k, bare=_BARE_INSIDE)}: {_inside(v)}" for k, v in value.items()]
        text = f"{{{', '.join(pairs)}}}"
        return text if len(text) <= 60 else None
    if isinstance(value, list):
        if any(isinstance(v, list | dict) for v in value):
            return None
        text = f"[{', '.join(_inside(v) for v in value)}]"
        return text if len(text) <= 60 or not value else None
    return None


def _inside(value: object) -> str:
    if isinstance(value, dict | list):
        return "{}" if isinstance(value, dict) else "[]"
    return _scalar(value, bare=_BARE_INSIDE)


def _scalar(value: object, *, bare: re.Pattern[str] = _BARE) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    if bare.fullmatch(value) and not value.endswith(" ") and _stays_text(value):
        return value
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPE)


def _stays_text(text: str) -> bool:
    try:
        return isinstance(resolved(text), str)
    except ValueError:
        return False


def _fits_block(text: str) -> bool:
    """Whether `|` gives the text back: no odd spaces at its ends, one new line there at most."""
    return _BLOCK.fullmatch(text) is not None and not text.endswith("\n\n")
