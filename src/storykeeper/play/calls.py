"""Lines between people who speak from afar: what a text says of them, decided and put on record.

Who is called is rung, if they are apart and awake; "calls" alone is a call if the words say so, or
something to call with is at hand. The line is open when they answer: they take it, they speak while
it rings, or the prose tells of talk on it. What a player types is an attempt, until the rendering
shows an answer. A line ends when somebody ends it, goes elsewhere, or time passes; with the scene,
and with a turn in which nobody spoke on it: nobody tells of every receiver put down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    LineChange,
    LineChanged,
    Role,
    SpeechUttered,
)
from storykeeper.events.vocabulary import Gender
from storykeeper.language.call_words import DEVICES, INTO, OVER, SET, SPEAKER
from storykeeper.language.calls import (
    BEGINNING,
    Call,
    Sign,
    Span,
    calls_in,
    is_missed,
    is_muting,
    speaks_of_calls,
)
from storykeeper.language.names import Names
from storykeeper.language.reading import Modality, Reading
from storykeeper.play.line_changes import (
    after_words,
    before_words,
    change,
    may_call,
    pass_on,
    turn_to,
)
from storykeeper.play.manner import Manner, is_from_afar
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.authored import gender_of
from storykeeper.world.finding import is_found_by
from storykeeper.world.lines import Line, partners
from storykeeper.world.state import Pending, World, whose_turn
from storykeeper.world.whereabouts import setting_of

Meaning = Callable[[Span], EntityId | None]  # whom some words mean
_OPENING = BEGINNING | {Sign.ALOUD, Sign.UNMUTED, Sign.RESUMED, Sign.PASSED, Sign.TAKEN}
_TRYING = re.compile(r"tr(?:y|ies|ied)|attempt", re.IGNORECASE)
_TAKEN = re.compile(r"\b(?:pick(?:s|ed) up|rings? (?:once|twice|out)|on the line)\b", re.IGNORECASE)
_HE, _SHE = ("he", "him", "his"), ("she", "her")
_GENDERS = dict.fromkeys(_HE, Gender.HE) | dict.fromkeys(_SHE, Gender.SHE)
_ENDS = {
    Sign.ALOUD: LineChange.ALOUD, Sign.LOW: LineChange.LOW, Sign.MUTED: LineChange.MUTED,
    Sign.UNMUTED: LineChange.UNMUTED, Sign.HELD: LineChange.MUTED,
    Sign.RESUMED: LineChange.UNMUTED,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Typed:
    """What became of a player's line: the prose it was answered with, and whose calls were taken.

    Until there is a rendering nothing is known of either.
    """

    shown: str = ""
    taken: frozenset[EntityId] = frozenset()


UNANSWERED = Typed()


class Calls:
    """What a text says of lines, to be decided in its order."""

    def __init__(
        self,
        unfolding: Unfolding,
        text: str,
        names: Names,
        meaning: Meaning,
        *,
        is_so: Callable[[int], bool] = lambda _: True,
        typed: Typed | None = None,
    ) -> None:
        """`is_so` says whether what stands somewhere in prose is told as done, and not before."""
        self._unfolding, self._text = unfolding, text
        self._meaning, self._typed, self._is_so = meaning, typed, is_so
        self._people: dict[Span, EntityId] = {}
        self._names = names
        self._left: list[Call] = []
        world = unfolding.world
        if world.lines or world.ringing or speaks_of_calls(text):
            find = names.find if typed is not None else names.find_in_prose
            cast = world.plan.cast
            self._people = {(f.start, f.end): f.entity for f in find(text) if f.entity in cast}
            self._left = list(calls_in(text, self._people, typed=typed is not None))

    def until(self, at: int | None = None) -> None:
        """All that is said before some place in the text; or all that is left."""
        while self._left and (at is None or self._left[0].at < at):
            call = self._left.pop(0)
            if call.sign not in _OPENING or self._is_so(call.at):
                self._decide(call)

    def _decide(self, call: Call) -> None:
        who, whom = self.person(call.who), self.person(call.whom)
        match call.sign:
            case Sign.RANG | Sign.TALKED if who is not None and whom is not None:
                self._call(call, who, whom)
            case Sign.ANSWERED if who is not None:
                self._answer(who)
            case Sign.SPOKE if who is not None and whom is not None and self._typed is None:
                self._speak(who, whom)
            case Sign.MISSED if self._typed is None:
                for caller, called in self._unfolding.world.ringing:
                    change(self._unfolding, LineChange.CLOSED, caller, called)
            case Sign.PASSED if whom is not None:
                pass_on(self._unfolding, who, whom)
            case Sign.TAKEN if who is not None:
                pass_on(self._unfolding, whom, who)
            case Sign.PAUSED | Sign.TURNED if who is not None:
                self._turn(call, who, whom)
            case Sign.CLOSED if call.whom is None or not self._is_to_another(call, who):
                self._close(who)
            case Sign.CLICKED if self._typed is None and self._unfolding.world.lines:
                if not any(left.sign is Sign.ANSWERED for left in self._left):
                    change(self._unfolding, LineChange.CLOSED)
            case Sign.ALOUD | Sign.LOW | Sign.MUTED | Sign.UNMUTED | Sign.HELD | Sign.RESUMED:
                self._at_end(call.sign, who)
            case _:
                pass  # it is not known of whom it is said

    def _call(self, call: Call, who: EntityId, whom: EntityId) -> None:
        world, typed = self._unfolding.world, self._typed
        shown = "" if typed is None else typed.shown
        plainly = call.plainly or call.whence or _has_device(world, who)
        plainly = plainly or DEVICES.search(shown) is not None or _TAKEN.search(shown) is not None
        if not plainly or not may_call(world, who, whom):
            return
        taken = call.sign is Sign.TALKED if typed is None else whom in typed.taken
        change(self._unfolding, LineChange.OPENED if taken else LineChange.RANG, who, whom)

    def _answer(self, who: EntityId) -> None:
        """Who is rung takes the call; of those a player types about, only the player."""
        if self._typed is not None and who != self._meaning((0, 0)):
            return
        for caller, called in self._unfolding.world.ringing:
            if called == who and may_call(self._unfolding.world, caller, called):
                change(self._unfolding, LineChange.OPENED, caller, called)

    def _speak(self, who: EntityId, whom: EntityId) -> None:
        """Somebody tells another something while it rings between them: so it was answered."""
        for caller, called in self._unfolding.world.ringing:
            if {caller, called} == {who, whom} and not self._is_missed():
                change(self._unfolding, LineChange.OPENED, caller, called)

    def _is_missed(self) -> bool:
        """Whether the text goes on to say that nobody took the call."""
        return any(call.sign is Sign.MISSED for call in self._left)

    def _turn(self, call: Call, who: EntityId, whom: EntityId | None) -> None:
        """The other end is asked to wait, or somebody in the room is turned to."""
        if call.sign is Sign.TURNED:
            if call.whom is None or whom is not None:
                turn_to(self._unfolding, who, whom)
        elif whom is None or whom in partners(self._unfolding.world, who):
            turn_to(self._unfolding, who, None)

    def _is_to_another(self, call: Call, who: EntityId | None) -> bool:
        """Whether a goodbye is to somebody, by name, who is not on the line."""
        world, named = self._unfolding.world, self._people.get(call.whom or (0, 0))
        ends = partners(world, who) if who is not None else [e for ln in world.lines for e in ln]
        return named is not None and named not in ends

    def _close(self, who: EntityId | None) -> None:
        """Somebody ends it. Where prose does not say who of those on a line, all are over."""
        world = self._unfolding.world
        if who is not None and partners(world, who):
            change(self._unfolding, LineChange.CLOSED, who)
        elif self._typed is None:
            change(self._unfolding, LineChange.CLOSED)

    def _at_end(self, sign: Sign, who: EntityId | None) -> None:
        """Something is done at one end; where it is not clear whose, what shuts it is at all."""
        world, what = self._unfolding.world, _ENDS[sign]
        mine = who is not None and partners(world, who)
        ends = [who] if mine and who is not None else []
        if not ends and sign in (Sign.MUTED, Sign.HELD, Sign.LOW) and self._typed is None:
            ends = sorted({end for line in world.lines for end in line})
        if sign in (Sign.HELD, Sign.RESUMED):
            ends = list(dict.fromkeys([*ends, *(p for e in ends for p in partners(world, e))]))
        for end in ends:
            change(self._unfolding, what, end)

    def person(self, span: Span | None) -> EntityId | None:
        """Whom some words mean; "she", if nothing else says who, is whom it rings for."""
        if span is None:
            return self._meaning((0, 0)) if self._typed is not None else None
        named = self._people.get(span)
        if named is not None or self._typed is not None:
            return named or self._meaning(span)
        world, gender = self._unfolding.world, _GENDERS.get(self._text[slice(*span)].casefold())
        meant = self._meaning(span)
        if gender is None or (meant is not None and _fits(world, meant, gender)):
            return meant
        rung = [called for _, called in world.ringing]
        return rung[0] if len(rung) == 1 and _is_she(world, *world.ringing[0], gender) else None

    # ── words ────────────────────────────────────────────────────────────────────────────────

    def saying(
        self, words: str, beside: str, *, speaker: EntityId | None, to: EntityId | None
    ) -> None:
        """Somebody is about to say something: maybe into a telephone that they held off."""
        if speaker is not None:
            before_words(self._unfolding, words, beside, speaker=speaker, to=to)

    def said(self, words: str, *, speaker: EntityId | None, to: EntityId | None) -> None:
        """Somebody has said something: "Hold on", or "Goodbye"."""
        if speaker is not None:
            after_words(self._unfolding, words, self._names, speaker=speaker, to=to)

    def spoken(
        self,
        beside: str,
        *,
        speaker: EntityId | None,
        to: EntityId | None,
        told: EntityId,
        outright: bool,
        manner: Manner,
    ) -> None:
        """Somebody says something, in prose: it may be an answer, or come over a line."""
        if speaker is None or manner in (Manner.WRITTEN, Manner.ALONE) or is_missed(beside):
            return
        for caller, called in self._unfolding.world.ringing:
            answers = speaker == called and self._answers(caller, called, to, told, outright)
            if answers or (outright and speaker == caller and to == called):
                self._speak(caller, called)
        if is_muting(beside):
            return  # a hand over the receiver: what is said is not said over it
        if is_from_afar(beside):
            near = () if INTO.search(beside) else (told,)
            _crosses(self._unfolding, beside, speaker, [*((to,) if to else ()), *near])
        straight = outright and to is not None and to in partners(self._unfolding.world, speaker)
        if speaker in self._unfolding.world.muted and (straight or OVER.search(beside)):
            change(self._unfolding, LineChange.UNMUTED, speaker)  # they speak into it again

    def _answers(
        self,
        caller: EntityId,
        called: EntityId,
        to: EntityId | None,
        told: EntityId,
        outright: bool,  # noqa: FBT001 - as in `spoken`
    ) -> bool:
        """Whether words of whom it rings for are an answer: not those to somebody beside them, nor
        where the player is who is told of it.
        """
        world = self._unfolding.world
        there = world.places.get(called)
        beside = {who for who, at in world.places.items() if there is not None and at == there}
        elsewhere = to in (None, caller) or (not outright and to not in beside)
        return elsewhere and told not in beside - {called} and may_call(world, caller, called)


def _fits(world: World, who: EntityId, gender: Gender) -> bool:
    known = world.plan.cast.get(who)
    return known is None or gender_of(known.pronouns) in (gender, Gender.UNKNOWN)


def _is_she(world: World, caller: EntityId, called: EntityId, gender: Gender) -> bool:
    """Whether "she", of whom nothing else says who she is, is whom it rings for: the one it fits.

    Who is told of it is no "she" there.
    """
    third = caller != whose_turn(world)
    return _fits(world, called, gender) and not (third and _fits(world, caller, gender))


def of_player(unfolding: Unfolding, turn: Pending, names: Names, typed: Typed) -> Calls:
    """The calls of a player's line: whoever is not named is the player."""

    def meaning(span: Span) -> EntityId | None:
        word = turn.text[slice(*span)].casefold()
        return turn.player if word in ("", "i", "me", "my", "we", "us") else None

    return Calls(unfolding, turn.text, names, meaning, typed=typed)


