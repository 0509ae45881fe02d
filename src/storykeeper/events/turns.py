"""The life of a run and of a turn: what was received, shown, replaced, made fact, corrected."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from storykeeper.events.staged import Declaration, Held
from storykeeper.events.vocabulary import Part, Text, Trace
from storykeeper.units import (
    Digest,
    EntityId,
    Key,
    Positive,
    RunId,
    SceneId,
    StoryId,
    Tokens,
    TurnNo,
    Unit,
    Version,
)


class Record(Part, frozen=True, tag_field="kind"):
    """Base of what stands in a ledger. `turn` is the turn of the story it belongs to."""

    turn: TurnNo


class RunBegun(Record, frozen=True, tag="run-begun"):
    """The first record of the first run of a file."""

    run: RunId


class RunForked(Record, frozen=True, tag="run-forked"):
    """The first record a fork has of its own; all before it is its parent's."""

    run: RunId
    parent: RunId
    at: Version


class StoryAdopted(Record, frozen=True, tag="story-adopted"):
    """From here on the run follows this story; it carries all of it, so the file is enough."""

    story: StoryId
    version: str
    digest: Digest
    body: str  # the story as canonical JSON; the author's, so not erasable


class InputReceived(Record, frozen=True, tag="input-received"):
    """The player's words, stored before anything is made of them."""

    player: EntityId
    text: Text


class Choice(Part, frozen=True):
    """One of the things a player may have meant."""

    entity: Key
    words: Text


class QuestionAsked(Record, frozen=True, tag="question-asked"):
    """The player has to say which one they mean; the turn waits."""

    mention: Text
    choices: Annotated[tuple[Choice, ...], Meta(min_length=2)]


class QuestionAnswered(Record, frozen=True, tag="question-answered"):
    """The player said which one; the turn goes on with the words it began with."""

    key: Key


class Reminded(Part, frozen=True):
    """An older moment that memory found for a window."""

    source: str
    share: Unit  # its score ÷ the best of that search
    likeness: Unit


class WindowAssembled(Record, frozen=True, tag="window-assembled"):
    """What somebody was given to see: hashes of the window and its receipt, and the items shown."""

    audience: str
    window: Trace
    receipt: Trace
    tokens: Tokens
    shown: tuple[str, ...] = ()
    scene: SceneId = SceneId("")
    budget: int = 0  # the tokens it could have taken
    recalled: tuple[Reminded, ...] = ()  # what memory found for it, the likeliest first
    inline: bool = False  # it asked the narrator to declare what it tells
    handles: tuple[str, ...] | None = None  # the facts it offered, if it asked: F1, F2 …


class Rendered(Record, frozen=True, tag="rendered"):
    """Prose shown to the player; not fact until they answer. Take 2 replaces take 1."""

    take: Positive
    prose: Text
    narrator: str = ""
    stage: Declaration | None = None  # what the narrator declares it told


class Declared(Record, frozen=True, tag="declared"):
    """What somebody says that a take told, after it was shown: its narrator, or a model asked."""

    take: Positive
    stage: Declaration
    model: str = ""


class Swiped(Record, frozen=True, tag="swiped"):
    """A take was put aside for another."""

    take: Positive


class Rejected(Record, frozen=True, tag="rejected"):
    """A take was refused and nothing stands in its place."""

    take: Positive
    why: Text = ""


class Unread(StrEnum):
    """What of a turn was kept and not read."""

    LINE = "line"
    PROSE = "prose"


class LeftUnread(Record, frozen=True, tag="left-unread"):
    """What was typed or told is kept as it is, and nothing was made of it: it took too long."""

    what: Unread
    why: str = ""


class NamesTold(Part, frozen=True):
    """The author's names that a turn told its player, and those that they typed before any was."""

    heard: tuple[str, ...] = ()  # marked by how they were written
    guessed: tuple[str, ...] = ()


class TurnCommitted(Record, frozen=True, tag="turn-committed"):
    """The turn is fact; its atoms stand beside this record in the same transaction."""

    take: int = 0  # 0: nothing was shown
    names: NamesTold | None = None  # None: of before they were on record


class TurnEdited(Record, frozen=True, tag="turn-edited"):
    """The prose of a committed turn was changed, on record."""

    of: TurnNo
    prose: Text


class TurnRetracted(Record, frozen=True, tag="turn-retracted"):
    """A committed turn no longer counts, on record."""

    of: TurnNo
    why: Text = ""


class StorySummed(Record, frozen=True, tag="story-summed"):
    """A model's words for some older turns, made beside play and checked against them.

    Windows may tell these turns by it from the next cut of their tail on. Erasing one of the turns
    erases it, and editing or retracting one voids it.
    """

    of: Annotated[tuple[TurnNo, ...], Meta(min_length=1)]
    text: Text
    model: str = ""


class Corrected(Record, frozen=True, tag="corrected"):
    """The author set something right: the only way that knowing shrinks."""

    target: str  # the id of an atom, a fact, a belief
    note: Text
    fact: str | None = None
    unlearned_by: tuple[EntityId, ...] = ()
    forgotten_by: tuple[EntityId, ...] = ()  # they know the fact, and no longer from where


class StageCorrected(Record, frozen=True, tag="stage-corrected"):
    """A person settled who is there and who holds what, from now on and never backwards."""

    here: tuple[EntityId, ...] = ()
    gone: tuple[EntityId, ...] = ()
    holds: tuple[Held, ...] = ()


class Redaction(Part, frozen=True):
    """What one record became: the hash of its bytes with the text blanked."""

    version: Version
    digest: Digest


class TextErased(Record, frozen=True, tag="text-erased"):
    """Text was taken out of earlier records; the bytes left of them are vouched for here."""

    of: TurnNo
    redactions: Annotated[tuple[Redaction, ...], Meta(min_length=1)]
    why: str = ""
