"""LongMemEval: what people asked an assistant, and the turns of earlier sessions that answer.

Of every question the sessions with its evidence are there. They are asked in two ways:

    haystack   a question's own sessions and 47 others, drawn with a fixed seed: one memory each
    pooled     the sessions of all questions in one memory

Questions to which the right answer is that there is none are left out, as are those without turns.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storykeeper.bench.locomo.data import Asked, Chat, NoChats, Turn
from storykeeper.memory.moments import moment

OTHERS = 47
SEED = 7
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a chat, and when."""

    chat: Chat  # what is remembered; its `asked` is this one question
    now_ms: int


def load(data: Path | None) -> list[dict[str, Any]]:
    """The rows of `data/longmemeval/*.jsonl` that have an answer."""
    files = sorted((data / "longmemeval").glob("*.jsonl")) if data is not None else []
    if not files:
        raise NoChats(f"no longmemeval/*.jsonl in {data}; say where it is with --data")
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [row for row in rows if row["evidence"] and not row["abstention"]]


def pooled(rows: list[dict[str, Any]]) -> list[Question]:
    """Every question of one memory of all sessions."""
    sessions = [session for row in rows for session in _sessions(row)]
    return [_question("pooled", sessions, row) for row in rows]


def haystacks(rows: list[dict[str, Any]]) -> Iterator[Question]:
    """Every question of its own sessions among others."""
    chance = random.Random(SEED)
    every = [session for row in rows for session in _sessions(row)]
    for row in rows:
        mine = {key for key, _, _ in _sessions(row)}
        rest = [session for session in every if session[0] not in mine]
        some = chance.sample(rest, min(OTHERS, len(rest)))
        yield _question(row["question_id"], [*_sessions(row), *some], row)


_Session = tuple[str, str, list[dict[str, str]]]


def _sessions(row: dict[str, Any]) -> list[_Session]:
    key = row["question_id"]
    return [(f"{key}:{s['session']}", _written(s["date"]), s["turns"]) for s in row["evidence"]]


def _question(name: str, sessions: list[_Session], row: dict[str, Any]) -> Question:
    ordered = sorted(sessions, key=lambda session: (session[1], session[0]))
    turns = tuple(
        Turn(f"{key}:{n}", each["role"], each["content"], key, date, moment(date))
        for key, date, said in ordered
        for n, each in enumerate(said)
    )
    mine = f"{row['question_id']}:"
    gold = tuple(place for place, turn in enumerate(turns) if turn.session.startswith(mine))
    asked = Asked(row["question"], row["question_type"], gold)
    return Question(Chat(name, turns, (asked,)), moment(_written(row["question_date"])))


def _written(date: str) -> str:
    """A date as `moment` reads it."""
    return _DATE.sub(r"\1-\2-\3T\4", date)
