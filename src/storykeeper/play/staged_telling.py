"""What a rendering told, piece by piece, where it is known who came and went.

Each piece is perceived by those who are there as it is told (`staging.perception`); whatever
happens in it is perceived by the same. Cues change who is there, in the order of the prose: who
leaves perceives their own going, who comes in perceives from then on.
"""

from __future__ import annotations

import re
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
    Voice,
)
from storykeeper.language.patience import go_on
from storykeeper.language.quoted import blanked
from storykeeper.language.reading import Clause, Mention, MentionKind, Quotation
from storykeeper.play.casting import Casting, Passage
from storykeeper.play.deeds import Deeds, happened
from storykeeper.play.participants import (
    CONFIDENCE,
)
from storykeeper.play.readings import MAX_STEPS
from storykeeper.play.retelling import Sentences
from storykeeper.play.sayings import Sayings
from storykeeper.play.stage_changes import change, read_up
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.word_for_word import guessed_by, vouches
from storykeeper.staging.cues import BEFORE, Cue, Cued, Lesson, Private
from storykeeper.staging.facts import has_to_tell
from storykeeper.staging.perception import Perceived, Scene, perceive
from storykeeper.staging.pieces import Piece, cut, person_of, piece_at
from storykeeper.units import EntityId
from storykeeper.world.earshot import is_inside
from storykeeper.world.lines import on_line, partners
from storykeeper.world.retold import said, told_to
from storykeeper.world.ways import adjoins

_PARAGRAPH = re.compile(r"\n\s*\n")
NEXT = 1  # paragraph behind the one in which somebody reads may be what they read
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
        self._bare = blanked(self.reading.text)
        self._cued = cued
        self._names = passage.names
        self._before_now = passage.told  # traces of what was told
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
        self._sayings = Sayings(self.cast, passage)

    def _is_named(self, who: EntityId, piece: Piece | None = None) -> bool:
        """Whether the narration tells of somebody by a name of theirs: of a piece, or at all."""
        bare = self._bare if piece is None else self._bare[piece.start : piece.end]
        return any(each.entity == who for each in self._names.find_in_prose(bare))

    def run(self) -> None:
        """Every piece in order, what changes around it, and what is so at the end."""
        for number, piece in enumerate(self._pieces):
            go_on()
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
            if cue.at == BEFORE:
                first[0].append(cue)
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
        if self._is_read_out(piece, speaker):
            piece = replace(piece, kind=PieceKind.WRITING)
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
        back = [self._sayings.said_back(self.reading.quotations[i]) for i in piece.quotations]
        for _, number, step in sorted(steps, key=lambda each: each[:2]):
            if isinstance(step, Quotation):
                self._sayings.utter(number, piece, seen, low=private is not None)
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
        thought = piece.kind is PieceKind.THOUGHT and piece.plain
        reported = declared and not thought  # a likelihood is outranked
        spoken = reported or (private is not None and bool(piece.quotations))
        kind = PieceKind.SPEECH if spoken else piece.kind
        told = any(t.says is not Voice.READER for t in self._taught(piece))
        if kind is PieceKind.THOUGHT and told and not piece.plain:
            kind = PieceKind.ACTION  # what is declared to be told is in nobody's mind
        if kind is PieceKind.THOUGHT and (self._person != 3 or len(by) != 1):
            by = (self._told,)  # whose mind the prose is in
        if kind is PieceKind.SPEECH:
            by = () if speaker is None else (speaker,)
        to = self.cast.people([self.reading.quotations[i].addressee for i in piece.quotations])
        only = None if private is None else tuple(dict.fromkeys((*by, *private.to)))
        if only and not by:
            by = self._company(only)
        follows = self._told if self._follows else None
        at = None if by or piece.quotations else self._deeds.whereabouts(clauses)
        afar = () if private is None else private.afar
        joined, readers = frozenset(self._joined), self._readers(piece)
        doers = (self.reading.mentions[i] for c in clauses if happened(c) for i in c.actors)
        seen = any(_says_who(each) for each in doers)
        return Scene(
            kind, self._told, by, tuple(to), only, afar, joined, readers, follows, at, seen
        )

    def _speaker(self, piece: Piece, private: Private | None) -> EntityId | None:
        """Whose words they are: as was declared, or else as it was read, if that can be.

        Who is declared to speak and is elsewhere does not, where the prose has another say it.
        """
        speaking = [self.reading.quotations[i].speaker for i in piece.quotations]
        found = [w for w in self.cast.people(speaking) if w in self.unfolding.world.plan.cast]
        if private is not None and private.by is not None:
            denied = self._is_elsewhere(private.by) and private.by not in found
            return found[0] if denied and self._is_tagged(piece) and found else private.by
        if private is not None and private.to and private.says is not Voice.READER:
            found = [who for who in found if who in private.to]  # or the words were read wrongly
        return found[0] if found else None

    def _is_elsewhere(self, who: EntityId) -> bool:
        places = self.unfolding.world.places
        return places.get(who) != places.get(self._told)

    def _is_tagged(self, piece: Piece) -> bool:
        """Whether a piece says by name who speaks."""
        speaking = (self.reading.quotations[i].speaker for i in piece.quotations)
        tags = (self.reading.mentions[i] for i in speaking if i is not None)
        return any(
            tag.kind is MentionKind.NAME and piece.start <= tag.start < piece.end for tag in tags
        )

    def _company(self, only: tuple[EntityId, ...]) -> tuple[EntityId, ...]:
        """Where words are said whose speaker is not known: with the player; elsewhere only if two
        of those they are for are together there.
        """
        if self._told in only:
            return (self._told,)
        places = [self.unfolding.world.places.get(who) for who in only]
        return next(((who,) for who, at in zip(only, places, strict=True)
                     if at is not None and places.count(at) > 1), ())  # fmt: skip

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
        if is_inside(world, told) is not is_inside(world, other):
            return  # a voice from the other side of a tale
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

    def _is_read_out(self, piece: Piece, speaker: EntityId | None) -> bool:
        """Whether words in quotation marks are what somebody reads there: nobody says them."""
        tags = (self.reading.quotations[i].speaker for i in piece.quotations)
        said = speaker is not None or any(tag is not None for tag in tags)
        return piece.kind is PieceKind.SPEECH and not said and bool(self._readers(piece))

    def _readers(self, piece: Piece) -> tuple[EntityId, ...]:
        """Who reads what stands there: in the paragraph in which it is told that they read, or in
        the next.
        """
        text = self.reading.text
        near = [
            c for c in self._cued.cues
            if c.kind == "reads" and c.at <= piece.end
            and len(_PARAGRAPH.findall(text[c.at : piece.start])) <= NEXT
        ]  # fmt: skip
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


def _says_who(mention: Mention) -> bool:
    """Whether words say who does it: "Wenna", "the founder", "you"; not "a founder", "he"."""
    if mention.kind is MentionKind.PRONOUN:
        return mention.person != 3
    return mention.definite or mention.kind is MentionKind.NAME
