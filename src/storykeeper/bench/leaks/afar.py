"""Carriers of what reaches one person alone: words over the telephone, and notes that one reads.

Of a telephone those beside who speaks hear that side of it, and those beside the other end nothing
of either. A secret is told by each end once: by whoever is away, to the player in a full room; and
by the player, alone, to somebody in a full room. A note is read by who unfolds it, and is told to
the player; what the player writes is read by whom it is handed to.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.bench.leaks.said import spoken
from storykeeper.bench.leaks.secrets import Spoken
from storykeeper.bench.leaks.stage import Move, Person, Stage, Step
from storykeeper.bench.leaks.vocabulary import capital

_CALLS = ("phone", "ring", "telephone")
_OVER = ("over the phone", "on the other end", "over the line")
_ENDS = ("{who} hangs up.", "The line goes dead.", "You put the phone down.")
_UNFOLDING = ("unfolds the note and reads it", "opens the letter", "reads the note")


def telephone(stage: Stage, carrier: str) -> None:
    """Told by who is away, to the player in the hall; and by the player, alone in the loft."""
    away, friend = stage.away, stage.friend
    secret = spoken(stage, carrier, away)
    line = f'I {stage.random.choice(_CALLS)} {away.name} and say: "It is late here."'
    prose, taken = _answer(stage, secret, away), _taken(away, f"{away.name} answers")
    stage.steps.append(Step(stage.hall, line, prose, (secret,), staged=taken))
    mine = spoken(stage, carrier, friend)
    call = f'I {stage.random.choice(_CALLS)} {friend.name} and say: "{capital(_one(stage, mine))}."'
    prose = f"{friend.name} picks up. “So late,” {friend.name} says {_over(stage)}."
    prose = f"{prose} {_end(stage, friend)}"
    taken = _taken(friend, f"{friend.name} picks up")
    stage.steps.append(Step(stage.loft, call, prose, (mine,), staged=taken))


def note(stage: Stage, carrier: str) -> None:
    """Read by the player alone, by the friend beside them, and written for one in a full room."""
    own = Spoken(carrier, stage.wording(*stage.company()), stage.company())
    stage.spoken.append(own)
    says = " ".join(f"It says: “{capital(each)}.”" for each in _words(stage, own))
    reads = f"You read the note. {says}"
    stage.steps.append(
        Step(stage.hall, "I wait.", f"{reads} {_rain(stage)}", (own,), staged=reading("you"))
    )
    friend, other = stage.friend, stage.random.choice((stage.bystander, stage.other))
    theirs = spoken(stage, carrier, friend)
    how = stage.random.choice(_UNFOLDING)
    prose = f"{friend.name} {how}. It says: “{capital(_one(stage, theirs))}.” {_rain(stage)}"
    stage.steps.append(
        Step(stage.hall, "I wait.", prose, (theirs,), staged=reading(friend.id, how))
    )
    written = spoken(stage, carrier, other)
    line = f'I write a note to {other.name}: "{capital(_one(stage, written))}."'
    stage.steps.append(Step(stage.hall, line, _rain(stage), (written,)))


def _taken(who: Person, words: str) -> tuple[Move, ...]:
    """Somebody takes a call of the player's, who rings off at its end."""
    with_them = {"who": ["you"], "with": [who.id]}
    return ({**with_them, "kind": "call-opens", "words": words},
            {**with_them, "kind": "call-closes"})  # fmt: skip


def reading(who: str, words: str = "You read the note") -> tuple[Move, ...]:
    """Somebody reads a note."""
    return ({"who": [who], "kind": "reads", "what": "the note", "words": words},)


def _answer(stage: Stage, secret: Spoken, who: Person) -> str:
    over, end = _over(stage), _end(stage, who)
    told = (f"“{capital(each)},” {who.name} says {over}." for each in _words(stage, secret))
    return f"{who.name} answers. {' '.join(told)} {end}"


def _words(stage: Stage, secret: Spoken) -> Iterator[str]:
    """A secret in both ways; and where it is hidden and all is otherwise, more of it."""
    yield from (secret.wording.said, secret.wording.otherwise)
    if stage.is_otherwise(*secret.heard):
        yield stage.others.wording().said


def _one(stage: Stage, secret: Spoken) -> str:
    return stage.random.choice((secret.wording.said, secret.wording.otherwise))


def _over(stage: Stage) -> str:
    return stage.random.choice(_OVER)


def _end(stage: Stage, who: Person) -> str:
    return stage.random.choice(_ENDS).format(who=who.name)


def _rain(stage: Stage) -> str:
    return f"The rain goes on. “It is late,” says {stage.bystander.name}."
