"""Carriers of what was said or done long ago: an echo of it, what memory finds of it, the story so
far, and what comes back of it where there is room.

Where a second plays, they too were told something then; the narrator tells it to nobody else.
"""

from __future__ import annotations

from storykeeper.bench.leaks.said import low, spoken
from storykeeper.bench.leaks.secrets import Spoken
from storykeeper.bench.leaks.stage import Person, Stage, Step
from storykeeper.bench.leaks.vocabulary import Wording

OLD_TURNS = 8  # so long ago, and it may come back
PAST_TURNS = 4  # so old, and it is not among the last turns any more
ECHO, RECALLED, SO_FAR = "echo:", "recalled:", "so-far:"
EARLIER = ("earlier:", RECALLED)  # more of a turn that memory found stands in its line


def echo(stage: Stage, carrier: str) -> None:
    """Told low in answer to what is asked again and again, in the same place."""
    to = stage.friend
    for by in _playing(stage):
        secret = spoken(stage, carrier, to, lag=OLD_TURNS, through=ECHO, by=by)
        both = (secret.wording.said, secret.wording.otherwise)
        prose = " ".join(low(stage, secret, words, to) for words in both)
        line = f"I ask {to.name} about the {stage.common[0]}."
        stage.first.append(Step(stage.hall, line, prose, (secret,), player=_id(by)))


def recalled(stage: Stage, carrier: str) -> None:
    """Whispered, and shown to somebody elsewhere."""
    for by in _playing(stage):
        to = stage.bystander if by is None else stage.friend
        secret = spoken(stage, carrier, to, lag=OLD_TURNS, through=RECALLED, by=by)
        line = f'I whisper to {to.name}: "{secret.wording.said}"'
        prose = low(stage, secret, secret.wording.otherwise, to)
        stage.first.append(Step(stage.hall, line, prose, (secret,), player=_id(by)))
    _shown(stage, carrier)


def so_far(stage: Stage, carrier: str) -> None:
    """Whispered at the very beginning, so that it is of the story so far later."""
    _at_first(stage, carrier, stage.other, SO_FAR)


def earlier(stage: Stage, carrier: str) -> None:
    """The same, and it comes back where there is room for more of the past."""
    _at_first(stage, carrier, stage.bystander, EARLIER)


def _at_first(stage: Stage, carrier: str, whom: Person, through: str | tuple[str, ...]) -> None:
    for by in _playing(stage):
        to = whom if by is None else stage.friend
        secret = spoken(stage, carrier, to, lag=PAST_TURNS, through=through, by=by)
        line = f'I whisper to {to.name}: "{secret.wording.said}"'
        prose = low(stage, secret, secret.wording.otherwise, to)
        stage.first.append(Step(stage.hall, line, prose, (secret,), player=_id(by)))


def _shown(stage: Stage, carrier: str) -> None:
    """A deed that only one other sees: what it is done with has a telling name."""
    to = stage.away
    heard, thing = stage.company(to), stage.words.noun()
    stage.others.noun()
    canary = stage.canary(*heard)
    wording = Wording(canary, "", "", frozenset(), thing)
    secret = Spoken(carrier, wording, heard, lag=OLD_TURNS, through=RECALLED)
    stage.spoken.append(secret)
    line = f"I show {to.name} the {canary} {thing}."
    stage.first.append(Step(stage.yard, line, f"{to.name} nods.", (secret,)))


def _playing(stage: Stage) -> tuple[Person | None, ...]:
    """The first player, who is meant unless another is named; and the second, if there is one."""
    return (None,) if stage.second is None else (None, stage.second)


def _id(person: Person | None) -> str | None:
    return None if person is None else person.id
