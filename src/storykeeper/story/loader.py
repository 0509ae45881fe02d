"""A folder to a Story: the only module of `story/` that reads files."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path as File

from storykeeper.errors import StoryInvalid, StoryNotFound
from storykeeper.story.characters import MAX_FILE_BYTES
from storykeeper.story.checks import TokenCounter, rough_tokens
from storykeeper.story.gather import MAIN_FILE, MARKDOWN, YAML, Sources, is_note
from storykeeper.story.model import Story
from storykeeper.story.nodes import Mapping
from storykeeper.story.problems import Problem, Severity
from storykeeper.story.reading import Reading, TokenCounters, placed, read_files, reading_of

__all__ = ["Reading", "load_story", "read_story"]

MAX_FILES = 10_000
MAX_STORY_BYTES = 4 * MAX_FILE_BYTES  # reading and checking them takes half a minute
MAX_DEPTH = 16  # folders in folders


def load_story(
    folder: str | File,
    count_tokens: TokenCounter = rough_tokens,
    *,
    counters: TokenCounters | None = None,
) -> Story:
    """The story in this folder; StoryInvalid lists every error it has."""
    reading = read_story(folder, count_tokens, counters=counters)
    if reading.story is not None:
        return reading.story
    errors = reading.errors
    listed = "\n".join(f"  {problem}" for problem in errors)
    counted = "1 problem" if len(errors) == 1 else f"{len(errors)} problems"
    raise StoryInvalid(f"the story in {_printable(folder)} has {counted}:\n{listed}")


def read_story(
    folder: str | File,
    count_tokens: TokenCounter = rough_tokens,
    *,
    counters: TokenCounters | None = None,
) -> Reading:
    """Reads and checks a folder; how tokens are counted is said at `read_files`."""
    root = File(folder)
    if not root.is_dir():
        hint = "; give the folder that holds story.yaml" if root.exists() else ""
        raise StoryNotFound(f"there is no folder {_printable(folder)}{hint}")
    if not (root / MAIN_FILE).is_file():
        name = _printable(folder)
        raise StoryNotFound(f"there is no {MAIN_FILE} in {name}; every story begins with one")
    refused: list[Problem] = []
    found = list(islice(_story_files(root, refused), MAX_FILES + 1))
    if len(found) > MAX_FILES:
        return _too_many()
    files = _files(found, root, refused)
    reading = read_files(files, count_tokens, counters=counters, refused=refused)
    if reading.story is None:
        return reading
    canon = [placed(problem, reading.sources) for problem in _canon_missing(root, reading.story)]
    return reading_of(reading.story, [*reading.problems, *canon], reading.sources)


def _too_many() -> Reading:
    what = f"the folder holds more than {MAX_FILES:,} .yaml and .md files"
    fix = "split the story, or move what is not part of it elsewhere"
    problem = _about(MAIN_FILE, "too-many-files", what, fix)
    return Reading(None, (problem,), Sources(Mapping(MAIN_FILE, 1, 1, {})))


def _story_files(root: File, problems: list[Problem]) -> Iterator[File]:
    """All that may be the story's, or that the author may take for it, by how the names end."""
    for file in _below(root, root, problems):
        ending = file.suffix.lower()
        if (
            ending in YAML
            or ending == ".md"
            or (ending in MARKDOWN and not is_note(_name(file, root)))
        ):
            yield file


def _files(
    found: Iterable[File], root: File, problems: list[Problem]
) -> Iterator[tuple[str, bytes]]:
    """The names and bytes of these; what is refused is on the list, unless it is a note."""
    size = 0
    for file in found:
        name = _name(file, root)
        refused = [] if is_note(name) else problems
        right = ".yaml" if file.suffix.lower() in YAML else ".md"
        if name != file.relative_to(root).as_posix():
            what = "the name of this file is not UTF-8 text"
            refused.append(_about(name, "file-name", what, "rename it"))
        elif file.suffix != right:
            what = f"files that end in {file.suffix} are not read"
            fix = f"rename it to {file.with_suffix(right).name}"
            refused.append(_about(name, "yml", what, fix))
        elif (data := _bytes(file, root, refused)) is not None:
            size += len(data)
            if size > MAX_STORY_BYTES:
                what = f"with this file the story is larger than {MAX_STORY_BYTES >> 20} MiB"
                problems.append(_about(name, "story-too-large", what, "make two stories of it"))
                return
            yield name, data


def _below(folder: File, root: File, problems: list[Problem]) -> Iterator[File]:
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        problems.append(_unreadable(_name(folder, root), error))
        return
    for file in inside:
        if file.name.startswith("."):
            continue
        if not file.is_dir():
            yield file
        elif len(file.relative_to(root).parts) > MAX_DEPTH:
            what = f"folders in folders, more than {MAX_DEPTH} deep, are not read"
            problems.append(_about(_name(file, root), "too-deep", what, "move it up"))
        elif file.is_symlink():
            name = _name(file, root)
            fix = "copy the folder into the story"
            problems.append(_about(name, "link", "links to folders are not followed", fix))
        else:
            yield from _below(file, root, problems)


def _bytes(file: File, root: File, problems: list[Problem]) -> bytes | None:
    name = _name(file, root)
    try:
        if file.is_symlink() and not file.resolve(strict=True).is_relative_to(root.resolve()):
            fix = "copy the file into the story"
            problems.append(_about(name, "link", "the link leads out of the story's folder", fix))
            return None
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe would be waited for
            problems.append(_about(name, "unreadable", "this is not a file", "remove it"))
            return None
        with file.open("rb") as stream:
            return stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        problems.append(_unreadable(name, error))
        return None


def _canon_missing(root: File, story: Story) -> list[Problem]:
    """Canon that is not beside story.yaml: told now, because it will be wanted later."""
    found = []
    for i, canon in enumerate(story.canon):
        path = File(canon.path)
        inside = not path.is_absolute() and ".." not in path.parts
        if not inside:
            what, severity = f"`{canon.path}` leads out of the story's folder", Severity.ERROR
        elif not _exists(root / path):
            what, severity = f"there is no `{canon.path}` beside {MAIN_FILE}", Severity.WARNING
        else:
            continue
        fix = "give the path of a file or folder beside story.yaml"
        at = ("canon", i, "path")
        found.append(Problem(code="canon-path", what=what, fix=fix, severity=severity, path=at))
    return found


def _name(file: File, root: File) -> str:
    """The name of a file in the story's folder, as it can be shown."""
    return _printable(file.relative_to(root).as_posix())


def _printable(path: str | File) -> str:
    """A path with what is not UTF-8 in it replaced."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _exists(path: File) -> bool:
    try:
        return path.exists()
    except OSError:  # a name no file system would take
        return False


def _about(file: str, code: str, what: str, fix: str) -> Problem:
    return Problem(code=code, what=what, fix=fix, file=file)


def _unreadable(name: str, error: OSError) -> Problem:
    what = f"the file cannot be read: {error.strerror or 'it is not there'}"
    return _about(name, "unreadable", what, "make it readable, or remove it")
