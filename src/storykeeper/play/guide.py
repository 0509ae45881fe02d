"""Where nobody but the author tells the story: what can be tried here, and what a line came to.

A line is played if something comes of it: the story waits for it, it moves somebody or something,
or there is prose that comes next. Any other is answered without a turn: what is seen, what is held,
what is not here, or that the story has nothing for it, with the nearest thing that it has. What is
offered is in sight and known to the player's character; of what the story waits for, only that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from storykeeper.events.atoms import ActionTaken, Atom, Source, SpeechUttered
from storykeeper.events.changes import IntentPredicted, IntentResolved
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TurnCommitted
from storykeeper.language.acts import Act, ActKind, Register
from storykeeper.language.registers import register_of
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.awaited import Waiting, awaited
from storykeeper.play.beats import next_beat
from storykeeper.play.commit import lexicon, play_out
from storykeeper.play.line_match import is_within_reach
from storykeeper.play.options import is_habit
from storykeeper.play.reach import beside, is_at_hand, within_reach
from storykeeper.play.wording import joined, name_of, opened
from storykeeper.units import EntityId
from storykeeper.world.state import Pending, World, whose_turn
from storykeeper.world.ways import open_ways

MOST_OFFERS = 7
MOST_WAITED, MOST_THINGS = 4, 2
HELP = frozenset({"?", "h", "help", "hint", "hints", "commands", "options"})
HOLDING = frozenset({"i", "inv", "inventory", "items", "pockets"})
LOOKING = frozenset({"look", "search", "listen"})
_SEEING = frozenset({"look", "read", "examine", "study", "search"})
_PASSING = frozenset({"wait"})
_GIVING = frozenset({"give", "show", "hand"})
_ADDRESSING = frozenset({"ask", "tell", "talk", "answer", "listen"})


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be typed here."""

    line: str
    waited: bool = False  # the story has something for it now


@dataclass(frozen=True, slots=True)
class Guidance:
    """An answer to a line that is no turn."""

    text: str
    offers: tuple[Offer, ...] = ()

    def __str__(self) -> str:
        rows = [f"  {n}. {each.line}" for n, each in enumerate(self.offers, 1)]
        return "\n".join(filter(None, [self.text, *rows]))


def offers(world: World) -> tuple[Offer, ...]:
    """What could be tried now: people, things, ways, and waiting; the same for the same world."""
    player = whose_turn(world)
    waited = {line for each in awaited(world) if (line := _awaited_line(world, player, each))}
    things = [f"look at {name_of(world, t)}" for t in _in_sight(world, player) if _told(world, t)]
    ways = [f"go to {name_of(world, way)}" for way in _ways(world, player)]
    first = sorted(waited)[:MOST_WAITED]
    room = MOST_OFFERS - len(first) - 1
    rest = [line for line in (*things[:MOST_THINGS], *ways) if line not in waited]
    ordered = sorted({*first, *rest[:room]}, key=_kind_of_line)
    return tuple(Offer(line, line in waited) for line in (*ordered, "wait"))


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
    names = acquaintance(world, player).names()
    acts = lexicon(world.plan).acts_of(line, by=player, names=names)
    if any(act.act == "inquire" for act in acts):
        return Guidance("You could try:", offers(world))
    held = _held_already(world, player, acts)
    if held:
        return Guidance(f"You have {joined(held)} already.")
    if acts and _is_played(world, turn, acts, _words_of(world, player, told)):
        return None
    return _answered(world, player, line, acts)


def place(world: World, player: EntityId) -> str:
    """Where somebody is: what there is to see, who is there, and where one can go."""
    here = world.places.get(player)
    setting = world.plan.settings.get(here or "")
    seen = [] if setting is None else [setting.name, setting.description.strip()]
    told = ". ".join(opened(part.rstrip(".")) for part in seen if part)
    others = [name_of(world, who) for who in _others(world, player)]
    things = [name_of(world, t) for t in _in_sight(world, player) if t not in _mine(world, player)]
    ways = [name_of(world, way) for way in _ways(world, player)]
    rows = [f"{told}." if told else ""]
    if others:
        rows.append(f"{opened(joined(others))} {_is(others)} here.")
    if things:
        rows.append(f"You see {joined(things)}.")
    if ways:
        rows.append(f"From here one can go to {joined(ways, 'or')}.")
    return " ".join(filter(None, rows))


def _words_of(world: World, player: EntityId, told: str) -> frozenset[str]:
    setting = world.plan.settings.get(world.places.get(player) or "")
    seen = told if setting is None else f"{told} {setting.description}"
    return frozenset(words(seen))


# ── whether it is played ─────────────────────────────────────────────────────────────────────


def _is_played(world: World, turn: Pending, acts: Sequence[Act], told: Collection[str]) -> bool:
    """Whether anything comes of it: more than that it was done, or prose that may follow on it."""
    unfolding = play_out(world, turn)
    more = any(_is_more(world, each) for each in unfolding.records)
    if more or any(act.act in _PASSING for act in acts):
        return True
    following = next_beat(unfolding.world)
    if following is None:
        return False
    if following[1].when is not None:
        return True
    calm = register_of(turn.text, acts) is not Register.HOSTILE
    reached = (act for act in acts if within_reach(world, turn.player, act))
    return calm and any(_lets_go_on(world, turn.player, act, told) for act in reached)


def _is_more(world: World, record: AnyRecord) -> bool:
    """Whether it is more than that the player did what they typed; a habit of somebody's is not."""
    if isinstance(record, IntentPredicted | IntentResolved):
        answers = isinstance(record, IntentResolved) and bool(record.outcome)
        return answers and not is_habit(world.plan, record.who, record.option)
    if isinstance(record, Atom):
        mine = record.source is Source.PLAYER
        return not (mine and isinstance(record.what, ActionTaken | SpeechUttered))
    return not isinstance(record, TurnCommitted)


