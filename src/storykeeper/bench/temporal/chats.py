"""Chats with dates, and questions about them whose answers are known turns.

Two sets, read as they are published. Zyphra's: `conversations/N.json` has the sessions with the
moment of every turn; `questions/time_qs` has eleven kinds of questions of pure time and
`questions/ambiguous_time_qs` the same asked over several lines; gold answers are numbers of turns
counted through the whole chat. They are asked as the last turn ends, outside the sessions: "one
session ago" is the newest. LoCoMo's: one date a session, gold answers are ids of turns, and no word
of when they are asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from storykeeper.errors import StorykeeperError
from storykeeper.language.time import Session, Timeline

_TURN = "%I:%M:%S %p on %A %d %B, %Y"
_SESSION = "%I:%M %p on %d %B, %Y"
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


class NoQuestions(StorykeeperError):
    """The data is not where it was looked for."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a chat."""

    place: int  # in the whole chat, from 0
    text: str
    speaker: str
    at_ms: int
    session: str


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat from beginning to end, and who talks in it."""

    name: str
    said: tuple[Said, ...]
    timeline: Timeline
    speakers: tuple[str, ...]
    asked_ms: int | None = None  # when its questions are asked, where the set says so


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the turns that answer it."""

    kind: str
    text: str
    gold: frozenset[int]


def zyphra(data: Path | None) -> dict[str, Chat]:
    """The chats of a data folder, by name."""
    folder = _zyphra(data) / "conversations"
    paths = sorted(folder.glob("*.json"), key=lambda path: path.stem)
    if not paths:
        raise NoQuestions(f"no chats in {data}: expected zyphra/conversations/*.json there")
    chats = (_chat(path.stem, _read(path), _TURN) for path in paths)
    return {chat.name: replace(chat, asked_ms=chat.said[-1].at_ms) for chat in chats if chat.said}


def questions(data: Path | None, folder: str) -> dict[str, list[Question]]:
    """The questions of one folder, by chat."""
    paths = sorted((_zyphra(data) / "questions" / folder).glob("*.json"))
    found: dict[str, list[Question]] = {}
    for path in paths:
        kind = path.stem.removeprefix("test_")
        for name, entries in _read(path).items():
            asked = found.setdefault(name.removeprefix("file_"), [])
            asked += (
                Question(kind, _asked(text), frozenset(entry["relevant_docs"]))
                for entry in entries
                for text in entry["questions"]
            )
    return found


def locomo(data: Path | None) -> Iterator[tuple[Chat, list[Question]]]:
    """LoCoMo's chats with their questions; the kind is the category. None if it is not there."""
    path = None if data is None else data / "locomo" / "locomo.json"
    if path is None or not path.is_file():
        return
    for sample in _read(path):
        chat = _chat(sample["sample_id"], sample["conversation"], _SESSION)
        places = {said.session: said.place for said in reversed(chat.said)}
        yield chat, list(_evidenced(sample["qa"], places))


def _evidenced(asked: list[dict[str, Any]], places: dict[str, int]) -> Iterator[Question]:
    for entry in asked:
        ids = _EVIDENCE.findall(" ".join(entry["evidence"]))
        gold = {places[s] + int(turn) - 1 for s, turn in ids if s in places}
        yield Question(str(entry["category"]), entry["question"], frozenset(gold))


def _zyphra(data: Path | None) -> Path:
    if data is None:
        raise NoQuestions("no data folder: give --data DIR or set STORYKEEPER_DATA")
    return data / "zyphra" if (data / "zyphra").is_dir() else data


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _asked(text: str | list[dict[str, str]]) -> str:
    """A question, or the lines that lead to one."""
    return text if isinstance(text, str) else " ".join(line["text"] for line in text)


def _chat(name: str, raw: dict[str, Any], form: str) -> Chat:
    numbers = sorted(int(key.removeprefix("session_")) for key in raw if _is_session(key, raw))
    said: list[Said] = []
    sessions = []
    for number in numbers:
        lines = raw[f"session_{number}"]
        begun = raw[f"session_{number}_date_time"]
        turns = [
            Said(len(said) + n, line.get("text", ""), line["speaker"],
                 _moment(line.get("date_time", begun), form), str(number))
            for n, line in enumerate(lines)
        ]  # fmt: skip
        said += turns
        moments = [turn.at_ms for turn in turns]
        sessions.append(Session(str(number), min(moments), max(moments)))
    return Chat(name, tuple(said), Timeline(sessions), (raw["speaker_a"], raw["speaker_b"]))


def _is_session(key: str, raw: dict[str, Any]) -> bool:
    return re.fullmatch(r"session_\d+", key) is not None and bool(raw[key])


def _moment(text: str, form: str) -> int:
    return int(datetime.strptime(text, form).replace(tzinfo=UTC).timestamp() * 1000)
