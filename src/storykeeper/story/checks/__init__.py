"""Checks: what can be wrong with a story that was read.

Each module looks at one subject and yields problems with paths; none of them reads a file.
`check` runs them in order, each as far as it can be trusted (see `skipped`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from storykeeper.story.checks.craft import check_craft, check_hard_share, check_images
from storykeeper.story.checks.knowing import check_knowing
from storykeeper.story.checks.minds import check_minds
from storykeeper.story.checks.names import check_names, names_of
from storykeeper.story.checks.reaching import check_reaching
from storykeeper.story.checks.references import check_references
from storykeeper.story.checks.saying import check_saying
from storykeeper.story.checks.shapes import check_shapes
from storykeeper.story.checks.skipped import Skipped
from storykeeper.story.checks.structure import check_structure
from storykeeper.story.checks.telling import check_telling
from storykeeper.story.checks.terms import check_terms
from storykeeper.story.checks.traps import check_traps
from storykeeper.story.checks.unsaid import check_unsaid
from storykeeper.story.model import Story
from storykeeper.story.nodes import Node
from storykeeper.story.problems import Path, Problem, Severity
from storykeeper.story.unread import check_unread
from storykeeper.story.walk import walk

TokenCounter = Callable[[str], int]

_NONE: Mapping[Any, Node] = MappingProxyType({})


def rough_tokens(text: str) -> int:
    """A count for use without a tokenizer: three bytes a token, which is rather too many."""
    return -(-len(text.encode()) // 3)


def check(
    story: Story,
    count_tokens: TokenCounter = rough_tokens,
    *,
    spoilt: Mapping[Path, Node] = _NONE,
    missing: Mapping[str, Node] = _NONE,
) -> list[Problem]:
    """Everything that is wrong with a story, by path.

    `spoilt` names what an error may have changed, and that may hold stand-ins; `missing` the
    sections of which files could not be read, so that what seems not to be there may well be.
    Both say where the cause is.
    """
    structs = list(walk(story))
    skipped = Skipped(spoilt, missing)
    names = names_of(story, skipped.lacking)
    skipped.references(names)
    problems = [*check_names(story), *check_references(structs, names, story)]
    alone = [*check_shapes(structs, story), *check_structure(story), *check_knowing(story)]
    alone += [*check_saying(story), *check_telling(story), *check_craft(structs, story)]
    alone += [*check_minds(story), *check_traps(story), *check_terms(story), *check_unsaid(story)]
    problems += skipped.trusted(alone)
    if not skipped.reach(problems):
        wrong = {p.path[:n] for p in problems if p.severity is Severity.ERROR for n in _steps(p)}
        found = skipped.trusted(check_reaching(story))
        problems += [p for p in found if p.path not in wrong]  # what names nothing is not reached
    problems += skipped.hard_share(check_hard_share(story, count_tokens))
    problems += [*check_images(story), *check_unread(structs)]
    return [*problems, *skipped.problems()]


def _steps(problem: Problem) -> range:
    return range(1, len(problem.path) + 1)
