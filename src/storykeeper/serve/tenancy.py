"""Where a tenant's runs, memories and chats are, and how a run of theirs is opened.

    DATA/tenants/NAME/runs/RUN.db       DATA/tenants/NAME/memories/MEMORY.db
    DATA/tenants/NAME/chats.db          an index of chats; a cache

Of a service in a database the same names: #NAME/runs/RUN and #NAME/memories/MEMORY.

A name never leaves its folder: it is an id, and nothing else is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path

from storykeeper.bootstrap import Storykeeper
from storykeeper.canon.modes import refuse_leaving
from storykeeper.errors import RunNotFound, StoryNotFound
from storykeeper.language.tokens import counter
from storykeeper.ledger.places import Place, is_there, make_room, place_of, service_tables
from storykeeper.ledger.postgres.place import place
from storykeeper.serve.refusal import Refused
from storykeeper.serve.settings import ServiceSettings
from storykeeper.story.loader import load_story
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

    def path(self, run: str) -> Place:
        """Where a run is, its branches too; one that is served from elsewhere stays there."""
        stem = named(run).partition("@")[0]
        elsewhere = self.settings.elsewhere.get(stem) if self.name == OWN else None
        return place_of(elsewhere) if elsewhere else self._place("runs", stem)

    def address(self, run: str) -> str:
        """Where a run is, as an address of the engine's."""
        return _address(self.path(run), run)

    def memory(self, name: str) -> Place:
        """Where a memory is."""
        if "@" in named(name):
            raise _no_name(name)
        return self._place("memories", name)

    def _place(self, kind: str, name: str) -> Place:
        if self.settings.database:
            return place(f"{self.settings.database}#{self.name}/{kind}/{name}")
        return self.folder / kind / f"{name}.db"

    def runs(self) -> list[str]:
        """The names of their runs, in order."""
        return self._names("runs")

    def memories(self) -> list[str]:
        """The names of their memories, in order."""
        return self._names("memories")

    def _names(self, kind: str) -> list[str]:
        if self.settings.database:
            with closing(service_tables(self.settings.database)) as tables:
                return tables.names(self.name, kind)
        folder = self.folder / kind
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
        if not is_there(self.path(run)):
            raise RunNotFound(f"there is no run {run}; POST /v1/runs begins one")
        return self._keeper(run, None)

    def _begun(self, run: str, story: Story | Path) -> Storykeeper:
        if isinstance(story, Path) and self.settings.open_to_others:
            _refuse_private(story)
        make_room(self.path(run))
        return self._keeper(run, story)

    def _keeper(self, run: str, story: Story | Path | None) -> Storykeeper:
        """A chat's window is as large as the operator says; a story's as its author says."""
        tokens = self.settings.window_tokens if run.startswith(CHAT) else None
        address = self.address(run)
        return Storykeeper.open(address, story=story, staging=self.settings.staging, tokens=tokens)


def _refuse_private(folder: Path) -> None:
    """Refuse a story with canon that may not leave this machine."""
    story = load_story(folder, counters=counter)
    refuse_leaving([e.id for e in story.canon if e.compliance.local_only], what=f"story {story.id}")


def named(name: str) -> str:
    """A name that may be a file's; refuses any other."""
    if not NAME.fullmatch(name):
        raise _no_name(name)
    return name


def _address(at: Place, run: str) -> str:
    _, fork, branch = run.partition("@")
    path = str(at) if isinstance(at, Path) else at.address
    return f"{path}@{branch}" if fork else path


def _no_name(name: str) -> Refused:
    return Refused(
        HTTPStatus.UNPROCESSABLE_ENTITY, "name",
        f"{name!r:.80} is no name: use small letters, digits and hyphens, at most 63; run@branch"
        " for a branch",
    )  # fmt: skip
