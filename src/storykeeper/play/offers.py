"""What could be tried now, as it is typed: what the story waits for, what is in sight, the ways.

What is offered is in sight and known to the player's character; of what the story waits for, only
that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from storykeeper.language.names import Names
from storykeeper.play.acquainted import acquaintance, of_the_tale
from storykeeper.play.awaited import Waiting, awaited
from storykeeper.play.line_match import is_within_reach
from storykeeper.play.outcome import last_named, named_so_far, stems_of
from storykeeper.play.reach import beside, is_at_hand
from storykeeper.play.wording import name_of
from storykeeper.units import EntityId
from storykeeper.world.state import World, whose_turn
from storykeeper.world.ways import open_ways

MOST_OFFERS = 7
MOST_WAITED, MOST_THINGS, MOST_NEAR = 4, 2, 3
_SEEING = {"read": 0, "look": 1, "search": 2, "open": 3}  # of which one is offered of a thing
_GIVING = frozenset({"give", "show", "hand"})
_ADDRESSING = frozenset({"ask", "tell", "talk", "answer", "listen"})
_JOINED = {"look": "look at", "listen": "listen to", "talk": "talk to"}


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be typed here."""

    line: str
    waited: bool = False  # the story has something for it now


def offers(world: World, told: str = "") -> tuple[Offer, ...]:
    """What could be tried now: people, things, ways, and waiting; the same for the same world.

    What `told`, the prose of late, points at comes first; whom it never named is not offered.
    """
    player = whose_turn(world)
    known = known_to(world, player)
    waited, led = _offered_lines(world, told), way_lines(world)
    lately = last_named(world, told)
    seen = sorted(in_sight(world, player, known), key=lambda t: -lately.get(t, -1))
    looked = {each.to for each in waited.values() if each.act in _SEEING}
    fresh = (t for t in seen if t not in looked and is_told_of(world, t))
    things = [f"look at {name_of(world, t)}" for t in fresh]
    first = _one_of_each(waited)[:MOST_WAITED]
    room = MOST_OFFERS - len(first) - 1
    rest = [line for line in (*things[:MOST_THINGS], *led) if line not in waited]
    ordered = sorted({*first, *rest[:room]}, key=_kind_of_line)
    return tuple(Offer(line, line in waited) for line in (*ordered, "wait"))


def _offered_lines(world: World, told: str) -> dict[str, Waiting]:
    """What the story waits for, of those whom the prose has named; what it named last first."""
    player, lately = whose_turn(world), last_named(world, told)
    seen = [*in_sight(world, player, known_to(world, player)), *held_by(world, player)]
    named = {*named_so_far(world, seen=seen), *lately, *seen, *world.plan.settings}
    lines = waited_lines(world)
    fit = [
        (line, each) for line, each in lines.items()
        if (each.to is None or each.to in named)
        and (each.about is None or each.about in named)
    ]  # fmt: skip

    def place(each: tuple[str, Waiting]) -> tuple[int, int, str]:
        waiting = each[1]
        about = waiting.to if waiting.about is None else waiting.about
        return (-lately.get(about, -1) if about is not None else 1,
                _SEEING.get(waiting.act, -1), each[0])  # fmt: skip

    return dict(_one_look(sorted(fit, key=place)))


def _one_look(lines: Iterable[tuple[str, Waiting]]) -> Iterator[tuple[str, Waiting]]:
    """To read, to open, to search and to look at something are one."""
    looked = set[EntityId | None]()
    for line, each in lines:
        if each.act not in _SEEING or each.about is not None or each.to not in looked:
            yield line, each
        looked |= {each.to} if each.act in _SEEING else set()


def waited_lines(world: World) -> dict[str, Waiting]:
    """Every line that the story waits for and the player's character could think of."""
    player = whose_turn(world)
    known, mine = known_to(world, player), held_by(world, player)
    typed = ((_awaited_line(world, each, known, mine), each) for each in awaited(world))
    return {line: each for line, each in sorted(typed, key=lambda t: t[0] or "") if line}


def way_lines(world: World) -> list[str]:
    """The ways that stand open."""
    return [f"go to {name_of(world, way)}" for way in ways(world, whose_turn(world))]


