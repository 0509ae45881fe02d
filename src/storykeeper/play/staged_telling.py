"""What a rendering told, piece by piece, where it is known who came and went.

Each piece is perceived by those who are there as it is told (`staging.perception`); whatever
happens in it is perceived by the same. Cues change who is there, in the order of the prose: who
leaves perceives their own going, who comes in perceives from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from storykeeper.events.atoms import (
    InformationTold,
    Kept,
    NamedIn,
    Participant,
    PieceKind,
    PieceTold,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    Voice,
)
from storykeeper.language.quoted import blanked
from storykeeper.language.reading import Clause, Quotation
from storykeeper.play.casting import Casting, Passage
from storykeeper.play.deeds import Deeds, as_perceived, happened, others
from storykeeper.play.located import claim
from storykeeper.play.participants import (
    CONFIDENCE,
    implied_by_words,
    plain_words,
)
from storykeeper.play.readings import MAX_STEPS
from storykeeper.play.retelling import Sentences
from storykeeper.play.stage_changes import change, read_up
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.word_for_word import guessed_by, tell_facts, vouches
from storykeeper.staging.cues import Cue, Cued, Lesson, Private
from storykeeper.staging.facts import has_to_tell
from storykeeper.staging.perception import Perceived, Scene, perceive
from storykeeper.staging.pieces import Piece, cut, person_of, piece_at
from storykeeper.units import EntityId
from storykeeper.world.lines import on_line, partners
from storykeeper.world.register import key_of
from storykeeper.world.retold import said, told_to
from storykeeper.world.ways import adjoins

TAG_CHARS = 80  # of narration behind words that may say to whom they were said
SAID_BACK_WORDS = 4  # fewer of the player's words may well be somebody else's
FIRST = frozenset({"arrives", "wakes", "emerges", "call-opens"})  # in force before their piece


def tell_staged(unfolding: Unfolding, passage: Passage, cued: Cued) -> None:
    """Decide all that a rendering told, given what is known of who came and went."""
    StagedTelling(unfolding, passage, cued).run()


class StagedTelling:
    """A rendering on its way into the ledger, piece by piece."""

    def __init__(self, unfolding: Unfolding, passage: Passage, cued: Cued) -> None:
        self.unfolding, self.reading = unfolding, passage.reading
        self.cast = Casting(unfolding, passage)
        self._told = passage.turn.player
        self._cued = cued
        self._names = passage.names
        self._before_now = passage.told  # traces of what was told
        self._typed = plain_words(passage.turn.text)
        self._sentences = Sentences(self.reading.text, passage.told, player=passage.turn.player)
        self._pieces = cut(self.reading, named=lambda text: bool(passage.names.find_in_prose(text)))
        self._first, self._then = self._by_piece(cued.cues)
        self._deeds = Deeds(self.cast, self._sentences, complete=cued.complete)
        # Told in the first or second person the player perceives whatever is told; and where it is
        # declared what they do not.
        self._person = person_of(self.reading)
        self._follows = self._person != 3 or cued.declared or not self._is_named(self._told)
        self._connected: list[EntityId] = []
        self._low: tuple[Piece, Private] | None = None  # the piece before, if it was low
        self._joined: set[EntityId] = set()  # places where one hears each other in this turn
        self._guessed = guessed_by(unfolding.world, self._told)

    def _is_named(self, who: EntityId, piece: Piece | None = None) -> bool:
        """Whether the narration tells of somebody by a name of theirs: of a piece, or at all."""
        bare, end = blanked(self.reading.text), None if piece is None else piece.end
        bare = bare[0 if piece is None else piece.start : end]
        return any(each.entity == who for each in self._names.find_in_prose(bare))

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
        self._deeds.bind()

    def _change(self, cue: Cue) -> None:
        if cue.kind == "reads":
            read_up(self.unfolding, cue)
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
        private = self._private(piece)
        speaker = self._speaker(piece, private)
        if piece.kind is PieceKind.SPEECH and speaker is None and self._readers(piece):
            piece = replace(piece, kind=PieceKind.WRITING)  # words that somebody reads
        if len(self.unfolding.atoms) >= MAX_STEPS or self._is_retold(piece, speaker, private):
            return
        self._bring_back(speaker)
        self._connect(piece, speaker, private)
        seen = perceive(self.unfolding.world, self._scene(piece, speaker, private))
        steps: list[tuple[int, int, Clause | Quotation]] = [
            *((self.reading.clauses[i].start, i, self.reading.clauses[i]) for i in piece.clauses),
            *((self.reading.quotations[i].start, i, self.reading.quotations[i])
              for i in piece.quotations),
        ]  # fmt: skip
        back = [self._said_back(self.reading.quotations[i]) for i in piece.quotations]
        for _, number, step in sorted(steps, key=lambda each: each[:2]):
            if isinstance(step, Quotation):
                self._utter(number, piece, seen, low=private is not None)
            elif happened(step):
                self._deeds.clause(number, step, seen)
        self._deeds.texture(piece, seen)
        if not back or not all(back):
            self._quote(piece, speaker, seen, private)
        self._learn(piece, seen)

    def _is_retold(self, piece: Piece, speaker: EntityId | None, private: Private | None) -> bool:
        """Whether it was told before, word for word; said anew are words said by another, or no
        longer low.
        """
        to = (self.reading.quotations[i].addressee for i in piece.quotations)
        if not self._sentences.told_before(piece.start) or any(who is not None for who in to):
            return False  # to another they are said anew
        marks = (
            said(self.reading.quotations[i].words, speaker, low=private is not None)
            for i in piece.quotations
        )
        return all(not mark or told_to(mark, self._told) in self._before_now for mark in marks)

    def _scene(self, piece: Piece, speaker: EntityId | None, private: Private | None) -> Scene:
        """What decides who perceives a piece."""
        clauses = [self.reading.clauses[i] for i in piece.clauses]
        doing = self.cast.people([i for c in clauses if happened(c) for i in c.actors])
        by = tuple(w for w in dict.fromkeys(doing) if w in self.unfolding.world.plan.cast)
        declared = private is not None and private.says is not Voice.READER
        reported = declared and piece.kind is not PieceKind.THOUGHT
        spoken = reported or (private is not None and bool(piece.quotations))
        kind = PieceKind.SPEECH if spoken else piece.kind
        if kind is PieceKind.THOUGHT and any(t.says != Voice.READER for t in self._taught(piece)):
            kind = PieceKind.ACTION  # what is declared to be told is in nobody's mind
        if kind is PieceKind.THOUGHT and (self._person != 3 or len(by) != 1):
            by = (self._told,)  # whose mind the prose is in
        if kind is PieceKind.SPEECH:
            by = () if speaker is None else (speaker,)
        to = self.cast.people([self.reading.quotations[i].addressee for i in piece.quotations])
        only = None if private is None else tuple(dict.fromkeys((*by, *private.to)))
        if only and not by:
            by = (self._told,) if self._told in only else only[:1]  # where it is said
        follows = self._told if self._follows else None
        at = None if by or piece.quotations else self._deeds.whereabouts(clauses)
        afar = () if private is None else private.afar
        joined, readers = frozenset(self._joined), self._readers(piece)
        return Scene(kind, self._told, by, tuple(to), only, afar, joined, readers, follows, at)

    def _speaker(self, piece: Piece, private: Private | None) -> EntityId | None:
        """Whose words they are: as was declared, or else as it was read, if that can be."""
        if private is not None and private.by is not None:
            return private.by
        speaking = [self.reading.quotations[i].speaker for i in piece.quotations]
        found = [w for w in self.cast.people(speaking) if w in self.unfolding.world.plan.cast]
        if private is not None and private.to and private.says is not Voice.READER:
            found = [who for who in found if who in private.to]  # or the words were read wrongly
        return found[0] if found else None

    def _connect(
        self, piece: Piece, speaker: EntityId | None, private: Private | None
    ) -> None:  # fmt: skip
        """A voice from elsewhere that the player hears is on a line with them while it is told;
        from the next room it carries to all who are there, and theirs to it, if it is declared who
        was where, nothing that it is for some of them, and the narration names whose it is.

        Where nothing is declared, only if it speaks to them, or they to it.
        """
        world, told = self.unfolding.world, self._told
        if piece.kind is not PieceKind.SPEECH or speaker is None or not self._follows:
            return
        to = self.cast.people([self.reading.quotations[i].addressee for i in piece.quotations])
        other = next((w for w in to if w in world.plan.cast), None) if speaker == told else speaker
        answers = speaker == told or told in to or self._cued.declared
        there, here = world.places.get(other) if other else None, world.places.get(told)
        if other is None or not answers or there is None or here is None or there == here:
            return
        if on_line(world, told, other):
            return  # what is said on it is for its ends, also next door
        called = any({told, other} & {*line} for line in (*world.lines, *world.ringing))
        joins = self._cued.declared and private is None and adjoins(world, here, there)
        if joins and not called and self._is_named(other, piece):  # a telephone is no open door
            self._joined |= {here, there}
            return
        if other not in (*world.asleep, *world.unsure):
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
        """What is declared of who alone can make out the words of a piece; a narrator quotes the
        first of them, and what goes on behind the tag is as low.
        """
        found = (p for p in self._cued.privates if p.start < piece.end and p.end > piece.start)
        low = next(found, None)
        if low is None and self._low is not None and self._goes_on(self._low[0], piece):
            low = self._low[1]
        self._low = None if low is None or low.says is Voice.READER else (piece, low)
        return low

    def _goes_on(self, before: Piece, piece: Piece) -> bool:
        """Whether a piece is nothing but words that go on what was said and tagged before."""
        quoted = self.reading.quotations
        said = quoted[piece.quotations[0]] if piece.quotations else None
        tagged = bool(before.quotations) and quoted[before.quotations[-1]].end < before.end
        alone = said is not None and (said.start, said.end) == (piece.start, piece.end)
        return tagged and alone and "\n" not in self.reading.text[before.end : piece.start]

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
        what = PieceTold(piece.kind, text, speaker, words, kept, self._named_in(text))
        says = Voice.READER if private is None else private.says
        self.unfolding.take_place(
            what, (), source=Source.NARRATOR, confidence=CONFIDENCE, seen_by=seen.by, says=says
        )

    def _named_in(self, text: str) -> tuple[NamedIn, ...]:
        """Whom of the cast a piece names."""
        cast = self.unfolding.world.plan.cast
        found = (
            NamedIn(each.entity, text[each.start : each.end])
            for each in self._names.find_in_prose(text)
            if each.entity in cast
        )
        return tuple(dict.fromkeys(found))

    # ── what is said ─────────────────────────────────────────────────────────────────────────

    def _utter(self, number: int, piece: Piece, seen: Perceived, *, low: bool) -> None:
        quoted = self.reading.quotations[number]
        if self._said_back(quoted):
            return
        speaker = next(iter(self.cast.people([quoted.speaker])), None)
        parts = list(self._speaking(number, piece, seen))
        heard = others(seen, parts)
        by_somebody = bool(parts) and parts[0].role is Role.ACTOR
        uttered = SpeechUttered(quoted.words, low, written=quoted.written)
        self.unfolding.take_place(
            uttered, parts, source=Source.NARRATOR, confidence=CONFIDENCE, seen_by=heard,
            says=Voice.READER,
            implications=tuple(implied_by_words(parts)) if by_somebody else (),
        )  # fmt: skip
        before = self._before(number, speaker)
        guessed = self._guessed if speaker != self._told else frozenset()
        tell_facts(self.unfolding, self._names, guessed=guessed, before=before)
        if by_somebody:
            told = [p for p in parts if p.role in (Role.ACTOR, Role.TARGET)]
            for clause in self.reading.clauses:
                if clause.quotation == number:
                    claim(
                        self.unfolding, self.reading, self.cast.meant, clause, told, seen_by=heard
                    )

    def _speaking(self, number: int, piece: Piece, seen: Perceived) -> Iterator[Participant]:
        """Who speaks, to whom, and of what; whom the words do not reach they are only about.

        To whom is said outright, or it may hang on words that not all of them heard.
        """
        quoted, place = self.reading.quotations[number], 0
        to = quoted.addressee if self._is_outright(number, piece) else None
        for role, i in ((Role.ACTOR, quoted.speaker), (Role.TARGET, to)):
            part = None if i is None else self.cast.participant(i, role, place)
            if part is None or (role is Role.ACTOR and quoted.written):
                continue
            place += 1
            yield as_perceived(part, seen.by, self.unfolding.world.plan.cast)
        for i, mention in enumerate(self.reading.mentions):
            if mention.quotation == number and mention.person == 3:
                part = self.cast.participant(i, Role.SUBJECT, place)
                if part is not None:
                    place += 1
                    yield part

    def _is_outright(self, number: int, piece: Piece) -> bool:
        """Whether it stands beside words to whom they are said."""
        to = self.reading.quotations[number].addressee
        if to is None:
            return False
        at, later = self.reading.mentions[to].start, self.reading.quotations[number + 1 :][:1]
        last = min([piece.end + TAG_CHARS, *(each.start for each in later)])
        return piece.start <= at < max(piece.end, last)

    def _before(self, number: int, speaker: EntityId | None) -> str:
        """What somebody said before in the same prose."""
        quotes = self.reading.quotations[:number][-3:]
        return " ".join(q.words for q in quotes if speaker in self.cast.people([q.speaker]))

    def _said_back(self, quoted: Quotation) -> bool:
        """Whether they are the player's own words; “The key?” by somebody else is an answer."""
        words = plain_words(quoted.words)
        if words and f" {words} " not in f" {self._typed} ":
            return False
        player = key_of(self.unfolding.world, self._told)
        mine = quoted.speaker is not None and self.cast.key(quoted.speaker) == player
        return not words or mine or len(words.split()) >= SAID_BACK_WORDS

    # ── what is learned ──────────────────────────────────────────────────────────────────────

    def _learn(self, piece: Piece, seen: Perceived) -> None:
        for lesson in self._taught(piece):
            self._teach(lesson, seen)

    def _taught(self, piece: Piece) -> Iterator[Lesson]:
        """What is declared to be told in a piece."""
        return (each for each in self._cued.lessons if piece.start <= each.at < piece.end)

    def _teach(self, lesson: Lesson, seen: Perceived) -> None:
        """A fact for those it was told to who perceived the words; as read, if it is new."""
        to = [who for who in lesson.to or seen.by if who in seen.by and who != lesson.by]
        if lesson.says is Voice.READER:
            world, typed = self.unfolding.world, () if vouches(lesson.words) else self._guessed
            to = [who for who in to if not has_to_tell(world, who, lesson.fact)
                  and not (lesson.fact in typed and who == self._told)]  # fmt: skip
        if not to:
            return
        parts = [Participant(Role.TARGET, Resolved(who)) for who in to]
        if lesson.by is not None:
            parts.insert(0, Participant(Role.ACTOR, Resolved(lesson.by)))
        self.unfolding.take_place(
            InformationTold("", fact=lesson.fact), parts, source=Source.NARRATOR, seen_by=(),
            says=lesson.says, evidence=lesson.words,
        )  # fmt: skip
