"""What a sanitiser found in a text, and what it did about it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

LONGEST = 160  # characters of a text that are kept in a finding


class Trick(StrEnum):
    """By what a text could pass for something else."""

    INVISIBLE = "invisible"  # characters that nobody sees, or that turn the order of others
    TOKEN = "token"  # of a chat template or a tool call  # noqa: S105 - no password
    ROLE = "role"  # a speaker of a chat with a model
    HEADING = "heading"  # like ours
    FENCE = "fence"  # of code, or of a stage block
    QUOTE = "quote"  # a line that looks like the player's
    HANDLE = "handle"  # of a fact that is offered to be told
    ENCODED = "encoded"  # words in an encoding that a person does not read
    ORDER = "order"  # to a language model
    MARK = "mark"  # ours, with which such things are marked


class Finding(Struct, frozen=True, omit_defaults=True):
    """One thing that was found."""

    trick: Trick
    was: str  # as it stood there
    now: str = ""  # as it stands there now
    because: tuple[str, ...] = ()  # what weighed most, if that was learned


def finding(trick: Trick, was: str, now: str = "", because: tuple[str, ...] = ()) -> Finding:
    """One, its texts cut to what a log should hold."""
    return Finding(trick, _cut(was), _cut(now), because)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
