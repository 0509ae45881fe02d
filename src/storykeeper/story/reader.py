"""A located tree to the author's structs, collecting every problem instead of stopping at one.

The shape comes from the model itself. Where something cannot be read a stand-in takes its place
(an id that is "", a text that is "", a list that is empty), so that the index of everything else
stays what it is in the files and later checks still find their lines. No stand-in ever leaves
`read_story`: a story with an error is not handed out. An id that is "" was unreadable, and is
reported already; one that is badly spelt is kept, since others will refer to it by that name.

Which parts of the story an error may have changed is kept as their paths, in the model's own
words: of an unknown key that of the nearest known one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from msgspec import NODEFAULT, Struct
from msgspec import inspect as shapes

from storykeeper.story.nodes import UNKNOWN, Entry, Mapping, Node, Scalar, Sequence, Unreadable
from storykeeper.story.problems import Path, Problem, did_you_mean, nearest, shown, slug
from storykeeper.story.words import label, range_text
from storykeeper.units import ID_PATTERN

Spoilt: TypeAlias = dict[Path, Node]  # what an error may have changed, and where the error is

_READERS: dict[type, Callable[[TreeReader, Node, Any, Path], Any]] = {}


def read_as(
    cls: type[Struct], node: Node, problems: list[Problem], spoilt: Spoilt | None = None
) -> Any:
    """The tree as an instance of this struct; what is wrong is added to the problems."""
    reader = TreeReader(problems, {} if spoilt is None else spoilt)
    return reader.read(node, shape_of(cls), ())


@cache
def shape_of(cls: type[Struct]) -> shapes.StructType:
    """The model's description of a struct."""
    shape = shapes.type_info(cls)
    assert isinstance(shape, shapes.StructType)
    return shape


@cache
def _fields(cls: type) -> dict[str, shapes.Field]:
    return {field.encode_name: field for field in shape_of(cls).fields}


