"""What can be asked of a run without changing it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from threading import RLock
from typing import TYPE_CHECKING

from storykeeper.context.history import PastTurn
from storykeeper.errors import NoSuchTurn, UnknownPerson
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import LeftUnread, Rendered, WindowAssembled
from storykeeper.gravity.landscape import Landscape, landscape
from storykeeper.ledger.port import Entry, Ledger
from storykeeper.play.accept import refuse_unplayable
from storykeeper.play.entity_views import EntityView, entity_views
from storykeeper.play.guide import TOLD_LAST, Guidance, guidance
from storykeeper.play.knowing import Knowledge, knowledge, known_people, matrix
from storykeeper.play.misfits import Misfit, misfits
from storykeeper.play.one_at_a_time import one_at_a_time
from storykeeper.play.presence import Heard, Present, heard, presence
from storykeeper.play.reminding import reminded
from storykeeper.play.running import Running
from storykeeper.play.seeing import Remind
from storykeeper.play.turn import left_unread
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId, RunId, TurnNo
from storykeeper.world.compare import Change, difference
from storykeeper.world.fold import checkpoints, first_world, straightened
from storykeeper.world.state import Pending, World, whose_turn

if TYPE_CHECKING:
    from storykeeper.memory.found import Results
    from storykeeper.play.recalling import Recollection
    from storykeeper.play.story_canon import StoryCanon


class Views(ABC):
    """A run, to be looked at."""

    ledger: Ledger
    run: RunId
    _lock: RLock  # held by whoever is in a call
    _recollection: Recollection | None = None  # made when something is first recalled
    canon: StoryCanon | None = None  # what its characters may have read, if its story is at hand

    @property
    @abstractmethod
    def _state(self) -> Running:
        """Where the run stands."""

    @abstractmethod
    def _forget_erased(self) -> None:
        """Let go of what is in memory if words were erased since."""

    @abstractmethod
    def _entries(self) -> list[Entry]:
        """Its records so far."""

    @one_at_a_time
    def world(self, *, at: int | None = None, shown: bool = False) -> World:
        """The world now, or after a past turn, corrections taken in.

        `shown`: as it will be when the player answers what was shown, which is no fact before.
        """
        if at is None:
            return self._answered().world if shown else self._state.world
        if not 0 <= at <= self._state.world.now:
            raise NoSuchTurn(f"turn {at} is not fact; the last that is is {self._state.world.now}")
        found = first_world(self._all_records())
        for turn, world in self.checkpoints():
            if turn > at:
                break
            found = world
        return found

    def checkpoints(self) -> Iterator[tuple[TurnNo, World]]:
        """The world after each committed turn; `world.trajectory` draws lines through them."""
        yield from checkpoints(self._all_records())

    @one_at_a_time
    def compare(self, one: int, other: int) -> tuple[Change, ...]:
        """What is different after one turn and after another, in words."""
        return difference(self.world(at=one), self.world(at=other))

    def _all_records(self) -> list[AnyRecord]:
        return [*(entry.record for entry in self._entries()), *self._state.decided]

    @one_at_a_time
    def knows(
        self, who: str, *, about: str | None = None, thinker: str | Sequence[str] | None = None,
        at: int | None = None,
    ) -> Knowledge:  # fmt: skip
        """What somebody knows, suspects and believes, by fact, and how they came by it.

        `about`: only of one person, place or thing. `thinker`: what that one thinks that they hold;
        of several, what the first thinks that the next thinks … that they hold.
        """
        world = self.world(at=at)
        names = (thinker,) if isinstance(thinker, str) else tuple(thinker or ())
        *thinkers, person = known_people(world, *names, who)
        plan = world.plan
        known = {*plan.cast, *plan.settings, *plan.things}
        if about is not None and about not in known:
            raise UnknownPerson(
                f"nothing called {about} is in this story: name a person, a place or a thing by id"
            )
        return knowledge(world, person, thinker=thinkers, about=about)

    @one_at_a_time
    def everybody_knows(self, *, at: int | None = None) -> dict[EntityId, Knowledge]:
        """What everyone of the cast holds, in the order of the cast."""
        return matrix(self.world(at=at))

    @one_at_a_time
    def entities(self, *, at: int | None = None) -> tuple[EntityView, ...]:
        """Everybody and everything referred to: tiers, weights and mentions."""
        world = self.world(at=at)
        records = straightened(self._all_records())
        return entity_views(world, [r for r in records if at is None or r.turn <= at])

    @one_at_a_time
    def landscape(self, *, at: int | None = None) -> Landscape:
        """Where the story is heading: what each scene weighs, how far it is, how hard it pulls."""
        return landscape(self.world(at=at))

    @one_at_a_time
    def presence(
        self, audience: str = NARRATOR, *, at: int | None = None, shown: bool = False
    ) -> tuple[Present, ...]:
        """Who is here as that audience can tell: sure or not, and by what evidence.

        Never anybody whom it cannot see. `shown`: after what was shown, too.
        """
        now = self._answered() if shown and at is None else self._state
        past = [turn for turn in now.past.turns if at is None or turn.turn <= at]
        return presence(now.world if at is None else self.world(at=at), past, audience)

    @one_at_a_time
    def heard(self, turn_no: int, words: str) -> tuple[Heard, ...]:
        """Who perceived the pieces of a turn that have these words, who did not, and why."""
        past = tuple(self._state.past.turns)
        at = next((n for n, turn in enumerate(past) if turn.turn == turn_no), None)
        if at is None:
            raise NoSuchTurn(f"turn {turn_no} is not fact, or too long ago to be at hand")
        return heard(past[:at], past[at], words)

    @one_at_a_time
    def history(self) -> Sequence[PastTurn]:
        """The last turns with their words, oldest first."""
        return tuple(self._state.past.turns)

    @one_at_a_time
    def left_unread(self, turn_no: int) -> tuple[str, ...]:
        """What of a turn is kept and was not read, and why."""
        records = (r for r in self._all_records() if r.turn == turn_no)
        left = [r for r in records if isinstance(r, LeftUnread)]
        return tuple(f"{left_unread(r.turn, r.what)} ({r.why})" for r in left)

    @one_at_a_time
    def takes(self) -> tuple[Rendered, ...]:
        """Every telling of the turn under way, in order; the one that stands is the last shown."""
        pending = self._state.world.pending
        if pending is None or not pending.takes:
            return ()
        records = [r for r in self._all_records() if r.turn == pending.turn]
        begun = max(i for i, r in enumerate(records) if isinstance(r, WindowAssembled))
        return tuple(r for r in records[begun:] if isinstance(r, Rendered))

    @one_at_a_time
    def guidance(self, line: str) -> Guidance | None:
        """For a story told without a model: the answer to a line of which nothing comes here.

        None: it is a turn. What is offered in an answer can be typed.
        """
        refuse_unplayable(line)
        then = self._answered()
        near = [turn.prose for turn in then.past.turns if turn.scene == then.world.scene]
        told = " ".join(near[-TOLD_LAST:])
        turn = Pending(TurnNo(then.world.now + 1), whose_turn(then.world), line)
        return guidance(then.world, turn, told)

    @one_at_a_time
    def misfits(self) -> tuple[Misfit, ...]:
        """What in the telling just shown does not fit the story; for its author's eyes.

        A fact that the narrator was not given, and somebody who speaks and is elsewhere.
        """
        shown = self._state.world.pending
        if shown is None or not shown.take:
            return ()
        then = self._answered()
        return misfits(self._state.world, shown, then.world, then.decided)

    def _answered(self) -> Running:
        """Where the run will stand when what was shown is answered; what is decided by it."""
        then = self._state.copy()
        then.decided.clear()
        if then.world.pending is not None and then.world.pending.take:
            then.decide(then.world.pending)
        return then

    @one_at_a_time
    def recall(
        self,
        query: str,
        audience: str = NARRATOR,
        *,
        k: int | None = None,
        budget: int | None = None,
    ) -> Results:
        """What answers a query, the best first, from what the narrator or one of the cast has seen.

        The best ten, or `k`; of a question of time alone all that was told then. With a budget,
        what a prompt of so many tokens gets: two passes, one hop, by narrative weight too. Nothing
        is written by recalling.
        """
        from storykeeper.play.recalling import Query

        return self._memory.recall(
            Query(query, audience, k, budget), ledger=self.ledger, run=self.run, now=self._state
        )

    def _reminding(self, audience: str, now: Running) -> Remind:
        """What words bring to the mind of an audience, from where the run stands."""
        memory, ledger, run = self._memory, self.ledger, self.run
        canon = self.canon
        return Remind(
            lambda text: reminded(memory, text, audience, ledger=ledger, run=run, now=now),
            lambda text: () if canon is None else canon.written(audience, text),
        )

    def _let_go_of_all(self) -> None:
        """Keep what recalling needs, as far as it is kept, and close the file."""
        try:
            if self._recollection is not None:
                self._recollection.close()
        finally:
            self.ledger.close()

    @property
    def _memory(self) -> Recollection:
        from storykeeper.play.recalling import Recollection

        if self._recollection is None:
            self._recollection = Recollection()
        return self._recollection
