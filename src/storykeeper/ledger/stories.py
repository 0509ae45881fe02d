"""Which story a run follows."""

from __future__ import annotations

from storykeeper.errors import WrongStory
from storykeeper.events.turns import StoryAdopted
from storykeeper.ledger.port import Ledger
from storykeeper.units import RunId, StoryId


def story_of(ledger: Ledger, run: RunId) -> StoryAdopted | None:
    """The story that a run adopted last; None if it has none."""
    entry = ledger.last(run, kind="story-adopted")
    if entry is None:
        return None
    assert isinstance(entry.record, StoryAdopted)
    return entry.record


def require_story(ledger: Ledger, run: RunId, story: StoryId) -> StoryAdopted:
    """The story of a run, which must be this one."""
    adopted = story_of(ledger, run)
    if adopted is None:
        raise WrongStory(f"run {run!r} follows no story; begin a run with {story!r} in a new file")
    if adopted.story != story:
        raise WrongStory(
            f"run {run!r} follows the story {adopted.story!r}, not {story!r};"
            " open it with its own story, or begin a run in another file"
        )
    return adopted
