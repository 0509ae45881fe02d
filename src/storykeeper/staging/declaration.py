"""Reading a declaration: whatever a narrator or a host wrote, field by field.

A narrator that is a model adds one fenced block behind its prose:

    ```stage
    {"moves": [{"who": ["renna"], "kind": "departs", "to": "attic", "words": "her door clicks"}]}
    ```

Nothing in it is trusted: what has not the right shape is dropped and named, the rest stands. A
block that cannot be read at all is as none. The player never sees it, nor does the past keep it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from storykeeper.events.staged import Aside, Declaration, Move, Put, Told

MOVES = frozenset({
    "departs", "arrives", "sleeps", "wakes", "hides", "emerges", "call-opens", "call-closes",
    "gives", "takes", "reads", "sends",
})  # fmt: skip
FIELDS = ("moves", "asides", "told", "at", "here", "holds", "complete")
# A block begins a line, or follows on one that ends with its opening; whoever writes it may indent
# it, write it large, or begin the object on the same line. A stream that was cut has no end.
_FENCE = r"(?:`{3,8}|~{3,8})[ \t]*"
_LABEL = "(?:stage|json)"  # what models call it besides; a story has no JSON of its own
_OPENS = re.compile(
    rf"^[ \t]*{_FENCE}{_LABEL}(?=[\s{{]|$)|{_FENCE}{_LABEL}[ \t]*(?=\r?\n|\{{|\Z)"
    rf"|^[ \t]*{_FENCE}(?:s(?:t|ta|tag)?|j(?:s|so)?)\Z",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSES = re.compile(rf"(?:^|(?<=\}}))[ \t]*{_FENCE}[^\n]*(?:\n|$)", re.MULTILINE)
MOST_CHARS = 64_000  # of a block; a rendering moves few people
MOST_ROWS = 64  # in a field
MOST_NAME, MOST_WORDS = 120, 2_000  # characters
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A declaration as far as it has the right shape, and what was dropped of it and why."""

    declaration: Declaration
    dropped: tuple[str, ...] = ()


def without_blocks(prose: str) -> tuple[str, str | None]:
    """The prose without stage blocks, and the text of the last one if nothing stands behind it."""
    kept: list[str] = []
    block: str | None = None
    at = 0
    while (opens := _OPENS.search(prose, at)) is not None:
        kept.append(prose[at : opens.start()])
        closes = _CLOSES.search(prose, opens.end())
        block = prose[opens.end() : len(prose) if closes is None else closes.start()]
        at = len(prose) if closes is None else closes.end()
        if prose[at:].strip():
            block = None  # what stands in the middle of a text is no declaration
    if not kept:
        return prose, None
    return "".join((*kept, prose[at:])).rstrip(), block


def rendered(prose: str, stage: object) -> tuple[str, Declaration | None, tuple[str, ...]]:
    """Prose without a block; what was declared with it, apart or in the block; what was dropped."""
    prose, block = without_blocks(prose)
    if stage is None and block is None:
        return prose, None, ()
    read = parsed(block if stage is None else stage)
    inline = stage.inline if isinstance(stage, Declaration) else stage is None
    return prose, structs.replace(read.declaration, inline=inline), read.dropped


def parsed(raw: object) -> Parsed:
    """What a host or a model declared, as far as it can be read."""
    match raw:
        case Declaration():
            return Parsed(raw)
        case str():
            return _from_text(raw)
        case Mapping():
            return _from_mapping(raw)
        case _:
            return Parsed(Declaration(), ("the declaration is not an object",))


def _from_text(text: str) -> Parsed:
    if len(text) > MOST_CHARS:
        return Parsed(Declaration(), (f"the declaration has {len(text):,} characters: too many",))
    try:
        raw = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return Parsed(Declaration(), ("the declaration is not JSON",))
    if not isinstance(raw, dict):
        return Parsed(Declaration(), ("the declaration is not an object",))
    return _from_mapping(raw)


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _from_mapping(raw: Mapping[Any, Any]) -> Parsed:
    dropped = [f"{str(name)[:40]!r}: no such field" for name in raw if name not in FIELDS]
    rows = _Rows(raw, dropped)
    made = Declaration(
        moves=rows.each("moves", _move),
        asides=rows.each("asides", _aside),
        told=rows.each("told", _told),
        at=rows.pairs("at"),
        here=rows.names("here"),
        holds=rows.pairs("holds"),
        complete=raw.get("complete") is True,
    )
    return Parsed(made, tuple(dropped))


