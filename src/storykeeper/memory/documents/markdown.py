"""Markdown as blocks: a paragraph, a list item, a quotation, a table, a piece of code, each one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from storykeeper.memory.documents.partition import KEEP, Block, Rule, placed_by_name
from storykeeper.story.nodes import Mapping, Scalar, parse

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARK = re.compile(r"\s*<!--\s*keep:\s*(always|first|search)\s*-->\s*", re.IGNORECASE)
_HEAD = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
_WIKI = re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]")
_LINK = re.compile(r"\[[^\[\]]*\]\(([^()\s]+)\)")
_BULLET = re.compile(r"\A(?:[-*+]|\d{1,9}[.)])\s+")  # an item says it without its dot
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_BLOCKS = frozenset(
    {"paragraph_open", "fence", "code_block", "table_open", "blockquote_open", "html_block"}
)


def markdown_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text, in order."""
    from markdown_it import MarkdownIt

    head = _HEAD.match(text)
    skipped = head.group().count("\n") if head else 0
    body = text[head.end() :] if head else text
    stated = _front_matter(head.group(1) or "") if head else None
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return list(_Walk(body.splitlines(), skipped, stated).blocks(tokens))


def _front_matter(text: str) -> Rule | None:
    node, _ = parse(text, file="", first_line=2)
    entry = node.entries.get("keep") if isinstance(node, Mapping) else None
    value = entry.value.value if entry is not None and isinstance(entry.value, Scalar) else None
    part = KEEP.get(str(value).lower())
    return None if part is None else Rule(part, f"the head of the document says keep: {value}")


class _Walk:
    """Goes through the tokens of a document and keeps in mind which sections are open."""

    def __init__(self, lines: Sequence[str], skipped: int, stated: Rule | None) -> None:
        self._lines = lines
        self._skipped = skipped
        self._document = stated
        self._open: list[tuple[int, str, Rule | None]] = []  # level, heading, what holds there

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        """The blocks, in order."""
        i = 0
        while i < len(tokens):
            token = tokens[i]
            if token.type == "heading_open":
                self._enter(int(token.tag[1:]), tokens[i + 1].content, self._line(token))
                i += 3
            elif token.type in _BLOCKS:
                yield from self._block(token)
                i = _after(tokens, i)
            else:
                i += 1  # a list and its items: what is in them are blocks

    def _enter(self, level: int, heading: str, line: int) -> None:
        self._open = [section for section in self._open if section[0] < level]
        name, rule = placed_by_name(heading, line=line)
        self._open.append((level, name, rule))

    def _block(self, token: Token) -> Iterator[Block]:
        first, last = token.map or (0, 0)
        text = "\n".join(self._lines[first:last]).strip()
        mark = _MARK.match(text) if token.type == "html_block" else None
        if mark:
            self._state(Rule(KEEP[mark.group(1).lower()], f"line {self._line(token)} says so"))
            text = text[mark.end() :].strip()
        if text and not (token.type == "html_block" and text.startswith("<!--")):
            text = _BULLET.sub("", text)
            heading = tuple(name for _, name, _ in self._open)
            stated = (self._document, *(rule for *_, rule in self._open))
            yield Block(self._line(token), heading, text, stated, _targets(text))

    def _state(self, rule: Rule) -> None:
        if self._open:
            level, name, _ = self._open[-1]
            self._open[-1] = (level, name, rule)
        else:
            self._document = rule

    def _line(self, token: Token) -> int:
        return (token.map[0] if token.map else 0) + self._skipped + 1


def _after(tokens: Sequence[Token], start: int) -> int:
    """Behind the block that begins here."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += tokens[i].nesting
        if depth <= 0:
            return i + 1
    return len(tokens)


def _targets(text: str) -> tuple[str, ...]:
    """Where its links lead among documents: `[[The mill]]`, `[x](#mill)`, `[x](lore.md#mill)`."""
    wiki = (f"#{name.strip()}" for name in _WIKI.findall(text))
    links = (each for each in _LINK.findall(text) if not _ELSEWHERE.match(each))
    return tuple(dict.fromkeys((*wiki, *links)))
