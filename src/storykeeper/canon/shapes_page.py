"""The reference page of the shapes, made from the shapes.

python -m storykeeper.canon.shapes_page > docs/reference/schemas.md
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator

from msgspec import NODEFAULT, Struct
from msgspec import inspect as shapes

from storykeeper.canon.files import SHAPES
from storykeeper.story.reader import shape_of
from storykeeper.story.words import range_text

HEAD = """\
# Shapes

Written by `python -m storykeeper.canon.shapes_page`; a test compares.

What canon is made of, and what characters are told by and act with. Each is a frozen, strict
struct of `storykeeper.canon`; `storykeeper.canon.files` reads it from YAML or JSON (`loaded`), says
of a bad file every problem with line and column, and writes it back so that it reads as the same
(`written`, `as_json`). `storykeeper schema WHICH` prints its JSON Schema. A key that does not stand
in its table is refused, not ignored.
"""


def page() -> str:
    """All of it."""
    parts = [HEAD]
    for name, (cls, title) in SHAPES.items():
        parts.append(f"## {cls.__name__}\n\n`storykeeper schema {name}`: {title}.\n")
        parts += [_section(each, top=each is cls) for each in _structs(cls)]
    return "\n".join(parts)


def _structs(cls: type[Struct]) -> Iterator[type[Struct]]:
    """The struct and those inside it, each once, in the order in which they are met."""
    seen: dict[type[Struct], None] = {}

    def visit(shape: shapes.Type) -> None:
        match shape:
            case shapes.StructType():
                if shape.cls not in seen:
                    seen[shape.cls] = None
                    for field in shape_of(shape.cls).fields:
                        visit(field.type)
            case shapes.UnionType():
                for each in shape.types:
                    visit(each)
            case shapes.VarTupleType():
                visit(shape.item_type)
            case shapes.DictType():
                visit(shape.value_type)

    visit(shape_of(cls))
    yield from seen


def _section(cls: type[Struct], *, top: bool) -> str:
    said = inspect.cleandoc(cls.__doc__ or "")
    lines = ([] if top else [f"### {cls.__name__}", ""]) + [said, ""]
    comments = _comments(cls)
    lines += ["| key | holds | unless said | |", "|---|---|---|---|"]
    for field in shape_of(cls).fields:
        default = "**needed**" if field.required else _default(field)
        means = comments.get(field.name, "")
        lines.append(f"| `{field.encode_name}` | {_kind(field.type)} | {default} | {means} |")
    return "\n".join((*lines, ""))


def _default(field: shapes.Field) -> str:
    value = field.default if field.default is not NODEFAULT else field.default_factory()
    if value in (None, (), {}, ""):
        return "nothing"
    if isinstance(value, Struct):
        return "as below"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _kind(shape: shapes.Type) -> str:
    match shape:
        case shapes.StructType() | shapes.EnumType():
            members = "" if isinstance(shape, shapes.StructType) else _members(shape)
            return members or f"{shape.cls.__name__}"
        case shapes.UnionType():
            return _kind(next(t for t in shape.types if not isinstance(t, shapes.NoneType)))
        case shapes.VarTupleType():
            return f"list: {_kind(shape.item_type)}"
        case shapes.DictType():
            return f"mapping: {_kind(shape.value_type)}"
        case shapes.LiteralType():
            return " or ".join(f"`{value}`" for value in shape.values)
        case shapes.BoolType():
            return "true or false"
        case shapes.IntType() | shapes.FloatType():
            return _number(shape)
        case shapes.StrType():
            return "an id" if shape.pattern and shape.max_length == 64 else "text"
        case _:
            return "anything"


def _members(shape: shapes.EnumType) -> str:
    return ", ".join(f"`{each.value}`" for each in shape.cls if each.value)


def _number(shape: shapes.IntType | shapes.FloatType) -> str:
    word = "a whole number" if isinstance(shape, shapes.IntType) else "a number"
    limited = any(each is not None for each in (shape.ge, shape.gt, shape.le))
    return f"{word} {range_text(shape)}" if limited else word


def _comments(cls: type[Struct]) -> dict[str, str]:
    """What stands behind each field in the code."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if not issubclass(each, Struct) or each is Struct:
            continue
        source = inspect.getsource(each)
        lines = source.splitlines()
        (tree,) = ast.parse(source).body
        assert isinstance(tree, ast.ClassDef)
        for node in tree.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                _, _, said = lines[(node.end_lineno or 0) - 1].partition("  # ")
                if said:
                    found[node.target.id] = said.replace("|", "\\|")
    return found


if __name__ == "__main__":
    sys.stdout.write(page())