class _Rows:
    """The fields of a declaration, read one by one."""

    def __init__(self, raw: Mapping[Any, Any], dropped: list[str]) -> None:
        self._raw = raw
        self._dropped = dropped

    def each(self, field: str, made: Callable[[Mapping[str, Any]], _T]) -> tuple[_T, ...]:
        found: list[_T] = []
        for i, row in enumerate(self._list(field)):
            try:
                found.append(made(_object(row)))
            except _WrongShape as wrong:
                self._dropped.append(f"{field} {i + 1}: {wrong}")
        return tuple(found)

    def names(self, field: str) -> tuple[str, ...]:
        try:
            return _names(self._list(field))
        except _WrongShape as wrong:
            self._dropped.append(f"{field}: {wrong}")
            return ()

    def pairs(self, field: str) -> tuple[Put, ...]:
        given = self._raw.get(field)
        given = {} if given is None else given
        if not isinstance(given, Mapping) or len(given) > MOST_ROWS:
            self._dropped.append(f"{field}: it is not an object, or too large")
            return ()
        found: list[Put] = []
        for what, where in given.items():
            try:
                found.append(Put(_name(what), _name(where)))
            except _WrongShape as wrong:
                self._dropped.append(f"{field} {str(what)[:40]!r}: {wrong}")
        return tuple(found)

    def _list(self, field: str) -> list[Any]:
        given = self._raw.get(field)
        given = [] if given is None else given
        if not isinstance(given, list | tuple):
            self._dropped.append(f"{field}: it is not a list")
            return []
        if len(given) > MOST_ROWS:
            self._dropped.append(f"{field}: only the first {MOST_ROWS} rows are read")
        return list(given[:MOST_ROWS])


class _WrongShape(ValueError):
    """What is wrong with a row."""


def _object(row: object) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise _WrongShape("it is not an object")
    return row


def _move(row: Mapping[str, Any]) -> Move:
    kind = row.get("kind")
    if not isinstance(kind, str) or kind not in MOVES:
        raise _WrongShape(f"{str(kind)[:40]!r} is no kind of move")
    to = row.get("to") or row.get("with")
    return Move(
        who=_names(row.get("who")), kind=kind, to=_names(to) if to else (),
        what=_name(row.get("what") or ""), words=_words(row),
    )  # fmt: skip


def _aside(row: Mapping[str, Any]) -> Aside:
    words = _words(row)
    if not words:
        raise _WrongShape("it has no words")
    to = row.get("to")
    return Aside(words, _name(row.get("by") or ""), _names(to) if to else ())


def _told(row: Mapping[str, Any]) -> Told:
    to = row.get("to")
    return Told(
        _name(row.get("fact")), _names(to) if to else (), _name(row.get("by") or ""), _words(row)
    )


def _words(row: Mapping[str, Any]) -> str:
    words = row.get("words") or ""
    if not isinstance(words, str) or len(words) > MOST_WORDS or _is_broken(words):
        raise _WrongShape("its words are no text, or too long")
    return words


def _names(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return (_name(given),)
    if not isinstance(given, list | tuple) or len(given) > MOST_ROWS:
        raise _WrongShape("names are wanted")
    return tuple(map(_name, given))


def _name(given: object) -> str:
    if not isinstance(given, str) or len(given) > MOST_NAME or _is_broken(given):
        raise _WrongShape("a name is wanted")
    return given.strip()


def _is_broken(text: str) -> bool:
    """Whether half a character is in it, which JSON can say and no ledger can keep."""
    return any("\ud800" <= char <= "\udfff" for char in text)


def json_schema() -> dict[str, Any]:
    """The shape of a declaration as JSON Schema, for models that are given one."""
    name = {"type": "string", "maxLength": MOST_NAME}
    names = {"type": "array", "items": name, "maxItems": MOST_ROWS}
    words = {"type": "string", "maxLength": MOST_WORDS}
    either = {"anyOf": [name, names]}

    def rows(properties: dict[str, Any], *required: str) -> dict[str, Any]:
        shape = {"type": "object", "properties": properties, "required": list(required)}
        return {"type": "array", "maxItems": MOST_ROWS, "items": shape}

    move = {"who": names, "kind": {"enum": sorted(MOVES)}, "to": either, "with": either,
            "what": name, "words": words}  # fmt: skip
    pairs = {"type": "object", "additionalProperties": name}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "stage",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "moves": rows(move, "who", "kind"),
            "asides": rows({"by": name, "to": names, "words": words}, "words"),
            "told": rows({"fact": name, "by": name, "to": names, "words": words}, "fact"),
            "at": pairs,
            "here": names,
            "holds": pairs,
            "complete": {"type": "boolean"},
        },
    }


def as_json(declaration: Declaration) -> dict[str, Any]:
    """A declaration as it is written."""
    plain: dict[str, Any] = msgspec.to_builtins(declaration)
    plain.pop("inline", None)
    for field in ("at", "holds"):
        if field in plain:
            plain[field] = {pair["what"]: pair["where"] for pair in plain[field]}
    return plain
