"""What is said in a rendering: who said it to whom, what it is about, what is learned by it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storykeeper.events.atoms import Participant, Role, Source, SpeechUttered, Voice
from storykeeper.language.reading import Quotation
from storykeeper.play.casting import Casting, Passage
from storykeeper.play.deeds import as_perceived, others
from storykeeper.play.located import claim
from storykeeper.play.participants import CONFIDENCE, implied_by_words, plain_words
from storykeeper.play.word_for_word import guessed_by, tell_facts
from storykeeper.staging.perception import Perceived
from storykeeper.staging.pieces import Piece
from storykeeper.units import EntityId
from storykeeper.world.register import key_of

TAG_CHARS = 80  # of narration behind words that may say to whom they were said
_END = re.compile(r"[.!?…:;\n“”\"*]+")  # of what a line says by itself
SAID_BACK_WORDS = 4  # fewer of the player's words may well be somebody else's


class Sayings:
    """The quotations of a rendering on their way into the ledger."""

    def __init__(self, cast: Casting, passage: Passage) -> None:
        self._unfolding, self._cast, self._reading = cast.unfolding, cast, passage.reading
        self._told, self._names = passage.turn.player, passage.names
        self._said = [*map(plain_words, _said(cast))]
        self._typed = frozenset(map(plain_words, _END.split(passage.turn.text)))
        self._guessed = guessed_by(cast.unfolding.world, self._told)

    def utter(self, number: int, piece: Piece, seen: Perceived, *, low: bool) -> None:
        """Decide what a quotation of a piece says, and what is learned by it."""
        quoted = self._reading.quotations[number]
        if self.said_back(quoted):
            return
        speaker = next(iter(self._cast.people([quoted.speaker])), None)
        parts = list(self._speaking(number, piece, seen))
        heard = others(seen, parts)
        by_somebody = bool(parts) and parts[0].role is Role.ACTOR
        uttered = SpeechUttered(quoted.words, low, written=quoted.written)
        self._unfolding.take_place(
            uttered, parts, source=Source.NARRATOR, confidence=CONFIDENCE, seen_by=heard,
            says=Voice.READER,
            implications=tuple(implied_by_words(parts)) if by_somebody else (),
        )  # fmt: skip
        before = self._before(number, speaker)
        guessed = self._guessed if speaker != self._told else frozenset()
        tell_facts(self._unfolding, self._names, guessed=guessed, before=before)
        if by_somebody:
            told = [p for p in parts if p.role in (Role.ACTOR, Role.TARGET)]
            for clause in self._reading.clauses:
                if clause.quotation == number:
                    claim(
                        self._unfolding,
                        self._reading,
                        self._cast.meant,
                        clause,
                        told,
                        seen_by=heard,
                    )

    def _speaking(self, number: int, piece: Piece, seen: Perceived) -> Iterator[Participant]:
        """Who speaks, to whom, and of what; whom the words do not reach they are only about.

        To whom is said outright, or it may hang on words that not all of them heard.
        """
        quoted, place = self._reading.quotations[number], 0
        to = quoted.addressee if self._is_outright(number, piece) else None
        for role, i in ((Role.ACTOR, quoted.speaker), (Role.TARGET, to)):
            part = None if i is None else self._cast.participant(i, role, place)
            if part is None or (role is Role.ACTOR and quoted.written):
                continue
            place += 1
            yield as_perceived(part, seen.by, self._unfolding.world.plan.cast)
        for i, mention in enumerate(self._reading.mentions):
            if mention.quotation == number and mention.person == 3:
                part = self._cast.participant(i, Role.SUBJECT, place)
                if part is not None:
                    place += 1
                    yield part

    def _is_outright(self, number: int, piece: Piece) -> bool:
        """Whether it stands beside words to whom they are said."""
        to = self._reading.quotations[number].addressee
        if to is None:
            return False
        at, later = self._reading.mentions[to].start, self._reading.quotations[number + 1 :][:1]
        last = min([piece.end + TAG_CHARS, *(each.start for each in later)])
        return piece.start <= at < max(piece.end, last)

    def _before(self, number: int, speaker: EntityId | None) -> str:
        """What somebody said before in the same prose."""
        quotes = self._reading.quotations[:number][-3:]
        return " ".join(q.words for q in quotes if speaker in self._cast.people([q.speaker]))

    def said_back(self, quoted: Quotation) -> bool:
        """Whether they are what the player's line said; “The key?” by somebody else is an answer.

        What the line only has them tell is said here: “Run,” for “Tell Lisk to run.”
        """
        words = plain_words(quoted.words)
        said = words in self._typed or any(f" {words} " in f" {each} " for each in self._said)
        if words and not said:
            return False
        player = key_of(self._unfolding.world, self._told)
        mine = quoted.speaker is not None and self._cast.key(quoted.speaker) == player
        return not words or mine or len(words.split()) >= SAID_BACK_WORDS


def _said(cast: Casting) -> Iterator[str]:
    """The words that the player's line has them say."""
    for atom in cast.unfolding.atoms:
        if atom.source is Source.PLAYER and isinstance(atom.what, SpeechUttered):
            yield atom.what.words
