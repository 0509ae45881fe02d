"""Carriers of what is hidden in a room where people are: its card, its forms, and that it is there.

One thing in the hall never comes to light, and one person knows where it is. Another has a name
that nobody may have. A third lies in the loft, where the player searches for it.
"""

from __future__ import annotations

from storykeeper.bench.leaks.secrets import NARRATOR, from_turn, nobody, only
from storykeeper.bench.leaks.stage import NEVER, TALE, Stage, Step
from storykeeper.bench.leaks.vocabulary import Wording, capital
from storykeeper.story.knowledge import Fact
from storykeeper.story.places import Form, Thing


def hidden_thing(stage: Stage, carrier: str) -> None:
    """What lies in the hall and is not seen; and in the loft, until it is searched."""
    _known_to_one(stage, carrier)
    _known_to_nobody(stage, carrier)
    _found(stage, carrier)


def _known_to_one(stage: Stage, carrier: str) -> None:
    """What is said of it; who knows a fact about it may have all of that but its forms."""
    who, thing = stage.friend.id, stage.words.noun()
    stage.others.noun()
    card, form = stage.wording(who), stage.wording()
    stage.things.append(
        Thing(
            id=thing, name=f"the {thing}", at=stage.hall, hidden=True, revealed_by=NEVER,
            description=_both(card), symbolism=_both(form),
            forms={TALE: Form(name=capital(form.canary), description=_both(form))},
        )
    )  # fmt: skip
    where = Fact(id="behind-the-wall", full="It is behind the wall.", about=(thing,),
                 known_by={who: "saw"})  # fmt: skip
    stage.facts.append(where)
    stage.keep(carrier, card, only(who), f"thing:{thing}")
    stage.keep(carrier, form, nobody, f"bridge:{thing}/{TALE}")


def _known_to_nobody(stage: Stage, carrier: str) -> None:
    """That there is one at all, by its id, its name and what else it is called."""
    name, alias, described = stage.canary(), stage.canary(), stage.wording()
    stage.asked_once.append(
        Thing(
            id=name, name=f"the {capital(name)}", aliases=(capital(alias),), at=stage.hall,
            hidden=True, revealed_by=NEVER, description=_both(described),
        )
    )  # fmt: skip
    stage.keep(carrier, described, nobody, f"thing:{name}")
    for word in (name, alias):
        stage.keep(carrier, Wording(word, "", "", frozenset(), ""), nobody, f"thing:{name}")


def _found(stage: Stage, carrier: str) -> None:
    """The player searches the loft, and has it from then on; nobody else does."""
    thing = stage.words.noun()
    stage.others.noun()
    card = stage.wording(stage.player.id, NARRATOR)
    stage.things.append(
        Thing(id=thing, name=f"the {thing}", at=stage.loft, hidden=True, description=_both(card))
    )
    stage.steps.append(Step(stage.loft, "I search the room.", "The rain goes on.", mark=carrier))
    found = from_turn(lambda: stage.turns.get(carrier), stage.player.id)
    stage.keep(carrier, card, found, f"thing:{thing}")


def _both(wording: Wording) -> str:
    return f"{capital(wording.said)}. {capital(wording.otherwise)}."
