"""What the player's words do: acts of a line to atoms, with everyone they mean.

What an act is done to must be within reach; if not, the words are on record and nothing comes of
them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from storykeeper.events.atoms import (
    ActionTaken,
    InformationTold,
    Moved,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.events.effects import Effect, effects_of
from storykeeper.language.acts import Act, ActKind
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.names import Names
from storykeeper.language.quoted import blanked, quoted_in
from storykeeper.language.reading import Reading
from storykeeper.language.roles import GIVING
from storykeeper.language.tone import (
    Tone,
    beside,
    is_low,
    sentence_at,
    sentence_before,
    tone_of,
)
from storykeeper.language.unseen import AFTER, UNSEEN
from storykeeper.play.calls import CALLING, HANGING_UP, answering, call, hang_up
from storykeeper.play.reach import (
    all_at_hand,
    can_give,
    can_put,
    can_take,
    hearing,
    only_other,
    within_reach,
)
from storykeeper.play.referring import Referring
from storykeeper.play.searching import find_things
from storykeeper.play.setting_out import companions, staying, way_of
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.word_for_word import tell_facts
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.units import EntityId
from storykeeper.world.hearing import is_deaf
from storykeeper.world.state import Pending
from storykeeper.world.ways import route

_PUTTING = frozenset({"drop", "put", "place", "set", "lay"})
_ALL = re.compile(r"\b(?:all|everything)\b", re.IGNORECASE)
_SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)
_ROUSING = frozenset({"shake", "nudge", "slap", "jolt", "prod", "poke", "revive"})
_THAT = re.compile(
    r"\b(?:tell|whisper|warn|inform|remind|assure|promise|swear|text|write)\b[^.!?;]*?\bthat"
    r" (?P<claim>[^.!?;]+)", re.IGNORECASE,
)  # fmt: skip
# Whom words are kept from is named, too: "so that Tom cannot hear".
_KEPT_FROM = re.compile(
    r"\b(?:away from|without|out of|behind|beyond|before|while|when|once|if|until|unless|so|and"
    r"|that|unknown to|as)\W+(?:that )?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rendering of a line says of those it turns to; until there is one, nothing."""

    speaking: frozenset[EntityId] = frozenset()
    staying: frozenset[EntityId] = frozenset()


UNANSWERED = Answer()


def answer_in(reading: Reading, names: Names) -> Answer:
    """Who says something in a rendering, and who does not go along."""
    return Answer(answering(reading, names), staying(reading, names))