def _one_of_each(waited: dict[str, Waiting]) -> list[str]:
    """What is waited for, of each whom it is done to the first, then of each the second …"""
    rank: dict[EntityId | None, int] = {}
    placed = []
    for line, each in waited.items():
        rank[each.to] = rank.get(each.to, 0) + 1
        placed.append((rank[each.to], line))
    return [line for _, line in sorted(placed, key=lambda each: each[0])]


def nearest(
    world: World, line: str, told: str = "", *, to: Collection[EntityId] = ()
) -> tuple[Offer, ...]:  # fmt: skip
    """The offers that share most words with a line first, or are of whom or what it names; a few
    of them.
    """
    said = stems_of(line)
    near = offers(world, told)
    also = [
        Offer(line, waited=True) for line, each in _offered_lines(world, told).items()
        if not {each.to, each.about}.isdisjoint(to)
    ]  # fmt: skip
    found = list(dict.fromkeys([*near, *also]))
    ranked = sorted(found, key=lambda each: -len(said & stems_of(each.line)))
    return tuple(ranked[:MOST_NEAR])


# ── what is at hand ──────────────────────────────────────────────────────────────────────────


def _awaited_line(
    world: World, waiting: Waiting, known: Collection[EntityId], mine: Collection[EntityId]
) -> str | None:
    """How what the story waits for is typed, if the player's character could think of it."""
    if waiting.to is None or not is_within_reach(world, waiting):
        return None
    if waiting.to not in known or (waiting.about is not None and waiting.about not in known):
        return None
    if waiting.about is not None and waiting.act in _GIVING and waiting.about not in mine:
        return None
    return act_line(world, waiting)


def act_line(world: World, waiting: Waiting) -> str | None:
    """How an act is typed; None: as we cannot say it."""
    if waiting.to is None:
        return waiting.act
    to = name_of(world, waiting.to)
    if waiting.about is None:
        return f"{_JOINED.get(waiting.act, waiting.act)} {to}"
    about = name_of(world, waiting.about)
    if waiting.act in _GIVING:
        return f"{waiting.act} {to} {about}"
    return f"{waiting.act} {to} about {about}" if waiting.act in _ADDRESSING else None


def is_told_of(world: World, thing: EntityId) -> bool:
    """Whether there is something to see of it."""
    return bool(world.plan.things[thing].description.strip())


def others(world: World, player: EntityId) -> list[EntityId]:
    """Who else is there; in a tale not whom the player stands for in it."""
    mine = {player, *played_by(world, player)}
    return [who for who in beside(world, player) if who not in mine and who not in world.away]


def played_by(world: World, player: EntityId) -> frozenset[EntityId]:
    """Whom a player stands for in the tale they are in, as its author says in their role."""
    if not world.inside:
        return frozenset()
    layer, cast = world.plan.layers[world.inside[-1].layer], world.plan.cast
    there = (cast[each] for each in sorted(of_the_tale(world)) if each in cast)
    names = Names(tuple((EntityId(each.id), (each.name, *each.aliases)) for each in there))
    return frozenset(each.entity for each in names.find(layer.player_role)) - {player}


def in_sight(world: World, player: EntityId, known: Collection[EntityId]) -> list[EntityId]:
    """The things at hand, of those that are known."""
    placed = (
        t for t in map(EntityId, world.plan.things) if t in world.places or t in world.holders
    )
    return [thing for thing in placed if thing in known and is_at_hand(world, player, thing)]


def known_to(world: World, player: EntityId) -> set[EntityId]:
    """Whom and what the player's character could name."""
    return {entity for entity, _ in acquaintance(world, player).names().called}


def held_by(world: World, player: EntityId) -> list[EntityId]:
    """What somebody has."""
    return [t for t in map(EntityId, world.plan.things) if world.holders.get(t) == player]


def ways(world: World, player: EntityId) -> Iterator[EntityId]:
    """Where one can go from where somebody is."""
    here = world.places.get(player)
    return iter(()) if here is None else iter(dict.fromkeys(open_ways(world, here)))


def _kind_of_line(line: str) -> tuple[int, str]:
    """People, then things, then ways; a name tells nothing of what is waited for."""
    first = line.split(" ")[0]
    order = 0 if first in _ADDRESSING | _GIVING else 2 if first == "go" else 1
    return order, line
