"""YAML text to a tree in which every key and value knows its line.

The parser is PyYAML's, at the level of events; what the events mean is decided here. Scalars are
those of YAML 1.2: only `true`, `false`, `null`, `~`, nothing and numbers are special, so `no`,
`on` and `12:30` stay the words they look like. What a story does not need is refused by name:
anchors, aliases, merge keys and tags (and with them every bomb), second documents, keys that are
not text, numbers that are not finite, nesting without end.
"""

from __future__ import annotations

import math
import re
from typing import Any, TypeAlias

import yaml
from msgspec import Struct
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from storykeeper.story.characters import is_forbidden, separators
from storykeeper.story.problems import Problem
from storykeeper.story.syntax import explained

try:
    from yaml._yaml import CParser as _Parser
except ImportError:  # a PyYAML built without libyaml: the same events, more slowly
    from yaml import SafeLoader as _Parser  # type: ignore[assignment]

MAX_DEPTH = 48
UNKNOWN = "?"  # in place of a key that says nothing
MAX_DIGITS = 15  # beyond these a float is not exact and an integer is a mistake

Plain: TypeAlias = str | int | float | bool | None

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, Plain] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


class Node(Struct, frozen=True, gc=False):
    """Something in a file, and where it begins.

    A tree has no cycles, so the collector is spared looking for them: a large story is a million
    nodes.
    """

    file: str
    line: int
    column: int


class Scalar(Node, frozen=True, gc=False):
    """One value: text, a number, true or false, or nothing."""

    value: Plain


class Sequence(Node, frozen=True, gc=False):
    """A list."""

    items: tuple[Node, ...]


class Unreadable(Node, frozen=True, gc=False):
    """Something that could not be read, and is reported already."""


class Entry(Struct, frozen=True, gc=False):
    """A key with its place, and the value under it."""

    key: str
    line: int
    column: int
    value: Node


class Mapping(Node, frozen=True, gc=False):
    """Keys and values, in the order of the file."""

    entries: dict[str, Entry]
    spoilt: tuple[Entry, ...] = ()  # what else is said here, is reported and is not taken


class _Unfinished(Exception):
    """The rest of this file cannot be read; the problem is on the list already."""


def parse(text: str, *, file: str, first_line: int = 1) -> tuple[Node | None, list[Problem]]:
    """The tree of one YAML text, or None where it has none; and all that is wrong with it.

    `first_line` is the line of the file on which the text begins: 2 for the head of a scene.
    """
    problems = separators(text, file=file, first_line=first_line)
    if problems:
        return None, problems
    builder = _Builder(text, file=file, first_line=first_line)
    try:
        root = builder.document()
    except yaml.YAMLError as error:
        return None, [*builder.problems, explained(error, text, file=file, first_line=first_line)]
    except _Unfinished:
        return None, builder.problems
    return root, builder.problems


