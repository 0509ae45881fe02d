"""YAML as blocks: keys are headings, and each text or item of a list is a block."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.errors import DocumentUnreadable
from storykeeper.memory.documents.partition import KEEP, Block, Rule, placed_by_name
from storykeeper.story.nodes import Mapping, Node, Scalar, Sequence, parse

_KEEP = "keep"


def yaml_blocks(text: str, *, file: str) -> list[Block]:
    """The blocks of a YAML text, in order."""
    root, problems = parse(text, file=file)
    if problems:
        first = problems[0]
        raise DocumentUnreadable(f"{file}, line {first.line}: {first.what}; {first.fix}")
    return [] if root is None else list(_blocks(root, (), (None,)))


def _blocks(
    node: Node, heading: tuple[str, ...], stated: tuple[Rule | None, ...]
) -> Iterator[Block]:
    match node:
        case Scalar(line=line, value=value):
            text = "" if value is None else str(value).strip()
            if text:
                yield Block(line, heading, text, stated)
        case Sequence(items=items):
            for item in items:
                yield from _blocks(item, heading, stated)
        case Mapping(entries=entries):
            stated = (*stated[:-1], _stated(node) or stated[-1])
            for key, entry in entries.items():
                if key != _KEEP:
                    name, rule = placed_by_name(key.replace("_", " "), line=entry.line)
                    yield from _blocks(entry.value, (*heading, name), (*stated, rule))


def _stated(mapping: Mapping) -> Rule | None:
    entry = mapping.entries.get(_KEEP)
    value = entry.value.value if entry is not None and isinstance(entry.value, Scalar) else None
    part = KEEP.get(str(value).lower())
    if entry is None or part is None:
        return None
    return Rule(part, f"line {entry.line} says keep: {value}")