class TreeReader:
    """Reads nodes by the shape they should have."""

    def __init__(self, problems: list[Problem], spoilt: Spoilt) -> None:
        self.problems = problems
        self.spoilt = spoilt

    def read(self, node: Node, shape: shapes.Type, path: Path) -> Any:
        """The value, or a stand-in after a problem."""
        if isinstance(node, Unreadable):
            self.spoil(path, node, node.file)
            return stand_in(shape)
        return _READERS[type(shape)](self, node, shape, path)

    def spoil(self, path: Path, at: Node | Entry, file: str) -> None:
        """Remembers that an error here may have changed this part of the story."""
        self.spoilt.setdefault(path, Node(file, at.line, at.column))

    def refuse(
        self, node: Node | Entry, file: str, path: Path, *said: str, spoils: Path | None = None
    ) -> None:
        """Adds a problem: code, what, and what to do."""
        code, what, fix = said
        self.spoil(path if spoils is None else spoils, node, file)
        self.problems.append(
            Problem(code=code, what=what, fix=fix, path=path,
                    file=file, line=node.line, column=node.column)
        )  # fmt: skip

    def struct(self, node: Node, shape: shapes.StructType, path: Path) -> Any:
        """A mapping with known keys."""
        cls = shape.cls
        if not isinstance(node, Mapping):
            self._wrong_type(node, f"{label(cls)} made of `key: value` lines", path)
            return stand_in(shape)
        fields = _fields(cls)
        values = {}
        for key, entry in node.entries.items():
            field = fields.get(key)
            if field is None:
                self._unknown_key(entry, cls, node.file, path)
            else:
                values[field.name] = self.read(entry.value, field.type, (*path, key))
        for entry in node.spoilt:
            self.spoil((*path, entry.key), entry, node.file)
        for key, field in fields.items():
            if field.name not in values and field.required:
                what = f"{label(cls)} needs the key `{key}`"
                self.refuse(node, node.file, path, "missing-key", what, f"add `{key}: …`",
                            spoils=(*path, key))  # fmt: skip
                values[field.name] = stand_in(field.type)
        return cls(**values)

    def _unknown_key(self, entry: Entry, cls: type, file: str, path: Path) -> None:
        known = list(_fields(cls))
        fix = did_you_mean(entry.key, known, f"the keys here are {', '.join(known)}")
        if " " in entry.key and isinstance(entry.value, Scalar) and entry.value.value is None:
            fix = "inside braces, text that holds a comma must stand in quotes"
        what = f"`{shown(entry.key)}` is not a key of {label(cls)}"
        meant = (*path, nearest(entry.key, known) or UNKNOWN)
        self.refuse(entry, file, (*path, entry.key), "unknown-key", what, fix, spoils=meant)

    def union(self, node: Node, shape: shapes.UnionType, path: Path) -> Any:
        """Something, or nothing."""
        if isinstance(node, Scalar) and node.value is None:
            return None
        inner = next(t for t in shape.types if not isinstance(t, shapes.NoneType))
        before = len(self.problems)
        value = self.read(node, inner, path)
        unreadable = len(self.problems) > before and not isinstance(inner, shapes.StructType)
        return None if unreadable and not isinstance(inner, shapes.VarTupleType) else value

    def items(self, node: Node, shape: shapes.VarTupleType, path: Path) -> Any:
        """A list."""
        if not isinstance(node, Sequence):
            one = isinstance(node, Scalar) and node.value is not None
            fix = f"write it as a list: [{shown(node.value)}]" if one else ""  # type: ignore[attr-defined]
            self._wrong_type(node, "a list", path, fix)
            return ()
        if shape.min_length and len(node.items) < shape.min_length:
            fix = f"give it at least {shape.min_length}"
            self.refuse(node, node.file, path, "too-few", "the list is too short", fix)
        inner = shape.item_type
        return tuple(self.read(item, inner, (*path, i)) for i, item in enumerate(node.items))

    def table(self, node: Node, shape: shapes.DictType, path: Path) -> Any:
        """A mapping whose keys the author chooses."""
        if not isinstance(node, Mapping):
            self._wrong_type(node, "a mapping", path)
            return {}
        values = {}
        for key, entry in node.entries.items():
            place = Scalar(node.file, entry.line, entry.column, key)
            name = self.text(place, shape.key_type, (*path, key))
            value = self.read(entry.value, shape.value_type, (*path, key))
            if name:
                values[name] = value
        for entry in node.spoilt:
            self.spoil((*path, entry.key), entry, node.file)
        return values

    def text(self, node: Node, shape: Any, path: Path) -> Any:
        """Text, perhaps of a certain form."""
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self._wrong_type(node, "text", path, _text_fix(node, shape.pattern))
            return ""
        seen = node.value if path[-1:] == ("id",) else ""
        value = node.value
        if shape.pattern and not re.fullmatch(shape.pattern, value):
            code, what, fix = _pattern_says(shape.pattern, value)
            self.refuse(node, node.file, path, code, what, fix)
            return seen
        if shape.max_length is not None and len(value) > shape.max_length:
            what = f"`{shown(value)}` is longer than {shape.max_length} characters"
            self.refuse(node, node.file, path, "too-long", what, "shorten it")
            return seen
        return value

    def number(self, node: Node, shape: shapes.FloatType | shapes.IntType, path: Path) -> Any:
        """A number in its range."""
        whole = isinstance(shape, shapes.IntType)
        value = node.value if isinstance(node, Scalar) else None
        wanted = int if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, wanted):
            self._wrong_type(node, f"a{' whole' if whole else ''} number", path)
            return stand_in(shape)
        outside = (
            (shape.ge is not None and value < shape.ge)
            or (shape.gt is not None and value <= shape.gt)
            or (shape.le is not None and value > shape.le)
            or (shape.lt is not None and value >= shape.lt)
        )
        if outside:
            what, fix = f"{value} is out of range", f"give a number {range_text(shape)}"
            self.refuse(node, node.file, path, "out-of-range", what, fix)
            return stand_in(shape)
        return value if whole else float(value)

    def flag(self, node: Node, _shape: shapes.BoolType, path: Path) -> Any:
        """True or false."""
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self._wrong_type(node, "`true` or `false`", path)
        return False

    def choice(self, node: Node, shape: shapes.EnumType, path: Path) -> Any:
        """One of a few words."""
        allowed = {str(member.value): member for member in shape.cls}
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.value in allowed:
            return allowed[node.value]
        said = shown(node.value) if isinstance(node, Scalar) else "this"
        fix = f"use one of {', '.join(allowed)}"
        nearer = did_you_mean(said, allowed, "")
        fix = f"{nearer} {fix}" if nearer else fix
        self.refuse(node, node.file, path, "bad-choice", f"`{said}` cannot stand here", fix)
        return stand_in(shape)

    def literal(self, node: Node, shape: shapes.LiteralType, path: Path) -> Any:
        """Exactly one of a few values."""
        value = node.value if isinstance(node, Scalar) else None
        if value in shape.values and not isinstance(value, bool):
            return value
        allowed = " or ".join(str(v) for v in shape.values)
        said = shown(value) if isinstance(node, Scalar) else "this"
        self.refuse(node, node.file, path, "bad-choice", f"`{said}` cannot stand here",
                    f"write {allowed}")  # fmt: skip
        return shape.values[0]

    def _wrong_type(self, node: Node, wanted: str, path: Path, fix: str = "") -> None:
        key = next((str(part) for part in reversed(path) if isinstance(part, str)), "")
        subject = f"`{key}` is" if key and path and path[-1] == key else "this is"
        what = f"{subject} {_kind(node)} where {wanted} should stand"
        self.refuse(node, node.file, path, "wrong-type", what, fix or f"write {wanted}")


