"""Chats as other programs keep them: one JSON object a line, or one array of objects.

What is looked for, under the first name that is there:

    words     text, content, message, mes, body, value   text, or a list of parts with a `text`
    speaker   speaker, name, author, role, from           a name, or an object that has one
    moment    at, timestamp, time, date, send_date, ts, created_at, create_time
    session   session, session_id, conversation_id, thread_id, chat_id
    audience  audience                                    a list of names
    the rest  metadata, expires, entities, weight         as `export` writes them

An object with a list under messages, conversations, conversation or turns is a whole session: the
objects of that list are its lines, and its id, if it has one, is their session.

A line without words (a header, a note of a program) is passed over and counted; a line that is no
JSON is refused by its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from storykeeper.errors import UNREADABLE, DocumentUnreadable, ItemRefused
from storykeeper.memory.metadata import Value, written
from storykeeper.memory.moments import moment
from storykeeper.memory.naming import name_or_refuse
from storykeeper.memory.refusing import names_or_refuse, weight_or_refuse

MAX_PARTS_DEPTH = 8  # parts of parts: a message that has more is made to be slow
_WORDS = ("text", "content", "message", "mes", "body", "value")
_SPEAKER = ("speaker", "name", "author", "role", "from")
_MOMENT = ("at", "timestamp", "time", "date", "send_date", "ts", "created_at", "create_time")
_SESSION = ("session", "session_id", "conversation_id", "thread_id", "chat_id")
_WHOLE = ("messages", "conversations", "conversation", "turns")  # lists of lines
_WHOLE_ID = (*_SESSION, "id", "title")


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a chat."""

    text: str
    speaker: str = ""
    at_ms: int | None = None
    session: str = ""
    audience: frozenset[str] | None = None
    metadata: Mapping[str, Value] = field(default_factory=dict, hash=False)
    until_ms: int | None = None  # from then on it is not found
    entities: tuple[str, ...] = ()
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as it was read, and how many lines said nothing."""

    said: tuple[Said, ...]
    passed_over: int


def read_chat(text: str, *, file: str) -> Chat:
    """The lines of a chat, in their order."""
    said: list[Said] = []
    passed = 0
    for where, value in _objects(text, file=file):
        whole = _whole(value)
        for each in [value] if whole is None else whole:
            found = _said(each, where=where, strict=False)
            if found is None:
                passed += 1
            elif whole is not None and not found.session:
                said.append(replace(found, session=_whole_id(value, where)))
            else:
                said.append(found)
    return Chat(tuple(said), passed)


def line_of(value: object, *, where: str) -> Said:
    """One line: as it is, as a text, or as an object like those of a chat."""
    if isinstance(value, Said):
        return value
    if isinstance(value, str):
        return Said(value)
    if isinstance(value, Mapping):
        said = _said(dict(value), where=where, strict=True)
        if said is not None:
            return said
        raise ItemRefused(f"{where}: there are no words under {', '.join(_WORDS)}")
    raise ItemRefused(f"{where}: a text, a dict or a Said is wanted, not {repr(value)[:40]}")


def _whole(value: Any) -> list[Any] | None:
    """The lines of an object that is a whole session; None of any other."""
    if not isinstance(value, dict):
        return None
    return next((value[name] for name in _WHOLE if isinstance(value.get(name), list)), None)


def _whole_id(value: dict[str, Any], where: str) -> str:
    """What a session is called: by its own name, or by where it stands."""
    named = _first(value, _WHOLE_ID)
    return where if named is None else str(named)


def _objects(text: str, *, file: str) -> Iterator[tuple[str, Any]]:
    """Each object, and where it stands."""
    text = text.lstrip("\ufeff")
    if text.lstrip().startswith("["):
        try:
            items = msgspec.json.decode(text)
        except UNREADABLE as error:
            raise DocumentUnreadable(f"{file}: no JSON ({error}); mend it, then again") from error
        yield from ((f"{file}, item {number}", item) for number, item in enumerate(items, start=1))
        return
    if (whole := _one_object(text)) is not None:
        yield file, whole
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield f"{file}, line {number}", msgspec.json.decode(line)
            except UNREADABLE as error:
                raise DocumentUnreadable(
                    f"{file}, line {number}: no JSON object ({error}); one is wanted on each line"
                ) from error


def _one_object(text: str) -> dict[str, Any] | None:
    """The one object that a text is, written over several lines; None if it is another thing."""
    first = text.lstrip().partition("\n")[0].strip()
    if first != "{":  # a line of JSONL is whole
        return None
    try:
        found = msgspec.json.decode(text)
    except UNREADABLE:
        return None
    return found if isinstance(found, dict) else None


def _said(value: Any, *, where: str, strict: bool) -> Said | None:
    """One line; None without words. Not `strict`, what else a program keeps may be in its form."""
    if not isinstance(value, dict):
        raise DocumentUnreadable(f"{where}: {type(value).__name__}, where an object is wanted")
    words = _words(_first(value, _WORDS))
    if not words.strip():
        return None
    session = _first(value, _SESSION)
    try:
        return Said(
            words, _speaker(value, where), _moment(_first(value, _MOMENT)),
            "" if session is None else str(session), _audience(value.get("audience"), where),
            **(_more(value) if strict else _ours(value)),
        )  # fmt: skip
    except (ItemRefused, TypeError, AttributeError) as error:
        raise DocumentUnreadable(f"{where}: {error}") from error


def _moment(value: Any) -> int | None:
    return None if value is None or value == "" else moment(value)


def _more(value: dict[str, Any]) -> dict[str, Any]:
    """What `export` writes besides."""
    written(value.get("metadata"))
    return {
        "metadata": value.get("metadata") or {},
        "until_ms": _moment(value.get("expires")),
        "entities": tuple(names_or_refuse(value.get("entities") or (), what="an entity")),
        "weight": weight_or_refuse(value.get("weight") or 0.0),
    }


def _ours(value: dict[str, Any]) -> dict[str, Any]:
    """The same, as far as it is in our form: other programs have other things by these names."""
    found: dict[str, Any] = {}
    for name in ("metadata", "expires", "entities", "weight"):
        with suppress(ItemRefused, TypeError, AttributeError):
            found |= {k: v for k, v in _more({name: value.get(name)}).items() if v}
    return found


def _speaker(value: dict[str, Any], where: str) -> str:
    """Who says it: a name, or the name or role of an object."""
    who = _first(value, _SPEAKER)
    if isinstance(who, dict):
        who = _first(who, _SPEAKER)
    name = "" if who is None else str(who)
    try:
        return name_or_refuse(name, what="a speaker")
    except ItemRefused as error:
        raise DocumentUnreadable(f"{where}: {error}") from error


def _first(value: dict[str, Any], names: Iterable[str]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _words(value: Any, *, deep: int = 0) -> str:
    if isinstance(value, str):
        return value
    if deep > MAX_PARTS_DEPTH:
        return ""
    if isinstance(value, list):  # parts: text, pictures, …
        return "\n".join(filter(None, (_words(part, deep=deep + 1) for part in value)))
    if isinstance(value, dict):
        return _words(value.get("text") or value.get("parts") or "", deep=deep + 1)
    return ""


def _audience(value: Any, where: str) -> frozenset[str] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise DocumentUnreadable(f"{where}: the audience is a list of names")
    return frozenset(value)
