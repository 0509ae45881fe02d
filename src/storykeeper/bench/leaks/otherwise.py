"""What else is otherwise in the second run of a flip: names, acts, guesses, numbers, calls, notes
and where people are.

No secret is told by these. What is tried is whether they shape anything at all: who is locked up is
called by words that everybody uses, what nobody knows of waits for acts that everybody does, what
somebody says by chance is a fact, a scene nobody feels is heavier, and the other end of a line says
something else. Who told the player something whom they never met is somebody else, and an event
moves otherwise what others feel.
"""

from __future__ import annotations

from msgspec import structs

from storykeeper.bench.leaks.afar import reading
from storykeeper.bench.leaks.ahead import SUNKEN
from storykeeper.bench.leaks.secrets import NARRATOR
from storykeeper.bench.leaks.stage import NEVER, Move, Person, Stage, Step
from storykeeper.bench.leaks.vocabulary import capital
from storykeeper.events.vocabulary import Dimension
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, MoodShift, RelationShift, Reveal, StoryEvent
from storykeeper.story.places import Thing
from storykeeper.story.tuning import SceneOverride

CHANCE = "It is late and the old clock in the tower has stopped"  # as somebody says in the script
ACTS = ("examine", "question", "inspect", "study", "pause", "rest", "shrug", "walk", "peer")
_NAMES = ("Rain", "Wait", "Late", "Rest", "Old", "Clock", "Quiet")
_ALIASES = ("the stranger", "the rain", "the tower", "Tower", "the old clock", "Examine", "Look")


def vary(stage: Stage) -> Stage:
    """The stage with all of this on it, otherwise where it is hidden."""
    _lines(stage)
    _teller(stage)  # before the words of the two runs part
    _feelings(stage)
    _call(stage)
    _whereabouts(stage)
    _beside(stage)
    _names(stage)  # from here on words are drawn in one run only
    _acts(stage)
    _chance(stage)
    _numbers(stage)
    return stage


def _lines(stage: Stage) -> None:
    """Turns in plain words, of which each is a name, an act or a fact in the other run."""
    who, thing = stage.bystander.name, stage.things[0].name
    for line, prose in (
        (f"I examine {thing}.", f"“{CHANCE},” says {who}."),
        (f"I question {who} about {thing}.", f"{who} shrugs. The rain goes on, quiet and late."),
        ("I rest, then I inspect the tower.", "A stranger passes. Rain falls on the old tower."),
        ("I pause and peer at the rain.", "Late it is. The old clock ticks, and all is quiet."),
        (f'I say: "{CHANCE}."', f"{who} nods."),
    ):
        stage.steps.append(Step(stage.hall, line, prose))


def _call(stage: Stage) -> None:
    """The player phones who is away: of the line others in the room hear the player's side."""
    to = stage.away
    heard = stage.company(to)
    answer = stage.wording(*heard)
    low = f"“{capital(answer.said)},” {to.name} says over the phone."
    line = f'I phone {to.name} and say: "It is late here."'
    taken = {"who": ["you"], "with": [to.id], "kind": "call-opens", "words": to.name}
    stage.steps.append(Step(stage.hall, line, low, staged=(taken,)))
    stage.steps.append(Step(stage.hall, "I hang up.", "The rain goes on."))


def _whereabouts(stage: Stage) -> None:
    """Somebody whom all have met goes out of sight: where to, only those in the yard see. And
    who is locked up is so in another room.
    """
    stage.shut = stage.cells
    if stage.is_otherwise(stage.unmet.id):
        stage.unmet.at = stage.cells[2]
    who = stage.stranger()
    seeing = stage.company(who, stage.away)
    to = stage.cells[1 if stage.is_otherwise(*seeing) else 0]
    out = f"{who.name} goes to the {stage.yard}."
    goes = {"who": [who.id], "kind": "departs", "to": stage.yard, "words": out}
    stage.first.append(Step(stage.hall, "I wait.", out, staged=(goes,)))
    gone = f"{who.name} goes to the {to}. The rain goes on."
    goes = {"who": [who.id], "kind": "departs", "to": to, "words": f"{who.name} goes to the {to}"}
    stage.first.append(Step(stage.yard, f"I wave to {who.name}.", gone, staged=(goes,)))
    for line in (f"I ask {stage.friend.name} about {who.name}.", f"I look for {who.name}."):
        stage.steps.append(Step(stage.hall, line, f"{stage.bystander.name} shrugs."))
    _call_of_others(stage, who)


def _call_of_others(stage: Stage, whom: Person) -> None:
    """Two others are on the telephone, or one is not; of those in the hall nobody can tell."""
    by = stage.away
    words = capital(stage.wording(*stage.company(by, whom)).said)
    prose = f"{by.name} phones {whom.name}. {whom.name} answers. “{words},” says {by.name}."
    call: tuple[Move, ...] = (
        {"who": [by.id], "kind": "call-opens", "with": [whom.id], "words": "answers"},
    )
    if stage.is_otherwise(*stage.company(by, whom)):
        prose, call = "The rain goes on.", ()
    stage.steps.append(Step(stage.yard, "I wait.", prose, staged=call))


def _beside(stage: Stage) -> None:
    """Somebody elsewhere reads a note, or does not."""
    words = capital(stage.wording(*stage.company(stage.away)).said)
    prose = f"{stage.away.name} unfolds a note and reads it. It says: “{words}.”"
    reads = reading(stage.away.id, "unfolds a note and reads it")
    if stage.is_otherwise(*stage.company(stage.away)):
        prose, reads = f"{stage.away.name} sits down.", ()
    stage.steps.append(Step(stage.yard, "I wait.", prose, staged=reads))


