"""What a chat request says happened.

    system …, [assistant opening], user, assistant, user, assistant, …, user, [system …]

Rounds are what users and assistants say; neighbours of one role are one message. System messages
before the last line are the client's own instructions, cards and lore, and stay; example dialogues
come as such too. A request that ends otherwise than with a user's line asks for something else than
a turn: more of the last answer, a draft of the player's line, a summary.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SEPARATOR = "\n\n"
_SPACE = re.compile(r"\s+")
_TALK = ("user", "assistant")
_INSTRUCTS = ("system", "developer")


@dataclass(frozen=True, slots=True)
class Round:
    """A player's line, and what was answered; empty while it is not."""

    line: str
    prose: str = ""

    @property
    def line_key(self) -> str:
        """The line, as it is compared."""
        return key(self.line)

    @property
    def prose_key(self) -> str:
        """The answer, as it is compared."""
        return key(self.prose)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A client's history."""

    opening: str  # what was shown before the first line
    rounds: tuple[Round, ...]
    system: tuple[str, ...]  # instructions before the last line, in order
    after: tuple[dict[str, Any], ...]  # messages behind the last line
    last: dict[str, Any] | None  # the last line's own message, with whatever else is in it

    @property
    def is_turn(self) -> bool:
        """Whether it ends with a line of the player's, to be answered by a turn."""
        return self.last is not None and not self.after

    @property
    def is_new(self) -> bool:
        """Whether nothing was shown before its only line."""
        return not self.opening and len(self.rounds) == 1 and not self.rounds[0].prose


def key(text: str) -> str:
    """A text as it is compared: spaces and forms of one letter make no difference."""
    plain = _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def transcript(messages: Sequence[Mapping[str, Any]]) -> Transcript:
    """What a request's messages say happened."""
    talk = [i for i, each in enumerate(messages) if each.get("role") in _TALK]
    lines = [i for i in talk if messages[i]["role"] == "user"]
    end = lines[-1] if lines else len(messages)
    opening: list[str] = []
    said: list[tuple[list[str], list[str]]] = []
    for i in talk:
        text = said_in(messages[i])
        if messages[i]["role"] == "user":
            if not said or said[-1][1]:
                said.append(([], []))
            said[-1][0].append(text)
        elif not said:
            opening.append(text)
        elif text:
            said[-1][1].append(text)
    return Transcript(
        opening=SEPARATOR.join(filter(None, opening)),
        rounds=tuple(Round(SEPARATOR.join(a), SEPARATOR.join(b)) for a, b in said),
        system=tuple(said_in(m) for m in messages[:end] if m.get("role") in _INSTRUCTS),
        after=tuple(dict(m) for m in messages[end + 1 :]),
        last=dict(messages[end]) if lines else None,
    )


def said_in(message: Mapping[str, Any]) -> str:
    """The text of a message; of parts, those that are text."""
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, Sequence):
        return ""
    texts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def beside_text(message: Mapping[str, Any] | None) -> list[Any]:
    """The parts of a message that are no text, such as images."""
    content = None if message is None else message.get("content")
    if isinstance(content, str) or not isinstance(content, Sequence):
        return []
    return [
        part for part in content if not (isinstance(part, Mapping) and part.get("type") == "text")
    ]