def told_as_done(reading: Reading, at: int) -> bool:
    """Whether what stands somewhere in a text is told as done; to try to call is to call."""
    around = [c for c in reading.clauses if c.quotation is None and c.start <= at < c.end]
    clause = min(around, key=lambda each: each.end - each.start, default=None)
    if clause is None or clause.modality is Modality.ASSERTED:
        return True
    tried = _TRYING.match(reading.text, at) is not None
    return clause.modality is Modality.INTENDED and tried


def taken(unfolding: Unfolding, player: EntityId) -> frozenset[EntityId]:
    """Those whom a player called in a turn, and who answered in it."""
    rung = {whom for who, whom in _changed(unfolding, LineChange.RANG) if who == player}
    opened = {whom for who, whom in _changed(unfolding, LineChange.OPENED) if who == player}
    return frozenset(rung & opened)


def _crosses(unfolding: Unfolding, beside: str, speaker: EntityId, to: Sequence[EntityId]) -> None:
    """Words are said "over the radio": there is a line between who says them and whom they reach.

    A radio is heard by all who are with it.
    """
    world = unfolding.world
    if not partners(world, speaker):
        for whom in [each for each in to if may_call(world, speaker, each)][:1]:
            change(unfolding, LineChange.OPENED, speaker, whom)
    for end in partners(unfolding.world, speaker):
        if SPEAKER.search(beside):
            change(unfolding, LineChange.ALOUD, end)
        elif SET.search(beside) and end not in unfolding.world.aloud:
            change(unfolding, LineChange.KEYED, end)


