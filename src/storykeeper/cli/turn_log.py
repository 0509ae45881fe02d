"""What happened in a run, a line a turn: what was typed, and what came of it that lasts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from storykeeper.events.atoms import Atom, SceneChange, SceneChanged
from storykeeper.events.changes import BeatTold, EventHappened, GateOpened, SecretRevealed
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import InputReceived, TurnRetracted

OPENING = "(opening)"
_IN = (SceneChange.ENTERED, SceneChange.REVISITED)


@dataclass(slots=True)
class _Turn:
    """One turn, as far as it was read."""

    typed: str
    came: list[str] = field(default_factory=list)


def turn_lines(records: Iterable[AnyRecord]) -> Iterator[str]:
    """A line for each turn, in order; nothing where nobody plays a story, as in a memory."""
    turns: dict[int, _Turn] = {}
    for record in records:
        match record:
            case InputReceived():
                turns[record.turn] = _Turn(" ".join(record.text.split()) or OPENING)
            case TurnRetracted():
                turns.pop(record.of, None)
            case _ if record.turn in turns:
                came = _came(record)
                if came is not None:
                    turns[record.turn].came.append(came)
    for number, each in sorted(turns.items()):
        came = "; ".join(dict.fromkeys(each.came))
        yield f"{number:>4}  {each.typed}{f'  ·  {came}' if came else ''}"


def _came(record: AnyRecord) -> str | None:
    """What a record says of how the story stands, if it is of that."""
    match record:
        case Atom(what=SceneChanged(change=change, scene=scene)) if change in _IN:
            return f"to {scene}"
        case BeatTold():
            return f"told {record.scene}/{record.beat}"
        case SecretRevealed():
            verb = "suspects" if record.suspected else "knows"
            return f"{' and '.join(record.to)} {verb} {record.fact} ({record.how})"
        case EventHappened():
            return f"{record.event} happened"
        case GateOpened():
            return f"{record.gate} opened"
        case _:
            return None
