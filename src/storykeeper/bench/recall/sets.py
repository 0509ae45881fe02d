"""Questions with known answers, over several kinds of chat and fiction.

    longmemeval   what people asked an assistant, all sessions in one memory; MIT
    talks         chats written for this project, all in one memory and each in its own; CC0
    fiction       sentences of people's summaries of an evening of CRD3; CC BY-SA 4.0
    playthroughs  what must not be forgotten of two runs, told by a narrator; CC0

What ships may be fitted on these. Two measure, and nothing is fitted on them:

    locomo        long chats of two; CC BY-NC 4.0
    unseen        chats written for this project and kept from every fit, as `talks`; CC0
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from storykeeper.bench.continuity.data import load as playthroughs
from storykeeper.bench.locomo import data as locomo
from storykeeper.bench.locomo import fiction
from storykeeper.bench.locomo.data import Asked, Chat, Turn
from storykeeper.bench.recall import longmemeval, talks
from storykeeper.bench.recall.longmemeval import Question

EVENINGS = 3


@dataclass(frozen=True, slots=True)
class Told:
    """A memory's worth of turns, and what is asked of it when."""

    chat: Chat
    now_ms: tuple[int | None, ...]  # of each question


def fitted_on(data: Path | None) -> dict[str, list[Told]]:
    """The sets that the weights are fitted on."""
    pooled = told_of(*longmemeval.pooled(longmemeval.load(data)))
    return {
        "longmemeval": [pooled],
        "talks": _talks(talks.FITTED),
        "fiction": [_timeless(chat) for chat in _evenings(data)],
        "playthroughs": [_timeless(chat) for chat in _runs(data)],
    }


def measuring(data: Path | None) -> dict[str, list[Told]]:
    """The sets that only measure."""
    return {
        "unseen": _talks(talks.UNSEEN),
        "locomo": [_timeless(chat) for chat in locomo.load(data)],
    }


def told_of(*questions: Question) -> Told:
    """Questions of one chat."""
    asked = tuple(one for question in questions for one in question.chat.asked)
    chat = replace(questions[0].chat, asked=asked)
    return Told(chat, tuple(question.now_ms for question in questions))


def _talks(name: str) -> list[Told]:
    """All chats of a file in one memory, and each in its own."""
    told = talks.load(name)
    return [told_of(*told), *(told_of(*each) for each in talks.apart(told))]


def _timeless(chat: Chat) -> Told:
    return Told(chat, (None,) * len(chat.asked))


def _evenings(data: Path | None) -> list[Chat]:
    return [] if data is None else fiction.evenings(data, most=EVENINGS)


def _runs(data: Path | None) -> list[Chat]:
    """What was told as turns; each fact seeks the turn in which it was told."""
    made = []
    for run in playthroughs(data):
        turns = [Turn(f"{each.number}", "", each.prose, "run", "", None) for each in run.turns]
        at = {each.number: place for place, each in enumerate(run.turns)}
        asked = [Asked(f.text, "fact", (at[f.since],)) for f in run.facts if f.since in at]
        made.append(Chat(run.name, tuple(turns), tuple(asked)))
    return made
