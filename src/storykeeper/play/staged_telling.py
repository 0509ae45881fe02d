"""What a rendering told, piece by piece, where it is known who came and went.

Each piece is perceived by those who are there as it is told (`staging.perception`); whatever
happens in it is perceived by the same. Cues change who is there, in the order of the prose: who
leaves perceives their own going, who comes in perceives from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Bond,
    Happening,
    InformationTold,
    Kept,
    Participant,
    PieceKind,
    PieceTold,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    StateAsserted,
    Voice,
)
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.reading import Clause, Joint, Modality, Quotation
from storykeeper.play.casting import Casting, Passage
from storykeeper.play.hands import put_in_hands
from storykeeper.play.located import claim, place_of, stated
from storykeeper.play.participants import (
    CONFIDENCE,
    implied_by,
    implied_by_words,
    plain_words,
    shortened,
)
from storykeeper.play.readings import MAX_STEPS
from storykeeper.play.retelling import Sentences
from storykeeper.play.searching import tell_found
from storykeeper.play.sight import is_inward
from storykeeper.play.stage_changes import change
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.play.word_for_word import tell_facts
from storykeeper.staging.cues import Cue, Cued, Lesson, Private
from storykeeper.staging.perception import Perceived, Scene, perceive
from storykeeper.staging.pieces import Piece, cut, person_of, piece_at
from storykeeper.units import AtomId, EntityId
from storykeeper.world.lines import on_line, partners
from storykeeper.world.register import key_of

BONDS = {Joint.CAUSE: Bond.CAUSAL, Joint.SEQUENCE: Bond.TEMPORAL, Joint.CONDITION: Bond.CONDITIONAL}
SAID_BACK_WORDS = 4  # fewer of the player's words may well be somebody else's
FIRST = frozenset({"arrives", "wakes", "emerges", "call-opens"})  # in force before their piece


def tell_staged(unfolding: Unfolding, passage: Passage, cued: Cued) -> None:
    """Decide all that a rendering told, given what is known of who came and went."""
    StagedTelling(unfolding, passage, cued).run()


class StagedTelling(Casting):
    """A rendering on its way into the ledger, piece by piece."""

    def __init__(self, unfolding: Unfolding, passage: Passage, cued: Cued) -> None:
        super().__init__(unfolding, passage)
        self._cued = cued
        self._names = passage.names
        self._typed = plain_words(passage.turn.text)
        self._sentences = Sentences(self.reading.text, passage.told, player=passage.turn.player)
        self._pieces = cut(self.reading, named=lambda text: bool(passage.names.find_in_prose(text)))
        self._first, self._then = self._by_piece(cued.cues)
        self._atoms: dict[int, AtomId] = {}  # by clause
        # Told in the first or second person the player perceives whatever is told; and where it is
        # declared what they do not.
        self._person = person_of(self.reading)
        self._follows = self._person != 3 or cued.declared
        self._connected: list[EntityId] = []

    def run(self) -> None:
        """Every piece in order, what changes around it, and what is so at the end."""
        for number, piece in enumerate(self._pieces):
            for cue in self._first[number]:
                self._change(cue)
            self._tell(piece)
            for cue in self._then[number]:
                self._change(cue)
        for cue in self._then[len(self._pieces)]:
            self._change(cue)
        self._disconnect()
        self._compounds()

    def _change(self, cue: Cue) -> None:
        change(self.unfolding, cue, told=self._told)

    def _by_piece(
        self, cues: Sequence[Cue]
    ) -> tuple[defaultdict[int, list[Cue]], defaultdict[int, list[Cue]]]:
        """Cues in force before and after each piece; those at the end after the last."""
        first: defaultdict[int, list[Cue]] = defaultdict(list)
        then: defaultdict[int, list[Cue]] = defaultdict(list)
        begun: set[tuple[int, EntityId]] = set()
        for cue in cues:
            if cue.at >= len(self.reading.text) or not self._pieces:
                then[len(self._pieces)].append(cue)
                continue
            number = piece_at(self._pieces, cue.at)
            fresh = not any((number, who) in begun for who in cue.who)
            (first if cue.kind in FIRST and fresh else then)[number].append(cue)
            begun.update((number, who) for who in cue.who)
        return first, then

    # ── a piece ──────────────────────────────────────────────────────────────────────────────

    def _tell(self, piece: Piece) -> None:
        if len(self.unfolding.atoms) >= MAX_STEPS or self._sentences.told_before(piece.start):
            return
        private = self._private(piece)
        speaker = self._speaker(piece, private)
        self._bring_back(speaker)
        self._connect(piece, speaker)
        seen = perceive(self.unfolding.world, self._scene(piece, speaker, private))
        steps: list[tuple[int, int, Clause | Quotation]] = [
            *((self.reading.clauses[i].start, i, self.reading.clauses[i]) for i in piece.clauses),
            *((self.reading.quotations[i].start, i, self.reading.quotations[i])
              for i in piece.quotations),
        ]  # fmt: skip
        back = [self._said_back(self.reading.quotations[i]) for i in piece.quotations]
        for _, number, step in sorted(steps, key=lambda each: each[:2]):
            if isinstance(step, Quotation):
                self._utter(number, step, seen, low=private is not None)
            elif self._happened(step):
                self._clause(number, step, seen)
        if not back or not all(back):
            self._quote(piece, speaker, seen, private)
        self._learn(piece, seen)

    def _scene(self, piece: Piece, speaker: EntityId | None, private: Private | None) -> Scene:
        """What decides who perceives a piece."""
        clauses = [self.reading.clauses[i] for i in piece.clauses]
        doing = self._people([i for c in clauses if self._happened(c) for i in c.actors])
        by = tuple(w for w in dict.fromkeys(doing) if w in self.unfolding.world.plan.cast)
        kind = PieceKind.SPEECH if private is not None else piece.kind
        if kind is PieceKind.THOUGHT and any(self._taught(piece)):
            kind = PieceKind.ACTION  # what is declared to be told is in nobody's mind
        if kind is PieceKind.THOUGHT and (self._person != 3 or len(by) != 1):
            by = (self._told,)  # whose mind the prose is in
        if kind is PieceKind.SPEECH:
            by = () if speaker is None else (speaker,)
        to = self._people([self.reading.quotations[i].addressee for i in piece.quotations])
        only = None if private is None else tuple(dict.fromkeys((*by, *private.to)))
        if only and not by:
            by = (self._told,) if self._told in only else only[:1]  # where it is said
        follows = self._told if self._follows else None
        return Scene(kind, self._told, by, tuple(to), only, self._readers(piece), follows)

    def _speaker(self, piece: Piece, private: Private | None) -> EntityId | None:
        """Whose words they are: as was declared, or else as it was read, if that can be."""
        if private is not None and private.by is not None:
            return private.by
        said = [self.reading.quotations[i].speaker for i in piece.quotations]
        found = [w for w in self._people(said) if w in self.unfolding.world.plan.cast]
        if private is not None and private.to and private.says is not Voice.READER:
            found = [who for who in found if who in private.to]  # or the words were read wrongly
        return found[0] if found else None

    def _connect(self, piece: Piece, speaker: EntityId | None) -> None:
        """A voice from elsewhere that the player hears is on a line with them while it is told.

        Where nothing is declared, only if it speaks to them, or they to it.
        """
        world, told = self.unfolding.world, self._told
        if piece.kind is not PieceKind.SPEECH or speaker is None or not self._follows:
            return
        to = self._people([self.reading.quotations[i].addressee for i in piece.quotations])
        other = next((w for w in to if w in world.plan.cast), None) if speaker == told else speaker
        answers = speaker == told or told in to or self._cued.declared
        there, here = world.places.get(other) if other else None, world.places.get(told)
        if other is None or not answers or None in (there, here) or there == here:
            return
        if other not in (*world.asleep, *world.unsure) and not on_line(world, told, other):
            self._connected.append(other)
            change(
                self.unfolding,
                Cue(0, "call-opens", (told,), Voice.READER, CONFIDENCE, people=(other,)),
                told=self._told,
            )

    def _disconnect(self) -> None:
        """What was only heard in this turn is heard no more."""
        for other in self._connected:
            if on_line(self.unfolding.world, self._told, other):
                end = len(self.reading.text)
                change(
                    self.unfolding,
                    Cue(end, "call-closes", (self._told,), Voice.READER, people=(other,)),
                    told=self._told,
                )

    def _bring_back(self, who: EntityId | None) -> None:
        """Who speaks is somewhere: if nobody knows where and on no line, with the player."""
        world = self.unfolding.world
        here = world.places.get(self._told)
        if who is None or here is None or who in world.places or partners(world, who):
            return
        change(
            self.unfolding,
            Cue(0, "arrives", (who,), Voice.READER, CONFIDENCE, here),
            told=self._told,
        )

    def _private(self, piece: Piece) -> Private | None:
        """What is declared of who alone can make out the words of a piece."""
        found = (p for p in self._cued.privates if p.start < piece.end and p.end > piece.start)
        return next(found, None)

    def _readers(self, piece: Piece) -> tuple[EntityId, ...]:
        near = [c for c in self._cued.cues if c.kind == "reads" and c.at <= piece.end]
        return tuple(dict.fromkeys(who for cue in near[-1:] for who in cue.who))

    def _quote(
        self, piece: Piece, speaker: EntityId | None, seen: Perceived, private: Private | None
    ) -> None:
        """The piece itself, word for word, for those who perceive it."""
        kept = tuple(Kept(who, why) for who, why in seen.kept_from)
        text = self.reading.text[piece.start : piece.end]
        words = " … ".join(self.reading.quotations[i].words for i in piece.quotations)
        what = PieceTold(piece.kind, text, speaker, words, kept)
        says = Voice.READER if private is None else private.says
        self.unfolding.take_place(
            what, (), source=Source.NARRATOR, confidence=CONFIDENCE, seen_by=seen.by, says=says
        )

    # ── what is said ─────────────────────────────────────────────────────────────────────────

    def _utter(self, number: int, quoted: Quotation, seen: Perceived, *, low: bool) -> None:
        if self._said_back(quoted):
            return
        speaker = next(iter(self._people([quoted.speaker])), None)
        parts = list(self._speaking(number, quoted, seen))
        heard = _others(seen, parts)
        by_somebody = bool(parts) and parts[0].role is Role.ACTOR
        said = SpeechUttered(quoted.words, low, written=quoted.written)
        self.unfolding.take_place(
            said, parts, source=Source.NARRATOR, confidence=CONFIDENCE, seen_by=heard,
            implications=tuple(implied_by_words(parts)) if by_somebody else (),
        )  # fmt: skip
        before = self._before(number, speaker)
        tell_facts(self.unfolding, self._names, told=self._told, before=before)
        if by_somebody:
            told = [p for p in parts if p.role in (Role.ACTOR, Role.TARGET)]
            for clause in self.reading.clauses:
                if clause.quotation == number:
                    claim(self.unfolding, self.reading, self.meant, clause, told, seen_by=heard)

    def _speaking(
        self, number: int, quoted: Quotation, seen: Perceived
    ) -> Iterator[Participant]:  # fmt: skip
        """Who speaks, to whom, and of what; whom the words do not reach they are only about."""
        place = 0
        for role, i in ((Role.ACTOR, quoted.speaker), (Role.TARGET, quoted.addressee)):
            part = None if i is None else self._participant(i, role, place)
            if part is None or (role is Role.ACTOR and quoted.written):
                continue
            place += 1
            yield _as_perceived(part, seen, self.unfolding.world.plan.cast)
        for i, mention in enumerate(self.reading.mentions):
            if mention.quotation == number and mention.person == 3:
                part = self._participant(i, Role.SUBJECT, place)
                if part is not None:
                    place += 1
                    yield part

    def _before(self, number: int, speaker: EntityId | None) -> str:
        """What somebody said before in the same prose."""
        quotes = self.reading.quotations[:number][-3:]
        return " ".join(q.words for q in quotes if speaker in self._people([q.speaker]))

    def _said_back(self, quoted: Quotation) -> bool:
        """Whether they are the player's own words; “The key?” by somebody else is an answer."""
        said = plain_words(quoted.words)
        if said and f" {said} " not in f" {self._typed} ":
            return False
        player = key_of(self.unfolding.world, self._told)
        mine = quoted.speaker is not None and self._key(quoted.speaker) == player
        return not said or mine or len(said.split()) >= SAID_BACK_WORDS

    # ── what is done ─────────────────────────────────────────────────────────────────────────

    def _happened(self, clause: Clause) -> bool:
        return clause.modality is Modality.ASSERTED and clause.quotation is None

    def _introduces(self, clause: Clause) -> bool:
        """Whether a clause of saying only says who speaks the words beside it."""
        speaking = bool(verb_classes(clause.verb) & {VerbClass.SAY, VerbClass.ASK})
        return speaking and any(
            q.speaker in clause.actors and q.start - 80 <= clause.end and clause.start <= q.end + 80
            for q in self.reading.quotations
        )

    def _clause(self, number: int, clause: Clause, seen: Perceived) -> None:
        if self._introduces(clause):
            return
        classes = verb_classes(clause.verb)
        if VerbClass.PUT in classes:
            self.meant.moving(clause.targets)
        cast = self.unfolding.world.plan.cast
        parts = [_as_perceived(p, seen, cast) for p in self._participants(number, clause)]
        if not parts:
            return
        closed = is_inward(clause.verb)
        watching = () if closed else _others(seen, parts)
        world = self.unfolding.world
        implications = tuple(implied_by(world, clause, classes, parts, felt=False))
        self._atoms[number] = self.unfolding.take_place(
            self._happening(clause, parts), parts, source=Source.NARRATOR,
            implications=implications, confidence=CONFIDENCE, seen_by=watching,
        )  # fmt: skip
        if self._cued.complete:
            return
        goal = place_of(self.unfolding.world, self.reading, self.meant, clause)
        put_in_hands(self.unfolding, parts, classes, goal=goal, watching=watching)
        sentence = self._sentences.around(clause.start)
        tell_found(
            self.unfolding, parts, classes, verb=clause.verb, told=self._told, sentence=sentence
        )

    def _happening(self, clause: Clause, parts: Sequence[Participant]) -> Happening:
        words = shortened(self.reading.text[clause.start : clause.end])
        people = any(p.role is Role.ACTOR for p in parts)
        at = None if people else stated(self.unfolding.world, self.reading, self.meant, clause)
        if at is not None or clause.state or not people:
            return StateAsserted(words, at)
        return ActionTaken(clause.verb)

    def _compounds(self) -> None:
        for link in self.reading.links:
            if link.first in self._atoms and link.second in self._atoms:
                atoms = (self._atoms[link.first], self._atoms[link.second])
                if atoms[0] != atoms[1]:
                    self.unfolding.bind(BONDS[link.joint], atoms)

    # ── what is learned ──────────────────────────────────────────────────────────────────────

    def _learn(self, piece: Piece, seen: Perceived) -> None:
        for lesson in self._taught(piece):
            self._teach(lesson, seen)

    def _taught(self, piece: Piece) -> Iterator[Lesson]:
        """What is declared to be told in a piece."""
        return (each for each in self._cued.lessons if piece.start <= each.at < piece.end)

    def _teach(self, lesson: Lesson, seen: Perceived) -> None:
        """A fact for those it was told to who perceived the words."""
        to = [who for who in lesson.to or seen.by if who in seen.by and who != lesson.by]
        if not to:
            return
        parts = [Participant(Role.TARGET, Resolved(who)) for who in to]
        if lesson.by is not None:
            parts.insert(0, Participant(Role.ACTOR, Resolved(lesson.by)))
        self.unfolding.take_place(
            InformationTold("", fact=lesson.fact), parts, source=Source.NARRATOR, seen_by=(),
            says=lesson.says, evidence=lesson.words,
        )  # fmt: skip


def _as_perceived(part: Participant, seen: Perceived, cast: object) -> Participant:
    """A participant; of the cast, whom it does not reach it is only about."""
    if part.role is not Role.TARGET or not isinstance(part.entity, Resolved):
        return part
    who = part.entity.entity
    reached = who in seen.by or who not in cast  # type: ignore[operator]
    return part if reached else Participant(Role.SUBJECT, part.entity)


def _others(seen: Perceived, parts: Sequence[Participant]) -> tuple[EntityId, ...]:
    taking = those_in(parts, Role.ACTOR, Role.TARGET)
    return tuple(who for who in seen.by if who not in taking)
