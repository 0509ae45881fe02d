"""What one audience remembers of a run: items of its own, with names of its own, up to a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from storykeeper.context.history import PastTurn
from storykeeper.errors import UNREADABLE
from storykeeper.memory.tables import tag_of
from storykeeper.play.course import Course
from storykeeper.play.own_names import Names
from storykeeper.play.remembering import Minds, items_of, open_to
from storykeeper.story.model import NARRATOR

if TYPE_CHECKING:
    from storykeeper.memory.held import Held
    from storykeeper.memory.holding import FileShelf
    from storykeeper.memory.meaning import Meaning


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    turns: int
    names: bytes
    whose: str  # a folder may have been moved


@dataclass(slots=True)
class Mind:
    """One audience's memory, which holds nothing that it may not know."""

    audience: str
    name: str  # of the audience, and for the narrator whom it tells
    held: Held
    names: Names
    turns: int = 0
    last: PastTurn | None = field(default=None)  # of those; none if they are as they were kept

    @classmethod
    def opened(
        cls, audience: str, name: str, course: Course, *, meaning: Meaning | None,
        shelf: FileShelf | None,
    ) -> Mind:  # fmt: skip
        """As it was kept, if that was of this past; else empty."""
        from storykeeper.memory.held import Held

        folder = None if course.folder is None else course.folder / tag_of(("", (name,)))
        held = Held(meaning=meaning, shelf=shelf, folder=folder, read_only=not course.durable)
        named = partial(Names, audience, look=course.numbered)
        try:
            kept = msgspec.msgpack.decode(held.more, type=_Kept)
            if kept.whose == name and kept.turns <= len(course) and course.holds(held.index.stamp):
                return cls(audience, name, held, named(kept=kept.names), kept.turns)
        except UNREADABLE:  # there is none, or another edition wrote it
            pass
        if held.rows:
            held.empty()
        return cls(audience, name, held, named())

    def add(self, minds: Minds, turns: Sequence[PastTurn]) -> None:
        """Take in turns, which follow on those that it has."""
        if not turns:
            return
        self.turns += len(turns)
        self.last = turns[-1]
        if self.audience == NARRATOR:
            turns = [turn for turn in turns if minds.remembers(turn)]
        self.names.add(minds, turns)
        items = items_of(minds, turns, audience=self.audience)
        mine = open_to(items, self.audience, first=self.held.rows + 1)
        self.held.add(map(self.names.item, mine))

    def keep(self, course: Course) -> None:
        """Make it durable, with how far it reaches."""
        note = msgspec.msgpack.encode(_Kept(self.turns, self.names.kept(), self.name))
        self.held.commit(course.stamp(note))
        self.names.let_go()
