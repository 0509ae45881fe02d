"""A campaign as data: many hours of people at a table, turn by turn.

The data is CRD3: an episode is a JSON file with `TURNS` (who spoke, what was said) and `METADATA`
(summaries by people, in sections). It has no scenes, so the rule is stated: the game master is who
speaks most often. A scene begins with the episode and after a break (a turn with "[break]", or the
game master's "Welcome back"); and, once a scene has 60 turns, with the next turn of the game master
that has 40 words or more, or with the 81st turn in any case.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storykeeper.errors import StorykeeperError

SCENE_TURNS, SCENE_MOST = 60, 80
LONG_TURN = 40  # words of a game master who sets a scene
_ASIDE = frozenset(
    {"pre-show", "announcements", "break", "post-show", "q&a", "afterword"}
)  # sections about the evening, not the story


class NoCampaign(StorykeeperError):
    """The data is not where it was looked for, or is not of this kind."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said, until somebody else spoke."""

    number: int
    speakers: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Episode:
    """One evening."""

    name: str
    turns: tuple[Turn, ...]
    summary: str  # only what tells the story

    @property
    def game_master(self) -> str:
        """Who speaks most often."""
        spoken = Counter(speaker for turn in self.turns for speaker in turn.speakers)
        return min(spoken, key=lambda who: (-spoken[who], who), default="")

    def scenes(self) -> list[tuple[Turn, ...]]:
        """The turns, scene by scene."""
        scenes: list[list[Turn]] = []
        master, after_break = self.game_master, True
        for turn in self.turns:
            if after_break or _begins(turn, master, so_far=len(scenes[-1])):
                scenes.append([])
            scenes[-1].append(turn)
            after_break = "[break]" in turn.text.casefold()
        return [tuple(scene) for scene in scenes]


def _begins(turn: Turn, master: str, *, so_far: int) -> bool:
    if so_far >= SCENE_MOST:
        return True
    if master not in turn.speakers:
        return False
    if "welcome back" in turn.text.casefold():
        return True
    return so_far >= SCENE_TURNS and len(turn.text.split()) >= LONG_TURN


def episodes(data: Path) -> list[Episode]:
    """The episodes in a data folder, in order."""
    folder = data / "crd3" / "episodes"
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise NoCampaign(f"no episodes in {folder}; say with --data where crd3 is")
    return [_episode(path) for path in paths]


def _episode(path: Path) -> Episode:
    try:
        told = json.loads(path.read_text("utf-8"))
        turns = tuple(
            Turn(t["NUMBER"], tuple(t["NAMES"]), " ".join(t["UTTERANCES"])) for t in told["TURNS"]
        )
        return Episode(path.stem, turns, _summary(told["METADATA"]["Synopsis"]))
    except (ValueError, KeyError, TypeError) as wrong:
        raise NoCampaign(f"{path} is not an episode of crd3: {wrong!r}") from wrong


def _summary(sections: Iterable[dict[str, Any]]) -> str:
    parts = (
        part["content"]
        for section in sections
        if section["heading"].casefold() not in _ASIDE
        for part in section["content"]
    )
    return "\n".join(" ".join(line.split()) for text in parts for line in text.split("\n"))