class Player(Referring):
    """A player's line being played out."""

    def __init__(
        self, unfolding: Unfolding, turn: Pending, known: Acquaintance, answer: Answer = UNANSWERED
    ) -> None:
        """`known` are those of the author's whom the player knows of."""
        super().__init__(unfolding, turn, known)
        self._line = turn.text
        self._answer = answer
        self._quotes = quoted_in(turn.text)
        self._bare = blanked(turn.text)
        self._read = 0  # how far its quotations are
        self._at = 0  # how far its acts are

    def act_all(self, acts: Sequence[Act]) -> None:
        """One act after the other, up to the first that cannot be done."""
        for act in acts:
            if not self.act(act):
                return

    def act(self, act: Act) -> bool:
        """One act, and what comes of it; whether it could be done."""
        self._at = max(self._at, self._place_of(act))
        if act.words:
            self._say(act)
            return True
        if self._is_all(act):
            known = {entity for entity, _ in self.names.called}
            for thing in all_at_hand(self.unfolding.world, self.who, act.act):
                if thing in known:
                    self.act(replace(act, to=thing))
            return True
        act = self.settled(act)
        world = self.unfolding.world
        if not within_reach(world, self.who, act):
            return False  # the words are on record; nothing came of them
        to = act.to if act.to is not None else only_other(world, self.who, act)
        self._by_wire(act)
        verb = act.verb or act.act
        secret = self._is_secret(act) or VerbClass.THINK in verb_classes(verb)
        low = act.kind in _SPEAKING and self._is_low(act)
        handed = act.verb in GIVING and act.target is not None
        unaware = self._unaware(verb, everyone=secret and not low and not handed)
        parts = [_as_perceived(part, unaware) for part in self._participants(act, to)]
        closed = secret or low
        self.unfolding.take_place(
            ActionTaken(act.act, act.about, act.also), parts, source=Source.PLAYER,
            implications=tuple(self._implications(verb, parts)),
            priority=Priority.FOREGROUND, seen_by=() if closed else None,
        )  # fmt: skip
        seen = (self.who,) if closed else None
        self._claim(act, parts, seen_by=seen)
        self._consequence(act, parts, seen_by=seen)
        find_things(self.unfolding, self.who, act, sentence=self._sentence(act), seen_by=seen)
        if verb in _ROUSING and act.to in self.unfolding.world.asleep:
            self._wake(act.to)
        return self._is_done(act)

    def _is_done(self, act: Act) -> bool:
        """Whether something of the author's that was to be taken is, and where one meant to go one
        is.
        """
        world = self.unfolding.world
        if act.act == "take" and act.to in world.plan.things:
            return world.holders.get(act.to) == self.who
        return act.place is None or world.places.get(self.who) == act.place

    def _is_all(self, act: Act) -> bool:
        """Whether it is done to all that is at hand: "take all"."""
        handled = act.act == "take" or act.act in _PUTTING
        nothing = act.target is None and act.to is None
        return handled and nothing and _ALL.search(self._sentence(act)) is not None

    def _by_wire(self, act: Act) -> None:
        """Calls, and the end of them."""
        if act.act in HANGING_UP or act.verb in HANGING_UP:
            hang_up(self.unfolding, self.who)
        elif {act.act, act.verb} & CALLING and act.to in self._answer.speaking and act.to:
            call(self.unfolding, self.who, act.to)

    def _unaware(self, verb: str, *, everyone: bool) -> frozenset[EntityId]:
        """Those to whom something may be done that they do not perceive."""
        world = self.unfolding.world
        if everyone:  # whom one suspects does not perceive it
            return frozenset(map(EntityId, world.plan.cast))
        rousing = verb in _ROUSING or Effect.WAKES in effects_of(verb)
        here, there = world.places.get(self.who), world.places
        on_line = hearing(world, self.who, awake=False)
        afar = {
            w
            for w in map(EntityId, world.plan.cast)
            if w not in on_line and None not in (here, there.get(w)) and there.get(w) != here
        }
        return frozenset(afar | ({*map(EntityId, world.asleep)} if not rousing else set()))

    def _place_of(self, act: Act) -> int:
        """How far the line is when an act is done."""
        said = [r.mention.start for r in (act.target, act.topic) if r is not None]
        return self._line.find(act.words, self._at) if act.words else min(said, default=self._at)

    def _is_secret(self, act: Act) -> bool:
        """Whether an act is told to be unseen: in its sentence; if it names nothing, anywhere."""
        said = [r.mention.start for r in (act.target, act.topic) if r is not None]
        if not said:
            return UNSEEN.search(self._bare) is not None
        words = sentence_at(self._bare, min(said))
        later = self._bare[self._bare.find(words) + len(words) :].lstrip(" .!?")
        words += later if AFTER.match(later) else ""
        return UNSEEN.search(words) is not None or (act.kind not in _SPEAKING and is_low(words))

    def _is_low(self, act: Act) -> bool:
        """Whether an act of speaking is for whom it is meant alone."""
        sentence = self._sentence(act)
        before = sentence_before(self._bare, max(0, self._bare.find(sentence)))
        return tone_of(sentence) in (Tone.LOW, Tone.WRITTEN) or is_low(before)

    # ── what is said ─────────────────────────────────────────────────────────────────────────

    def _say(self, act: Act) -> None:
        start = max(0, self._line.find(act.words, self._read))
        around, before = self._beside(act.words), sentence_before(self._bare, start)
        tone = Tone.LOW if act.whispered else tone_of(around)
        if tone is Tone.ALOUD and is_low(before):
            tone, around = Tone.LOW, f"{before}. {around}"
        if tone is Tone.UNSAID:
            return  # thought, or not said: the words are on record
        to = self._meant_for(around, to=act.to or self._id(act.target))
        if to is not None and to in self._answer.speaking and {act.act, act.verb} & CALLING:
            call(self.unfolding, self.who, to)
        world = self.unfolding.world
        others = [who for who in hearing(world, self.who, awake=False) if who != self.who]
        near = [who for who in others if who not in (*world.away, *world.unsure)]
        alone = "myself" in around  # to nobody
        only = near[0] if len(near) == 1 and to is None and not alone else None
        heard = to if to in others else only
        if tone is Tone.WRITTEN:  # who gets it reads it; who is sent it, if they answer
            heard = to if to in others or to in self._answer.speaking else None
        deaf = heard is not None and (heard in world.asleep or is_deaf(world, heard))
        parts = [Participant(Role.ACTOR, Resolved(self.who))]
        if heard is not None and not deaf:
            parts.append(Participant(Role.TARGET, Resolved(heard)))
        spoken_of = [f.entity for f in self.names.find(act.words) if f.entity != self.who]
        spoken_of += [heard] if deaf and heard else []  # who sleeps is told nothing
        spoken_of += [to] if tone is Tone.WRITTEN and to and heard is None else []
        parts += [Participant(Role.SUBJECT, Resolved(e)) for e in dict.fromkeys(spoken_of)]
        low = tone is not Tone.ALOUD or UNSEEN.search(around) is not None
        self.unfolding.take_place(
            SpeechUttered(act.words, low, written=tone is Tone.WRITTEN), parts,
            source=Source.PLAYER, implications=tuple(self._implications("say", parts)),
            priority=Priority.FOREGROUND, seen_by=() if low else None,
        )  # fmt: skip
        tell_facts(self.unfolding, self.names)

    def _beside(self, words: str) -> str:
        """What stands beside the next quotation of these words, or around words without marks."""
        left = [each for each in self._quotes if each.start >= self._read]
        for i, each in enumerate(left):
            if each.words == words:
                before = left[i + 1].start if i + 1 < len(left) else None
                around = beside(self._line, each, after=self._read, before=before)
                self._read = each.end
                return around
        at = self._line.find(words)
        if at < 0:
            return ""
        around = sentence_at(self._bare, at).replace(words, "|")
        return around if tone_of(around) is not Tone.UNSAID else ""  # what is undone was left out

    def _meant_for(self, around: str, *, to: EntityId | None) -> EntityId | None:
        """Whom words are for: not whom they are kept from, else the one person named."""
        cast = self.unfolding.world.plan.cast
        named = [f for f in self.names.find(around) if f.entity in cast and f.entity != self.who]
        meant = {f.entity for f in named if not _KEPT_FROM.search(around[: f.start])}
        if to is not None and (to in meant or to not in {f.entity for f in named}):
            return to
        return meant.pop() if len(meant) == 1 else None

    def _claim(
        self, act: Act, parts: Sequence[Participant], *, seen_by: tuple[EntityId, ...] | None
    ) -> None:
        """What somebody is told without marks: "I tell Dov that the envelope is in the fire"."""
        said = _THAT.search(self._sentence(act)) if act.kind is ActKind.SPEECH else None
        to = [part for part in parts if part.role in (Role.ACTOR, Role.TARGET)]
        if said is None or len(to) < 2:
            return
        self.unfolding.take_place(
            InformationTold(said["claim"].strip()), to, source=Source.PLAYER, seen_by=seen_by
        )
        tell_facts(self.unfolding, self.names)

    # ── what comes of it ─────────────────────────────────────────────────────────────────────

    def _wake(self, who: EntityId) -> None:
        parts = [Participant(Role.ACTOR, Resolved(who))]
        self.unfolding.take_place(ActionTaken("wake"), parts, source=Source.RULE)

    def _consequence(
        self, act: Act, parts: list[Participant], *, seen_by: tuple[EntityId, ...] | None
    ) -> None:
        world, player = self.unfolding.world, self.who
        to = way_of(world, player, act, sentence=self._sentence(act))
        if to is not None or act.place is not None:
            if to is not None and to != world.places.get(player) and route(world, player, to):
                self._set_out(act, to)
        elif act.act == "take" and act.to is not None and can_take(world, player, act.to):
            self._moved(act.to, player, parts, seen_by=seen_by)
        elif act.act == "give" and act.verb != "show" and act.to is not None:
            if can_give(world, player, act):
                seen = None if seen_by is None else (*seen_by, act.to)
                self._moved(act.about, act.to, parts, seen_by=seen)
        elif act.act in _PUTTING and can_put(world, player, act):
            self._moved(act.to, world.places[player], parts, seen_by=seen_by)

    def _set_out(self, act: Act, to: EntityId) -> None:
        """The player goes somewhere, and so do those who come along."""
        world = self.unfolding.world
        moved, sentence = Moved(to, world.places.get(self.who)), self._sentence(act)
        along = companions(world, self.who, self.names, sentence=sentence, act=act)
        self.unfolding.happen(moved, source=Source.PLAYER, actor=self.who)
        for who in along:
            if who not in self._answer.staying:
                self.unfolding.happen(moved, source=Source.RULE, actor=who)

    def _sentence(self, act: Act) -> str:
        """The sentence of the line that an act stands in."""
        said = [r.mention.start for r in (act.target, act.topic, act.where) if r is not None]
        return sentence_at(self._bare, min(said, default=self._at))

    def _moved(
        self,
        thing: EntityId | None,
        to: EntityId,
        parts: list[Participant],
        *,
        seen_by: tuple[EntityId, ...] | None,
    ) -> None:
        """Something went into somebody's hands; called as the act called it, and seen as it."""
        said = [p.entity for p in parts if isinstance(p.entity, Resolved)]
        ref = next((each for each in said if each.entity == thing), None)
        if ref is not None:
            moved = [Participant(Role.SUBJECT, ref)]
            self.unfolding.take_place(
                Moved(to), moved, source=Source.RULE, seen_by=seen_by
            )  # it is one event


def _as_perceived(part: Participant, unaware: frozenset[EntityId]) -> Participant:
    """A participant; who does not perceive what is done to them is only what it is about."""
    known = isinstance(part.entity, Resolved) and part.entity.entity in unaware
    return Participant(Role.SUBJECT, part.entity) if part.role is Role.TARGET and known else part
