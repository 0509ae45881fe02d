"""The list of odd inputs in `tests/data/odd_inputs.yaml`, read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

LIST = Path(__file__).parents[1] / "data" / "odd_inputs.yaml"
ANYTHING = "*"
_FIELDS = {"id", "text", "repeat", "nest", "by", "must_not", "must", "note"}


@dataclass(frozen=True, slots=True)
class OddInput:
    """A text, whose it is, and what must and must not come of it."""

    id: str
    text: str
    by: str  # prose or player
    must_not: tuple[str, ...]
    must: tuple[str, ...]
    note: str


@cache
def odd_inputs() -> tuple[OddInput, ...]:
    """All of them, in the order of the list."""
    return tuple(map(_read, yaml.safe_load(LIST.read_text("utf-8"))))


def _read(entry: dict[str, Any]) -> OddInput:
    if unknown := sorted(entry.keys() - _FIELDS):
        raise ValueError(f"{entry.get('id')}: unknown fields {unknown}")
    return OddInput(
        id=entry["id"],
        text=_text(entry),
        by=entry.get("by", "prose"),
        must_not=tuple(entry.get("must_not", ())),
        must=tuple(entry.get("must", ())),
        note=entry.get("note", ""),
    )


def _text(entry: dict[str, Any]) -> str:
    ways = [way for way in ("text", "repeat", "nest") if way in entry]
    if len(ways) != 1:
        raise ValueError(f"{entry['id']}: one of text, repeat and nest; not {ways}")
    match ways[0], entry[ways[0]]:
        case "repeat", {"text": text, "times": times, **rest}:
            return f"{rest.get('before', '')}{text * times}{rest.get('after', '')}"
        case "nest", {"open": opening, "inside": inside, "close": closing, "times": times}:
            return f"{opening * times}{inside}{closing * times}"
        case "text", str(text):
            return text
    raise ValueError(f"{entry['id']}: {entry[ways[0]]!r} is no text")
