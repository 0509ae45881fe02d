"""What a rendering told, once it is fact: atoms with everyone in their roles, and how they hang
together.

Only what is asserted happened: what is denied, imagined, feared, asked or merely planned did not,
and what somebody says is what they say. A sentence that was told before is not told anew.
"""

from __future__ import annotations

from bisect import bisect_left

from storykeeper.events.atoms import (
    Bond,
    Participant,
    Role,
    StateAsserted,
)
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.reading import (
    Clause,
    Joint,
    MentionKind,
    Modality,
    Quotation,
)
from storykeeper.play.casting import Passage
from storykeeper.play.doing import Doing
from storykeeper.play.going import departs
from storykeeper.play.hearing import change_hearing
from storykeeper.play.leaving import instead, is_later, sentence_end
from storykeeper.play.participants import (
    implied_by,
)
from storykeeper.play.parties import is_left_out
from storykeeper.play.readings import MAX_STEPS
from storykeeper.play.returning import is_awaited, seen_as
from storykeeper.play.sight import as_perceived, is_inward, is_scattered
from storykeeper.play.trooping import Trooping
from storykeeper.play.unfolding import Unfolding

BONDS = {Joint.CAUSE: Bond.CAUSAL, Joint.SEQUENCE: Bond.TEMPORAL, Joint.CONDITION: Bond.CONDITIONAL}
_Step = tuple[int, int, Clause | Quotation]


def tell(unfolding: Unfolding, passage: Passage) -> None:
    """Decide all that a reading says happened."""
    Telling(unfolding, passage).run()


class Telling(Doing):
    """A reading on its way into the ledger."""

    def __init__(self, unfolding: Unfolding, passage: Passage) -> None:
        super().__init__(unfolding, passage)
        reading = passage.reading
        before = self._sentences.told_before
        self._departing = Trooping(
            unfolding, reading, self._people, self._told, retold=before, line=passage.turn.text
        )
        self._order = sorted((m.start, i) for i, m in enumerate(reading.mentions))
        self._taking = {
            i
            for c in reading.clauses
            if self._happened(c) and not self._introduces(c)
            for i in (*c.actors, *c.targets, *c.subjects, *c.instruments, *c.locations)
        }

    def run(self) -> None:
        """Everything in the order of the text, then how it hangs together, and who is gone."""
        steps: list[_Step] = [
            *((c.start, i, c) for i, c in enumerate(self.reading.clauses)),
            *((q.start, i, q) for i, q in enumerate(self.reading.quotations)),
        ]
        done = 0
        for start, i, step in sorted(map(self._in_time, steps), key=lambda each: each[:2]):
            if len(self.unfolding.atoms) >= MAX_STEPS:
                self._parting.end()
                return
            self._texture(done, start)
            self._calls.until(start)
            self._departing.until(start)
            done = max(done, start)
            if isinstance(step, Quotation):
                self._spoken(i, step)
            elif self._happened(step):
                self._clause(i, step)
        self._texture(done, len(self.reading.text))
        self._calls.until()
        self._departing.until()
        self._compounds()
        self._parting.end()

    def _in_time(self, step: _Step) -> _Step:
        """A step where it belongs: who nods before they leave, leaves after the nod."""
        start, i, what = step
        if isinstance(what, Clause) and is_later(self.reading, what):
            return sentence_end(self.reading.text, what.end), i, what
        return start, i, what

    def _happened(self, clause: Clause) -> bool:
        return (
            clause.modality is Modality.ASSERTED
            and clause.quotation is None
            and not self._sentences.told_before(clause.start)
            and not any(
                is_left_out(self.reading.text, self.reading.mentions[i].start)
                for i in clause.actors
            )
            and not is_awaited(
                clause, self.reading.text[clause.start : clause.end], before=self._before(clause)
            )
        )

    # ── what is done ─────────────────────────────────────────────────────────────────────────

    def _clause(self, number: int, clause: Clause) -> None:
        classes = verb_classes(clause.verb)
        if self._introduces(clause):
            return
        if self._parting.under_way and clause.actors:
            doing, others = self._people(clause.actors), (*clause.targets, *clause.subjects)
            self._parting.before_deed(clause.verb, actors=doing, to=self._people(others))
        if VerbClass.PUT in classes:
            self.meant.moving(clause.targets)
        parts = list(self._participants(number, clause))
        about = self._felt_about(number, clause) if VerbClass.FEEL in classes else None
        if about is not None:
            parts.append(Participant(Role.TARGET, about))
        if not parts:
            return
        closed = is_inward(clause.verb) or is_scattered(self.unfolding.world, parts)
        sentence = self._sentences.with_verdict(clause.start)
        parts = as_perceived(self.unfolding.world, parts, verb=clause.verb, sentence=sentence)
        what = self._happening(clause, classes, parts)
        words = self.reading.text[clause.start : clause.end]
        stays = instead(self.reading, clause, told=True)
        left = not stays and departs(self.unfolding.world, parts, verb=clause.verb, words=words)
        felt = about is not None
        implications = tuple(implied_by(self.unfolding.world, clause, classes, parts, felt=felt))
        outward = frozenset() if closed else seen_as(what, classes)
        self._atoms[number] = self._place(what, parts, implications, clause.start, outward)
        self._consequences(clause, classes, parts, left=left)
        self._wake(clause, parts, words)
        change_hearing(self.unfolding, clause, parts, words, told=self._told)

    # ── what is only there ───────────────────────────────────────────────────────────────────

    def _texture(self, start: int, end: int) -> None:
        """What is mentioned and takes part in nothing."""
        parts: list[Participant] = []
        first, last = (bisect_left(self._order, (at, -1)) for at in (start, end))
        for _, i in self._order[first:last]:
            mention = self.reading.mentions[i]
            if i in self._used or i in self._taking or mention.quotation is not None:
                continue
            if mention.kind is MentionKind.PRONOUN:
                self.meant.participant(self.unfolding.world, i)  # what it stood for here and now
            elif not self._sentences.told_before(mention.start):
                part = self._participant(i, Role.SUBJECT, len(parts))
                parts += [part] if part is not None else []
        if parts:
            self._place(StateAsserted(""), parts)

    # ── how it hangs together ────────────────────────────────────────────────────────────────

    def _compounds(self) -> None:
        for link in self.reading.links:
            if link.first in self._atoms and link.second in self._atoms:
                atoms = (self._atoms[link.first], self._atoms[link.second])
                if atoms[0] != atoms[1]:
                    self.unfolding.bind(BONDS[link.joint], atoms)
