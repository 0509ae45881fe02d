"""What a clause of a rendering tells, and what comes of it: who is gone, who holds what."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    Happening,
    Implication,
    Moved,
    Participant,
    Resolved,
    Role,
    Source,
    StateAsserted,
    Unresolved,
)
from storykeeper.language.lexicon import VerbClass
from storykeeper.language.reading import Clause, Joint
from storykeeper.play.casting import Passage
from storykeeper.play.company import Company
from storykeeper.play.going import goes_to, leave
from storykeeper.play.hands import hand_over
from storykeeper.play.leaving import instead
from storykeeper.play.located import place_of, stated
from storykeeper.play.participants import CONFIDENCE, shortened
from storykeeper.play.returning import returned, surely
from storykeeper.play.searching import tell_found
from storykeeper.play.sight import seen_by, turned
from storykeeper.play.speaking import Speaking
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import AtomId


class Doing(Speaking):
    """The clauses of a reading, told."""

    def __init__(self, unfolding: Unfolding, passage: Passage) -> None:
        super().__init__(unfolding, passage)
        self._company = Company(unfolding, passage.names, told=passage.turn.player)
        self._atoms: dict[int, AtomId] = {}  # by clause

    def _before(self, clause: Clause) -> str:
        """What its sentence says before a clause."""
        return self.reading.text[self._sentences.begin(clause.start) : clause.start]

    def _place(
        self,
        what: Happening,
        parts: Sequence[Participant],
        implications: Sequence[Implication] = (),
        start: int = 0,
        classes: frozenset[VerbClass] = frozenset(),
    ) -> AtomId:
        watching = seen_by(
            self.unfolding.world, what, parts, classes,
            told=self._told, sentence=self._sentences.with_verdict(start),
            shown=self._shown(),
        )  # fmt: skip
        return self.unfolding.take_place(
            what, parts, source=Source.NARRATOR, implications=implications,
            confidence=CONFIDENCE, seen_by=watching,
        )  # fmt: skip

    def _consequences(
        self,
        clause: Clause,
        classes: frozenset[VerbClass],
        parts: Sequence[Participant],
        *,
        left: bool,
    ) -> None:
        """Who is gone after a deed, who goes along, who holds what, and what is where."""
        words, last = self.reading.text[clause.start : clause.end], self.unfolding.records[-1]
        moved = last.what.to if isinstance(last, Atom) and isinstance(last.what, Moved) else None
        before = self.reading.text[: clause.start]
        if self._company.found(parts, words=words, before=before):
            return
        if self._company.after(clause.verb, parts, words=words, moved=moved):
            return
        world, sentence = self.unfolding.world, self._sentences.with_verdict(clause.start)
        if left:
            leave(self.unfolding, parts, classes, told=self._told, sentence=sentence)
            return
        goal = place_of(world, self.reading, self.meant, clause)
        hand_over(self.unfolding, parts, classes, told=self._told, sentence=sentence, goal=goal)
        tell_found(
            self.unfolding, parts, classes, verb=clause.verb, told=self._told, sentence=sentence
        )

    def _happening(
        self, clause: Clause, classes: frozenset[VerbClass], parts: Sequence[Participant]
    ) -> Happening:
        words = self.reading.text[clause.start : clause.end]
        become = turned(clause.state, verb=clause.verb, words=words)
        if become and any(p.role is Role.ACTOR for p in parts):
            return ActionTaken(become)
        came = returned(
            self.unfolding.world, parts, verb=clause.verb, words=words, before=self._before(clause)
        )
        if came is not None:
            return came
        at = stated(self.unfolding.world, self.reading, self.meant, clause)
        if at is not None:
            return StateAsserted(shortened(words), at)
        if clause.state or not any(p.role is Role.ACTOR for p in parts):
            return StateAsserted(shortened(words))
        going = surely(self.unfolding.world, parts, verb=clause.verb)
        to = goes_to(self.unfolding.world, going, verb=clause.verb, words=words)
        if VerbClass.MOVE in classes and to is not None:
            return Moved(to)
        told = any(p.role is Role.TARGET for p in parts)
        return ActionTaken(instead(self.reading, clause, told=told) or clause.verb)

    def _felt_about(self, number: int, clause: Clause) -> Resolved | Unresolved | None:
        """What a feeling is about: the thing that the same person just turned to."""
        if clause.targets or not clause.actors:
            return None
        for link in self.reading.links:
            if link.second != number or link.joint is Joint.CONDITION:
                continue
            before = self.reading.clauses[link.first]
            who = self._key(clause.actors[0])
            same = before.actors and who is not None and who == self._key(before.actors[0])
            if same and before.targets and link.first in self._atoms:
                ref = self.meant.participant(self.unfolding.world, before.targets[0])
                return ref if isinstance(ref, Resolved | Unresolved) else None
        return None