def _names(stage: Stage) -> None:
    """Who is locked up, and what lies there or hidden, by words that everybody uses."""
    if stage.is_otherwise():
        _hide(stage)
    if not stage.is_otherwise(stage.unmet.id):
        return
    called = stage.others.choice(_NAMES)
    stage.unmet.name = called
    stage.unmet.aliases = tuple(a for a in _ALIASES if a != called)
    name = f"other-{stage.others.noun()}"  # the noun may be that of something else in the story
    stage.things.append(
        Thing(id=name, name="the rainy clock", aliases=("the rain", "the tower"), at=stage.vault)
    )


def _hide(stage: Stage) -> None:
    """Something that nobody ever sees, in the room where most of it is said and done."""
    stage.asked_once.append(
        Thing(
            id=f"unseen-{stage.others.noun()}",
            name=stage.others.choice(("the clock", "the rain", "the cup")),
            aliases=("the tower", "the old clock", "the telephone", "the stranger", "Late"),
            at=stage.hall, hidden=True, revealed_by=NEVER,
        )
    )  # fmt: skip


def _acts(stage: Stage) -> None:
    """Events that never come wait for acts; in the other run for those of the script."""
    acts = ACTS if stage.is_otherwise() else ("sing", "dance", "weep")
    for number, act in enumerate(acts):
        gone = Condition(did=Did(who=stage.away.id, act=act, to=stage.unmet.id))
        name = f"undone-{number}"
        stage.events[name] = StoryEvent(id=name, summary="It never comes.", when=gone)


def _chance(stage: Stage) -> None:
    """A fact of hers alone; in the other run what somebody says by chance."""
    theirs = stage.is_otherwise(stage.unmet.id)
    text = CHANCE if theirs else stage.words.wording().said
    said = ("The rain goes on.",) if theirs else ("The moon is green cheese.",)
    known = {stage.unmet.id: "saw"}
    stage.facts.append(Fact(id="by-chance", full=f"{text}.", said=said, known_by=known))


def _teller(stage: Stage) -> None:
    """The player learns something of one whom nobody has met: in the other run of another."""
    thing, known = stage.words.noun(), stage.wording(NARRATOR, stage.player.id)
    stage.others.noun()
    stage.asked_once.append(Thing(id=thing, name=f"the {thing}", at=stage.hall))
    line = f"I ask {stage.other.name} about the {thing}."
    stage.steps.append(Step(stage.hall, line, f"{stage.other.name} shrugs."))
    asked = Condition(did=Did(who="player", act="ask", about=thing))
    told = Reveal(when=asked, to=(stage.player.id,), how=f"told by {stage.unmet.id}")
    stage.facts.append(
        Fact(id="confided", full=f"{capital(known.otherwise)}.", about=stage.subject(),
             revealed_by=(told,))
    )  # fmt: skip


def _feelings(stage: Stage) -> None:
    """Something the author lets happen moves how everybody feels and stands, out of sight.

    It is theirs; the narrator shows what those feel whom nobody plays, while the player sees them,
    and how these stand toward each other. All else is otherwise: how one stands toward who is
    locked up, and all that is in who never comes near, or is played by another.
    """
    thing = stage.words.noun()
    stage.others.noun()
    stage.asked_once.append(Thing(id=thing, name=f"the {thing}", at=stage.hall))
    line = f"I ask {stage.other.name} about the {thing}."
    stage.steps.append(Step(stage.hall, line, f"{stage.other.name} shrugs."))
    moods = [_mood(stage, who) for who in stage.cast]
    relations = [
        _shift(stage, who, whom) for who in stage.cast for whom in stage.cast if who is not whom
    ]
    asked = Condition(did=Did(who="player", act="ask", about=thing))
    stage.events["stirring"] = StoryEvent(
        id="stirring", summary="Something stirs.", when=asked,
        moods=tuple(moods), relations=tuple(relations),
    )  # fmt: skip


def _mood(stage: Stage, who: Person) -> MoodShift:
    shown = (NARRATOR,) if who is stage.player or who in _acted(stage) else ()
    sign = -1 if stage.is_otherwise(who.id, *shown) else 1
    return MoodShift(who=who.id, valence=0.8 * sign, arousal=0.4 * sign, determination=0.4 * sign)


def _shift(stage: Stage, who: Person, whom: Person) -> RelationShift:
    near = (stage.player, stage.friend, stage.bystander, stage.other, stage.away)
    acted = who in _acted(stage) and whom in near
    shown = (NARRATOR,) if acted or (who is stage.player and whom is not stage.unmet) else ()
    by = -0.9 if stage.is_otherwise(who.id, *shown) else 0.9
    return RelationShift(from_=who.id, to=whom.id, dimension=Dimension.AFFECTION, by=by)


def _acted(stage: Stage) -> list[Person]:
    """Those whom the player comes to see, and nobody plays."""
    met = (stage.friend, stage.bystander, stage.other, stage.away)
    return [each for each in met if each is not stage.second]


def _numbers(stage: Stage) -> None:
    """How heavy a scene is that nobody feels, and one that the narrator alone does."""
    for scene, override in list(stage.ahead.items()):
        if stage.is_otherwise(NARRATOR) or (scene == f"in-{SUNKEN}" and stage.is_otherwise()):
            stage.ahead[scene] = SceneOverride(mass=0.2, distance=0.5)
        else:
            stage.ahead[scene] = structs.replace(override)
