"""Carriers of what is said in play: aside, low, long ago, of a thing, in a turn that is gone."""

from __future__ import annotations

from storykeeper.bench.leaks.secrets import BRANCH, Spoken
from storykeeper.bench.leaks.stage import Person, Stage, Step
from storykeeper.bench.leaks.vocabulary import Wording, capital

RETRACTED = "retracted"  # the mark of the turn that is taken back


def told_aside(stage: Stage, carrier: str) -> None:
    """Said aloud to somebody in another room, where nobody else is."""
    to = stage.away
    heard = stage.company(to)
    secret = Spoken(carrier, stage.wording(*heard), heard)
    stage.spoken.append(secret)
    line = f'I say to {to.name}: "{secret.wording.said}"'
    prose = aloud(secret.wording.otherwise, to)
    stage.steps.append(Step(stage.yard, line, prose, (secret,)))


def overheard(stage: Stage, carrier: str) -> None:
    """One half aloud, where others hear it too; the other half low, to the friend."""
    to, aloud = stage.friend, stage.wording(*stage.everybody)
    secret = spoken(stage, carrier, to)
    line = f'I say: "{aloud.otherwise}"'
    prose = f"{low(stage, secret, secret.wording.said, to)} {_remark(stage)}"
    stage.steps.append(Step(stage.hall, line, prose, (secret,)))
    again = f'I whisper to {to.name}: "{secret.wording.otherwise}"'
    stage.steps.append(Step(stage.hall, again, f"{to.name} nods.", (secret,)))


def whispered(stage: Stage, carrier: str) -> None:
    """Whispered in a room full of people, both ways."""
    to = stage.random.choice((stage.friend, stage.other))
    secret = spoken(stage, carrier, to)
    both = (secret.wording.said, secret.wording.otherwise)
    one, other = stage.random.sample(both, 2)
    line = f'I whisper to {to.name}: "{one}"'
    prose = f"{low(stage, secret, other, to)} {_remark(stage)}"
    stage.steps.append(Step(stage.hall, line, prose, (secret,)))


def thing_of_play(stage: Stage, carrier: str) -> None:
    """A thing described low to one, and spoken of before all: its card says what each heard.

    Where that is hidden and all is otherwise, another thing was described: then this one is new.
    """
    to, thing, another = stage.friend, stage.words.noun(), stage.others.noun()
    canary = stage.canary(*stage.company(to))
    described = another if stage.is_otherwise(*stage.company(to)) else thing
    secret = Spoken(carrier, Wording(canary, "", "", frozenset(), thing), stage.company(to))
    stage.spoken.append(secret)
    quietly = f'I whisper to {to.name}: "the {canary} {described} is mine"'
    stage.first.append(Step(stage.hall, quietly, f"{to.name} nods.", (secret,)))
    line = f"I ask {to.name} about the {thing}."
    again = low(stage, secret, f"it is {canary}", to)
    prose = f"{again} {aloud(f'a {thing}, is it', stage.bystander)}"
    stage.steps.append(Step(stage.hall, line, prose, (secret,)))


def retracted(stage: Stage, carrier: str) -> None:
    """Said before everybody in the hall, and taken back later."""
    secret = Spoken(carrier, stage.wording(*stage.everybody))
    stage.spoken.append(secret)
    line = f'I say: "{secret.wording.said}"'
    prose = aloud(secret.wording.otherwise, stage.bystander)
    stage.steps.append(Step(stage.hall, line, prose, (secret,), mark=RETRACTED))


def other_branch(stage: Stage, carrier: str) -> None:
    """Said before everybody, in a fork of the run."""
    secret = Spoken(carrier, stage.wording(*stage.everybody), branch=BRANCH)
    stage.spoken.append(secret)
    for words in (secret.wording.said, secret.wording.otherwise):
        stage.branch.append(Step("", f'I say: "{words}"', "The rain goes on.", (secret,)))


def spoken(
    stage: Stage, carrier: str, to: Person, *, lag: int = 0, through: str | tuple[str, ...] = "",
    by: Person | None = None,
) -> Spoken:  # fmt: skip
    """A secret between the player and one other; or between somebody else who plays and them."""
    heard = stage.company(to) if by is None else frozenset({by.id, to.id})
    secret = Spoken(carrier, stage.wording(*heard), heard, lag=lag, through=through)
    stage.spoken.append(secret)
    return secret


def low(stage: Stage, secret: Spoken, words: str, who: Person) -> str:
    """Said low; and where it is hidden and all is otherwise, more of it, and the rain."""
    more = [stage.others.wording().said] if stage.is_otherwise(*secret.heard) else []
    said = [capital(each) for each in (*more, words)]
    stage.asides += [{"by": who.id, "to": ["you"], "words": each} for each in said]
    return " ".join(f"{who.name} whispers to you, “{each}.”" for each in said)


def aloud(words: str, who: Person) -> str:
    """Said for everybody to hear."""
    return f"“{capital(words)},” says {who.name}."


def _remark(stage: Stage) -> str:
    """Something for everybody to hear, in the same breath."""
    return f"The rain goes on. “It is late,” says {stage.bystander.name}."
