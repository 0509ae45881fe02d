"""Which passages of a document are always shown, which come first, and which are searched (L §7.2).

    always   I1  hard: never cut          a section called Rules, Always, Never, Voice, Taboos …
    first    I2  soft, in written order   a section called Setting, Cast, Genre, Overview …
    search   V   variant                  everything else

The innermost statement decides, and an author can make one anywhere:

    ---                              the whole document
    keep: first
    ---
    <!-- keep: always -->            from here to the end of the section it stands in
    ## House rules (keep: search)    this section

Sections inside a section are placed as it is unless they say otherwise themselves. In YAML the keys
are the headings, and the key `keep` speaks for the mapping it stands in.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.memory.items import Part

KEEP = {"always": Part.HARD, "first": Part.SOFT, "search": Part.VARIANT}
_ALWAYS = (
    "rules", "rule", "always", "never", "must", "must not", "constraints", "taboos", "taboo",
    "voice", "hard rules", "house rules", "anti-patterns", "do not", "don't", "non-negotiables",
)  # fmt: skip
_FIRST = (
    "setting", "cast", "characters", "genre", "overview", "premise", "background", "about",
    "introduction", "summary", "tone", "style", "identity", "who i am", "persona",
)  # fmt: skip
BY_NAME = dict.fromkeys(_ALWAYS, Part.HARD) | dict.fromkeys(_FIRST, Part.SOFT)
_IN_HEADING = re.compile(r"\s*\(keep:\s*(always|first|search)\s*\)\s*$", re.IGNORECASE)
_NOT_NAME = re.compile(r"[^\w' -]+")


@dataclass(frozen=True, slots=True)
class Rule:
    """Where something belongs, and what says so."""

    part: Part
    why: str


SEARCHED = Rule(Part.VARIANT, "nothing says otherwise")


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage of a document."""

    document: str
    number: int  # from 1, in the order of the document
    line: int
    heading: tuple[str, ...]  # the sections it stands in, the outermost first
    text: str
    rule: Rule
    links: tuple[str, ...] = ()  # ids of passages, or documents, that it links to

    @property
    def id(self) -> str:
        """`lore.md#12`."""
        return f"{self.document}#{self.number}"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document before it is placed: where it stands, and what is said of it there."""

    line: int
    heading: tuple[str, ...]
    text: str
    stated: tuple[Rule | None, ...]  # for the document, then for each section it stands in
    targets: tuple[str, ...] = ()  # what it links to, as written


def placed_by_name(heading: str, *, line: int) -> tuple[str, Rule | None]:
    """A heading without its own statement; and where it says, or its name says, that it belongs."""
    stated = _IN_HEADING.search(heading)
    if stated:
        keep = stated.group(1).lower()
        rule = Rule(KEEP[keep], f"line {line} says (keep: {keep})")
        return heading[: stated.start()].strip(), rule
    name = " ".join(_NOT_NAME.sub(" ", heading).lower().split())
    part = BY_NAME.get(name)
    return heading.strip(), None if part is None else Rule(part, f"a section called “{heading}”")


def partition(document: str, blocks: Sequence[Block]) -> tuple[Passage, ...]:
    """The passages of a document, each placed by the innermost statement that holds there."""
    sections = _sections(document, blocks)
    return tuple(
        Passage(
            document, number, block.line, block.heading, block.text, _rule(block),
            _links(block, document, number, sections),
        )
        for number, block in enumerate(blocks, start=1)
    )  # fmt: skip


def _rule(block: Block) -> Rule:
    return next((rule for rule in reversed(block.stated) if rule is not None), SEARCHED)


def _sections(document: str, blocks: Sequence[Block]) -> dict[str, str]:
    """The first passage of each section, by its anchor."""
    found: dict[str, str] = {}
    for number, block in enumerate(blocks, start=1):
        for heading in block.heading:
            found.setdefault(anchor(heading), f"{document}#{number}")
    return found


def anchor(heading: str) -> str:
    """What a link to a heading says: lower case, hyphens."""
    return re.sub(r"[^\w-]+", "", "-".join(heading.lower().split()))


def _links(block: Block, document: str, number: int, sections: dict[str, str]) -> tuple[str, ...]:
    ids = []
    for target in block.targets:
        path, _, section = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(document), path)) if path else ""
        here = path in ("", document)
        found = sections.get(anchor(section)) if here and section else None
        if found is not None and found != f"{document}#{number}":
            ids.append(found)
        elif path and not here:
            ids.append(f"{path}#{anchor(section)}" if section else path)
    return tuple(dict.fromkeys(ids))