def _lets_go_on(world: World, player: EntityId, act: Act, told: Collection[str]) -> bool:
    """Whether prose that comes next may come upon it: what one does meanwhile, or among people."""
    if act.kind in (ActKind.SPEECH, ActKind.INQUIRY) or act.act == "listen":
        return bool(_others(world, player))
    if act.kind in (ActKind.MOVEMENT, ActKind.OBSERVATION):
        return False
    if act.kind is ActKind.INTERACTION and act.to in world.plan.cast:
        return False  # what somebody makes of it is theirs to say
    named = [each for each in (act.target, act.where, act.instrument) if each is not None]
    return all(each.entity is not None or each.mention.head in told for each in named)


# ── the answer, where it is not ──────────────────────────────────────────────────────────────


def _answered(world: World, player: EntityId, line: str, acts: Sequence[Act]) -> Guidance:
    near = _nearest(world, line)
    if not acts:
        return Guidance(f"“{_short(line)}” is not understood. You could:", near)
    act = acts[0]
    if act.act in LOOKING and act.target is None and act.to is None:
        return Guidance(place(world, player))
    if act.kind is ActKind.MOVEMENT:
        return Guidance(_no_way(world, player, act))
    absent = _absent(world, player, acts)
    if absent:
        return Guidance(f"{opened(joined(absent))} {_is(absent)} not here. You could:", near)
    if act.act in _SEEING and act.to is not None:
        return Guidance(_look(world, player, act.to))
    return Guidance(f"Nothing here answers “{_short(line)}”. You could:", near)


def _absent(world: World, player: EntityId, acts: Sequence[Act]) -> list[str]:
    out = [act.to for act in acts if act.to is not None and not within_reach(world, player, act)]
    return [name_of(world, who) for who in dict.fromkeys(out)]


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _held_already(world: World, player: EntityId, acts: Sequence[Act]) -> list[str]:
    """What is to be taken, if nothing else is done and it is all held."""
    mine = _mine(world, player)
    taken = [act.to for act in acts if act.act == "take" and act.to in mine]
    return [name_of(world, each) for each in taken if each] if len(taken) == len(acts) else []


def _no_way(world: World, player: EntityId, act: Act) -> str:
    ways = [name_of(world, way) for way in _ways(world, player)]
    if act.place is not None and act.place == world.places.get(player):
        said = f"You are in {name_of(world, act.place)} already."
    elif act.place is not None:
        said = f"There is no way to {name_of(world, act.place)} from here as things stand."
    else:
        said = f"There is no way {act.way} from here." if act.way else "Where to?"
    return f"{said} From here one can go to {joined(ways, 'or')}." if ways else said


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
    mine = [name_of(world, thing) for thing in _mine(world, player)]
    return f"You have {joined(mine)}." if mine else "You have nothing with you that matters here."


def _short(line: str) -> str:
    plain = " ".join(line.split())
    return plain if len(plain) <= 60 else f"{plain[:57]}…"


def _nearest(world: World, line: str) -> tuple[Offer, ...]:
    """The offers that share most words with a line first; a few of them."""
    said = {stem(word) for word in words(line) if word not in STOP}
    ranked = sorted(
        offers(world), key=lambda each: -len(said & {stem(word) for word in words(each.line)})
    )
    return tuple(ranked[:4])


# ── what is at hand ──────────────────────────────────────────────────────────────────────────


def _awaited_line(world: World, player: EntityId, waiting: Waiting) -> str | None:
    """How what the story waits for is typed, if the player's character could think of it."""
    if waiting.to is None or not is_within_reach(world, waiting):
        return None
    known = _known(world, player)
    if waiting.to not in known or (waiting.about is not None and waiting.about not in known):
        return None
    to = name_of(world, waiting.to)
    if waiting.about is None:
        at = {"look": "look at", "listen": "listen to", "talk": "talk to"}.get(waiting.act)
        return f"{at or waiting.act} {to}"
    about = name_of(world, waiting.about)
    if waiting.act in _GIVING:
        mine = waiting.about in _mine(world, player)
        return f"{waiting.act} {to} {about}" if mine else None
    return f"{waiting.act} {to} about {about}" if waiting.act in _ADDRESSING else None


def _told(world: World, thing: EntityId) -> bool:
    """Whether there is something to see of it."""
    return bool(world.plan.things[thing].description.strip())


def _others(world: World, player: EntityId) -> list[EntityId]:
    return [who for who in beside(world, player) if who != player and who not in world.away]


def _in_sight(world: World, player: EntityId) -> list[EntityId]:
    known = _known(world, player)
    placed = (
        t for t in map(EntityId, world.plan.things) if t in world.places or t in world.holders
    )
    return [thing for thing in placed if thing in known and is_at_hand(world, player, thing)]


def _known(world: World, player: EntityId) -> set[EntityId]:
    """Whom and what the player's character could name."""
    return {entity for entity, _ in acquaintance(world, player).names().called}


def _mine(world: World, player: EntityId) -> list[EntityId]:
    return [t for t in map(EntityId, world.plan.things) if world.holders.get(t) == player]


def _ways(world: World, player: EntityId) -> Iterator[EntityId]:
    here = world.places.get(player)
    return iter(()) if here is None else iter(dict.fromkeys(open_ways(world, here)))


def _kind_of_line(line: str) -> tuple[int, str]:
    """People, then things, then ways; a name tells nothing of what is waited for."""
    first = line.split(" ")[0]
    order = 0 if first in _ADDRESSING | _GIVING else 2 if first == "go" else 1
    return order, line
