"""Where a tenant's runs, memories and chats are, and how a run of theirs is opened.

    DATA/tenants/NAME/runs/RUN.db       DATA/tenants/NAME/memories/MEMORY.db
    DATA/tenants/NAME/chats.db          an index of chats; a cache

A name never leaves its folder: it is an id, and nothing else is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path

from storykeeper.bootstrap import Storykeeper
from storykeeper.errors import RunNotFound, StoryNotFound
from storykeeper.serve.refusal import Refused
from storykeeper.serve.settings import ServiceSettings
from storykeeper.story.model import Story
from storykeeper.units import ID_PATTERN

CHAT = "chat-"  # runs that follow a client's chat
Opening = Callable[[], Storykeeper]
OWN = "local"  # the tenant of a service without keys
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}(@[a-z0-9][a-z0-9-]{0,62})?")
_ID = re.compile(ID_PATTERN)


@dataclass(frozen=True, slots=True)
class Tenancy:
    """One tenant of a service."""

    name: str
    settings: ServiceSettings

    @property
    def folder(self) -> Path:
        """All that is theirs."""
        return self.settings.data / "tenants" / self.name

    @property
    def chats(self) -> Path:
        """The index of their chats."""
        return self.folder / "chats.db"

    def key(self, run: str) -> str:
        """What a run of theirs is called among those of all."""
        return f"{self.name}/{run}"

    def path(self, run: str) -> Path:
        """The file of a run; one that is served from elsewhere stays there."""
        stem = named(run).partition("@")[0]
        elsewhere = self.settings.elsewhere.get(stem) if self.name == OWN else None
        return elsewhere or self.folder / "runs" / f"{stem}.db"

    def address(self, run: str) -> str:
        """Where a run is, as an address of the engine's."""
        return _address(self.path(run), run)

    def memory(self, name: str) -> Path:
        """The file of a memory."""
        if "@" in named(name):
            raise _no_name(name)
        return self.folder / "memories" / f"{name}.db"

    def runs(self) -> list[str]:
        """The names of their runs' files, in order."""
        folder = self.folder / "runs"
        return sorted(each.stem for each in folder.glob("*.db")) if folder.is_dir() else []

    def opening(self, run: str) -> Opening:
        """How a run that is there is opened."""
        return partial(self._opened, run)

    def beginning(self, run: str, story: Story | Path) -> Opening:
        """How a run is begun, or gone on with if it was begun meanwhile."""
        return partial(self._begun, run, story)

    def story(self, story: str) -> Path:
        """The folder of a story that the service offers."""
        stories = self.settings.stories
        if stories is None or not _ID.fullmatch(story) or not (stories / story).is_dir():
            raise StoryNotFound(
                f"no story {story!r:.80} is offered here; GET /v1/stories lists those that are"
            )
        return stories / story

    def stories(self) -> list[str]:
        """The ids of the stories that the service offers."""
        stories = self.settings.stories
        if stories is None:
            return []
        found = (each for each in stories.iterdir() if (each / "story.yaml").is_file())
        return sorted(each.name for each in found if _ID.fullmatch(each.name))

    def _opened(self, run: str) -> Storykeeper:
        path = self.path(run)
        if not path.is_file():
            raise RunNotFound(f"there is no run {run}; POST /v1/runs begins one")
        return self._keeper(run, None)

    def _begun(self, run: str, story: Story | Path) -> Storykeeper:
        self.path(run).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self._keeper(run, story)

    def _keeper(self, run: str, story: Story | Path | None) -> Storykeeper:
        """A chat's window is as large as the operator says; a story's as its author says."""
        tokens = self.settings.window_tokens if run.startswith(CHAT) else None
        address = self.address(run)
        return Storykeeper.open(address, story=story, staging=self.settings.staging, tokens=tokens)


def named(name: str) -> str:
    """A name that may be a file's; refuses any other."""
    if not NAME.fullmatch(name):
        raise _no_name(name)
    return name


def _address(path: Path, run: str) -> str:
    _, at, branch = run.partition("@")
    return f"{path}@{branch}" if at else str(path)


def _no_name(name: str) -> Refused:
    return Refused(
        HTTPStatus.UNPROCESSABLE_ENTITY, "name",
        f"{name!r:.80} is no name: use small letters, digits and hyphens, at most 63; run@branch"
        " for a branch",
    )  # fmt: skip
