"""For whom words are said low, by all the narration around them: F8.1b.

A voice that was lowered stays so until it is raised, or somebody else has spoken up. Who answers
a whisper may well whisper too: what those two say next is theirs, unless it is told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from storykeeper.events.vocabulary import Sort
from storykeeper.language.reading import Clause, MentionKind, Modality, Quotation, Reading
from storykeeper.language.voices import Heard, Sign, voices_in
from storykeeper.play.manner import (
    MAX_BESIDE_CHARS,
    Manner,
    is_loud,
    lead_start,
    manners,
    sentence_ends,
    tag_end,
)
from storykeeper.units import Key

_LOWERING = frozenset({Sign.LOWERED, Sign.FAINT, Sign.WHISPERING})
_TOLD_AFTER = 2  # sentences after some words that may say how low they were
_EXCHANGE_WORDS = 30  # of narration, over which an answer is still one
_VOICES = frozenset({"voice", "tone", "word", "whisper", "murmur", "reply", "answer", "question"})
_HEARING = ("hear", "overhear", "catch", "make out")
_SPEAKERS = frozenset({Sort.PERSON, Sort.ANIMAL, Sort.GROUP})
_MUTE = frozenset({Sort.THING, Sort.PLACE, Sort.MATTER, Sort.TIME})
_SPOKEN = frozenset({Manner.ALOUD, Manner.QUIET, Manner.DOUBTFUL, Manner.APART})


@dataclass(frozen=True, slots=True)
class Voice:
    """How some words are said, and the mentions of those they are for, as far as that is told."""

    manner: Manner
    whom: tuple[int, ...] = ()
    by: int | None = None  # whose voice it is; nobody's, if who says them was only a guess


@dataclass(frozen=True, slots=True)
class _Low:
    """Somebody who speaks low."""

    by: int | None  # a mention
    whom: tuple[int, ...] = ()
    own: bool = True  # what they say next is as low; else only what is answered
    joint: bool = False  # they are all in `whom`, and whoever of them speaks next does so low
    spoken: bool = False  # they have said something so


class Voices:
    """How the quotations of a reading are said; asked for in their order."""

    def __init__(
        self,
        reading: Reading,
        around: Sequence[str],
        *,
        who: Callable[[int], Key | None],
        outright: Callable[[Quotation], bool],
        told: Key,
    ) -> None:
        """`who` is whom a mention means, `outright` whether words are told to be to somebody."""
        self._reading, self._around = reading, around
        self._who, self._outright, self._told = who, outright, told
        self._manners = manners(reading, around)
        self._narrated = [c for c in reading.clauses if c.quotation is None]
        self._low: _Low | None = None
        self._soft: _Low | None = None
        self._before = self._over = 0  # where the sentence ends in which the last words stand
        self._found: list[Voice] = []

    def at(self, number: int) -> Voice:
        """How a quotation is said."""
        while len(self._found) <= number:
            self._found.append(self._next(len(self._found)))
        return self._found[number]

    def is_low(self, number: int) -> bool:
        """Whether a quotation is said so that not all hear it."""
        manner = self.at(number).manner
        whispered = self._reading.quotations[number].whispered
        return whispered or manner in (Manner.APART, Manner.QUIET)

    def _next(self, number: int) -> Voice:
        quoted, manner = self._reading.quotations[number], self._manners[number]
        self._before = self._over
        led = lead_start(self._reading.text, quoted.start)
        for sign in self._signs(max(self._over, quoted.start - MAX_BESIDE_CHARS), quoted.start):
            tag = sign.sign is Sign.WHISPERING and sign.start >= led and quoted.whispered
            if not tag:  # "Mara whispers to Tom, “…”" is of these words alone
                self._turned(sign)
        if manner not in _SPOKEN:
            self._over = quoted.end
            return Voice(manner, by=quoted.speaker)
        self._told_after(number, quoted)
        voice = self._voice(number, quoted, manner)
        self._said(quoted, voice)
        return voice

    # ── what the narration says ──────────────────────────────────────────────────────────────

    def _turned(self, sign: _Signed) -> None:
        """A voice is lowered or raised, from here on."""
        if sign.sign is Sign.RAISED:
            self._low = None if self._may_be(self._low, sign.by) else self._low
            self._soft = None if self._may_be(self._soft, sign.by) else self._soft
        elif sign.sign is Sign.SOFT:
            self._soft = _Low(sign.by)
        elif not self._goes_on(sign):
            self._low = _Low(None if sign.joint else sign.by, sign.whom, joint=sign.joint)

    def _goes_on(self, sign: _Signed) -> bool:
        """Whether somebody who speaks low is told again to do so."""
        low = self._low
        if low is None or sign.whom:
            return False
        if low.by is None or sign.by is None:
            return low.own
        return self._is(sign.by, low.by)

    def _may_be(self, low: _Low | None, by: int | None) -> bool:
        if low is None or by is None or low.by is None:
            return True
        return self._same(by, low.by) or any(self._same(by, each) for each in low.whom)

    def _told_after(self, number: int, quoted: Quotation) -> None:
        """What follows some words may say how they were said: in their own sentence anything,
        after that only what tells of a voice as it is.
        """
        text, quotations = self._reading.text, self._reading.quotations
        last = number + 1 == len(quotations)
        stop = len(text) if last else quotations[number + 1].start
        stop = min(stop, quoted.end + MAX_BESIDE_CHARS)
        tag = tag_end(text, start=quoted.start, end=quoted.end, before=stop)
        far = sentence_ends(text, tag, stop, most=_TOLD_AFTER)
        self._over = tag
        for sign in self._signs(quoted.end, far):
            of_these = sign.start < tag and sign.sign is not Sign.WHISPERING  # it is the tag
            of_these = of_these or sign.sign is Sign.FAINT
            of_these = of_these or (last and sign.sign is Sign.LOWERED)
            mine = quoted.speaker is None or sign.by is None or self._same(sign.by, quoted.speaker)
            if of_these and mine:
                self._turned(sign)

    def _signs(self, start: int, end: int) -> list[_Signed]:
        found = (self._signed(each) for each in voices_in(self._reading.text, start, end))
        return [each for each in found if each is not None]

    def _signed(self, heard: Heard) -> _Signed | None:
        """A sign with whose voice it is; none, if it is not told as so."""
        clause = self._clause(heard)
        by = self._owner(heard, clause)
        whom = self._named(heard.whom)
        if heard.sign is Sign.FAINT:
            if clause is not None and not self._is_of_a_voice(clause):
                return None
            return _Signed(heard.sign, heard.start, by, self._others(by, whom))
        modality = Modality.ASSERTED if clause is None else clause.modality
        if modality is Modality.NEGATED and heard.sign is Sign.LOWERED:
            return _Signed(Sign.RAISED, heard.start, by)
        if modality is not Modality.ASSERTED or (heard.sign is Sign.WHISPERING and by is None):
            return None
        if heard.sign is not Sign.LOWERED:
            return _Signed(heard.sign, heard.start, by, self._others(by, whom))
        return self._lowered(heard, clause, by, self._others(by, whom))

    def _lowered(
        self, heard: Heard, clause: Clause | None, by: int | None, whom: tuple[int, ...]
    ) -> _Signed | None:
        """A lowering, or heads put together; none by what has no voice, or close to the fire."""
        if (heard.whom is not None and not whom) or self._is_of_things(heard, clause):
            return None
        if clause is None:
            return _Signed(heard.sign, heard.start, by, whom)
        together = tuple(i for i in clause.actors if self._is_somebody(i))
        joint = heard.whom is None and len(together) > 1
        if heard.several and len(together) == 1 and not self._is_several(together[0]):
            return None
        return _Signed(heard.sign, heard.start, by, together if joint else whom, joint)

    def _clause(self, heard: Heard) -> Clause | None:
        around = [c for c in self._narrated if c.start < heard.end and heard.start < c.end]
        inner = [c for c in around if c.start <= heard.start]
        return max(inner or around, key=lambda c: c.start, default=None)

    def _is_of_a_voice(self, clause: Clause) -> bool:
        """Whether what a clause is about may be words: of the sea it says nothing of them."""
        about = [self._reading.mentions[i] for i in clause.subjects]
        return bool(clause.actors) or not about or any(
            each.sort is Sort.ABSTRACT or each.kind is MentionKind.PRONOUN or each.head in _VOICES
            for each in about
        )  # fmt: skip

    def _is_of_things(self, heard: Heard, clause: Clause | None) -> bool:
        """Whether a sign is of what cannot speak: the leaves whisper, the wind drops."""
        mentions = self._reading.mentions
        if clause is not None:
            about = [mentions[i] for i in (*clause.actors, *clause.subjects)]
        else:
            begin = lead_start(self._reading.text, heard.start)
            about = [m for m in mentions if begin <= m.start and m.end <= heard.start]
        return bool(about) and all(
            each.sort in _MUTE and each.possessor is None and each.head not in _VOICES
            for each in about
        )

    def _is_several(self, mention: int) -> bool:
        each = self._reading.mentions[mention]
        return each.plural or each.sort is Sort.GROUP or each.head == "they"

    def _owner(self, heard: Heard, clause: Clause | None) -> int | None:
        """Whose voice it is: who does it, or whose it is called; nobody, if it is not said."""
        mentions = self._reading.mentions
        actors = [i for i in (clause.actors if clause else ()) if self._is_somebody(i)]
        if heard.sign is Sign.WHISPERING:
            said = clause is not None and clause.verb.startswith(("whisper", "murmur", "mutter"))
            return actors[0] if said and actors else None
        if clause is not None and clause.verb in _HEARING:
            return self._heard(clause)
        if actors:
            return actors[0]
        begin = heard.start if clause is None else min(clause.start, heard.start)
        owners = [
            m.possessor for m in mentions
            if begin <= m.start < heard.end and m.possessor is not None and m.quotation is None
        ]  # fmt: skip
        return next((i for i in owners if self._is_somebody(i)), None)

    def _heard(self, clause: Clause) -> int | None:
        """Whom somebody hears: who speaks in the same sentence, or is called so."""
        begin = lead_start(self._reading.text, clause.start)
        before = [c for c in self._narrated if begin <= c.start < clause.start]
        doing = [i for c in reversed(before) for i in c.actors]
        return next((i for i in (*clause.targets, *doing) if self._is_somebody(i)), None)

    def _named(self, at: int | None) -> tuple[int, ...]:
        """Whom the words at some place name: a person, or whose ear it is."""
        for i, mention in enumerate(self._reading.mentions if at is not None else ()):
            if mention.start == at and mention.quotation is None:
                i = i if mention.possessor is None else mention.possessor
                if self._is_somebody(i):
                    return (i,)
        return ()

    def _others(self, by: int | None, whom: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(i for i in whom if by is None or not self._is(i, by))

    # ── whose words they are ─────────────────────────────────────────────────────────────────

    def _voice(self, number: int, quoted: Quotation, manner: Manner) -> Voice:
        if is_loud(self._around[number]):
            self._low = self._soft = None
        low = self._low
        if low is not None:
            answered = low.spoken and quoted.speaker is None
            if low.own and not answered and self._is_by(low, quoted):
                by = low.by if quoted.speaker is None else quoted.speaker
                return Voice(Manner.APART, self._others(by, low.whom), by)
            if low.spoken and self._answers(low, number, quoted):
                return self._answer(low, quoted)
            if low.spoken:
                self._low = None
        if manner is Manner.ALOUD and self._soft is not None and self._is_by(self._soft, quoted):
            return Voice(Manner.QUIET, by=quoted.speaker)
        whom = self._touched(quoted) if quoted.whispered and not self._outright(quoted) else ()
        return Voice(Manner.APART if whom else manner, whom, quoted.speaker)

    def _touched(self, quoted: Quotation) -> tuple[int, ...]:
        """Whom a whisper is for whose speaker has just taken somebody's arm, or turned to the
        player told.
        """
        led = lead_start(self._reading.text, quoted.start)
        led = led if self._reading.text[led : quoted.start].strip() else led - 1
        begin = max(self._before, lead_start(self._reading.text, led))
        done = [
            c for c in self._narrated
            if begin <= c.start < quoted.start and c.modality is Modality.ASSERTED
        ]  # fmt: skip
        by = quoted.speaker
        mine = [c for c in done if by is not None and any(self._is(by, a) for a in c.actors)]
        for clause in reversed(mine):
            found = [self._whose(i) for i in clause.targets]
            found += [i for i in self._yours(clause) if i not in found]
            for whom in found:
                if whom is not None and by is not None and not self._is(whom, by):
                    return (whom,)
        return ()

    def _whose(self, target: int) -> int | None:
        """Whom a deed touches: whose arm it is, or the player told."""
        mention = self._reading.mentions[target]
        if mention.sort is Sort.PART and mention.possessor is not None:
            return mention.possessor
        return target if self._who(target) == self._told else None

    def _yours(self, clause: Clause) -> list[int]:
        """What else a clause names of the player told: it is at their sleeve that she tugs."""
        return [
            i for i, each in enumerate(self._reading.mentions)
            if clause.start <= each.start < clause.end and each.person == 2
        ]  # fmt: skip

    def _is_by(self, low: _Low, quoted: Quotation) -> bool:
        if low.joint and quoted.speaker is not None:
            return any(self._same(quoted.speaker, each) for each in low.whom)
        return low.by is None or quoted.speaker is None or self._same(low.by, quoted.speaker)

    def _answers(self, low: _Low, number: int, quoted: Quotation) -> bool:
        """Whether words may answer a whisper: by whom it was for, or by nobody said."""
        text, before = self._reading.text, self._reading.quotations[number - 1]
        between = text[before.end : quoted.start]
        pair = [i for i in (low.by, *low.whom) if i is not None]
        to = quoted.addressee
        if len(between.split()) > _EXCHANGE_WORDS or is_loud(self._around[number]):
            return False
        if to is not None and self._who(to) is not None and not self._among(to, pair):
            return False
        if self._is_unattributed(number, quoted):
            return True
        return self._among(quoted.speaker, pair if low.own else low.whom)

    def _among(self, one: int | None, some: Sequence[int]) -> bool:
        """Whether one of them is meant; the player told is, where nobody else was named."""
        if one is None:
            return False
        told = len(some) < 2 and self._who(one) == self._told
        return told or any(self._same(one, each) for each in some)

    def _answer(self, low: _Low, quoted: Quotation) -> Voice:
        pair = tuple(i for i in (low.by, *low.whom) if i is not None)
        by = low.whom[0] if quoted.speaker is None and len(low.whom) == 1 else quoted.speaker
        if by is None or (len(pair) > 1 and not self._among(by, pair)):
            return Voice(Manner.APART, pair)
        return Voice(Manner.APART, self._others(by, pair), by)

    def _is_unattributed(self, number: int, quoted: Quotation) -> bool:
        bare = not self._reading.text[self._before : quoted.start].strip()
        return quoted.speaker is None or (bare and self._around[number] == " | ")

    def _said(self, quoted: Quotation, voice: Voice) -> None:
        """Words were said: who answers them, if they were low, is one of two."""
        plain = self._outright(quoted) and voice.manner is Manner.QUIET
        if not (quoted.whispered or plain or voice.manner is Manner.APART):
            return
        if self._low is not None:
            self._low = replace(self._low, spoken=True)
            return
        to = quoted.addressee
        named = to is not None and (self._outright(quoted) or self._is_called(to))
        whom = (to,) if to is not None and named else voice.whom
        self._low = _Low(quoted.speaker, whom, own=False, spoken=True)

    # ── who is who ───────────────────────────────────────────────────────────────────────────

    def _is_called(self, mention: int) -> bool:
        return self._reading.mentions[mention].quotation is not None

    def _is_somebody(self, mention: int) -> bool:
        each = self._reading.mentions[mention]
        if each.kind is MentionKind.PRONOUN:
            return each.head not in ("it", "its", "itself")
        named = each.kind is MentionKind.NAME and each.sort is Sort.UNKNOWN
        return each.sort in _SPEAKERS or named

    def _is(self, one: int, other: int) -> bool:
        """Whether two mentions surely mean the same."""
        known = self._who(one)
        return one == other or (known is not None and known == self._who(other))

    def _same(self, one: int, other: int) -> bool:
        """Whether two mentions mean the same; who is not known may be anybody."""
        if one == other:
            return True
        first, second = self._who(one), self._who(other)
        return first is None or second is None or first == second


@dataclass(frozen=True, slots=True)
class _Signed:
    """A sign of a voice, and whose it is."""

    sign: Sign
    start: int
    by: int | None
    whom: tuple[int, ...] = ()
    joint: bool = False  # several do it together: their voices, and for each other
