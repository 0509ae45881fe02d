"""Chats that were written for this project: help, comfort, friends, travels, a game, a ward.

`talks.txt` beside this file says how they are written down; what ships is fitted on them. Nothing
is fitted on those of `unseen.txt`. All of a file are one memory; each question is of one chat, and
its answer may be a whole list that the assistant made, a change that was told later, or what comes
to mind when somebody says how they feel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files

from storykeeper.bench.locomo.data import Asked, Chat, Turn
from storykeeper.bench.recall.longmemeval import Question
from storykeeper.memory.moments import moment

FITTED, UNSEEN = "talks", "unseen"
_DATE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_TURN = re.compile(r"([^\[\]:]+) \[(\w+)\]: (.*)")


@dataclass(slots=True)
class _Read:
    """What was read so far."""

    chat: str = ""
    date: str = ""
    turns: list[Turn] = field(default_factory=list)
    asked: list[tuple[str, ...]] = field(default_factory=list)  # when, kind, ids, words

    def line(self, line: str) -> None:
        """Take one more line."""
        if line.startswith("= "):
            self.chat = line[2:]
        elif _DATE.fullmatch(line):
            self.date = line.replace(" ", "T")
        elif line.startswith("? "):
            self.asked.append(tuple(line[2:].split(" | ")))
        elif line.startswith("  "):
            last = self.turns.pop()
            text = f"{last.text}\n{line[2:]}"
            self.turns.append(
                Turn(last.id, last.speaker, text, last.session, last.date, last.at_ms)
            )
        elif found := _TURN.fullmatch(line):
            speaker, key, text = found.groups()
            session = f"{self.chat}, {self.date}"
            self.turns.append(Turn(key, speaker, text, session, self.date, moment(self.date)))
        elif line and not line.startswith("#"):
            raise ValueError(f"a line of talks is nothing: {line!r}")


def load(name: str = FITTED) -> list[Question]:
    """Every question of one memory of all chats of a file, in the order of time."""
    read = _Read()
    text = files("storykeeper.bench.recall").joinpath(f"{name}.txt").read_text("utf-8")
    for line in text.splitlines():
        read.line(line)
    turns = tuple(sorted(read.turns, key=lambda turn: turn.date))
    return list(_questions(name, turns, read.asked))


def _questions(
    name: str, turns: tuple[Turn, ...], asked: list[tuple[str, ...]]
) -> Iterator[Question]:
    places = {turn.id: place for place, turn in enumerate(turns)}
    for when, kind, ids, words in asked:
        gold = tuple(places[each] for each in ids.split())
        now = moment(when.replace(" ", "T"))
        yield Question(Chat(name, turns, (Asked(words, kind, gold),)), now)


def apart(together: Sequence[Question]) -> Iterator[list[Question]]:
    """The same, each chat a memory of its own."""
    turns = together[0].chat.turns
    for name in dict.fromkeys(map(_chat, turns)):
        mine = [place for place, turn in enumerate(turns) if _chat(turn) == name]
        places = {place: n for n, place in enumerate(mine)}
        here = tuple(turns[place] for place in mine)
        yield [
            Question(Chat(name, here, (replace(asked, gold=gold),)), question.now_ms)
            for question in together
            for asked in question.chat.asked
            if (gold := tuple(places[g] for g in asked.gold if g in places))
        ]


def _chat(turn: Turn) -> str:
    return turn.session.rpartition(", ")[0]
