"""Chats as other programs keep them: one JSON object a line, or one array of objects.

What is looked for, under the first name that is there:

    words     text, content, message, mes, body          text, or a list of parts with a `text`
    speaker   speaker, name, author, role, from
    moment    at, timestamp, time, date, send_date, ts, created_at, create_time
    session   session, session_id, conversation_id, thread_id, chat_id
    audience  audience                                    a list of names

A line without words (a header, a note of a program) is passed over and counted; a line that is no
JSON is refused by its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from storykeeper.errors import DocumentUnreadable, ItemRefused
from storykeeper.memory.moments import moment

_WORDS = ("text", "content", "message", "mes", "body")
_SPEAKER = ("speaker", "name", "author", "role", "from")
_MOMENT = ("at", "timestamp", "time", "date", "send_date", "ts", "created_at", "create_time")
_SESSION = ("session", "session_id", "conversation_id", "thread_id", "chat_id")


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a chat."""

    text: str
    speaker: str = ""
    at_ms: int | None = None
    session: str = ""
    audience: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as it was read, and how many lines said nothing."""

    said: tuple[Said, ...]
    passed_over: int


def read_chat(text: str, *, file: str) -> Chat:
    """The lines of a chat, in their order."""
    said: list[Said] = []
    passed = 0
    for line, value in _objects(text, file=file):
        found = _said(value, where=f"{file}, line {line}")
        if found is None:
            passed += 1
        else:
            said.append(found)
    return Chat(tuple(said), passed)


def _objects(text: str, *, file: str) -> Iterator[tuple[int, Any]]:
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        try:
            items = msgspec.json.decode(text.lstrip("\ufeff"))
        except msgspec.DecodeError as error:
            raise DocumentUnreadable(f"{file}: no JSON ({error}); mend it, then again") from error
        yield from enumerate(items, start=1)
        return
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), start=1):
        if line.strip():
            try:
                yield number, msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                raise DocumentUnreadable(
                    f"{file}, line {number}: no JSON object ({error}); one is wanted on each line"
                ) from error


def _said(value: Any, *, where: str) -> Said | None:
    if not isinstance(value, dict):
        raise DocumentUnreadable(f"{where}: {type(value).__name__}, where an object is wanted")
    words = _words(_first(value, _WORDS))
    if not words.strip():
        return None
    at = _first(value, _MOMENT)
    try:
        at_ms = None if at is None or at == "" else moment(at)
    except (ItemRefused, TypeError, AttributeError) as error:
        raise DocumentUnreadable(f"{where}: {error}") from error
    speaker, session = _first(value, _SPEAKER), _first(value, _SESSION)
    return Said(
        words, "" if speaker is None else str(speaker), at_ms,
        "" if session is None else str(session), _audience(value.get("audience"), where),
    )  # fmt: skip


def _first(value: dict[str, Any], names: Iterable[str]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):  # parts: text, pictures, …
        return "\n".join(_words(part) for part in value if _words(part))
    if isinstance(value, dict):
        return _words(value.get("text") or value.get("parts") or "")
    return ""


def _audience(value: Any, where: str) -> frozenset[str] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise DocumentUnreadable(f"{where}: the audience is a list of names")
    return frozenset(value)
