"""What becomes of a line, put on record; and whose hand it is in, who is held off, who takes leave.

A line that is wrongly shut or muted makes somebody deaf; one that is wrongly open lets them hear.
So a word to the room stays there until somebody plainly speaks into the telephone again, and a
goodbye is the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.events.atoms import LineChange, LineChanged, Participant, Resolved, Role, Source
from storykeeper.language.call_hands import comes_back, holds_off, takes_leave
from storykeeper.language.call_words import OVER
from storykeeper.language.calls import is_muting
from storykeeper.language.names import Names
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId
from storykeeper.world.lines import after_change, partners
from storykeeper.world.state import World


def change(
    unfolding: Unfolding, what: LineChange, who: EntityId | None = None,
    whom: EntityId | None = None,
) -> None:  # fmt: skip
    """Decide what becomes of a line, unless it is so already."""
    world = unfolding.world
    actors, to = (() if each is None else (each,) for each in (who, whom))
    if _state(after_change(world, what, actors=actors, to=to)) == _state(world):
        return
    # Whoever is only called has no part in it yet, and may never know of it.
    roles = ((Role.ACTOR, who), (Role.SUBJECT if what is LineChange.RANG else Role.TARGET, whom))
    parts = [Participant(role, Resolved(each)) for role, each in roles if each is not None]
    unfolding.take_place(LineChanged(what), parts, source=Source.RULE)


def may_call(world: World, who: EntityId, whom: EntityId) -> bool:
    """Whether two can be on a line: they are apart, and who is called is awake to take it."""
    here, there = world.places.get(who), world.places.get(whom)
    apart = here is None or here != there or who in world.away or whom in world.away
    return who != whom and apart and whom not in world.asleep


def _state(world: World) -> tuple[object, ...]:
    return (world.lines, world.ringing, world.aloud, world.keyed, world.muted)


def is_beside(world: World, one: EntityId, other: EntityId) -> bool:
    """Whether two are in the same place."""
    here = world.places.get(one)
    gone = one in world.away or other in world.away
    return one != other and here is not None and here == world.places.get(other) and not gone


def unaware_of_ringing(world: World, participants: Sequence[Participant]) -> list[Participant]:
    """The participants of a deed, where whom it only rings for is what it is about."""
    doing = {p.entity for p in participants if p.role is Role.ACTOR}
    rung = {whom for who, whom in world.ringing if Resolved(who) in doing}
    return [
        Participant(Role.SUBJECT, p.entity)
        if p.role is Role.TARGET and isinstance(p.entity, Resolved) and p.entity.entity in rung
        else p
        for p in participants
    ]


# ── from hand to hand ────────────────────────────────────────────────────────────────────────


def pass_on(unfolding: Unfolding, giver: EntityId | None, taker: EntityId) -> None:
    """Who takes it speaks on it now, and who had it hears one side, as anybody there.

    Where it is not said who had it, it is the one beside them who was on a line. Who cannot take
    it is not on it, and it is over.
    """
    world = unfolding.world
    ends = sorted({end for line in world.lines for end in line if is_beside(world, end, taker)})
    if giver is None or not partners(world, giver):
        giver = ends[0] if len(ends) == 1 else None
    if giver is None:
        return
    there = partners(world, giver)
    change(unfolding, LineChange.CLOSED, giver)
    if giver not in ends or taker in world.asleep:
        return
    for other in there:
        if may_call(unfolding.world, taker, other):
            change(unfolding, LineChange.OPENED, taker, other)


# ── a word to the room ───────────────────────────────────────────────────────────────────────


def turn_to(unfolding: Unfolding, who: EntityId, whom: EntityId | None) -> None:
    """Somebody on a line turns to somebody beside them; or to the other end again."""
    there = partners(unfolding.world, who)
    if whom in there:
        change(unfolding, LineChange.UNMUTED, who)
    elif there and (whom is None or is_beside(unfolding.world, who, whom)):
        change(unfolding, LineChange.MUTED, who)


def before_words(
    unfolding: Unfolding, words: str, beside: str, *, speaker: EntityId, to: EntityId | None
) -> None:
    """Who was held off and speaks into it again is heard again."""
    if is_muting(beside):
        return  # a hand over the receiver
    there = partners(unfolding.world, speaker)
    back = comes_back(words) and (to is None or to in there)
    if speaker in unfolding.world.muted and (to in there or back or OVER.search(beside)):
        change(unfolding, LineChange.UNMUTED, speaker)


def after_words(
    unfolding: Unfolding, words: str, names: Names, *, speaker: EntityId, to: EntityId | None
) -> None:
    """Who asks the other end to wait speaks to the room; who says goodbye to it is gone."""
    there = partners(unfolding.world, speaker)
    if not there or (to is not None and to not in there):
        return
    called = {each.entity for each in names.find(words)} & {*unfolding.world.plan.cast}
    if called and called.isdisjoint(there):
        return  # "Goodbye, Tom": who is with them
    if takes_leave(words):
        change(unfolding, LineChange.CLOSED, speaker)
    elif holds_off(words):
        change(unfolding, LineChange.MUTED, speaker)
