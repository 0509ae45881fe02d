"""The composition root: where the clock and randomness come in, and parts are wired together."""

from __future__ import annotations

import os
import time
from pathlib import Path

from storykeeper.engine import Engine
from storykeeper.errors import StoryNotFound
from storykeeper.language.tokens import counter
from storykeeper.ledger.address import parse
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.stories import require_story
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import load_story
from storykeeper.story.model import Story
from storykeeper.units import RunId, StoryId


def clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def open_ledger(path: Path, *, create: bool = False, read_only: bool = False) -> SqliteLedger:
    """A ledger file with the real clock and real nonces."""
    return SqliteLedger.open(
        path, clock=clock, nonces=os.urandom, create=create, read_only=read_only
    )


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
    ) -> Storykeeper:
        """Continue a run, or begin one with a story.

        A run carries the story it was begun with. If the files have changed since, it goes on with
        its own, and `story_changed` says so; `adopt=True` follows the edited one, on record.
        """
        address = parse(str(run))
        loaded = _loaded(story)
        if not address.path.exists():
            return cls._begun(address.path, address.run, loaded, tokens)
        ledger = open_ledger(address.path, read_only=read_only)
        if loaded is not None:
            require_story(ledger, address.run, StoryId(loaded.id))
        keeper = cls(ledger, address.run, tokens=tokens)
        if loaded is not None:
            edited = adoption(loaded, turn=keeper.last_turn())
            keeper.story_changed = edited.digest != keeper.world().plan.digest
            if keeper.story_changed and adopt:
                keeper.adopt(edited)
                keeper.story_changed = False
        return keeper

    @classmethod
    def _begun(cls, path: Path, run: RunId, story: Story | None, tokens: int | None) -> Storykeeper:
        if story is None:
            raise StoryNotFound(f"there is no run at {path}; to begin one, say which story")
        ledger = open_ledger(path, create=True)
        if not ledger.runs():
            ledger.begin(run, [adoption(story)])
        return cls(ledger, run, tokens=tokens)


def _loaded(story: str | Path | Story | None) -> Story | None:
    if story is None or isinstance(story, Story):
        return story
    return load_story(story, counters=counter)
