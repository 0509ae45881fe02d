"""Checks: what can be wrong with a story that was read.

Each module looks at one subject and yields problems with paths; none of them reads a file.
`check` runs them in order: names and references always, the rest only where they can be trusted.
"""

from __future__ import annotations

from collections.abc import Callable

from storykeeper.story.checks.craft import check_craft, check_hard_share
from storykeeper.story.checks.names import check_names, names_of
from storykeeper.story.checks.reaching import check_reaching
from storykeeper.story.checks.references import check_references
from storykeeper.story.checks.shapes import check_shapes
from storykeeper.story.checks.structure import check_structure
from storykeeper.story.model import Story
from storykeeper.story.problems import Path, Problem, Severity
from storykeeper.story.unread import check_unread
from storykeeper.story.walk import walk

TokenCounter = Callable[[str], int]

_UNCHECKED = Problem(
    code="not-checked",
    what="what can be reached was not looked at, because of the errors",
    fix="correct them and check again",
    severity=Severity.NOTE,
)


def rough_tokens(text: str) -> int:
    """A count for use without a tokenizer: three bytes a token, which is rather too many."""
    return -(-len(text.encode()) // 3)


def check(
    story: Story,
    count_tokens: TokenCounter = rough_tokens,
    *,
    unreadable: frozenset[Path] = frozenset(),
    whole: bool = True,
) -> list[Problem]:
    """Everything that is wrong with a story, by path.

    `unreadable` names what could not be read and holds stand-ins; `whole` is False if files are
    missing altogether, so that a name that seems to be missing may well be there.
    """
    structs = list(walk(story))
    names = names_of(story)
    problems = list(check_names(story))
    if whole:
        problems += check_references(structs, names, story)
    alone = [*check_shapes(structs, story), *check_structure(story), *check_craft(structs, story)]
    problems += _trusted(alone, unreadable)
    if unreadable or not whole or any(p.severity is Severity.ERROR for p in problems):
        problems.append(_UNCHECKED)
    else:
        problems += check_hard_share(story, count_tokens)
        problems += check_reaching(story)
    problems += check_unread(structs)
    return problems


def _trusted(problems: list[Problem], unreadable: frozenset[Path]) -> list[Problem]:
    """Those that do not follow from something unreadable at, above or below their place."""
    around = {path[:n] for path in unreadable for n in range(1, len(path) + 1)}
    return [
        p
        for p in problems
        if p.path not in around
        and not any(p.path[:n] in unreadable for n in range(1, len(p.path) + 1))
    ]