def resolved(text: str) -> Plain:
    """What a scalar without quotes means. Numbers that are no number of ours raise ValueError."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":  # nearly every scalar is prose or an id
        return text
    if _INT.fullmatch(text):
        if len(text) > MAX_DIGITS:
            raise ValueError("the number is too long")
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError("the number is not finite")
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise ValueError("the number is not finite")
        return number
    return text


class _Builder:
    """Reads one document's events, going on after everything that can be skipped."""

    def __init__(self, text: str, *, file: str, first_line: int) -> None:
        self._parser = _Parser(text)
        self._file = file
        self._shift = first_line
        self._depth = 0
        self._anchored = False  # one such problem a file is enough: a bomb has thousands
        self.problems: list[Problem] = []

    def document(self) -> Node | None:
        root: Node | None = None
        while not isinstance(event := self._next(), StreamEndEvent):
            if not isinstance(event, DocumentStartEvent):
                continue
            if root is not None:
                self._refuse(event, "several-documents", "a second document begins here",
                             "a file holds one; remove the `---`")  # fmt: skip
                break
            root = self._node(self._next())
        return root

    def _next(self) -> Any:
        return self._parser.get_event()

    def _node(self, event: Any) -> Node:
        line, column = self._place(event)
        if isinstance(event, AliasEvent):
            self._refuse_anchor(event, "alias", f"`*{event.anchor}` refers to an anchor",
                                "write the value out; stories have no anchors")  # fmt: skip
            return Unreadable(self._file, line, column)
        self._refuse_decoration(event)
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._refuse(event, "too-deep", f"this is nested more than {MAX_DEPTH} deep",
                         "flatten it")  # fmt: skip
            raise _Unfinished
        node: Node
        if isinstance(event, SequenceStartEvent):
            node = Sequence(self._file, line, column, self._items())
        else:
            node = Mapping(self._file, line, column, *self._entries())
        self._depth -= 1
        return node

    def _items(self) -> tuple[Node, ...]:
        items = []
        while not isinstance(event := self._next(), SequenceEndEvent):
            items.append(self._node(event))
        return tuple(items)

    def _entries(self) -> tuple[dict[str, Entry], tuple[Entry, ...]]:
        entries: dict[str, Entry] = {}
        spoilt: list[Entry] = []
        while not isinstance(event := self._next(), MappingEndEvent):
            key = self._key(event)
            value = self._node(self._next())
            line, column = self._place(event)
            if key is None:
                spoilt.append(Entry(UNKNOWN, line, column, value))
            elif key in entries:
                first = entries[key].line
                self._refuse(event, "duplicate-key", f"the key `{key}` stands here twice, "
                             f"first on line {first}", "keep one of them")  # fmt: skip
                spoilt.append(Entry(key, line, column, value))
            else:
                entries[key] = Entry(key, line, column, value)
        return entries, tuple(spoilt)

    def _key(self, event: Any) -> str | None:
        if not isinstance(event, ScalarEvent):
            self._node(event)  # read past it
            self._refuse(event, "bad-key", "a list or a mapping stands as a key",
                         "a key is a word followed by a colon")  # fmt: skip
            return None
        if event.value == "<<" and event.implicit[0]:
            self._refuse(event, "merge-key", "`<<` merges other keys in",
                         "write the keys out; stories have no merge keys")  # fmt: skip
            return None
        value = self._node(event)
        if isinstance(value, Unreadable):
            return None
        assert isinstance(value, Scalar)
        if isinstance(value.value, str) and value.value:
            return value.value
        self._refuse(event, "bad-key", f"the key `{event.value}` is not text",
                     f'put it in quotes: "{event.value}"')  # fmt: skip
        return None

    def _scalar(self, event: ScalarEvent) -> Scalar | Unreadable:
        line, column = self._place(event)
        text: str = event.value
        if is_forbidden(text):
            self._refuse(event, "control-character", "the text holds an invisible character",
                         "remove the escape that makes it")  # fmt: skip
            return Scalar(self._file, line, column, "\N{REPLACEMENT CHARACTER}")
        if not event.implicit[0]:
            return Scalar(self._file, line, column, text)
        try:
            return Scalar(self._file, line, column, resolved(text))
        except ValueError as error:
            fix = "write a number of ordinary size, or put it in quotes if it is text"
            self._refuse(event, "bad-number", str(error), fix)
            return Unreadable(self._file, line, column)

    def _refuse_decoration(self, event: Any) -> None:
        if getattr(event, "anchor", None) is not None:
            self._refuse_anchor(event, "anchor", f"`&{event.anchor}` is an anchor",
                                "remove it; stories have no anchors")  # fmt: skip
        if getattr(event, "tag", None) is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._refuse(event, "tag", f"`{tag}` is a tag",
                         "remove it; stories have no tags")  # fmt: skip

    def _refuse_anchor(self, event: Any, code: str, what: str, fix: str) -> None:
        if not self._anchored:
            self._anchored = True
            self._refuse(event, code, what, fix)

    def _refuse(self, event: Any, code: str, what: str, fix: str) -> None:
        line, column = self._place(event)
        self.problems.append(
            Problem(code=code, what=what, fix=fix, file=self._file, line=line, column=column)
        )

    def _place(self, event: Any) -> tuple[int, int]:
        mark = event.start_mark
        return mark.line + self._shift, mark.column + 1
