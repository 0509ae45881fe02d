"""What a rendering says was said: quotations as utterances, with those they reach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from storykeeper.events.atoms import Participant, Resolved, Role, Source, SpeechUttered
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.reading import Clause, Quotation
from storykeeper.play.calls import Calls, told_as_done
from storykeeper.play.casting import Casting, Passage
from storykeeper.play.earshot import followed
from storykeeper.play.inscribed import read_by, readers_of, thing_of
from storykeeper.play.located import claim
from storykeeper.play.manner import LOW, Manner, drawn, lead_start, surroundings
from storykeeper.play.participants import CONFIDENCE, implied_by_words, plain_words
from storykeeper.play.parting import Parting
from storykeeper.play.perusal import is_read, is_sealed, readers_in
from storykeeper.play.retelling import Sentences
from storykeeper.play.sight import uttered
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.voices import Voices
from storykeeper.play.waking import in_sleep, wake_by_call, wake_by_words
from storykeeper.play.witnesses import those_in
from storykeeper.play.word_for_word import tell_facts
from storykeeper.units import EntityId
from storykeeper.world.register import key_of
from storykeeper.world.retold import said, told_to

SAID_BACK_WORDS = 4  # fewer of the player's words may well be somebody else's
_DIALOGUE = 3  # quotations that a guess at whom words answer looks back
_SPEAKING = frozenset({VerbClass.SAY, VerbClass.ASK})


class Speaking(Casting):
    """The words of a reading on their way into the ledger."""

    def __init__(self, unfolding: Unfolding, passage: Passage) -> None:
        super().__init__(unfolding, passage)
        turn, reading, names, told = passage.turn, passage.reading, passage.names, passage.told
        self._typed = plain_words(turn.text)
        self._names = names
        self._player = key_of(unfolding.world, turn.player)
        self._parting = Parting(unfolding, names, told=turn.player)
        self._told_lines = told
        self._sentences = Sentences(reading.text, told, player=turn.player)
        before = self._sentences.told_before
        is_so = lambda at: told_as_done(reading, at) and not before(at)  # noqa: E731
        self._calls = Calls(unfolding, reading.text, names, self._meaning, is_so=is_so)
        self._around = surroundings(reading)
        self._voices = Voices(
            reading, self._around, who=self._key, outright=self._outright, told=self._player
        )
        self._quoted: defaultdict[int, list[Clause]] = defaultdict(list)
        for clause in reading.clauses:
            if clause.quotation is not None:
                self._quoted[clause.quotation].append(clause)
        narrated = (clause for clause in reading.clauses if clause.quotation is None)
        self._turned_to = {i for clause in narrated for i in clause.targets}

    def _introduces(self, clause: Clause) -> bool:
        """Whether a clause of saying only says who speaks the words beside it."""
        return bool(verb_classes(clause.verb) & _SPEAKING) and any(
            q.speaker in clause.actors and q.start - 80 <= clause.end and clause.start <= q.end + 80
            for q in self.reading.quotations
        )

    def _spoken(self, number: int, quoted: Quotation) -> None:
        """Words aloud, whether or not it is known who says them; what they are about is a claim."""
        voice = self._voices.at(number)
        outright = self._outright(quoted) or bool(voice.whom)  # to another they are said anew
        speaker, manner = next(iter(self._people([voice.by])), None), voice.manner
        again = not outright and self._said_again(quoted, speaker, manner)
        if manner is Manner.UNSAID or again or self._said_back(quoted):
            return
        if quoted.written:
            self._inscribed(number, quoted)
            return
        to = next(iter(self._people(voice.whom or [quoted.addressee])), None)
        understood = self._parting.before_words(
            quoted.words, speaker=speaker, to=to if outright else None
        )
        beside = self._around[number]
        self._calls.spoken(
            beside, speaker=self._ringing(quoted) or speaker, to=to, told=self._told,
            outright=outright, manner=manner,
        )  # fmt: skip
        aimed = to if outright else None
        self._calls.saying(quoted.words, beside, speaker=speaker, to=aimed)
        before = self.reading.text[: quoted.start]
        asleep = in_sleep(self.unfolding.world, beside, speaker, before=before)
        if not asleep:
            wake_by_words(self.unfolding, speaker, beside, told=self._told)
        spoken, parts, watching = uttered(
            self.unfolding.world, SpeechUttered(quoted.words, quoted.whispered, asleep),
            self._speaking(number, quoted), told=self._told, manner=manner, outright=outright,
            called=bool(understood.addressed), party=self._party(quoted), aimed=bool(voice.whom),
            beside=beside, shown=self._shown(),
        )  # fmt: skip
        if manner is Manner.WRITTEN:
            parts, watching = self._sent(number, quoted, parts, watching)
        by_somebody = bool(parts) and parts[0].role is Role.ACTOR
        implications = tuple(implied_by_words(parts)) if by_somebody else ()
        self.unfolding.take_place(
            spoken, parts, source=Source.NARRATOR, implications=implications,
            confidence=CONFIDENCE, seen_by=watching,
        )  # fmt: skip
        self._calls.said(quoted.words, speaker=speaker, to=aimed)
        before = self._said_before(number, speaker)
        tell_facts(self.unfolding, self._names, told=self._told, before=before)
        if by_somebody:
            told = [p for p in parts if p.role in (Role.ACTOR, Role.TARGET)]
            heard = () if spoken.whispered else watching
            for clause in self._quoted.get(number, ()):
                claim(self.unfolding, self.reading, self.meant, clause, told, seen_by=heard)
        self._parting.after_words(understood)
        wake_by_call(self.unfolding, parts, understood.addressed, beside, told=self._told)

    def _sent(
        self,
        number: int,
        quoted: Quotation,
        parts: list[Participant],
        watching: tuple[EntityId, ...],
    ) -> tuple[list[Participant], tuple[EntityId, ...]]:
        """Words that are written or sent: for who is told to read them, not for whom they are."""
        world, told = self.unfolding.world, Resolved(self._told)
        unread = [
            Participant(Role.SUBJECT, p.entity) if p.role is Role.TARGET and p.entity != told else p
            for p in parts
        ]
        by = those_in(parts, Role.ACTOR)
        awake = [who for who in map(EntityId, world.plan.cast) if who not in world.asleep]
        named = {each.entity for each in self._names.find_in_prose(self._around[number])}
        to = sorted(named.intersection(awake).difference(by))
        after = self.reading.text[quoted.end :]
        given = to[0] if len(to) == 1 else None
        readers = readers_in(after, self._names, awake, given=given)
        return unread, tuple(dict.fromkeys((*watching, *readers)))

    def _shown(self) -> frozenset[EntityId]:
        """The places to which this telling has followed others than the player."""
        return followed(self.unfolding.world, self.unfolding.atoms, told=self._told)

    def _ringing(self, quoted: Quotation) -> EntityId | None:
        """Who speaks, if it is "she" for whom it rings."""
        by = None if quoted.speaker is None else self.reading.mentions[quoted.speaker]
        return None if by is None else self._calls.person((by.start, by.end))

    def _said_before(self, number: int, speaker: EntityId | None) -> str:
        """What somebody said before in the same prose: “Yes,” and then what it is."""
        quotes = self.reading.quotations[:number][-_DIALOGUE:]
        return " ".join(q.words for q in quotes if speaker in self._people([q.speaker]))

    def _inscribed(self, number: int, quoted: Quotation) -> None:
        """Words on a thing: for who reads it, and the player told; on a sign for all who see it."""
        on = thing_of(self.reading, quoted)
        part = None if on is None else self._participant(on, Role.INSTRUMENT, 0)
        parts = [] if part is None else [part]
        parts += self._spoken_of(number, len(parts))
        text, cast = self.reading.text, self.unfolding.world.plan.cast
        after = text[quoted.end :]
        sealed = is_sealed(text[lead_start(text, quoted.start) : quoted.start])
        readers = [
            who for who in self._people(readers_of(self.reading, quoted, on))
            if is_read(after, self._names, cast, by=who, sealed=sealed)
        ]  # fmt: skip
        self.unfolding.take_place(
            SpeechUttered(quoted.words, written=True), parts, source=Source.NARRATOR,
            confidence=CONFIDENCE,
            seen_by=read_by(
                self.unfolding.world, self.reading, quoted, on,
                told=self._told, readers=readers, thing=part,
            ),
        )  # fmt: skip

    def _said_again(self, quoted: Quotation, speaker: EntityId | None, manner: Manner) -> bool:
        """Whether the player was told before that the same one says the same, as low or as loud."""
        low = quoted.whispered or manner in LOW
        marks = (said(quoted.words, speaker, low=each) for each in {False, low})
        known = any(told_to(mark, self._told) in self._told_lines for mark in marks)
        return known and self._sentences.told_before(quoted.start)

    def _speaking(self, number: int, quoted: Quotation) -> list[Participant]:
        """Who speaks, to whom, and of what."""
        parts: list[Participant] = []
        voice = self._voices.at(number)
        outright = self._outright(quoted) or not voice.whom
        whom = (self._addressee(number, quoted),) if outright else voice.whom
        for role, i in ((Role.ACTOR, voice.by), *((Role.TARGET, each) for each in whom)):
            part = None if i is None else self._participant(i, role, len(parts))
            if part is not None and part.entity not in [p.entity for p in parts]:
                parts.append(part)
        return [*parts, *self._spoken_of(number, len(parts))]

    def _addressee(self, number: int, quoted: Quotation) -> int | None:
        """To whom words are said; where that is a guess, who spoke last for all of them to hear.

        Who hears these and not the low ones before them must not be told who spoke those.
        """
        whom, spoken = quoted.addressee, self.reading.quotations[:number]
        guess = whom is not None and whom in [each.speaker for each in spoken]
        if not guess or self._outright(quoted) or self._voices.is_low(number):
            return whom
        before = [n for n in range(number) if not self._voices.is_low(n)][-_DIALOGUE:]
        speakers = [self.reading.quotations[n].speaker for n in reversed(before)]
        mine = None if quoted.speaker is None else self._key(quoted.speaker)
        return next((i for i in speakers if i is not None and self._key(i) != mine), None)

    def _party(self, quoted: Quotation) -> list[EntityId]:
        """Those who were drawn aside before some words, and who drew them."""
        at = drawn(self.reading.text, quoted.start)
        if at is None:
            return []
        around = [c for c in self.reading.clauses if c.start <= at.start() < c.end][:1]
        whom = [i for c in around for i in c.targets if self.reading.mentions[i].end <= at.end()]
        return self._people([*(i for c in around for i in c.actors), *whom])

    def _outright(self, quoted: Quotation) -> bool:
        """Whether a clause says to whom it is said; not a name called, nor who spoke before."""
        return quoted.addressee in self._turned_to

    def _said_back(self, quoted: Quotation) -> bool:
        """Whether they are the player's own words; “The key?” by somebody else is an answer."""
        said = plain_words(quoted.words)
        if said and f" {said} " not in f" {self._typed} ":
            return False
        mine = quoted.speaker is not None and self._key(quoted.speaker) == self._player
        return not said or mine or len(said.split()) >= SAID_BACK_WORDS

    def _spoken_of(self, number: int, place: int) -> Iterator[Participant]:
        """Who and what is spoken of: a claim, so that what it begins is only mentioned."""
        for i, mention in enumerate(self.reading.mentions):
            if mention.quotation == number and mention.person == 3:
                part = self._participant(i, Role.SUBJECT, place)
                if part is not None:
                    place += 1
                    yield part
