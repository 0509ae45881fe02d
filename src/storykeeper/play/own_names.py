"""What one audience calls events, things and scenes: by its own count of them.

An event is `t4.2`, the second that it perceived in turn 4, as in the receipt of a window. A thing
that play brought forth goes by where this audience first came across it. What the author calls a
scene is the narrator's; to a character it is the first, the second it was in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256

import msgspec

from storykeeper.context.history import PastTurn
from storykeeper.context.receipt import event_places, renamed
from storykeeper.memory.found import Hit
from storykeeper.memory.items import Item
from storykeeper.play.remembering import Minds, is_authored, mentions
from storykeeper.story.model import NARRATOR
from storykeeper.units import TurnNo

Look = Callable[[TurnNo], PastTurn | None]  # a turn by its number; none if it is not fact
_KEY = re.compile(r"(t(\d+)\.\d+)#(\d+)")


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    last: int
    scenes: list[str]  # by their traces: what the author calls them is not a character's
    elsewhere: dict[str, str]


class Names:
    """The names that one audience has.

    Most things were first met where they began, so that their key says what they are called here:
    those names are found again when they are asked for. The others are kept.
    """

    def __init__(self, audience: str, *, kept: bytes = b"", look: Look | None = None) -> None:
        """As they were kept; `look` finds turns that were named before that."""
        known = msgspec.msgpack.decode(kept, type=_Kept) if kept else _Kept(-1, [], {})
        self._audience = audience
        self._look = look
        self._last = known.last  # the last turn whose names may have been let go of
        self._named = known.last  # the last turn whose things have names
        self._scenes = {trace: f"scene:{n}" for n, trace in enumerate(known.scenes, start=1)}
        self._elsewhere = dict(known.elsewhere)  # by their keys: what was first met elsewhere
        self._things = dict(known.elsewhere)

    def add(self, minds: Minds, turns: Iterable[PastTurn]) -> None:
        """Name what is in these turns, which follow on those named before."""
        for turn in turns:
            if self._audience == NARRATOR:
                self._name_things(minds, turn)
            elif any(minds.had_by(self._audience, atom) for atom in turn.atoms):
                self._scenes.setdefault(_trace(turn.scene), f"scene:{len(self._scenes) + 1}")
            self._named = turn.turn

    def _name_things(self, minds: Minds, turn: PastTurn) -> None:
        mine = [atom for atom in turn.atoms if minds.told_of(atom)]
        events = event_places(mine)
        for atom in mine:
            for key, place in mentions(minds.world, atom):
                if key in self._things or is_authored(minds.world, key):
                    continue
                before = self._found_again(minds, key)
                self._things[key] = before or f"{events[atom.id]}#{place}"
                if before is None and key != f"{atom.id}#{place}":
                    self._elsewhere[key] = self._things[key]

    def _found_again(self, minds: Minds, key: str) -> str | None:
        """The name of a thing that was met where it began, if that was long ago.

        What was only implied there was not met: it is named where it is first spoken of.
        """
        began = _KEY.fullmatch(key)
        if began is None or self._look is None or int(began[2]) > self._last:
            return None
        turn = self._look(TurnNo(int(began[2])))
        if turn is None or not minds.remembers(turn):
            return None
        there = (atom for atom in turn.atoms if atom.id == began[1])
        if not any((key, int(began[3])) in mentions(minds.world, atom) for atom in there):
            return None
        name = self.events(minds, [turn]).get(began[1])
        return None if name is None else f"{name}#{began[3]}"

    def item(self, item: Item) -> Item:
        """An item with these names for its scene and for what it is about.

        Its id and sources are the ledger's still: by those the boundary rules on it.
        """
        return replace(
            item, session=self._scenes.get(_trace(item.session), item.session),
            entities=tuple(self._things.get(key, key) for key in item.entities),
        )  # fmt: skip

    def events(self, minds: Minds, turns: Iterable[PastTurn]) -> dict[str, str]:
        """What it calls the events of some turns; those that it has nothing of are not there."""
        every = (atom for turn in turns for atom in turn.atoms)
        return event_places(atom for atom in every if minds.had_by(self._audience, atom))

    def hit(self, hit: Hit, events: dict[str, str]) -> Hit:
        """What was found, and permitted, by these names."""
        item, name = hit.item, renamed(events)
        own = replace(
            item, id=name(item.id), sources=tuple(map(name, item.sources)),
            links=tuple(map(name, item.links)),
        )  # fmt: skip
        return replace(hit, item=own, parent=None if hit.parent is None else name(hit.parent))

    def kept(self) -> bytes:
        """What cannot be found again from the ledger."""
        return msgspec.msgpack.encode(_Kept(self._named, list(self._scenes), self._elsewhere))

    def let_go(self) -> None:
        """Hold no more than is kept."""
        if self._look is not None:
            self._things, self._last = dict(self._elsewhere), self._named


@lru_cache(maxsize=1_024)
def _trace(scene: str) -> str:
    return sha256(scene.encode()).hexdigest()[:16]
