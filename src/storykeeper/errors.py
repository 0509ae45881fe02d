"""Every error that storykeeper raises on purpose.

    StorykeeperError
    ├── StoryError                  the author's files
    │   ├── StoryNotFound           no story at that path
    │   └── StoryInvalid            it was read, and has problems (all of them are listed)
    ├── PlayError                   a turn that cannot be taken
    │   ├── InputRefused            the player's line is empty, too long, or not text
    │   ├── ProseRefused            what was told is too long, or not text
    │   ├── NoSuchTurn              that turn does not exist, or is not the one under way
    │   ├── ReadingInvalid          a reader that speaks of what is not in its reading
    │   ├── ReadingTooLong          a text was not read to its end in the time there is
    │   ├── UnknownPerson           nobody of that name is in the story
    │   └── ReplayDiffers           folding again did not give the same
    ├── WindowError                 what somebody was to see
    │   ├── UnknownAudience         a window for nobody who is in the story
    │   ├── WindowRefused           even the least of it does not fit; the shortfall is stated
    │   └── WindowBreach            a finished window broke a law; nothing was sent
    ├── RecordError                 one record of the ledger
    │   ├── RecordInvalid           a record that may not be written: a field of the wrong kind
    │   ├── RecordUnreadable        bytes that are no record, or not of the kind they claim
    │   └── RecordFromTheFuture     written by a newer storykeeper
    ├── MemoryProblem               a memory that cannot do what was asked
    │   ├── ItemRefused             something that cannot be remembered, and why
    │   ├── NoSuchItem              nothing of that id is remembered
    │   ├── DocumentUnreadable      a document that could not be taken apart
    │   ├── LineageBroken           a summary that leads to itself, or to nothing
    │   └── SettingsInvalid         numbers that break a law of the formulas they are for
    ├── CanonProblem                a knowledge base, or what is told and done with it
    │   ├── CanonInvalid            a registry, a card or another file of its shapes has problems
    │   ├── SourceMissing           a registry names a file that is not there
    │   ├── SourceChanged           the file of a source is not the one its hash is of
    │   ├── SourceUnreadable        a source without text, encrypted, too large, or not what it says
    │   └── ComplianceRefused       a mode that this knowledge base may not be used in
    ├── ModelUnavailable            a language model is down, slow, refuses, or answers badly
    │   ├── ContextTooLong          the messages are longer than the model can take
    │   ├── ContentFiltered         the model, or who serves it, will not write this
    │   └── StreamCut               an answer that broke off in the middle
    └── LedgerError                 the file, or the run in it
        ├── NotALedger              a file, but not one of ours
        ├── LedgerFromTheFuture     its schema is newer than this program
        ├── LedgerBusy              another process holds the write lock
        ├── LedgerFull              the disk is full; nothing was written
        ├── LedgerReadOnly          the file or its folder cannot be written
        ├── LedgerDamaged           verify names the first bad record
        ├── WrongExpectedVersion    somebody else wrote first; both versions are named
        ├── WrongStory              the run was begun with another story
        ├── RunNotFound             no such run in this file
        ├── RunExists               a run of that name is there already
        └── TurnNotFound            the run has no such turn yet

An error says what, which id, and what to do next. Expected refusals (a gate that stays shut, an
item that does not fit) are values, not errors.
"""

from __future__ import annotations

import msgspec


class StorykeeperError(Exception):
    """Anything storykeeper refuses to do, with the reason."""


class StoryError(StorykeeperError):
    """The author's files."""


class StoryNotFound(StoryError):
    """No story at that path."""


class StoryInvalid(StoryError):
    """The files were read and have problems; all of them are in the message."""


class PlayError(StorykeeperError):
    """A turn that cannot be taken."""


class InputRefused(PlayError):
    """The player's line is empty, too long, or not text."""


class ProseRefused(PlayError):
    """What was told is too long, or not text."""


