"""A story as a record, so that a run carries what it was begun with, and back."""

from __future__ import annotations

import hashlib

import msgspec

from storykeeper.errors import UNREADABLE, StoryInvalid
from storykeeper.events.turns import StoryAdopted
from storykeeper.story.model import Story
from storykeeper.units import Digest, StoryId, TurnNo

BEFORE = TurnNo(0)  # the first turn
_encoder = msgspec.json.Encoder(order="deterministic")


def adoption(story: Story, *, turn: TurnNo = BEFORE) -> StoryAdopted:
    """The record by which a run begins to follow a story."""
    body = _encoder.encode(story)
    digest = Digest(hashlib.sha256(body).hexdigest())
    return StoryAdopted(turn, StoryId(story.id), story.version, digest, body.decode())


def adopted_story(record: StoryAdopted) -> Story:
    """The story that a run follows, from the run alone."""
    try:
        return msgspec.json.decode(record.body, type=Story)
    except UNREADABLE as error:
        raise StoryInvalid(
            f"the story {record.story!r} in this ledger cannot be read ({error}); ask who gave it"
            " to you for the story's files, or restore a backup"
        ) from error