# ── when it is over by itself ────────────────────────────────────────────────────────────────


def ring_off(unfolding: Unfolding) -> None:
    """A scene is over: the lines that were open before this turn are."""
    world = unfolding.world
    _shut(unfolding, [*world.lines, *world.ringing], but=_fresh(unfolding))


def lapse(unfolding: Unfolding, before: World, player: EntityId) -> None:
    """A turn is over: so are lines from before it on which nobody spoke, and calls nobody took.

    At a table with several players a line of one of them waits for a turn of theirs.
    """
    spoken = [_ends(atom) for atom in unfolding.atoms if _is_talk(atom)]
    old = (*before.lines, *before.ringing)
    world, players = unfolding.world, {*unfolding.world.plan.players}
    _shut(
        unfolding,
        [line for line in (*world.lines, *world.ringing)
         if line in old and (player in line or players.isdisjoint(line))],
        but=[*_fresh(unfolding), *spoken],
    )  # fmt: skip


def _shut(unfolding: Unfolding, lines: Sequence[Line], *, but: Sequence[Collection[str]]) -> None:
    for one, other in lines:
        if not any(one in each and other in each for each in but):
            change(unfolding, LineChange.CLOSED, one, other)


def _fresh(unfolding: Unfolding) -> list[Line]:
    both = (LineChange.OPENED, LineChange.RANG)
    return [line for what in both for line in _changed(unfolding, what)]


def _changed(unfolding: Unfolding, what: LineChange) -> Iterator[Line]:
    """The lines of which something became in this turn."""
    for atom in unfolding.atoms:
        if atom.what == LineChanged(what):
            others = (*those(atom, Role.TARGET), *those(atom, Role.SUBJECT))
            yield from ((who, whom) for who in those(atom, Role.ACTOR) for whom in others)


def _is_talk(atom: Atom) -> bool:
    return isinstance(atom.what, SpeechUttered | ActionTaken)


def _ends(atom: Atom) -> set[EntityId]:
    roles = (Role.ACTOR, Role.TARGET)
    heard = (Role.WITNESS,) if isinstance(atom.what, SpeechUttered) else ()
    return {who for role in (*roles, *heard) for who in those(atom, role)}


def _has_device(world: World, who: EntityId) -> bool:
    """Whether somebody holds a telephone or the like, or has one where they are."""
    here = world.places.get(who)
    return any(
        DEVICES.search(" ".join((thing.name, *thing.aliases)))
        and (world.holders.get(EntityId(name)) == who
             or (here is not None and setting_of(world, EntityId(name)) == here
                 and is_found_by(world, who, EntityId(name))))
        for name, thing in sorted(world.plan.things.items())
    )  # fmt: skip
