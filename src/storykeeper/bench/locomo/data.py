"""LoCoMo as it is published: long chats of two people, questions, and the turns that answer them.

A picture that was shared is part of what was said, in the words it comes with. Ids of evidence are
read generously: `D8:6; D9:17` are two, `D:11:26` is `D11:26`; ids of no turn are left out, and so
are questions that have none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from storykeeper.errors import StorykeeperError

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D?:?\s*(\d+)\s*:\s*(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"


class NoChats(StorykeeperError):
    """The data is not where it was looked for."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said."""

    id: str
    speaker: str
    text: str  # with the words of a picture, if one was shared
    session: str
    date: str  # of its session, as written
    at_ms: int | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the places of the turns that answer it."""

    text: str
    category: str
    gold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat from beginning to end, and what is asked about it."""

    name: str
    turns: tuple[Turn, ...]
    asked: tuple[Asked, ...]

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who talks in it."""
        return tuple(sorted({turn.speaker for turn in self.turns}))


def load(data: Path | None) -> list[Chat]:
    """All chats of `data/locomo/*.json`, sorted by file."""
    files = sorted((data / "locomo").glob("*.json")) if data is not None else []
    if not files:
        raise NoChats(f"no locomo/*.json in {data}; say where it is with --data")
    return [chat_of(raw) for file in files for raw in json.loads(file.read_text("utf-8"))]


def chat_of(raw: Mapping[str, Any]) -> Chat:
    """One chat."""
    talk = raw["conversation"]
    numbers = sorted(int(m[1]) for key in talk if (m := _SESSION.fullmatch(key)))
    turns = [
        _turn(each, number, str(talk.get(f"session_{number}_date_time", "")))
        for number in numbers
        for each in talk[f"session_{number}"]
    ]
    places = {turn.id: place for place, turn in enumerate(turns)}
    asked = []
    for question in raw["qa"]:
        ids = dict.fromkeys(evidence_ids(question.get("evidence") or []))
        gold = tuple(places[each] for each in ids if each in places)
        if gold:
            kind = CATEGORIES.get(int(question["category"]), "other")
            asked.append(Asked(str(question["question"]), kind, gold))
    return Chat(str(raw.get("sample_id", "")), tuple(turns), tuple(asked))


def evidence_ids(written: list[str]) -> list[str]:
    """The ids in a question's evidence, in the form in which turns have them."""
    return [
        f"D{int(session)}:{int(turn)}"
        for each in written
        for session, turn in _EVIDENCE.findall(each)
    ]


def _turn(raw: Mapping[str, Any], number: int, date: str) -> Turn:
    picture = str(raw.get("blip_caption") or "")
    text = str(raw.get("text") or "")
    if picture:
        text = f"{text} [shares a picture: {picture}]".strip()
    return Turn(
        str(raw["dia_id"]), str(raw["speaker"]), text, f"session {number}", date, _moment(date)
    )


def _moment(date: str) -> int | None:
    """Milliseconds since 1970, as the clock there showed."""
    try:
        read = datetime.strptime(date, _DATE).replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(read.timestamp() * 1000)