def stand_in(shape: Any) -> Any:
    """What takes the place of something unreadable."""
    match shape:
        case shapes.StrType():
            return ""
        case shapes.VarTupleType():
            return ()
        case shapes.DictType():
            return {}
        case shapes.EnumType():
            return next(iter(shape.cls))
        case shapes.LiteralType():
            return shape.values[0]
        case shapes.BoolType():
            return False
        case shapes.IntType() | shapes.FloatType():
            low = shape.ge if shape.ge is not None else shape.gt
            return low if low is not None else 0
        case shapes.StructType():
            values = {f.name: stand_in(f.type) for f in shape.fields if f.default is NODEFAULT
                      and f.default_factory is NODEFAULT}  # fmt: skip
            return shape.cls(**values)
        case _:
            return None


def _kind(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    match node.value:  # type: ignore[attr-defined]
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case str():
            return "text"
        case _:
            return "a number"


def _text_fix(node: Node, pattern: str | None) -> str:
    if isinstance(node, Scalar) and node.value is not None:
        word = str(node.value).lower() if isinstance(node.value, bool) else node.value
        if pattern == ID_PATTERN and not isinstance(node.value, bool):
            return f"write `{slug(f'id {word}')}`"  # a number in quotes would be no id either
        return f'put it in quotes: "{word}"'
    return "write text"


def _pattern_says(pattern: str, value: str) -> tuple[str, str, str]:
    if pattern == ID_PATTERN:
        what = f"`{shown(value)}` is not an id: lower-case letters, digits and single hyphens"
        fix = f"write `{slug(value)}`" if slug(value) else "begin it with a letter from a to z"
        return "bad-id", what, fix
    if "revealed" in pattern:
        ways = pattern[2 : pattern.index(")")].replace("|", ", ")
        fix = f"write one of {ways}, perhaps followed by `by` and an id, as in `told by mara`"
        return "bad-how", f"`{shown(value)}` is no way to learn something", fix
    if pattern.startswith("^[a-z]+("):
        fix = "write a verb in its plain form, in lower case, as in `look at`"
        return "bad-act", f"`{shown(value)}` is no act", fix
    fix = "see the reference for what may be written here"
    return "bad-form", f"`{shown(value)}` has the wrong form", fix


_READERS.update(
    {
        shapes.StructType: TreeReader.struct,
        shapes.UnionType: TreeReader.union,
        shapes.VarTupleType: TreeReader.items,
        shapes.DictType: TreeReader.table,
        shapes.StrType: TreeReader.text,
        shapes.IntType: TreeReader.number,
        shapes.FloatType: TreeReader.number,
        shapes.BoolType: TreeReader.flag,
        shapes.EnumType: TreeReader.choice,
        shapes.LiteralType: TreeReader.literal,
    }
)
