"""What the player's character knows, as the answer to a question: no turn is taken by it.

Who is there and what is in sight comes from where things are; what is known of somebody or
something from what is open to the narrator of this character's story, by the one boundary. Nothing
else is at hand here, so nothing withheld can be said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.play.offers import held_by, in_sight, known_to, others, ways
from storykeeper.play.queries import Asked, Query
from storykeeper.play.wording import is_or_are, joined, name_of, no_more, opened
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId
from storykeeper.world.knowledge import believed_place
from storykeeper.world.state import EMPTY, World, whose_turn
from storykeeper.world.ways import open_ways

MOST_FACTS = 2  # told in one answer
PROGRAM = (
    "This is a program, and no AI is set to it: what you read was written beforehand by the"
    " story's author, and chosen by rules from what you type. Short lines do best: look, read,"
    " take, open and give things, ask or tell somebody about something, go somewhere, wait."
    " ? lists what can be tried here."
)
MAY = "Nobody here forbids it: type it as something you do, and see."


def reply(world: World, query: Query, seen: Callable[[str], bool]) -> str:
    """The answer to a question; `seen`: whether the prose of this place has a word."""
    answer = _ANSWERS[query.asked]
    if query.about is None and query.words:
        having = query.asked is Asked.HAVING
        return f"You have no {query.words}." if having else _of_words(query.words, seen)
    return answer(world, query)


def known_of(world: World, entity: EntityId) -> str:
    """What the player's character knows of somebody or something, in the author's words."""
    return " ".join(_facts(world, entity))


# ── who and what is here ─────────────────────────────────────────────────────────────────────


def place(world: World, player: EntityId) -> str:
    """Where somebody is: what there is to see, who is there, and where one can go."""
    here = world.places.get(player)
    setting = world.plan.settings.get(here or "")
    seen = [] if setting is None else [setting.name, setting.description.strip()]
    told = ". ".join(opened(part.rstrip(".")) for part in seen if part)
    seen_here = in_sight(world, player, known_to(world, player))
    things = [name_of(world, t) for t in seen_here if t not in held_by(world, player)]
    rows = [f"{told}." if told else "", company(world, player)]
    rows.append(f"You see {joined(things)}." if things else "")
    return " ".join(filter(None, [*rows, led(world, player)]))


def company(world: World, player: EntityId) -> str:
    """Who is there."""
    found = [who for who in others(world, player) if who in known_to(world, player)]
    names = [name_of(world, who) for who in found]
    strangers = len(others(world, player)) - len(found)
    if strangers:
        names.append("somebody whom you do not know" if strangers == 1 else "others")
    return f"{opened(joined(names))} {is_or_are(names)} here." if names else ""


def led(world: World, player: EntityId) -> str:
    """Where one can go."""
    names = [name_of(world, way) for way in ways(world, player)]
    return f"From here one can go to {joined(names, 'or')}." if names else ""


def held(world: World, player: EntityId) -> str:
    """What somebody has."""
    mine = [name_of(world, thing) for thing in held_by(world, player)]
    return f"You have {joined(mine)}." if mine else "You have nothing with you that matters here."


def look(world: World, player: EntityId, what: EntityId) -> str:
    """What there is to see of somebody or something that is here."""
    if what == world.places.get(player):
        return place(world, player)
    if what in world.plan.cast:
        return _person(world, what)
    found = world.plan.things.get(what) or world.plan.settings.get(what)
    text = "" if found is None else " ".join(found.description.split())
    name = name_of(world, what)
    return f"{opened(name)}. {text}" if text else f"There is no more to see of {name}."


def oneself(world: World, player: EntityId) -> str:
    """Who the player is; in a tale, whom they stand for in it."""
    person = world.plan.cast[player]
    said = f"You are {person.name}. {person.line}"
    role = world.plan.layers[world.inside[-1].layer].player_role if world.inside else ""
    return f"{said} In the tale: {role}" if role else said


# ── what is known ────────────────────────────────────────────────────────────────────────────


def _boundary(world: World) -> Boundary:
    player = whose_turn(world)
    return Boundary(world, (), PresentTurn(world.now, player, ""), audience=NARRATOR)


def _facts(world: World, entity: EntityId) -> Iterator[str]:
    """Facts about somebody or something that are open to this player, the newest first."""
    line = _boundary(world)
    mine = world.known.get(line.minds[0], EMPTY)
    about = [f for f in world.plan.facts.values() if entity in f.about]
    ranked = sorted(about, key=lambda f: -(mine[f.id].since if f.id in mine else -1))
    told = 0
    for fact in ranked:
        if told >= MOST_FACTS or line.is_superseded(fact.id):
            continue
        text = ""
        if fact.id in line.facts_held:
            text = fact.full
        elif line.open(f"hint:{fact.id}", hint=True):
            text = fact.hint
        if text.strip():
            told += 1
            yield " ".join(text.split())


def _person(world: World, who: EntityId) -> str:
    player, name = whose_turn(world), name_of(world, who)
    line = world.plan.cast[who].line if _boundary(world).open(f"line:{who}") else ""
    here = f"{opened(name)} is here." if who in others(world, player) else ""
    said = f"{world.plan.cast[who].name}: {line}" if line else ""
    return " ".join(filter(None, [said, here])) or f"You do not know who {name} is."


def _of_words(words: str, seen: Callable[[str], bool]) -> str:
    return no_more(words, told=seen(words))


def _company(world: World, _: Query) -> str:
    return company(world, whose_turn(world)) or "Nobody else is here."


def _having(world: World, query: Query) -> str:
    player, what = whose_turn(world), query.about
    if what is None or what not in world.plan.things:
        return held(world, player)
    has = world.holders.get(what) == player
    return f"{'Yes, you have' if has else 'No, you have not got'} {name_of(world, what)}."


def _where(world: World, query: Query) -> str:
    player, what = whose_turn(world), query.about
    if what is None:
        return place(world, player)
    name, here = opened(name_of(world, what)), world.places.get(player)
    if what in world.plan.settings:
        return place(world, player) if what == here else _route(world, query)
    if world.holders.get(what) == player:
        return f"You have {name_of(world, what)}."
    if what in others(world, player) or what in in_sight(world, player, {what}):
        return f"{name} is here."
    last = believed_place(world, (player,), what)
    if last in world.plan.settings and last is not None and last != here:
        return f"The last that you know of {name_of(world, what)} is {name_of(world, last)}."
    if last in world.plan.cast and last is not None:
        return f"{opened(name_of(world, last))} had {name_of(world, what)} last."
    said = f"{name} is not here, and you do not know where."
    return " ".join(filter(None, [said, known_of(world, what)]))


def _ways(world: World, _: Query) -> str:
    return led(world, whose_turn(world)) or "No way leads from here as things stand."


def _route(world: World, query: Query) -> str:
    player, to = whose_turn(world), query.about
    if to is None or to not in world.plan.settings:
        return _where(world, query) if to is not None else _ways(world, query)
    name = name_of(world, to)
    steps = _steps(world, player, to)
    if not steps:
        if world.places.get(player) == to:
            return f"You are in {name}."
        if world.inside:
            return f"You are in a tale; {name} comes again when it is told to its end."
        return f"No way that you know leads to {name} as things stand. {led(world, player)}"
    if len(steps) == 1:
        return f"The way is open: go to {name}."
    return f"By way of {joined([name_of(world, s) for s in steps[:-1]])}: go to {name}."


def _steps(world: World, player: EntityId, to: EntityId) -> Sequence[EntityId]:
    """The open way to a place, without where it begins."""
    start = world.places.get(player)
    if start is None or to not in known_to(world, player):
        return ()
    found: dict[EntityId, tuple[EntityId, ...]] = {start: ()}
    edge = deque([start])
    while edge:
        at = edge.popleft()
        for way in open_ways(world, at):
            if way not in found:
                found[way] = (*found[at], way)
                edge.append(way)
    return found.get(to, ())


def _who(world: World, query: Query) -> str:
    if query.about is None:
        return _company(world, query)
    if query.about == whose_turn(world):
        return oneself(world, query.about)
    if query.about in world.plan.cast:
        return _person(world, query.about)
    return _what(world, query)


def _whose(world: World, query: Query) -> str:
    player, what = whose_turn(world), query.about
    holder = None if what is None else world.holders.get(what)
    if what is None:
        return "Nothing tells you whose it is."
    if holder == player:
        return f"You have {name_of(world, what)}."
    if holder is not None and holder in others(world, player):
        return f"{opened(name_of(world, holder))} has {name_of(world, what)}."
    known = known_of(world, what)
    said = f"Nothing that you can see tells you whose {name_of(world, what)} is."
    return " ".join(filter(None, [said, known]))


def _sight(world: World, query: Query) -> str:
    if query.about is None:
        return place(world, whose_turn(world))
    player, what = whose_turn(world), query.about
    if world.holders.get(what) == player or what in in_sight(world, player, {what}):
        return _where(world, query)
    if what in others(world, player) or what == world.places.get(player):
        return f"{opened(name_of(world, what))} is here."
    return f"You do not see {name_of(world, what)} here."


def _looks(world: World, query: Query) -> str:
    player, what = whose_turn(world), query.about
    if what is not None and (
        what in in_sight(world, player, {what}) or what in others(world, player)
        or what == world.places.get(player)
    ):  # fmt: skip
        return look(world, player, what)
    return _sight(world, query)


def _what(world: World, query: Query) -> str:
    player, what = whose_turn(world), query.about
    if what is None:
        return place(world, player)
    seen = what in in_sight(world, player, {what}) or what == world.places.get(player)
    said = [look(world, player, what) if seen else _person(world, what)
            if what in world.plan.cast else "", known_of(world, what)]  # fmt: skip
    return (
        " ".join(filter(None, said)) or f"You know no more of {name_of(world, what)} than was told."
    )


def _known(world: World, query: Query) -> str:
    what = query.about
    said = "" if what is None else known_of(world, what)
    return said or _what(world, query)


_ANSWERS: dict[Asked, Callable[[World, Query], str]] = {
    Asked.COMPANY: _company,
    Asked.HOLDING: lambda world, _: held(world, whose_turn(world)),
    Asked.HAVING: _having,
    Asked.WHEREABOUTS: lambda world, _: place(world, whose_turn(world)),
    Asked.WHERE: _where,
    Asked.ROUTE: _route,
    Asked.WAYS: _ways,
    Asked.SELF: lambda world, _: oneself(world, whose_turn(world)),
    Asked.WHO: _who,
    Asked.KNOWN: _known,
    Asked.WHOSE: _whose,
    Asked.SIGHT: _sight,
    Asked.LOOKS: _looks,
    Asked.WHAT: _what,
    Asked.TASK: lambda world, _: "",
    Asked.MAY: lambda world, _: MAY,
    Asked.PROGRAM: lambda world, _: PROGRAM,
}
