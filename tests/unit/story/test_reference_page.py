"""docs/reference/story-files.md says what the model says, and every example on it can be read.

A fenced block names what it is by the second word of its info string:

    yaml story        story.yaml, or some of its keys
    yaml sections     any other file of sections
    yaml scene        the head of a scene file, or some of its keys
    yaml when         a condition, under the key `when`
    markdown scene    a scene file, whole

A `###` heading followed by a line `<!-- Struct -->` begins the table of that struct.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import yaml
from msgspec import NODEFAULT, Struct
from msgspec import inspect as shapes

from storykeeper.events import vocabulary
from storykeeper.story import (
    conditions,
    knowledge,
    layers,
    minds,
    model,
    people,
    places,
    scenes,
    stage,
    tuning,
)
from storykeeper.story.checks.references import REFERS, Kind
from storykeeper.story.nodes import Mapping, Node, Scalar, parse
from storykeeper.story.problems import Problem
from storykeeper.story.reader import read_as, shape_of
from storykeeper.story.scenefile import read_scene, scene_node
from storykeeper.story.words import label, range_text
from storykeeper.units import ID_PATTERN
from strategies.tables import table

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "story-files.md").read_text("utf-8")
MODULES = (conditions, knowledge, layers, minds, model, people, places, scenes, stage, tuning)
NOT_WRITTEN = {"Authored", "Story", "StorySections", "Scene", "SceneBody", "Beat"}
READ_AS = {"StoryFile": "Story", "SceneHead": "Scene", "BeatHead": "Beat"}  # where names refer
BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILLED = {
    "story": "id: a-story\ntitle: A story\nplayers: [ana]\nstart: arrival\nvoice: Plain.\n",
    "scene": "title: A scene\n",
}


class When(Struct):
    """What a `yaml when` block holds."""

    when: conditions.Condition


SHAPES: dict[str, type[Struct]] = {
    "story": model.StoryFile,
    "sections": model.StorySections,
    "scene": scenes.SceneHead,
    "when": When,
}


def structs() -> dict[str, type[Struct]]:
    """Everything an author writes, by the name of its class."""
    found = {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, conditions.Authored)
    }
    return {name: found[name] for name in sorted(found) if name not in NOT_WRITTEN}


def blocks() -> list[tuple[str, str, int]]:
    """The kind, the text and the line of every fenced block."""
    return [(m[2], m[3], PAGE.count("\n", 0, m.start()) + 2) for m in BLOCK.finditer(PAGE)]


def whole(kind: str, text: str) -> str:
    """The block with the keys that every file of its kind must have."""
    stated = set(re.findall(r"^(\w+):", text, re.MULTILINE))
    return text + "".join(
        line + "\n"
        for line in FILLED.get(kind, "").splitlines()
        if line.split(":")[0] not in stated
    )


def tree(kind: str, text: str) -> tuple[Node, type[Struct], list[Problem]]:
    """A block as nodes, and the struct it should have the shape of."""
    if text.startswith("---"):
        scene, problems = read_scene(text, file="page.md")
        node, more = scene_node(scene, name="a-scene")
        return node, scenes.Scene, problems + more
    root, problems = parse(whole(kind, text), file="page.md")
    return root or Scalar("page.md", 1, 1, None), SHAPES[kind], problems


@table("kind, text, line", blocks())
def test_every_block_can_be_read(kind: str, text: str, line: int) -> None:
    node, struct, problems = tree(kind, text)
    read_as(struct, node, problems)
    assert [str(p) for p in problems] == [], f"block on line {line}"


def test_no_block_is_left_out() -> None:
    fences = sum(1 for mark in re.findall(r"^```(.*)$", PAGE, re.MULTILINE) if mark)
    plain = len(re.findall(r"^```text$", PAGE, re.MULTILINE))
    assert fences - plain == len(blocks())


# Keys ---------------------------------------------------------------------------------------------


def used(node: object, shape: shapes.Type) -> Iterator[tuple[str, str]]:
    """The keys that a plain value uses, as (struct, key)."""
    match shape:
        case shapes.UnionType():
            for inner in shape.types:
                yield from used(node, inner)
        case shapes.StructType() if isinstance(node, dict):
            fields = {field.encode_name: field for field in shape.fields}
            for key, value in node.items():
                yield shape.cls.__name__, key
                yield from used(value, fields[key].type)
        case shapes.DictType() if isinstance(node, dict):
            for value in node.values():
                yield from used(value, shape.value_type)
        case shapes.VarTupleType() if isinstance(node, list):
            for value in node:
                yield from used(value, shape.item_type)


def test_every_key_has_an_example() -> None:
    shown: set[tuple[str, str]] = set()
    for kind, text, _ in blocks():
        if text.startswith("---"):
            text, kind = text.split("---")[1], "scene"
        shown.update(used(yaml.safe_load(text), shape_of(SHAPES[kind])))
    every = {
        (name, field.encode_name)
        for name, cls in structs().items()
        for field in shape_of(cls).fields
    }
    assert sorted(every - shown) == []


# Tables -------------------------------------------------------------------------------------------


def kind_of(shape: shapes.Type, refers: Kind | None = None) -> str:
    """How the page says what may stand somewhere."""
    if refers is not None and refers is not Kind.HOW:
        return str(refers)
    match shape:
        case shapes.UnionType():
            return kind_of(next(t for t in shape.types if not isinstance(t, shapes.NoneType)))
        case shapes.VarTupleType():
            return f"list: {kind_of(shape.item_type)}"
        case shapes.StructType():
            return label(shape.cls)
        case shapes.EnumType():
            return ", ".join(f"`{member.value}`" for member in shape.cls)
        case shapes.LiteralType():
            return ", ".join(f"`{value}`" for value in shape.values)
        case shapes.BoolType():
            return "true or false"
        case shapes.FloatType() | shapes.IntType():
            noun = "a number" if isinstance(shape, shapes.FloatType) else "a whole number"
            if (shape.ge, shape.gt, shape.le, shape.lt) == (None,) * 4:
                return noun
            return f"{noun} {range_text(shape)}".replace("1e+06", "1000000")
        case shapes.StrType(pattern=None):
            return "text"
        case shapes.StrType():
            named = {ID_PATTERN: "an id"}
            if refers is Kind.HOW:
                return "a way to learn"
            return named.get(shape.pattern or "", "text of a fixed form")
    raise AssertionError(shape)


def type_text(cls: type[Struct], field: shapes.Field) -> str:
    """The third column of a key's row."""
    owner = READ_AS.get(cls.__name__, cls.__name__)
    refers = next((f.get(field.name) for c, f in REFERS.items() if c.__name__ == owner), None)
    shape = field.type
    if isinstance(shape, shapes.UnionType):
        shape = next(t for t in shape.types if not isinstance(t, shapes.NoneType))
    if isinstance(shape, shapes.DictType):
        keys, values = refers if isinstance(refers, tuple) else (None, None)
        return f"{kind_of(shape.key_type, keys)} → {kind_of(shape.value_type, values)}"
    assert not isinstance(refers, tuple)
    if isinstance(shape, shapes.VarTupleType):
        return f"list: {kind_of(shape.item_type, refers)}"
    return kind_of(shape, refers)


