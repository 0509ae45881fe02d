"""Where nobody but the author tells the story: what can be tried here, and what a line came to.

A line is played if something comes of it: the story waits for it, it moves somebody or something,
or there is prose that comes next. Any other is answered without a turn: what is seen, what is held,
what is not here, or that the story has nothing for it, with the nearest thing that it has. What is
offered is in sight and known to the player's character; of what the story waits for, only that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from storykeeper.events.atoms import ActionTaken, Atom, Source, SpeechUttered
from storykeeper.events.changes import IntentPredicted, IntentResolved
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TurnCommitted
from storykeeper.language.acts import Act, ActKind, Register
from storykeeper.language.registers import register_of
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import words
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.beats import next_beat
from storykeeper.play.commit import ALWAYS, lexicon, play_out
from storykeeper.play.offers import (
    Offer,
    held_by,
    in_sight,
    known_to,
    nearest,
    offers,
    others,
    ways,
)
from storykeeper.play.options import is_habit
from storykeeper.play.reach import within_reach
from storykeeper.play.second_person import acknowledged, beside_emotes
from storykeeper.play.wording import joined, name_of, opened
from storykeeper.units import EntityId
from storykeeper.world.state import Pending, World

TOLD_LAST = 12  # turns of the present scene whose words a line may mean
LEAST_PROSE = 6  # words of a line in which nothing is done, and something is told
HELP = frozenset({"?", "h", "help", "hint", "hints", "commands", "options"})
DETERMINERS = frozenset({"the", "a", "an", "this", "that", "these", "those", "my", "his", "her"})
ONESELF = frozenset({"me", "myself"})
HOLDING = frozenset({"i", "inv", "inventory", "items", "pockets"})
LOOKING = frozenset({"look", "search", "listen"})
GOING_ON = frozenset({"continue", "go on", "carry on", "next", "more", "and then"})
SEEN_HERE = frozenset({"look", "l", "where am i"})
_SEEING = frozenset({"look", "read", "examine", "study", "search"})
_PASSING = frozenset({"wait"})
_SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)


@dataclass(frozen=True, slots=True)
class Guidance:
    """An answer to a line that is no turn."""

    text: str
    offers: tuple[Offer, ...] = ()

    def __str__(self) -> str:
        rows = [f"  {n}. {each.line}" for n, each in enumerate(self.offers, 1)]
        return "\n".join(filter(None, [self.text, *rows]))


def guidance(world: World, turn: Pending, told: str = "") -> Guidance | None:
    """The answer to a line of which nothing comes here; None: it is a turn, play it.

    `told` is what was told last: things may be done to what it names, which the story does not.
    """
    player, line = turn.player, turn.text
    bare = line.strip().strip("/").casefold().rstrip(" .!?") or line.strip()
    if bare in HELP:
        return Guidance("You could try:", offers(world))
    if bare in HOLDING:
        return Guidance(_held(world, player))
    if bare in SEEN_HERE:
        return Guidance(place(world, player))
    if bare in GOING_ON and _is_prose_due(world, turn):
        return None
    names = acquaintance(world, player).names()
    acts = lexicon(world.plan).acts_of(line, by=player, names=names)
    if bare.split()[-1] in ONESELF and acts and acts[0].kind is ActKind.OBSERVATION:
        return Guidance(f"You are {world.plan.cast[player].name}. {world.plan.cast[player].line}")
    if any(act.act == "inquire" for act in acts) and not beside_emotes(line):
        return Guidance("You could try:", offers(world))
    held = _held_already(world, player, acts)
    if held:
        return Guidance(f"You have {joined(held)} already.")
    seen = _words_of(world, player, told)
    if not acts and len(line.split()) >= LEAST_PROSE and _is_prose_due(world, turn):
        return None
    if (acts or beside_emotes(line)) and _is_played(world, turn, acts, seen):
        return None
    return _answered(world, turn, acts, seen)


def place(world: World, player: EntityId) -> str:
    """Where somebody is: what there is to see, who is there, and where one can go."""
    here = world.places.get(player)
    setting = world.plan.settings.get(here or "")
    seen = [] if setting is None else [setting.name, setting.description.strip()]
    told = ". ".join(opened(part.rstrip(".")) for part in seen if part)
    company = [name_of(world, who) for who in others(world, player)]
    seen_here = in_sight(world, player, known_to(world, player))
    things = [name_of(world, t) for t in seen_here if t not in held_by(world, player)]
    led = [name_of(world, way) for way in ways(world, player)]
    rows = [f"{told}." if told else ""]
    if company:
        rows.append(f"{opened(joined(company))} {_is(company)} here.")
    if things:
        rows.append(f"You see {joined(things)}.")
    if led:
        rows.append(f"From here one can go to {joined(led, 'or')}.")
    return " ".join(filter(None, rows))


def _words_of(world: World, player: EntityId, told: str) -> frozenset[str]:
    setting = world.plan.settings.get(world.places.get(player) or "")
    seen = told if setting is None else f"{told} {setting.description}"
    return frozenset(map(stem, words(seen)))


# ── whether it is played ─────────────────────────────────────────────────────────────────────


def _is_played(world: World, turn: Pending, acts: Sequence[Act], told: Collection[str]) -> bool:
    """Whether anything comes of it: more than that it was done, or prose that may follow on it."""
    unfolding = play_out(world, turn)
    calm = register_of(turn.text, acts) is not Register.HOSTILE
    spoken = _is_spoken(turn.text, acts)
    came = [each for each in unfolding.records if calm or not isinstance(each, IntentResolved)]
    if any(_is_more(world, each, spoken=spoken) for each in came) or any(
        act.act in _PASSING for act in acts
    ):
        return True
    following = next_beat(unfolding.world)
    if following is None:
        return False
    if following[1].when is not None or _opens(unfolding.world, following[0]):
        return True
    reached = (act for act in acts if within_reach(world, turn.player, act))
    return calm and any(_lets_go_on(world, turn.player, act, told) for act in reached)


def _is_prose_due(world: World, turn: Pending) -> bool:
    """Whether there is prose that comes whatever one does meanwhile."""
    following = next_beat(play_out(world, turn).world)
    return following is not None


def _is_spoken(line: str, acts: Sequence[Act]) -> bool:
    """Whether something is said in a line, to whoever is there."""
    return bool(beside_emotes(line)) or any(act.kind in _SPEAKING for act in acts)


def _opens(world: World, beat: str) -> bool:
    """Whether it is what a scene begins with: the story has gone there already."""
    scene = world.plan.scenes[world.scene or world.plan.story.start]
    return beat == f"{scene.id}/{scene.beats[0].id}"


def _is_more(world: World, record: AnyRecord, *, spoken: bool) -> bool:
    """Whether it is more than that the player did what they typed; `spoken`: somebody is spoken
    to, and whatever they do then is an answer.
    """
    match record:
        case IntentPredicted():
            return False
        case IntentResolved():
            return bool(record.outcome) and (
                spoken or not is_habit(world.plan, record.who, record.option)
            )
    if isinstance(record, Atom):
        mine = record.source is Source.PLAYER
        return not (mine and isinstance(record.what, ActionTaken | SpeechUttered))
    return not isinstance(record, TurnCommitted)


def _lets_go_on(world: World, player: EntityId, act: Act, told: Collection[str]) -> bool:
    """Whether prose that comes next may come upon it: what one does meanwhile, or among people."""
    if act.kind in _SPEAKING or act.act == "listen":
        return bool(others(world, player))
    if act.kind is ActKind.OBSERVATION:
        return act.target is None and act.to is None  # about oneself
    if act.kind is ActKind.MOVEMENT:  # on, not to anywhere
        here = act.place in (None, world.places.get(player))
        onward = act.place is not None or act.where is None  # "to the moon" is nowhere
        return here and onward and act.verb != "go" and not act.way
    if act.kind is ActKind.INTERACTION and act.to in world.plan.cast:
        return False  # what somebody makes of it is theirs to say
    if act.kind is ActKind.EMOTE:
        return True  # a hand that is raised, a jig that is danced: it is their own
    named = [each for each in (act.target, act.where, act.instrument) if each is not None]
    return all(each.entity is not None or stem(each.mention.head) in told for each in named)


# ── the answer, where it is not ──────────────────────────────────────────────────────────────


def _answered(world: World, turn: Pending, acts: Sequence[Act], told: Collection[str]) -> Guidance:
    player, line = turn.player, turn.text
    near, calm = nearest(world, line), register_of(line, acts) is not Register.HOSTILE
    if not acts and not beside_emotes(line):
        return Guidance(f"“{_short(line)}” is not understood. You could:", near)
    found = _of_one_act(world, player, acts, near, told)
    if found is not None:
        return found
    done = acknowledged(line, known=ALWAYS)
    if calm and _is_spoken(line, acts):
        heard = "It gets no answer." if others(world, player) else "There is nobody to answer."
        return Guidance(f"{done} {heard} You could:".strip(), near)
    if calm and all(_lets_go_on(world, player, each, told) for each in acts):
        return Guidance(f"{done} Nothing comes of it. You could:".strip(), near)
    return Guidance(f"Nothing here answers “{_short(line)}”. You could:", near)


def _of_one_act(
    world: World, player: EntityId, acts: Sequence[Act], near: tuple[Offer, ...],
    told: Collection[str],
) -> Guidance | None:  # fmt: skip
    """The answer to what is done first, if that is enough of one."""
    if not acts:
        return None
    act = acts[0]
    if act.act in LOOKING and act.target is None and act.to is None:
        return Guidance(place(world, player))
    if act.kind is ActKind.MOVEMENT and not _lets_go_on(world, player, act, told):
        return Guidance(_no_way(world, player, act))
    absent = _absent(world, player, acts)
    if absent:
        return Guidance(f"You do not see {joined(absent)} here. You could:", near)
    if act.act in _SEEING and act.to is not None:
        return Guidance(_look(world, player, act.to))
    seen = None if act.target is None else act.target.mention
    if act.kind is ActKind.OBSERVATION and seen is not None and stem(seen.head) in told:
        return Guidance(f"There is no more to see of {_definite(seen.text)}.")
    return None


def _definite(words: str) -> str:
    first = words.split(" ")[0].casefold()
    return words if first in DETERMINERS else f"the {words}"


def _absent(world: World, player: EntityId, acts: Sequence[Act]) -> list[str]:
    out = [act.to for act in acts if act.to is not None and not within_reach(world, player, act)]
    return [name_of(world, who) for who in dict.fromkeys(out)]


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _held_already(world: World, player: EntityId, acts: Sequence[Act]) -> list[str]:
    """What is to be taken, if nothing else is done and it is all held."""
    mine = held_by(world, player)
    taken = [act.to for act in acts if act.act == "take" and act.to in mine]
    return [name_of(world, each) for each in taken if each] if len(taken) == len(acts) else []


def _no_way(world: World, player: EntityId, act: Act) -> str:
    led = [name_of(world, way) for way in ways(world, player)]
    if act.place is not None and act.place == world.places.get(player):
        said = f"That is where you are: {name_of(world, act.place)}."
    elif act.place is not None:
        said = f"There is no way to {name_of(world, act.place)} from here as things stand."
    else:
        said = f"There is no way {act.way} from here." if act.way else "Where to?"
    return f"{said} From here one can go to {joined(led, 'or')}." if led else said


def _look(world: World, player: EntityId, what: EntityId) -> str:
    thing = world.plan.things.get(what)
    setting = world.plan.settings.get(what)
    if thing is not None:
        text = " ".join(thing.description.split())
    elif setting is not None:
        return place(world, player) if what == world.places.get(player) else setting.description
    else:
        text = ""
    name = opened(name_of(world, what))
    if what in world.plan.cast:
        return f"{name} is here."
    return f"{name}. {text}" if text else f"There is no more to see of {name_of(world, what)}."


def _held(world: World, player: EntityId) -> str:
    mine = [name_of(world, thing) for thing in held_by(world, player)]
    return f"You have {joined(mine)}." if mine else "You have nothing with you that matters here."


def _short(line: str) -> str:
    plain = " ".join(line.split())
    return plain if len(plain) <= 60 else f"{plain[:57]}…"