class NoSuchTurn(PlayError):
    """That turn does not exist, or is not the one under way."""


class ReadingInvalid(PlayError):
    """A reader that speaks of what is not in its reading."""


class ReadingTooLong(PlayError):
    """A text was not read to its end in the time there is for one."""


class UnknownPerson(PlayError):
    """Nobody of that name is in the story."""


class ReplayDiffers(PlayError):
    """Folding again did not give the same."""


class WindowError(StorykeeperError):
    """What somebody was to see."""


class UnknownAudience(WindowError):
    """A window for nobody who is in the story."""


class WindowRefused(WindowError):
    """Even the least of it does not fit."""

    def __init__(self, message: str, *, shortfall: int) -> None:
        super().__init__(message)
        self.shortfall = shortfall  # tokens


class WindowBreach(WindowError):
    """A finished window broke a law; nothing was sent."""


class RecordError(StorykeeperError):
    """One record of the ledger."""


class RecordInvalid(RecordError):
    """A record that may not be written."""


class RecordUnreadable(RecordError):
    """Bytes that are no record, or not of the kind they claim."""


class RecordFromTheFuture(RecordError):
    """A record written by a newer storykeeper."""


class MemoryProblem(StorykeeperError):
    """A memory that cannot do what was asked."""


class ItemRefused(MemoryProblem):
    """Something that cannot be remembered."""


class NoSuchItem(MemoryProblem):
    """Nothing of that id is remembered."""


class DocumentUnreadable(MemoryProblem):
    """A document that could not be taken apart."""


class LineageBroken(MemoryProblem):
    """A summary that leads to itself, or to nothing."""


class SettingsInvalid(MemoryProblem):
    """Numbers that break a law of the formulas they are for."""


class CanonProblem(StorykeeperError):
    """A knowledge base, or what is told and done with it."""


class CanonInvalid(CanonProblem):
    """A registry, a card or another file of its shapes has problems; all of them are listed."""


class SourceMissing(CanonProblem):
    """A registry names a file that is not there."""


class SourceChanged(CanonProblem):
    """The file of a source is not the one its hash is of."""


class SourceUnreadable(CanonProblem):
    """A source without text, encrypted, too large, or not what its name says."""


class ComplianceRefused(CanonProblem):
    """A mode that this knowledge base, or this folder, may not be used in."""


class ModelUnavailable(StorykeeperError):
    """A language model is down, slow, refuses, or answers what cannot be used."""


class ContextTooLong(ModelUnavailable):
    """The messages are longer than the model can take."""

    def __init__(self, message: str, *, most_tokens: int | None = None) -> None:
        super().__init__(message)
        self.most_tokens = most_tokens  # if the server says so


class ContentFiltered(ModelUnavailable):
    """The model, or who serves it, will not write this."""


class StreamCut(ModelUnavailable):
    """An answer that broke off in the middle, or was broken off."""


class LedgerError(StorykeeperError):
    """The ledger file, or a run in it."""


class NotALedger(LedgerError):
    """A file, but not one of ours."""


class LedgerFromTheFuture(LedgerError):
    """The file's schema is newer than this program."""


class LedgerBusy(LedgerError):
    """Another process holds the write lock."""


class LedgerFull(LedgerError):
    """The disk is full; nothing was written."""


class LedgerReadOnly(LedgerError):
    """The file or its folder cannot be written."""


class LedgerDamaged(LedgerError):
    """A record, or the file below it, is not what was written."""


class WrongExpectedVersion(LedgerError):
    """Somebody else wrote first."""


class WrongStory(LedgerError):
    """The run was begun with another story."""


class RunNotFound(LedgerError):
    """No such run in this file."""


class RunExists(LedgerError):
    """A run of that name is there already."""


class TurnNotFound(LedgerError):
    """The run has no such turn yet."""


# What reading what somebody else wrote may come to; msgspec lets two errors of Python's through.
UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)
