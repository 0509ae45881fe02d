"""The shapes of canon from YAML (or JSON, which is YAML too) and back.

What cannot be read is refused with every problem in it: file, line, column, what, and what to do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.canon.chronicle import ChronicleSpec
from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.registry import CanonRegistry
from storykeeper.canon.situation import WorldState
from storykeeper.errors import CanonInvalid
from storykeeper.story.characters import decode
from storykeeper.story.nodes import parse
from storykeeper.story.problems import Problem, in_order
from storykeeper.story.reader import read_as
from storykeeper.story.schema import schema_of
from storykeeper.story.writer import tree_of
from storykeeper.story.yamltext import yaml_text

S = TypeVar("S", bound=Struct)

SHAPES: dict[str, tuple[type[Struct], str]] = {
    "registry": (CanonRegistry, "registry.yaml of a knowledge base"),
    "persona": (PersonaCardV2, "a character who acts on their own"),
    "world": (WorldState, "a moment of a field"),
    "brief": (TurnBrief, "what one character gets in one turn"),
    "action": (CharacterAction, "what a character does with a turn"),
    "chronicle": (ChronicleSpec, "how a log of turns is written up"),
}


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one of the shapes."""
    cls, title = SHAPES[name]
    return schema_of(cls, title=title)


def loaded(cls: type[S], path: Path) -> S:
    """The file as one of the shapes; CanonInvalid lists every problem it has."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise CanonInvalid(f"there is no {path}; check the name") from None
    return read(cls, data, file=path.name)


def read(cls: type[S], data: bytes, *, file: str) -> S:
    """The bytes of a file as one of the shapes; CanonInvalid lists every problem in them."""
    text, problems = decode(data, file=file)
    node, found = parse(text, file=file) if not problems else (None, [])
    problems += found
    made: S | None = None
    if node is None and not problems:
        what = "the file is empty"
        problems.append(Problem(code="empty", what=what, fix="see the schema", file=file, line=1))
    if node is not None:
        made = read_as(cls, node, problems)
    if problems or made is None:
        raise CanonInvalid(_listed(problems, file))
    return made


def _listed(problems: list[Problem], file: str) -> str:
    ordered = in_order(problems)
    counted = "1 problem" if len(ordered) == 1 else f"{len(ordered)} problems"
    return "\n".join((f"{file} has {counted}:", *(f"  {problem}" for problem in ordered)))


def written(value: Struct) -> str:
    """One of the shapes as YAML that reads back as the same; defaults are left out."""
    return yaml_text(tree_of(value))


def as_json(value: Struct) -> bytes:
    """One of the shapes as JSON that reads back as the same."""
    return msgspec.json.encode(value)