def default_text(field: shapes.Field) -> str:
    """The fourth column: what holds when the key is left out."""
    default = field.default
    if default is NODEFAULT and field.default_factory is NODEFAULT:
        return "**required**"
    if default is NODEFAULT:
        return "none"
    match default:
        case None | () | "":
            return "none"
        case Struct():
            return "its defaults"
        case bool():
            return f"`{str(default).lower()}`"
        case Enum():
            return f"`{default.value}`"
        case tuple():
            return f"`[{', '.join(default)}]`"
        case float() | int():
            return f"`{default:g}`"
    return f"`{default}`"


def tables() -> dict[str, dict[str, tuple[str, str]]]:
    """What the page states: struct → key → type and default."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for part in PAGE.split("<!-- ")[1:]:
        name, _, rest = part.partition(" -->")
        rows = [line.split("|")[1:-1] for line in rest.split("\n### ")[0].splitlines()
                if line.startswith("| `")]  # fmt: skip
        found[name] = {row[0].strip(" `"): (row[2].strip(), row[3].strip()) for row in rows}
    return found


def expected(cls: type[Struct]) -> dict[str, tuple[str, str]]:
    return {f.encode_name: (type_text(cls, f), default_text(f)) for f in shape_of(cls).fields}


@table("name", sorted(structs()))
def test_tables_say_what_the_model_says(name: str) -> None:
    assert tables().get(name) == expected(structs()[name])


def test_the_page_has_no_table_of_something_else() -> None:
    assert set(tables()) == set(structs())


def test_ways_to_learn_are_all_named() -> None:
    for way in vocabulary.WAYS:
        assert f"`{way}`" in PAGE


def test_mappings_stay_mappings() -> None:
    """The reader of nodes is used for real: a wrong key on the page would be reported."""
    node, problems = parse("cast:\n- {id: ana, nam: Ana, line: x}\n", file="page.md")
    assert isinstance(node, Mapping)
    read_as(model.StorySections, node, problems)
    assert {p.code for p in problems} == {"unknown-key", "missing-key"}
