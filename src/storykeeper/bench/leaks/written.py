"""Carriers of what the author wrote: facts, cards, hints, standings, feelings, and who is there."""

from __future__ import annotations

from storykeeper.bench.leaks.secrets import (
    NARRATOR,
    MayHave,
    Moment,
    Secret,
    from_turn,
    nobody,
    only,
)
from storykeeper.bench.leaks.stage import TALE, Stage, Step
from storykeeper.bench.leaks.vocabulary import Wording, capital
from storykeeper.events.vocabulary import Awareness
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.people import Feeling, Relation
from storykeeper.story.places import Thing

CROSSES, IS_SUSPECTED = 0.7, 0.5  # permeability above which a layer's facts are known, suspected
_PARTS = ("one", "two")


def layer(stage: Stage, carrier: str) -> None:
    """A fact of a tale that some know; outside the tale it is as open as the boundary is."""
    known_by = {person.id: "read" for person in (stage.player, stage.bystander)}
    who = (NARRATOR, *known_by)
    outright = who if stage.permeability > CROSSES else ()
    suspecting = who if stage.permeability >= IS_SUSPECTED else ()
    theirs, suspected = only(*outright[1:]), only(*suspecting[1:])
    hint = stage.wording(*suspecting)
    full = stage.wording(*outright)
    name = _telling_name(stage, carrier, *outright)
    facts(stage, name, full, hint=hint.said, layer=TALE, known_by=known_by)
    fact_secret(stage, carrier, full, theirs, name=name)
    _hint_secret(stage, carrier, hint, suspected, name=name)


def entity_card(stage: Stage, carrier: str) -> None:
    """What stands on somebody's private card; and on the card of a thing that is locked away."""
    owner = stage.random.choice((stage.friend, stage.bystander, stage.away))
    wording = stage.wording(owner.id)
    parts = (
        owner.goals, owner.rules, owner.taboos, owner.doctrine, owner.beliefs, owner.capabilities
    )  # fmt: skip
    texts = (wording.said, wording.otherwise)
    for text, part in zip(texts, stage.random.sample(parts, len(texts)), strict=True):
        part.append(capital(text))
        if stage.is_otherwise(owner.id):
            part.append("And more of it.")
    stage.keep(carrier, wording, only(owner.id), f"card:{owner.id}")
    name, locked = stage.words.noun(), stage.wording(stage.unmet.id)
    described = f"{capital(locked.said)}. {capital(locked.otherwise)}."
    stage.things.append(Thing(id=name, name=f"the {name}", at=stage.vault, description=described))
    stage.keep(carrier, locked, only(stage.unmet.id), f"thing:{name}")


def hint(stage: Stage, carrier: str) -> None:
    """A fact that one knows and another only suspects; in half of the stories the player too."""
    knows, suspects = stage.friend.id, stage.bystander.id
    later: tuple[Reveal, ...] = ()
    if stage.random.random() < 0.5:
        later = (_reveal(stage, carrier, to=stage.player.id, suspects=True),)
    learning = (NARRATOR, stage.player.id) if later else ()
    wording, full = stage.wording(knows, suspects, *learning), stage.wording(knows)
    name = _telling_name(stage, carrier, knows)
    facts(
        stage, name, full, hint=wording.said, known_by={knows: "saw"},
        suspected_by={suspects: "heard"}, revealed_by=later,
    )  # fmt: skip
    fact_secret(stage, carrier, full, only(knows), name=name)
    asked, always = (
        from_turn(lambda: stage.turns.get(carrier), *learning[1:]),
        only(knows, suspects),
    )

    def may_have(audience: str, now: Moment) -> bool:
        return always(audience, now) or asked(audience, now)

    _hint_secret(stage, carrier, wording, may_have, name=name)


def receipt(stage: Stage, carrier: str) -> None:
    """A fact whose very id gives it away, so that a receipt must not list it."""
    who = stage.other.id
    canary, wording = stage.canary(who), stage.wording(who)
    stage.facts.append(
        Fact(
            id=f"of-{canary}", full=capital(wording.otherwise), hint="Something is amiss.",
            about=stage.subject(), known_by={who: "saw"},
        )
    )  # fmt: skip
    named = Wording(canary, "", "", wording.content, wording.topic)
    stage.keep(carrier, named, only(who), f"fact:of-{canary}", f"hint:of-{canary}")


