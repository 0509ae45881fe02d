"""Lines between people who speak from afar: what a text says of them, decided and put on record.

A line is open between two who are apart, of whom the one called is awake; "calls" alone is one if
the words say so, or something to call with is at hand. It is closed by hanging up, and with the
scene, unless it was opened in the same turn: nobody tells of every receiver put down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from storykeeper.events.atoms import (
    Atom,
    LineChange,
    LineChanged,
    Participant,
    Resolved,
    Role,
    Source,
)
from storykeeper.language.calls import ALOUD, DEVICES, Call, Span, calls_in, is_unanswered
from storykeeper.language.names import Names
from storykeeper.play.manner import is_from_afar
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.lines import on_line, partners
from storykeeper.world.state import Pending, World
from storykeeper.world.whereabouts import setting_of

Meaning = Callable[[Span], EntityId | None]  # whom some words mean


class Calls:
    """What a text says of lines, to be decided in its order."""

    def __init__(
        self, unfolding: Unfolding, text: str, names: Names, meaning: Meaning, *, typed: bool
    ) -> None:
        self._unfolding = unfolding
        self._text = text
        cast = unfolding.world.plan.cast
        find = names.find if typed else names.find_in_prose
        people = {(f.start, f.end): f.entity for f in find(text) if f.entity in cast}
        self._people, self._meaning, self._typed = people, meaning, typed
        self._left = list(calls_in(text, tuple(people), typed=typed))

    def until(self, at: int | None = None) -> None:
        """All that is said before some place in the text; or all that is left."""
        while self._left and (at is None or self._left[0].at < at):
            self._decide(self._left.pop(0))

    def _decide(self, call: Call) -> None:
        who, whom = self._person(call.who), self._person(call.whom)
        if call.change is not LineChange.OPENED:
            change(self._unfolding, call.change, who, whom if whom != who else None)
        elif who is not None and whom is not None and self._is_call(call, who, whom):
            change(self._unfolding, LineChange.OPENED, who, whom)

    def _is_call(self, call: Call, who: EntityId, whom: EntityId) -> bool:
        """Whether two are on a line by it; no shouting, by the words or by what is at hand."""
        world = self._unfolding.world
        meant = call.plainly or call.whence or _has_device(world, who)
        return meant and may_call(world, who, whom)

    def _person(self, span: Span | None) -> EntityId | None:
        if span is None:
            return self._meaning((0, 0)) if self._typed else None
        return self._people.get(span) or self._meaning(span)


def of_player(unfolding: Unfolding, turn: Pending, names: Names) -> Calls:
    """The calls of a player's line: whoever is not named is the player.

    Somebody whom the rendering has not take the call was never on the line.
    """

    def meaning(span: Span) -> EntityId | None:
        word = turn.text[slice(*span)].casefold()
        return turn.player if word in ("", "i", "me") else None

    text = "" if is_unanswered(turn.prose) else turn.text
    return Calls(unfolding, text, names, meaning, typed=True)


def change(
    unfolding: Unfolding, what: LineChange, who: EntityId | None, whom: EntityId | None
) -> None:
    """Decide what becomes of a line, unless it is so already."""
    world = unfolding.world
    if what is LineChange.OPENED:
        if who is None or whom is None or on_line(world, who, whom):
            return
    elif not world.lines or (who is not None and not partners(world, who)):
        return
    roles = ((Role.ACTOR, who), (Role.TARGET, whom))
    parts = [Participant(role, Resolved(each)) for role, each in roles if each is not None]
    unfolding.take_place(LineChanged(what), parts, source=Source.RULE)


def may_call(world: World, who: EntityId, whom: EntityId) -> bool:
    """Whether two can be on a line: they are apart, and who is called is awake to take it."""
    here, there = world.places.get(who), world.places.get(whom)
    apart = here is None or here != there or who in world.away or whom in world.away
    return who != whom and apart and whom not in world.asleep


def crosses(
    unfolding: Unfolding, beside: str, *, speaker: EntityId | None, to: Sequence[EntityId]
) -> None:
    """Words are said "over the radio": there is a line between who says them and whom they reach.

    A radio is heard by all who are with it.
    """
    if speaker is None or not is_from_afar(beside):
        return
    world = unfolding.world
    if not partners(world, speaker):
        for whom in [each for each in to if may_call(world, speaker, each)][:1]:
            change(unfolding, LineChange.OPENED, speaker, whom)
    for end in partners(unfolding.world, speaker) if ALOUD.search(beside) else ():
        if end not in unfolding.world.aloud:
            change(unfolding, LineChange.ALOUD, end, None)


def ring_off(unfolding: Unfolding) -> None:
    """A scene is over: the lines that were open before this turn are."""
    fresh = [
        {*those(record, Role.ACTOR), *those(record, Role.TARGET)}
        for record in unfolding.records
        if isinstance(record, Atom) and record.what == LineChanged(LineChange.OPENED)
    ]
    for one, other in unfolding.world.lines:
        if {one, other} not in fresh:
            change(unfolding, LineChange.CLOSED, one, other)


def _has_device(world: World, who: EntityId) -> bool:
    """Whether somebody holds a telephone or the like, or has one where they are."""
    here = world.places.get(who)
    return any(
        DEVICES.search(" ".join((thing.name, *thing.aliases)))
        and (world.holders.get(EntityId(name)) == who
             or (here is not None and setting_of(world, EntityId(name)) == here))
        for name, thing in sorted(world.plan.things.items())
    )  # fmt: skip
