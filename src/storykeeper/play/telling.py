"""What a rendering told, once it is fact: atoms with everyone in their roles, and how they hang
together.

Only what is asserted happened: what is denied, imagined, feared, asked or merely planned did not,
and what somebody says is what they say. A sentence that was told before is not told anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from storykeeper.context.naming import Acquaintance
from storykeeper.events.atoms import (
    Bond,
    Participant,
    Role,
    Source,
    SpeechUttered,
    StateAsserted,
)
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.names import Names
from storykeeper.language.reading import (
    Clause,
    Joint,
    MentionKind,
    Modality,
    Quotation,
    Reading,
)
from storykeeper.play.calls import Calls, crosses
from storykeeper.play.departing import Departing
from storykeeper.play.doing import Doing
from storykeeper.play.going import departs
from storykeeper.play.leaving import instead, is_later, sentence_end
from storykeeper.play.located import claim
from storykeeper.play.manner import LOW, Manner, drawn, manners, surroundings
from storykeeper.play.participants import (
    CONFIDENCE,
    implied_by,
    implied_by_words,
    plain_words,
)
from storykeeper.play.parting import Parting
from storykeeper.play.readings import MAX_STEPS
from storykeeper.play.returning import is_awaited, seen_as
from storykeeper.play.sight import as_perceived, is_inward, is_scattered, uttered
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.waking import in_sleep, wake_by_call
from storykeeper.play.word_for_word import tell_facts
from storykeeper.units import EntityId
from storykeeper.world.register import key_of
from storykeeper.world.retold import said, told_to
from storykeeper.world.state import Pending

SAID_BACK_WORDS = 4  # fewer of the player's words may well be somebody else's
BONDS = {Joint.CAUSE: Bond.CAUSAL, Joint.SEQUENCE: Bond.TEMPORAL, Joint.CONDITION: Bond.CONDITIONAL}
_DIALOGUE = 3  # quotations that a guess at whom words answer looks back
_SPEAKING = frozenset({VerbClass.SAY, VerbClass.ASK})
_Step = tuple[int, int, Clause | Quotation]


def tell(
    unfolding: Unfolding,
    turn: Pending,
    reading: Reading,
    names: Names,
    *,
    known: Acquaintance | None = None,
    told_lines: tuple[str, ...] = (),
) -> None:
    """Decide all that a reading says happened; `told_lines` are traces of what was told before.

    `names` are those that prose may name, `known` whom the player it is told to knows of.
    """
    Telling(unfolding, turn, reading, names, frozenset(told_lines), known).run()


class Telling(Doing):
    """A reading on its way into the ledger."""

    def __init__(
        self,
        unfolding: Unfolding,
        turn: Pending,
        reading: Reading,
        names: Names,
        told: frozenset[str],
        known: Acquaintance | None = None,
    ) -> None:
        super().__init__(unfolding, turn, reading, names, told, known)
        world = unfolding.world
        self._typed = plain_words(turn.text)
        self._names = names
        self._player = key_of(world, turn.player)
        self._parting = Parting(unfolding, names, told=turn.player)
        self._calls = Calls(unfolding, reading.text, names, self._meaning, typed=False)
        self._told_lines = told
        before = self._sentences.told_before
        self._departing = Departing(unfolding, reading, self._people, self._told, retold=before)
        self._around = surroundings(reading)
        self._manners = manners(reading, self._around)
        self._quoted: defaultdict[int, list[Clause]] = defaultdict(list)
        for clause in reading.clauses:
            if clause.quotation is not None:
                self._quoted[clause.quotation].append(clause)
        narrated = (clause for clause in reading.clauses if clause.quotation is None)
        self._turned_to = {i for clause in narrated for i in clause.targets}
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
        parts = as_perceived(self.unfolding.world, parts, verb=clause.verb)
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

    # ── what is said ─────────────────────────────────────────────────────────────────────────

    def _introduces(self, clause: Clause) -> bool:
        """Whether a clause of saying only says who speaks the words beside it."""
        return bool(verb_classes(clause.verb) & _SPEAKING) and any(
            q.speaker in clause.actors and q.start - 80 <= clause.end and clause.start <= q.end + 80
            for q in self.reading.quotations
        )

    def _spoken(self, number: int, quoted: Quotation) -> None:
        """Words aloud, whether or not it is known who says them; what they are about is a claim."""
        outright = self._outright(quoted)  # the same words to somebody else are said anew
        speaker = next(iter(self._people([quoted.speaker])), None)
        manner = self._manners[number]
        again = not outright and self._said_again(quoted, speaker, manner)
        if manner is Manner.UNSAID or again or self._said_back(quoted):
            return
        to = next(iter(self._people([quoted.addressee])), None)
        understood = self._parting.before_words(
            quoted.words, speaker=speaker, to=to if outright else None
        )
        whom = [each for each in (to, self._told) if each is not None]
        beside = self._around[number]
        crosses(self.unfolding, beside, speaker=speaker, to=whom)
        before = self.reading.text[: quoted.start]
        asleep = in_sleep(self.unfolding.world, beside, speaker, before=before)
        spoken, parts, watching = uttered(
            self.unfolding.world, SpeechUttered(quoted.words, quoted.whispered, asleep),
            self._speaking(number, quoted), told=self._told, manner=manner, outright=outright,
            called=bool(understood.addressed), party=self._party(quoted),
        )  # fmt: skip
        by_somebody = bool(parts) and parts[0].role is Role.ACTOR
        implications = tuple(implied_by_words(parts)) if by_somebody else ()
        self.unfolding.take_place(
            spoken, parts, source=Source.NARRATOR, implications=implications,
            confidence=CONFIDENCE, seen_by=watching,
        )  # fmt: skip
        tell_facts(
            self.unfolding, self._names, told=self._told, before=self._before(number, speaker)
        )
        if by_somebody:
            told = [p for p in parts if p.role in (Role.ACTOR, Role.TARGET)]
            heard = () if spoken.whispered else watching
            for clause in self._quoted.get(number, ()):
                claim(self.unfolding, self.reading, self.meant, clause, told, seen_by=heard)
        self._parting.after_words(understood)
        wake_by_call(self.unfolding, parts, understood.addressed, beside, told=self._told)

    def _before(self, number: int, speaker: EntityId | None) -> str:
        """What somebody said before in the same prose: “Yes,” and then what it is."""
        quotes = self.reading.quotations[:number][-_DIALOGUE:]
        return " ".join(q.words for q in quotes if speaker in self._people([q.speaker]))

    def _said_again(self, quoted: Quotation, speaker: EntityId | None, manner: Manner) -> bool:
        """Whether the player was told before that the same one says the same, as low or as loud."""
        low = quoted.whispered or manner in LOW
        marks = (said(quoted.words, speaker, low=each) for each in {False, low})
        known = any(told_to(mark, self._told) in self._told_lines for mark in marks)
        return known and self._sentences.told_before(quoted.start)

    def _speaking(self, number: int, quoted: Quotation) -> list[Participant]:
        """Who speaks, to whom, and of what."""
        parts: list[Participant] = []
        whom = self._addressee(number, quoted)
        for role, i in ((Role.ACTOR, quoted.speaker), (Role.TARGET, whom)):
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
        if not guess or self._outright(quoted) or self._is_low(number):
            return whom
        before = [n for n in range(number) if not self._is_low(n)][-_DIALOGUE:]
        speakers = [self.reading.quotations[n].speaker for n in reversed(before)]
        mine = None if quoted.speaker is None else self._key(quoted.speaker)
        return next((i for i in speakers if i is not None and self._key(i) != mine), None)

    def _is_low(self, number: int) -> bool:
        return self.reading.quotations[number].whispered or self._manners[number] in LOW

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
