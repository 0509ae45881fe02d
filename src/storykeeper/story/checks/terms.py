"""The terms of canon: what is private is in `private/`, and says that it may not leave.

A story's canon is under the same rule as a knowledge base (`canon.modes`): what lies in `private/`
is used only under both terms, and what is under the second lies there.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story.model import Canon, Story
from storykeeper.story.problems import Problem

PRIVATE_FOLDER = "private"
_TERMS = "compliance: {non_commercial: true, local_only: true}"


def is_private(path: str) -> bool:
    """Whether a path lies in a folder of that name, whatever its case."""
    return PRIVATE_FOLDER in path.lower().replace("\\", "/").split("/")


def has_terms(canon: Canon) -> bool:
    """Whether a source says that it is for nobody else."""
    return canon.compliance.non_commercial and canon.compliance.local_only


def check_terms(story: Story) -> Iterator[Problem]:
    """One problem for each source whose place and terms do not fit each other."""
    for i, each in enumerate(story.canon):
        if is_private(each.path) and not has_terms(each):
            what = f"`{each.id}` is private, and its terms do not keep it here"
            fix = f"write `{_TERMS}`, or take the file out of `{PRIVATE_FOLDER}/`"
            yield Problem(code="private-canon", what=what, fix=fix, path=("canon", i))
        elif each.compliance.local_only and not is_private(each.path):
            what = f"`{each.id}` may not leave this machine, and does not lie in a folder for that"
            fix = f"move it to `{PRIVATE_FOLDER}/`, or take `local_only` out"
            yield Problem(code="private-canon", what=what, fix=fix, path=("canon", i, "path"))
