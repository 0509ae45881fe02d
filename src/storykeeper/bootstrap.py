"""The composition root: where the clock and randomness come in, and parts are wired together."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from storykeeper.engine import Engine
from storykeeper.errors import RunExists, RunNotFound, StoryNotFound
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Reader
from storykeeper.language.tokens import counter
from storykeeper.ledger.address import Address, parse
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.stories import require_story
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import load_story
from storykeeper.story.model import Story
from storykeeper.units import StoryId


def clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def open_ledger(path: Path, *, create: bool = False, read_only: bool = False) -> SqliteLedger:
    """A ledger file with the real clock and real nonces."""
    return SqliteLedger.open(
        path, clock=clock, nonces=os.urandom, create=create, read_only=read_only
    )


def model_reader(url: str, *, model: str) -> Reader:
    """A reader that asks a model, with the parser behind it.

    The key, if the endpoint wants one, is taken from STORYKEEPER_API_KEY.
    """
    from storykeeper.language.prose.unread import readable
    from storykeeper.models.endpoint import Endpoint
    from storykeeper.models.extractor import ModelReader

    endpoint = Endpoint(url, model, api_key=os.environ.get("STORYKEEPER_API_KEY"))
    return ModelReader(endpoint, ProseReader(), prose=lambda text: readable(text).text)


class Storykeeper(Engine):
    """The memory of one run of a story."""

    @classmethod
    def open(
        cls,
        run: str | Path,
        *,
        story: str | Path | Story | None = None,
        tokens: int | None = None,
        adopt: bool = False,
        read_only: bool = False,
        reader: Reader | None = None,
    ) -> Storykeeper:
        """Continue a run, or begin one with a story.

        A run carries the story it was begun with. If the files have changed since, it goes on with
        its own, and `story_changed` says so; `adopt=True` follows the edited one, on record.
        What is rendered is read by a parser that comes with us, or by `reader`.
        """
        address = parse(str(run))
        loaded = _loaded(story)
        create = not address.path.exists()
        if create and (loaded is None or read_only):
            raise StoryNotFound(
                f"there is no run at {address.path}; check the name, or say which story to begin"
            )
        if create and address.named:
            raise RunNotFound(f"there is no {address.path} yet, so no {address.run} in it to go on")
        ledger = open_ledger(address.path, create=create, read_only=read_only)
        with ExitStack() as unless_good:
            unless_good.callback(ledger.close)
            if loaded is not None:
                _begin(ledger, address, loaded)
            keeper = cls(
                ledger, address.run, tokens=tokens, read_only=not ledger.writable,
                reader=reader or ProseReader(),
            )  # fmt: skip
            if loaded is not None:
                keeper._compare(loaded, adopt=adopt)
            unless_good.pop_all()
        return keeper

    def _compare(self, story: Story, *, adopt: bool) -> None:
        edited = adoption(story, turn=self.last_turn())
        self.story_changed = edited.digest != self.world().plan.digest
        if self.story_changed and adopt:
            stood = self.world().scene
            self.adopt(edited)
            self.story_changed = False
            if stood is not None and stood not in self.world().plan.scenes:
                self.scene_lost = stood


def _begin(ledger: SqliteLedger, address: Address, story: Story) -> None:
    """Begin the run, unless it is begun; then it must be of this story."""
    if not ledger.runs() and not address.named:
        with suppress(RunExists):  # somebody else was quicker: it is theirs that we go on with
            ledger.begin(address.run, [adoption(story)])
    require_story(ledger, address.run, StoryId(story.id))


def _loaded(story: str | Path | Story | None) -> Story | None:
    if story is None or isinstance(story, Story):
        return story
    return load_story(story, counters=counter)
