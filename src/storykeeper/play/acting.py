"""What the player's words do: acts of a line to atoms, with everyone they mean.

What an act is done to must be within reach; if not, the words are on record and nothing comes of
them.
"""

from __future__ import annotations

import re

from storykeeper.context.naming import Acquaintance
from storykeeper.events.atoms import (
    ActionTaken,
    Moved,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.language.acts import Act, ActKind
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.quoted import blanked, quoted_in
from storykeeper.language.roles import GIVING
from storykeeper.play.calls import UNANSWERED, Typed, of_player
from storykeeper.play.gone_first import gone_first
from storykeeper.play.line_changes import unaware_of_ringing
from storykeeper.play.manner import LOW, Manner, beside, is_loud, manner_of, sentence_at
from storykeeper.play.notes import hand_note, hand_unquoted, leave_written, reader_of
from storykeeper.play.perusal import is_sealed
from storykeeper.play.reach import can_give, can_put, can_take, hearing, only_other, within_reach
from storykeeper.play.referring import Referring
from storykeeper.play.searching import find_things
from storykeeper.play.setting_out import companions, way_of
from storykeeper.play.sight import room_only
from storykeeper.play.undertone import is_unseen, lowered
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.waking import unawares, wake, wake_by_deed
from storykeeper.play.witnesses import those_in
from storykeeper.play.word_for_word import tell_facts
from storykeeper.units import EntityId
from storykeeper.world.hearing import is_deaf
from storykeeper.world.state import Pending
from storykeeper.world.ways import route

_PUTTING = frozenset({"drop", "put", "place", "set", "lay"})
_OF = {Role.TARGET: Role.SUBJECT}
_SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)
_CONFIDING = frozenset({"confide"})
# Ways to speak that only whom it is meant for perceives.
_HUSHED = re.compile(
    r"\b(?:whisper|murmur|mutter|mumble|breathe(?! in| out| deep)|in a (?:whisper|murmur)"
    r"|(?<!\bmy )(?<!\bher )(?<!\bhis )(?<!\bthe )mouth)(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
_HIM = re.compile(r"\b(?:tell|ask|inform|warn|say to) (?:him|her|them)\b[\s,:]*\|", re.IGNORECASE)
# Whom words are kept from is named, too: "so that Tom cannot hear".
_KEPT_FROM = re.compile(
    r"\b(?:away from|without|out of|behind|beyond|before|while|when|once|if|until|unless|for|so|and"
    r"|that|unknown to|as)\W+(?:that )?$",
    re.IGNORECASE,
)


class Player(Referring):
    """A player's line being played out."""

    def __init__(
        self, unfolding: Unfolding, turn: Pending, known: Acquaintance, typed: Typed = UNANSWERED
    ) -> None:
        """`known` are those of the author's whom the player knows of; `typed` what became of it."""
        super().__init__(unfolding, turn, known)
        self._line, self._prose = turn.text, turn.prose
        self._quotes = quoted_in(turn.text)
        self._bare = blanked(turn.text)
        self._read = 0  # how far its quotations are
        self._unsaid = ""  # the words beside the last quotation, if nobody says it
        self._calls = of_player(unfolding, turn, self.names, typed)
        self._at = 0  # how far its acts are

    def act(self, act: Act) -> None:
        """One act, and what comes of it."""
        self._calls.until(self._place_of(act))
        if act.words:
            self._say(act)
            return
        act = self.settled(act)
        world = self.unfolding.world
        if not within_reach(world, self.who, act) or self._is_unsaid(act):
            return  # the words are on record; nothing came of them
        to = act.to if act.to is not None else only_other(world, self.who, act)
        parts = list(self._participants(act, to))
        low = self._is_low(act)
        secret = self._is_secret(act) or VerbClass.THINK in verb_classes(act.verb or act.act)
        handed = act.verb in GIVING and act.target is not None
        if secret and not low and not handed:  # whom one suspects does not perceive it
            parts = [Participant(_OF.get(p.role, p.role), p.entity) for p in parts]
        parts = unawares(world, parts, verb=act.verb or act.act)
        parts = unaware_of_ringing(world, parts)
        self.unfolding.take_place(
            ActionTaken(act.act, act.about, act.also), parts, source=Source.PLAYER,
            implications=tuple(self._implications(act.verb or act.act, parts)),
            priority=Priority.FOREGROUND, seen_by=() if secret or low else None,
        )  # fmt: skip
        seen = (self.who,) if secret or low else None
        self._consequence(act, parts, seen_by=seen)
        find_things(self.unfolding, self.who, act, sentence=self._sentence(act), seen_by=seen)
        if handed and act.target is not None:
            at = act.target.mention.start
            hand_unquoted(
                self.unfolding, self._bare, self.names, by=self.who, at=at, prose=self._prose
            )
        others = those_in(parts, Role.TARGET, Role.SUBJECT)
        wake_by_deed(
            self.unfolding, (), others, verb=act.verb or act.act, words=self._bare, told=self.who,
            after=self._prose,
        )  # fmt: skip

    def end(self) -> None:
        """The line is over: who hangs up at its end has said the rest."""
        self._calls.until()

    def _place_of(self, act: Act) -> int:
        """How far the line is when an act is done."""
        said = [r.mention.start for r in (act.target, act.topic) if r is not None]
        at = self._line.find(act.words, self._at) if act.words else min(said, default=self._at)
        self._at = max(self._at, at)
        return self._at

    def _is_secret(self, act: Act) -> bool:
        """Whether an act is told to be unseen: in its sentence; if it names nothing, anywhere."""
        said = [r.mention.start for r in (act.target, act.topic) if r is not None]
        return is_unseen(self._bare, min(said, default=None))

    def _is_unsaid(self, act: Act) -> bool:
        """Whether an act is the saying of words that are not said: "I want to say …"."""
        verb = re.escape(act.verb or act.act)
        said = act.kind in _SPEAKING and self._unsaid
        return bool(said) and re.search(rf"\b{verb}", self._unsaid, re.IGNORECASE) is not None

    def _is_low(self, act: Act) -> bool:
        """Whether only whom an act of speaking is meant for perceives it, and what it is about."""
        if act.kind not in _SPEAKING and act.verb not in _CONFIDING:
            return False
        said = [r.mention.start for r in (act.target, act.topic) if r is not None]
        sentence = sentence_at(self._bare, min(said)) if said else self._bare
        if _HUSHED.search(sentence) is not None or manner_of(sentence) in (*LOW, Manner.WRITTEN):
            return True
        start, end = (min(said), max(said)) if said else (len(self._bare), len(self._bare))
        return lowered(self._bare, start=start, end=end, after=self._read) is not None

    # ── what is said ─────────────────────────────────────────────────────────────────────────

    def _say(self, act: Act) -> None:
        around = self._beside(act.words)
        manner = manner_of(around)
        self._unsaid = around if manner is Manner.UNSAID else ""
        if self._unsaid:
            return  # thought, or not said: the words are on record
        if self._noted(act.words) or (manner is Manner.WRITTEN and self._written(act)):
            return
        undertone = self._undertone(act.words)
        around = f"{around} {undertone or ''}"
        hushed = act.whispered or manner is Manner.APART or _HUSHED.search(around) is not None
        hushed = hushed or undertone is not None
        secret = is_unseen(self._bare, self._at)
        low = hushed or manner is Manner.QUIET
        afar = self._told_from_afar(around)
        to = afar or act.to or self._id(act.target)
        self._calls.saying(act.words, around, speaker=self.who, to=to)
        world = self.unfolding.world
        others = [who for who in hearing(world, self.who, awake=False) if who != self.who]
        near = [who for who in others if who not in world.away]
        to = self._meant_for(around, others, to=to) if low else to
        at = max(0, self._line.find(act.words))
        gone = gone_first(world, self.names, others, line=self._bare, at=at, to=to)
        near = [who for who in near if who not in gone]
        another = afar is not None or (low and self._for_another(around, near))
        only = near[0] if len(near) == 1 and not another else None
        heard = to if to in others else only
        deaf = heard is not None and (heard in world.asleep or is_deaf(world, heard))
        sleeper, heard = (heard, None) if deaf else (None, heard)
        hushed = hushed or (low and heard is not None)
        parts = [Participant(Role.ACTOR, Resolved(self.who))]
        # Words that are said to oneself are on record and nobody hears them.
        if heard is not None and (hushed or not secret):
            parts.append(Participant(Role.TARGET, Resolved(heard)))
        spoken_of = [f.entity for f in self.names.find(act.words) if f.entity != self.who]
        spoken_of += [sleeper] if sleeper is not None else []  # who sleeps is told nothing
        parts += [Participant(Role.SUBJECT, Resolved(e)) for e in dict.fromkeys(spoken_of)]
        said = SpeechUttered(act.words, hushed)
        closed = secret or hushed
        self.unfolding.take_place(
            said, parts, source=Source.PLAYER,
            implications=tuple(self._implications("say", parts)), priority=Priority.FOREGROUND,
            seen_by=() if closed else self._in_room(said, parts, gone) if low or gone else None,
        )  # fmt: skip
        if any(each.words == act.words for each in self._quotes):
            self._calls.said(act.words, speaker=self.who, to=to)
        tell_facts(self.unfolding, self.names)
        if sleeper is not None and not closed and is_loud(self._bare):
            wake(self.unfolding, [sleeper], told=self.who)

    def _in_room(
        self, said: SpeechUttered, parts: list[Participant], gone: set[EntityId]
    ) -> tuple[EntityId, ...]:
        """Those in the room who hear words, without whom the line says to be gone by then."""
        found = room_only(self.unfolding.world, said, parts)
        return tuple(who for who in found if who not in gone)

    def _written(self, act: Act) -> bool:
        """Words that are written or sent: on record, and for who is told to read them."""
        to = act.to or self._id(act.target)
        leave_written(
            self.unfolding, act.words, self.names, by=self.who, to=to, prose=self._prose
        )  # fmt: skip
        return True

    def _noted(self, words: str) -> bool:
        """Whether words stand on what is handed to somebody; then they read it, and nobody else."""
        at = self._line.find(words, max(0, self._read - len(words) - 1)) - 1
        world = self.unfolding.world
        reader = reader_of(world, self._bare, self.names, by=self.who, at=at) if at > 0 else None
        if reader is not None:
            sealed = is_sealed(self._bare[:at])
            hand_note(
                self.unfolding, words, self.names,
                by=self.who, reader=reader, prose=self._prose, sealed=sealed,
            )  # fmt: skip
        return reader is not None

    def _beside(self, words: str) -> str:
        """What stands beside the next quotation of these words.

        Of words without marks only how low they are said counts: what is undone was left out.
        """
        left = [each for each in self._quotes if each.start >= self._read]
        for i, each in enumerate(left):
            if each.words == words:
                around = beside(
                    self._line, start=each.start, end=each.end, after=self._read,
                    before=left[i + 1].start if i + 1 < len(left) else None,
                )  # fmt: skip
                self._read = each.end
                return around
        at = self._line.find(words)
        around = beside(self._bare, start=at, end=at + len(words)) if at >= 0 else ""
        return around if manner_of(around) in (*LOW, Manner.WRITTEN) else ""

    def _undertone(self, words: str) -> str | None:
        """The sentence of the line by which these words are said low, if one is."""
        start = self._line.find(words, max(0, self._read - len(words) - 1))
        if start < 0:
            return None
        after = max((each.end for each in self._quotes if each.end <= start), default=0)
        return lowered(self._bare, start=start, end=start + len(words), after=after)

    def _meant_for(
        self, around: str, others: list[EntityId], *, to: EntityId | None
    ) -> EntityId | None:
        """Whom low words are for: not whom they are kept from, else the one person named."""
        named = [f for f in self.names.find(around) if f.entity in others]
        meant = {f.entity for f in named if not _KEPT_FROM.search(around[: f.start])}
        if to is not None and (to in meant or to not in {f.entity for f in named}):
            return to
        return meant.pop() if len(meant) == 1 else None

    def _told_from_afar(self, around: str) -> EntityId | None:
        """Whom "him" is, right before the words, if the one person named before is elsewhere."""
        him = _HIM.search(around)
        if him is None:
            return None
        world = self.unfolding.world
        named = {f.entity for f in self.names.find(around[: him.start()])} - {self.who}
        named = {each for each in named if each in world.plan.cast}
        here = hearing(world, self.who, awake=False)
        return named.pop() if len(named) == 1 and named.isdisjoint(here) else None

    def _for_another(self, around: str, near: list[EntityId]) -> bool:
        """Whether low words are for somebody of the cast who is not near, and for nobody who is."""
        cast = self.unfolding.world.plan.cast
        named = [f for f in self.names.find(around) if f.entity in cast and f.entity != self.who]
        meant = {f.entity for f in named if not _KEPT_FROM.search(around[: f.start])}
        return bool(meant) and meant.isdisjoint(near)

    # ── what comes of it ─────────────────────────────────────────────────────────────────────

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
        along = companions(
            world, self.who, self.names,
            to=to, line=self._bare, sentence=sentence, act=act, prose=self._prose,
        )  # fmt: skip
        self.unfolding.happen(moved, source=Source.PLAYER, actor=self.who)
        for who in along:
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
