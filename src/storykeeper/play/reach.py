"""What a player's act can reach: who and what is with them, and who hears them.

What is out of reach is not done: nothing is learned by it and nothing changes hands.
"""

from __future__ import annotations

from storykeeper.events.vocabulary import Sort
from storykeeper.language.acts import Act, ActKind
from storykeeper.play.acquainted import of_the_tale
from storykeeper.units import EntityId
from storykeeper.world.earshot import same_side
from storykeeper.world.finding import is_found_by
from storykeeper.world.lines import carries, partners
from storykeeper.world.register import key_of
from storykeeper.world.state import World

FAR = frozenset({
    "follow", "listen", "answer", "call", "search", "find", "seek", "wait",
    "phone", "telephone", "ring", "radio", "dial",
})  # fmt: skip
ADDRESSING = ("ask", "tell", "answer", "talk")
_SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)
# Done to somebody at the other end of a line.
_ON_THE_LINE = frozenset({"hang", "thank", "greet"})


def beside(world: World, player: EntityId) -> tuple[EntityId, ...]:
    """Those where a player is, in the order of the cast.

    Who has only stepped out is nowhere else: whoever turns to them finds them.
    """
    here = world.places.get(player)
    cast = map(EntityId, same_side(world, (player,)))
    return tuple(who for who in cast if here is not None and world.places.get(who) == here)


def hearing(world: World, player: EntityId, *, awake: bool = True) -> tuple[EntityId, ...]:
    """Those whom a player's words can be for: beside them, or at the other end of a line."""
    afar = (who for who in partners(world, player) if carries(world, player, who))
    found = (*beside(world, player), *afar)
    return tuple(w for w in dict.fromkeys(found) if not awake or w not in world.asleep)


def only_other(world: World, player: EntityId, act: Act) -> EntityId | None:
    """Asking or telling, with one other person who hears it, is asking or telling them."""
    if act.act not in ADDRESSING or act.target is not None:
        return None
    others = [who for who in hearing(world, player, awake=False) if who != player]
    here = [who for who in others if who not in world.away]
    return here[0] if len(here) == 1 else None


def all_at_hand(world: World, player: EntityId, act: str) -> tuple[EntityId, ...]:
    """The author's things that "take all" or "drop all" means: what can be taken, what is held."""
    if act == "take":
        return tuple(t for t in map(EntityId, world.plan.things) if can_take(world, player, t))
    return tuple(t for t in map(EntityId, world.plan.things) if world.holders.get(t) == player)


def can_take(world: World, player: EntityId, thing: EntityId) -> bool:
    """An author's thing that lies here, not hidden from them; or one of play's own that nobody else
    holds.
    """
    if thing in world.plan.things:
        here = thing in world.places and world.places[thing] == world.places.get(player)
        return here and is_found_by(world, player, thing)
    known = world.register.get(key_of(world, thing))
    ours = known is not None and known.sort is Sort.THING and known.floor is None
    return ours and thing not in world.holders


def can_give(world: World, player: EntityId, act: Act) -> bool:
    """What they hold, to somebody who is there to take it."""
    mine = act.about is not None and world.holders.get(act.about) == player
    return mine and act.to in beside(world, player)


def can_put(world: World, player: EntityId, act: Act) -> bool:
    """What they hold, and not into a pocket of theirs."""
    whose = None if act.where is None else act.where.possessor
    own = whose is not None and whose.mention.person == 1
    held = act.to is not None and world.holders.get(act.to) == player
    return held and not own and player in world.places


def within_reach(world: World, player: EntityId, act: Act) -> bool:
    """Whether what an act is done to is here. One may follow, call or listen to what is not."""
    to = act.to
    if to is None or act.act in FAR or to in of_the_tale(world):
        return True
    if to in world.plan.cast:
        if act.kind in _SPEAKING or act.act in (*ADDRESSING, *_ON_THE_LINE):
            return to in hearing(world, player, awake=act.act in ADDRESSING)
        return to in beside(world, player)
    return to not in world.plan.things or is_at_hand(world, player, to)


def is_at_hand(world: World, player: EntityId, to: EntityId) -> bool:
    """Whether a thing is where a player can turn to it, and not hidden from them."""
    if to not in world.plan.things:
        return True
    holder, place = world.holders.get(to), world.places.get(to)
    if holder is not None:
        return holder == player or holder in beside(world, player)
    here = place is None or place == world.places.get(player)
    return here and is_found_by(world, player, to)
