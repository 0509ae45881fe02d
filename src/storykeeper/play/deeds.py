"""What a rendering tells that is done or is so: its clauses as atoms, and what is only there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Bond,
    Happening,
    Participant,
    Resolved,
    Role,
    Source,
    StateAsserted,
    Unresolved,
    Voice,
)
from storykeeper.events.vocabulary import Sort
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.lexicon.inward import is_inward
from storykeeper.language.reading import Clause, Joint, MentionKind, Modality
from storykeeper.language.tone import sentence_at
from storykeeper.play.casting import Casting
from storykeeper.play.hands import put_in_hands
from storykeeper.play.located import IN, place_of, stated
from storykeeper.play.participants import CONFIDENCE, implied_by, shortened
from storykeeper.play.retelling import Sentences
from storykeeper.play.searching import tell_found
from storykeeper.play.witnesses import those_in
from storykeeper.play.word_for_word import TELLING, Heard, tell_reported
from storykeeper.staging.perception import Perceived
from storykeeper.staging.pieces import Piece
from storykeeper.units import AtomId, EntityId
from storykeeper.world.whereabouts import setting_of

BONDS = {Joint.CAUSE: Bond.CAUSAL, Joint.SEQUENCE: Bond.TEMPORAL, Joint.CONDITION: Bond.CONDITIONAL}


def happened(clause: Clause) -> bool:
    """Whether a clause tells what is so: not denied, feared, planned, or said by somebody."""
    return clause.modality is Modality.ASSERTED and clause.quotation is None


class Deeds:
    """The clauses of a reading, told."""

    def __init__(self, cast: Casting, sentences: Sentences, *, complete: bool) -> None:
        """`complete`: who holds what is declared, and not read."""
        self.cast, self.reading, self.unfolding = cast, cast.reading, cast.unfolding
        self._sentences, self._complete = sentences, complete
        self._atoms: dict[int, AtomId] = {}  # by clause
        self._order = sorted((m.start, i) for i, m in enumerate(self.reading.mentions))
        self._taking = {
            i
            for c in self.reading.clauses
            if happened(c) and not self._introduces(c)
            for i in (*c.actors, *c.targets, *c.subjects, *c.instruments, *c.locations)
        } | {i for q in self.reading.quotations for i in (q.speaker, q.addressee) if i is not None}

    def clause(self, number: int, clause: Clause, seen: Perceived) -> None:
        """Decide that something was done, or is so, before those who saw it."""
        if self._introduces(clause):
            return
        classes = verb_classes(clause.verb)
        if VerbClass.PUT in classes:
            self.cast.meant.moving(clause.targets)
        inward = is_inward(clause.verb)
        aware = () if inward else seen.by
        world = self.unfolding.world
        parts = list(self.cast.participants(number, clause))
        about = self._felt_about(number, clause) if VerbClass.FEEL in classes else None
        if about is not None:
            parts.append(Participant(Role.TARGET, about))
        parts = [as_perceived(part, aware, world.plan.cast) for part in parts]
        if not parts or self._is_said_back(clause, parts):
            return
        watching = () if inward else others(seen, parts)
        felt = about is not None
        self._atoms[number] = self.unfolding.take_place(
            self._happening(clause, parts), parts, source=Source.NARRATOR, confidence=CONFIDENCE,
            says=Voice.READER,
            implications=tuple(implied_by(world, clause, classes, parts, felt=felt)),
            seen_by=watching,
        )  # fmt: skip
        if clause.verb in TELLING:
            self._reported(clause, parts, watching)
        if self._complete:
            return
        goal = place_of(self.unfolding.world, self.reading, self.cast.meant, clause)
        mentions = self.reading.mentions
        hands = self.cast.people([i for i in clause.locations if mentions[i].sort is Sort.PART])
        put_in_hands(self.unfolding, parts, classes, goal=goal, hands=hands, watching=watching)
        tell_found(
            self.unfolding, parts, classes, verb=clause.verb, told=self.cast.told, watching=watching
        )

    def _is_said_back(self, clause: Clause, parts: Sequence[Participant]) -> bool:
        """Whether it is of what is hidden, and nobody but the player says so: the line itself is on
        record.
        """
        things = those_in(parts, *Role)
        return any(self.cast.said_back.covers(each, clause.start) for each in things)

    def _reported(
        self, clause: Clause, parts: Sequence[Participant], watching: Sequence[EntityId]
    ) -> None:
        """What somebody tells by a narrator's words, and not in their own."""
        sentence = sentence_at(self.reading.text, clause.start)
        by = next(iter(those_in(parts, Role.ACTOR)), None)
        heard = Heard(by, those_in(parts, Role.TARGET), tuple(watching))
        tell_reported(self.unfolding, self.cast.names, sentence, heard, player=self.cast.told)

    def texture(self, piece: Piece, seen: Perceived) -> None:
        """Decide that there is what a piece mentions and what takes part in nothing."""
        parts: list[Participant] = []
        first, last = (bisect_left(self._order, (at, -1)) for at in (piece.start, piece.end))
        for _, i in self._order[first:last]:
            mention = self.reading.mentions[i]
            if i in self.cast.used or i in self._taking or mention.quotation is not None:
                continue
            if mention.kind is MentionKind.PRONOUN:
                self.cast.meant.participant(self.unfolding.world, i)  # what it stood for here
            elif not self._sentences.told_before(mention.start):
                part = self.cast.participant(i, Role.SUBJECT, len(parts))
                parts += [part] if part is not None else []
        if parts:
            self.unfolding.take_place(
                StateAsserted(""), parts, source=Source.NARRATOR, confidence=CONFIDENCE,
                seen_by=others(seen, parts), says=Voice.READER,
            )  # fmt: skip

    def whereabouts(self, clauses: Sequence[Clause]) -> EntityId | None:
        """The setting in which some clauses say that something is."""
        world = self.unfolding.world
        for clause in filter(happened, clauses):
            at = stated(world, self.reading, self.cast.meant, clause)
            at = at or place_of(world, self.reading, self.cast.meant, clause, by=IN)
            if at is not None and setting_of(world, at) is not None:
                return setting_of(world, at)
        return None

    def bind(self) -> None:
        """Decide which of them hang together."""
        for link in self.reading.links:
            if link.first in self._atoms and link.second in self._atoms:
                atoms = (self._atoms[link.first], self._atoms[link.second])
                if atoms[0] != atoms[1]:
                    self.unfolding.bind(BONDS[link.joint], atoms)

    def _introduces(self, clause: Clause) -> bool:
        """Whether a clause of saying only says who speaks the words beside it."""
        speaking = bool(verb_classes(clause.verb) & {VerbClass.SAY, VerbClass.ASK})
        return speaking and any(
            q.speaker in clause.actors and q.start - 80 <= clause.end and clause.start <= q.end + 80
            for q in self.reading.quotations
        )

    def _happening(self, clause: Clause, parts: Sequence[Participant]) -> Happening:
        words = shortened(self.reading.text[clause.start : clause.end])
        people = any(p.role is Role.ACTOR for p in parts)
        world, meant = self.unfolding.world, self.cast.meant
        at = None if people else stated(world, self.reading, meant, clause)
        if at is not None or clause.state or not people:
            return StateAsserted(words, at)
        return ActionTaken(clause.verb)

    def _felt_about(self, number: int, clause: Clause) -> Resolved | Unresolved | None:
        """What a feeling is about: the thing that the same person just turned to."""
        if clause.targets or not clause.actors:
            return None
        for link in self.reading.links:
            if link.second != number or link.joint is Joint.CONDITION:
                continue
            before = self.reading.clauses[link.first]
            who = self.cast.key(clause.actors[0])
            same = before.actors and who is not None and who == self.cast.key(before.actors[0])
            if same and before.targets and link.first in self._atoms:
                ref = self.cast.meant.participant(self.unfolding.world, before.targets[0])
                return ref if isinstance(ref, Resolved | Unresolved) else None
        return None


def as_perceived(
    part: Participant, aware: Collection[EntityId], cast: Collection[str]
) -> Participant:
    """A participant; of the cast, whom it does not reach it is only about."""
    if part.role is not Role.TARGET or not isinstance(part.entity, Resolved):
        return part
    who = part.entity.entity
    return part if who in aware or who not in cast else Participant(Role.SUBJECT, part.entity)


def others(seen: Perceived, parts: Sequence[Participant]) -> tuple[EntityId, ...]:
    """Those who perceive it and have no part in it."""
    taking = those_in(parts, Role.ACTOR, Role.TARGET)
    return tuple(who for who in seen.by if who not in taking)
