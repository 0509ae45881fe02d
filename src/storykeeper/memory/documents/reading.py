"""A document's text, by the ending of its name, as passages."""

from __future__ import annotations

from pathlib import PurePath

from storykeeper.errors import DocumentUnreadable
from storykeeper.memory.documents.partition import Passage, partition

MARKDOWN = (".md", ".markdown", ".txt")
YAML = (".yaml", ".yml")


def passages_of(text: str, *, document: str) -> tuple[Passage, ...]:
    """The passages of a Markdown or YAML document, each with the rule that placed it."""
    ending = PurePath(document).suffix.lower()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if ending in MARKDOWN:
        from storykeeper.memory.documents.markdown import markdown_blocks

        return partition(document, markdown_blocks(text))
    if ending in YAML:
        from storykeeper.memory.documents.yaml import yaml_blocks

        return partition(document, yaml_blocks(text, file=document))
    known = ", ".join((*MARKDOWN, *YAML))
    raise DocumentUnreadable(f"{document}: its name should end in one of {known}; rename it")