def relation(stage: Stage, carrier: str) -> None:
    """What somebody remembers of another, and how they stand to one who is elsewhere."""
    owner = stage.random.choice((stage.friend, stage.other))
    wording, away = stage.wording(owner.id), stage.away.id
    texts = stage.random.sample((wording.said, wording.otherwise), 2)
    whom = (stage.bystander, stage.player)
    for to, text in zip(whom, texts, strict=True):
        owner.relations.append(Relation(to=to.id, affection=0.9, history=capital(text)))
    cold = 0.9 if stage.is_otherwise(owner.id, NARRATOR) else -0.9
    owner.relations.append(Relation(to=away, affection=cold, debt=0.9))
    sources = (f"history:{owner.id}/{to.id}" for to in whom)
    stage.keep(carrier, wording, only(owner.id), *sources)

    theirs = only(owner.id)

    def sees(audience: str, now: Moment) -> bool:
        together = audience == NARRATOR and now.sees(owner.id, away)
        return together or theirs(audience, now)

    stage.authored.append(Secret(carrier, sees, sources=frozenset({f"relation:{owner.id}/{away}"})))


def emotion(stage: Stage, carrier: str) -> None:
    """Why somebody feels as they do: named to its owner if they can own it, shown as behaviour.

    It is for one of whom nobody knows: that they are called so must not come out by it.
    """
    owner = stage.random.choice((stage.friend, stage.bystander))
    awareness = stage.random.choice(tuple(Awareness))
    owned = awareness in (Awareness.ARTICULATE, Awareness.RECOGNISABLE)
    seeing = (owner.id, NARRATOR)
    wording = stage.wording(*(seeing if owned else ()))
    shown = "sits down" if stage.is_otherwise(*seeing) else "looks away"
    for text in (wording.said, wording.otherwise):
        name = f"shame because {text}"
        owner.feelings.append(
            Feeling(name=name, awareness=awareness, toward=stage.unmet.id, shown_as=shown)
        )

    def feels(audience: str, now: Moment) -> bool:
        return audience == owner.id or (audience == NARRATOR and now.sees(owner.id))

    stage.keep(carrier, wording, feels if owned else nobody)
    stage.authored.append(Secret(carrier, feels, sources=frozenset({f"mood:{owner.id}"})))


def belief(stage: Stage, carrier: str) -> None:
    """What one holds true, rightly or not."""
    who = stage.bystander.id
    full = stage.wording(who)
    facts(stage, carrier, full, confidence=0.2, believed_by={who: "read"})
    fact_secret(stage, carrier, full, only(who), name=carrier)


def revelation(stage: Stage, carrier: str) -> None:
    """What one of the company learns while the player asks about something else."""
    who = stage.bystander.id
    full = stage.wording(who)
    facts(stage, carrier, full, revealed_by=(_reveal(stage, carrier, to=who),))
    told = from_turn(lambda: stage.turns.get(carrier), who)
    fact_secret(stage, carrier, full, told, name=carrier)


def error(stage: Stage, carrier: str) -> None:
    """That there is somebody of whom nobody knows: a list of the cast would name them."""
    who = stage.unmet.id
    kinds = ("cast", "line", "card", "where", "mood")
    named = Wording(who, "", "", frozenset(), "")
    stage.keep(carrier, named, only(who), *(f"{kind}:{who}" for kind in kinds))


def _telling_name(stage: Stage, carrier: str, *people: str) -> str:
    """A name for facts that only these may read: others may suspect them, and no more."""
    canary = stage.canary(*people)
    stage.authored.append(Secret(carrier, only(*people), canary))
    return f"{carrier}-{canary}"


def facts(stage: Stage, name: str, wording: Wording, *, hint: str = "", **more: object) -> None:
    """Two facts that say one secret, in both ways."""
    for text, part in zip((wording.said, wording.otherwise), _PARTS, strict=True):
        stage.facts.append(
            Fact(
                id=f"{name}-{part}", full=f"{capital(text)}.", hint=hint,
                about=stage.subject(), **more,  # type: ignore[arg-type]
            )
        )  # fmt: skip


def fact_secret(
    stage: Stage, carrier: str, wording: Wording, may_have: MayHave, *, name: str
) -> None:
    """That what two facts say is secret."""
    stage.keep(carrier, wording, may_have, *(f"fact:{name}-{part}" for part in _PARTS))


def _hint_secret(
    stage: Stage, carrier: str, wording: Wording, may_have: MayHave, *, name: str
) -> None:
    stage.keep(carrier, wording, may_have, *(f"hint:{name}-{part}" for part in _PARTS))


def _reveal(stage: Stage, carrier: str, *, to: str, suspects: bool = False) -> Reveal:
    """By asking about a thing that nothing else is asked about; its turn has the carrier's name."""
    thing = stage.words.noun()
    stage.asked_once.append(Thing(id=thing, name=f"the {thing}", at=stage.hall))
    line = f"I ask {stage.other.name} about the {thing}."
    stage.steps.append(Step(stage.hall, line, f"{stage.other.name} shrugs.", mark=carrier))
    asked = Condition(did=Did(who="player", act="ask", about=thing))
    return Reveal(when=asked, to=(to,), how="saw", suspects=suspects)
