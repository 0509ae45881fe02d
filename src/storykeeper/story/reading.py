"""The files of a story, in memory, to a checked Story: the whole way but for the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, structs

from storykeeper.story.checks import TokenCounter, check, rough_tokens
from storykeeper.story.gather import Sources, gather, is_below, may_define
from storykeeper.story.model import Story
from storykeeper.story.nodes import Node
from storykeeper.story.problems import Problem, Severity, in_order
from storykeeper.story.reader import read_as
from storykeeper.story.tuning import Encoding

TokenCounters = Callable[[Encoding], TokenCounter]


class Reading(Struct, frozen=True):
    """What came of reading a folder: a story, unless there are errors, and all that was found."""

    story: Story | None
    problems: tuple[Problem, ...]
    sources: Sources

    def of(self, severity: Severity) -> tuple[Problem, ...]:
        """The problems of one severity."""
        return tuple(p for p in self.problems if p.severity is severity)

    @property
    def errors(self) -> tuple[Problem, ...]:
        """What stops the story from loading."""
        return self.of(Severity.ERROR)

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is probably a mistake."""
        return self.of(Severity.WARNING)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """What nothing reads yet."""
        return self.of(Severity.NOTE)


def read_files(
    files: Iterable[tuple[str, bytes]],
    count_tokens: TokenCounter = rough_tokens,
    *,
    counters: TokenCounters | None = None,
    refused: list[Problem] | None = None,
) -> Reading:
    """Reads and checks files given by their names in the folder and their bytes.

    The budget of a story names the encoding in which its tokens are counted. `counters` gives the
    counter of an encoding; without it `count_tokens` serves whatever the story names. `refused`
    are problems with files that could not be given; it may fill up while `files` is gone through.
    """
    gathered = gather(files)
    problems = [
        p for p in refused or () if p.code == "link" or not is_below(p.file, gathered.canon)
    ]
    missing: dict[str, Node] = {}
    for name in (*gathered.unread, *(p.file for p in problems)):
        for section in may_define(name):
            missing.setdefault(section, Node(name, 0, 0))
    problems += gathered.problems
    found: list[Problem] = []
    spoilt = dict(gathered.spoilt)
    story: Story = read_as(Story, gathered.sources.root, found, spoilt)
    problems += [p for p in found if p.path or not gathered.headless]
    if counters is not None:
        count_tokens = counters(story.budget.encoding)
    found = check(story, count_tokens, spoilt=spoilt, missing=missing)
    problems += [placed(problem, gathered.sources) for problem in found]
    return reading_of(story, problems, gathered.sources)


def reading_of(story: Story, problems: Iterable[Problem], sources: Sources) -> Reading:
    """The reading that these problems allow: none of the story if one of them is an error."""
    ordered = in_order(problems)
    failed = any(problem.severity is Severity.ERROR for problem in ordered)
    return Reading(None if failed else story, ordered, sources)


def placed(problem: Problem, sources: Sources) -> Problem:
    """The problem of a path, with the file and line of what the path names, unless it has them."""
    if problem.file:
        return problem
    place = sources.locate(problem.path)
    what = problem.what
    if problem.also is not None:
        what = f"{what}, first at {sources.locate(problem.also)}"
    return structs.replace(
        problem, what=what, file=place.file, line=place.line, column=place.column
    )
