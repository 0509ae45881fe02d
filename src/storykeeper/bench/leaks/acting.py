"""Carriers of what characters act on: what they keep and show, tell another, do and want it for.

What shows of it are words that say nothing; nobody but who acts may have the rest, and whom it is
told to from the turn in which it is.
"""

from __future__ import annotations

from storykeeper.bench.leaks.secrets import from_turn, nobody, only
from storykeeper.bench.leaks.stage import Stage, Step
from storykeeper.bench.leaks.vocabulary import capital
from storykeeper.bench.leaks.written import fact_secret, facts
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.minds import Attempt, FactShow, Show, Tell
from storykeeper.story.people import Goal
from storykeeper.story.places import Thing

SEEN = "{who} looks at the door."


def intent(stage: Stage, carrier: str) -> None:
    """Somebody keeps one secret, tells another to one of the company, and does a third."""
    owner, to = stage.friend, stage.bystander
    kept, told = stage.wording(owner.id), stage.wording(owner.id, to.id)
    about = [_asked(stage, f"{carrier}-{part}") for part in ("kept", "told", "done")]
    shows = (FactShow(text=SEEN, about=(about[0],), every=1),)
    facts(stage, f"{carrier}-kept", kept, known_by={owner.id: "lived"}, shows=shows)
    fact_secret(stage, carrier, kept, only(owner.id), name=f"{carrier}-kept")
    facts(stage, f"{carrier}-told", told, known_by={owner.id: "lived"})
    for part in ("one", "two"):
        owner.tells.append(
            Tell(fact=f"{carrier}-told-{part}", when=_when(about[1]), to=(to.id,), weight=0.9)
        )
    heard = from_turn(lambda: stage.turns.get(f"{carrier}-told"), to.id)
    mine = only(owner.id)
    fact_secret(
        stage, carrier, told, lambda who, now: mine(who, now) or heard(who, now),
        name=f"{carrier}-told",
    )  # fmt: skip
    _done(stage, carrier, about[2])


def _done(stage: Stage, carrier: str, thing: str) -> None:
    """A deed whose event and purpose are nobody's to read but the author's and who does it."""
    owner = stage.friend
    done, wanted = stage.wording(), stage.wording(owner.id)
    name = f"{carrier}-done"
    stage.events[name] = StoryEvent(id=name, summary=f"{capital(done.said)}.")
    stage.keep(carrier, done, nobody)
    owner.does.append(Attempt(happens=name, when=_when(thing), text=SEEN, chance=0.5))
    owner.wants.append(Goal(text=capital(wanted.otherwise), weight=0.8, by=(name,)))
    stage.keep(carrier, wanted, only(owner.id), f"card:{owner.id}")
    owner.shows.append(Show(text="{who} hums.", every=2))


def _asked(stage: Stage, mark: str) -> str:
    """A thing that nothing else is asked about, and a turn in which it is."""
    thing = stage.words.noun()
    stage.asked_once.append(Thing(id=thing, name=f"the {thing}", at=stage.hall))
    line = f"I ask {stage.friend.name} about the {thing}."
    stage.steps.append(Step(stage.hall, line, f"{stage.friend.name} shrugs.", mark=mark))
    return thing


def _when(thing: str) -> Condition:
    return Condition(did=Did(who="player", act="ask", about=thing))
