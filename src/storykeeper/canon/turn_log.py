"""The log of a run of a field: JSON, a line each.

    {"head": …}     which field, in which mode, with which sources
    {"played": …}   an actor's turn: its brief, its action, the verdict
    {"world": …}    the field as it stands in the end

A log of a private knowledge base says so in its head, and is not given out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from storykeeper.canon.modes import Mode, refuse_leaving
from storykeeper.canon.registry import Distribution
from storykeeper.canon.situation import WorldState
from storykeeper.canon.verdict import Played
from storykeeper.errors import UNREADABLE, CanonInvalid
from storykeeper.story.conditions import Authored


class LogHead(Authored, frozen=True, kw_only=True):
    """What a log is of."""

    format: Literal[1] = 1
    field: str
    mode: Mode
    distribution: Distribution
    sources: tuple[str, ...]  # `source_id@version` of all that is in force


class LogLine(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a log: one of the three."""

    head: LogHead | None = None
    played: Played | None = None
    world: WorldState | None = None


@dataclass(frozen=True, slots=True)
class TurnLog:
    """A log, read."""

    head: LogHead
    played: tuple[Played, ...]
    world: WorldState | None  # none, if the run was broken off

    @property
    def local_only(self) -> bool:
        """Whether nothing of it may leave this machine."""
        return self.head.distribution is Distribution.LOCAL_ONLY


def line_of(value: LogHead | Played | WorldState) -> bytes:
    """One line, with its end."""
    match value:
        case LogHead():
            line = LogLine(head=value)
        case Played():
            line = LogLine(played=value)
        case WorldState():
            line = LogLine(world=value)
    return msgspec.json.encode(line, order="deterministic") + b"\n"


def read_log(path: Path) -> TurnLog:
    """The log in a file; CanonInvalid says which line is none."""
    if not path.is_file():
        raise CanonInvalid(f"there is no log {path}; `storykeeper field run` writes one")
    with path.open("rb") as lines:
        found = list(_lines(lines, path))
    head = next((each.head for each in found[:1] if each.head is not None), None)
    if head is None:
        raise CanonInvalid(f"{path}, line 1: a log begins with its head; this is none")
    played = tuple(each.played for each in found if each.played is not None)
    world = next((each.world for each in reversed(found) if each.world is not None), None)
    return TurnLog(head, played, world)


def _lines(lines: Iterable[bytes], path: Path) -> Iterator[LogLine]:
    for number, line in enumerate(lines, start=1):
        try:
            yield msgspec.json.decode(line, type=LogLine)
        except UNREADABLE as error:
            raise CanonInvalid(f"{path}, line {number}: {error}") from None


def shared(path: Path, to: Path) -> None:
    """A copy of a log for others; refused if what it holds may not leave this machine."""
    log = read_log(path)
    refuse_leaving(log.head.sources if log.local_only else (), what=f"the log {path}")
    if to.exists():
        raise CanonInvalid(f"{to} is there already; choose another name")
    to.write_bytes(path.read_bytes())
