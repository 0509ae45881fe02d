"""What is typed and told, turn by turn: talk in a room, people who come and go, then the next room.

The prose is that of `bench/passages`, ordinary narration of our own, in turns of about so many
words; now and then one of the cast says something in it, comes in or goes to another room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle

from storykeeper.bench.mentions.objects import passages
from storykeeper.bench.prefix.stage import PEOPLE, ROOMS

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[.!?][\"”’'])\s+")
ROOM_TURNS = 20
_ASKED = (
    "I ask {other} about the {thing}.",
    "I look at the {thing}.",
    'I say to {one}: "You keep it well."',
    "I sit down and wait.",
    "I tell {one} what the order says about the {thing}.",
    "I ask {one} where {absent} is.",
    "I turn the {thing} over in my hands, and then put it back where it was.",
    "I listen to the water.",
)
_SAID = ("“It was my father's,” says {one}.", "“Not before the last boat,” {other} says.")


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the script."""

    line: str
    prose: str


def script(turns: int, *, words: int) -> list[Step]:
    """So many turns of about so many words, twenty in every room and the rest in the last."""
    told, last = prose(words), len(ROOMS) - 1
    rooms = (min(last, number // ROOM_TURNS) for number in range(turns))
    return [
        _step(number, room, number - room * ROOM_TURNS, next(told))
        for number, room in enumerate(rooms)
    ]


def prose(words: int) -> Iterator[str]:
    """The passages in order, again and again, in turns that end with a sentence."""
    texts = [" ".join(passage.text.split()) for passage in passages("play")]
    so_far: list[str] = []
    for sentence in (s for text in cycle(texts) for s in _SENTENCE.split(text)):
        so_far.append(sentence)
        if sum(len(s.split()) for s in so_far) >= words:
            yield " ".join(so_far)
            so_far = []


def _step(number: int, room: int, turn: int, told: str) -> Step:
    """The first turn in a room is going there; the very first, the opening."""
    place, _, thing, _, (one, other) = ROOMS[room]
    absent = next(who for who, *_ in PEOPLE[1:] if who not in (one, other))
    names = {who: called for who, called, *_ in PEOPLE}
    said = {"one": names[one], "other": names[other], "absent": names[absent], "thing": thing}
    line = f"I go to the {place}." if room else ""
    if turn:
        line = _ASKED[(number + room) % len(_ASKED)].format(**said)
    lead = _coming(turn, room, one=names[one], absent=names[absent])
    if not lead and number % 3 == 0:
        lead = _SAID[number % len(_SAID)].format(**said)
    return Step(line, f"{lead} {told}".strip())


def _coming(turn: int, room: int, *, one: str, absent: str) -> str:
    """Somebody comes in, one of the two who were there goes, and both are as before again."""
    here, next_door = ROOMS[room][0], ROOMS[room - 1][0]
    comings = {
        5: f"{absent} comes into the {here}.",
        8: f"{one} goes to the {next_door}.",
        12: f"{absent} goes to the {next_door}.",
        15: f"{one} comes into the {here}.",
    }
    return comings.get(turn, "")
