"""The author's files as a page shows them: each with the problems that `check` finds, in place."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from pathlib import Path
from typing import Any

from storykeeper.bootstrap import Storykeeper
from storykeeper.language.tokens import counter
from storykeeper.serve.refusal import Refused
from storykeeper.serve.tenancy import Tenancy
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import load_story, read_story
from storykeeper.world.state import World

MOST_BYTES = 400_000  # of one file on the page
KINDS = (".yaml", ".yml", ".md")


def story_folder(tenancy: Tenancy, world: World) -> Path:
    """The folder of the story that a run follows, if the service has it."""
    story = world.plan.story.id
    for name in sorted(tenancy.stories(), key=lambda each: each != story):
        folder = tenancy.story(name)
        found = read_story(folder, counters=counter)
        if name == story or (found.story is not None and found.story.id == story):
            return folder
    raise Refused(
        HTTPStatus.NOT_FOUND, "story-not-found",
        f"the files of {story} are not at hand; start with --stories and the folder above them",
    )  # fmt: skip


def stamp(folder: Path) -> str:
    """Another one when a file was saved."""
    seen = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in KINDS and path.is_file():
            found = path.stat()
            seen.update(
                f"{path.relative_to(folder)} {found.st_mtime_ns} {found.st_size}\n".encode()
            )
    return seen.hexdigest()[:16]


def files(folder: Path, world: World) -> dict[str, Any]:
    """Every file with its text and what is wrong in it; and whether the run follows it as it is."""
    reading = read_story(folder, counters=counter)
    paths = [p for p in sorted(folder.rglob("*")) if p.suffix in KINDS and p.is_file()]
    listed = [{"file": p.relative_to(folder).as_posix(), "text": _text(p)} for p in paths
              if p.resolve().is_relative_to(folder.resolve())]  # fmt: skip
    story = reading.story
    return {
        "folder": folder.name, "stamp": stamp(folder), "files": listed,
        "problems": [
            {"file": p.file, "line": p.line, "column": p.column, "severity": p.severity,
             "what": p.what, "fix": p.fix, "code": p.code} for p in reading.problems
        ],
        "loads": story is not None,
        "changed": story is not None and adoption(story).digest != world.plan.digest,
    }  # fmt: skip


def _text(path: Path) -> str:
    return path.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")


def adopt(keeper: Storykeeper, folder: Path) -> dict[str, Any]:
    """Have the run follow the files as they are saved, on record."""
    edited = adoption(load_story(folder, counters=counter), turn=keeper.last_turn())
    changed = edited.digest != keeper.world().plan.digest
    if changed:
        keeper.adopt(edited)
    return {"adopted": changed, "digest": edited.digest[:12]}
