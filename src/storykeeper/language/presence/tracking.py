"""Who is there as a talk goes on, nothing after the present utterance being looked at.

Somebody is there once they speak or are spoken to by name. Whoever says that they go, or is said
goodbye to, hears that and the answers, as long as these follow one another; the first words that
are not for them are no longer heard. They are there again when they speak, or are welcomed.

Of a talk that begins with nothing known, the first utterance tells: a goodbye is said in the
middle of a talk, so all are there; names say to whom it is said; "guys" means two of the others at
least, and whoever may be meant is counted on until as many have been heard, or the talk has gone
round twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from enum import Enum

from storykeeper.language.presence.naming import Cast
from storykeeper.language.presence.signs import Heard, hear
from storykeeper.language.presence.values import Kind, Utterance


class _Stands(Enum):
    """How somebody stands to the talk."""

    UNHEARD = 0  # nothing is known
    ASSUMED = 1  # meant, perhaps, by an address to all
    HERE = 2
    PARTING = 3  # goes, and is being answered
    AWAY = 4


_PERCEIVING = frozenset({_Stands.ASSUMED, _Stands.HERE, _Stands.PARTING})
_NOT_HERE = frozenset({None, _Stands.UNHEARD, _Stands.AWAY})
_LATELY = 2  # utterances back in which whoever is said goodbye to has spoken


class Presence:
    """Who perceives each utterance of a talk, as it is said."""

    def __init__(
        self,
        cast: Cast | Iterable[str] | Mapping[str, Iterable[str]],
        *,
        present: Iterable[str] | None = None,
    ) -> None:
        """A talk among a cast; `present` are those who are there as it begins, if that is known."""
        self.cast = cast if isinstance(cast, Cast) else Cast.of(cast)
        known = None if present is None else frozenset(present)
        self._begun = known is not None
        self._stands = {
            who: _Stands.HERE if known and who in known else _Stands.UNHEARD
            for who in self.cast.people
        }
        self._meant = 0  # how many others an address to all counted on
        self._spoken: Counter[str] = Counter()
        self._last: list[Heard] = []
        self._newcomers: list[str] = []  # who came by speaking, in the utterance before

    @property
    def here(self) -> tuple[str, ...]:
        """Who is there now, in the order of the cast."""
        return tuple(who for who, stands in self._stands.items() if stands in _PERCEIVING)

    def hear(self, utterance: Utterance) -> Heard:
        """An utterance, understood; nothing changes."""
        speakers = self.cast.speakers(utterance.speaker, here=self.here)
        return hear(utterance.text, speakers=speakers, cast=self.cast)

    def after(self, utterance: Utterance) -> tuple[str, ...]:
        """Who perceives an utterance, in the order of the cast; and who is there from now on."""
        heard = self.hear(utterance)
        return self.follow(heard, leaving=self.leaving(heard))

    def follow(
        self, heard: Heard, *, leaving: Iterable[str], lost: Container[str] = ()
    ) -> tuple[str, ...]:
        """The same of an utterance understood already, and of who leaves by it.

        `lost` are those of whom it is known that they do not come back.
        """
        leaving = frozenset(leaving)
        if not self._begun:
            self._open(heard, leaving=bool(leaving))
        self._others(heard, lost)
        self._speakers(heard)
        self._settle()
        perceivers = self.here
        self._stands.update(
            dict.fromkeys(filter(leaving.__contains__, perceivers), _Stands.PARTING)
        )
        self._last = [*self._last, heard][-_LATELY:]
        return perceivers

    def leaving(self, heard: Heard) -> frozenset[str]:
        """Who goes by an utterance: by saying so, by a goodbye to all, or by that of one who stays.

        "Dora and I have to go" is said for two. A goodbye that answers one is not a going; nor is
        one to somebody who has not just closed the talk on their side.
        """
        going = frozenset(s.who for s in heard.signs if s.kind is Kind.LEAVES and s.sure)
        said = going - heard.addressed
        if said or _Stands.PARTING in self._stands.values():
            return said
        others = {*self.here}.difference(heard.speakers)
        if not heard.addressed or heard.addressed >= others:
            return frozenset(w for w in heard.speakers if heard.of(w, Kind.LEAVES, sure=False))
        closed = {who for last in self._last if last.closes for who in last.speakers}
        return frozenset(closed & heard.addressed & going)

    def _open(self, heard: Heard, *, leaving: bool) -> None:
        """Who is there as a talk begins of which nothing is known."""
        self._begun = True
        if len(heard.addressed) > leaving:
            return
        self._meant = max(heard.company, 1) if heard.counted or not leaving else 0
        self._stands = dict.fromkeys(self._stands, _Stands.ASSUMED)

    def _others(self, heard: Heard, lost: Container[str]) -> None:
        for who, stands in self._stands.items():
            if who in heard.speakers:
                continue
            gone = stands is _Stands.PARTING and not self._answered(who, heard)
            if gone or heard.of(who, Kind.AWAY):
                self._stands[who] = _Stands.AWAY
            elif who not in lost and self._comes(who, stands, heard):
                self._stands[who] = _Stands.HERE

    @staticmethod
    def _answered(who: str, heard: Heard) -> bool:
        """Whether words are for somebody who goes."""
        return who in heard.addressed or (heard.answers and not heard.addressed and not heard.asks)

    def _comes(self, who: str, stands: _Stands, heard: Heard) -> bool:
        """Whether somebody spoken to, or of, is there by that.

        Right after somebody else has come, a welcome is for them: another's name in it is a slip.
        """
        if stands in (_Stands.HERE, _Stands.PARTING):
            return False
        if stands is _Stands.AWAY and not heard.addressed.issuperset(self._newcomers):
            return False
        return who in heard.addressed or heard.of(who, Kind.ARRIVES, Kind.RETURNS)

    def _speakers(self, heard: Heard) -> None:
        """Whoever speaks is there; whoever goes and asks something more has stayed."""
        self._newcomers = [who for who in heard.speakers if self._stands.get(who) in _NOT_HERE]
        for who in heard.speakers:
            if self._stands.get(who) is not _Stands.PARTING or (heard.asks and not heard.closes):
                self._stands[who] = _Stands.HERE
        self._spoken.update(heard.speakers)

    def _settle(self) -> None:
        """Once as many are heard as were meant, or all is said twice, nobody else is assumed."""
        known = sum(stands is _Stands.HERE for stands in self._stands.values())
        twice = sum(times > 1 for times in self._spoken.values())
        if (self._meant and known > self._meant) or twice > 1:
            for who, stands in self._stands.items():
                if stands is _Stands.ASSUMED:
                    self._stands[who] = _Stands.UNHEARD
