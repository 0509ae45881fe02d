"""Who goes and who comes back by what is said: "I have to run", "Welcome back, Bo".

Talk takes people out of those who perceive (F8.1) and brings back only whom it took out: place,
sight and hearing stay the ground. Who says that they go is still there for the answers, and gone
before the first thing that is said or done and is not for them; they step out (`World.away`) as by
a deed of theirs. No player's character goes by what the prose has somebody say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from storykeeper.language.names import Names
from storykeeper.language.presence.naming import Cast
from storykeeper.language.presence.signs import Heard, hear
from storykeeper.language.presence.values import Kind
from storykeeper.play.going import COMING_BACK, LEAVING, RETURNING, step
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId

ANSWER_WORDS = 8  # to somebody who goes, without their name; what is longer may be for others
_STAYING = COMING_BACK | {
    "stay", "remain", "linger", "sit", "sit down", "settle", "settle down", "come", "turn back",
}  # fmt: skip


class Parting:
    """Those who go by their own words, in one telling."""

    def __init__(self, unfolding: Unfolding, names: Names, *, told: EntityId) -> None:
        """`told` is the player whom the prose is told to."""
        self._unfolding = unfolding
        both = (*names.called, *(() if names.others is None else names.others.called))
        cast = unfolding.world.plan.cast
        self._cast = _cast(tuple((who, called) for who, called in both if who in cast))
        self._told = told
        self._going: dict[EntityId, EntityId] = {}  # and from where
        self._out: set[EntityId] = set()  # whom talk took out, in this telling

    @property
    def under_way(self) -> bool:
        """Whether anybody is going."""
        return bool(self._going)

    def before_words(
        self, words: str, *, speaker: EntityId | None, to: EntityId | None = None
    ) -> Heard:
        """Words are about to be said, outright to somebody; as they are understood.

        Those going for whom they are not are gone by now; who is welcomed is back to hear it.
        """
        heard = hear(words, speakers=() if speaker is None else (speaker,), cast=self._cast)
        if speaker in self._going and (
            speaker in self._unfolding.world.away
            or heard.of(speaker, Kind.ARRIVES, Kind.RETURNS)
            or (heard.asks and not heard.closes)
        ):
            del self._going[speaker]  # who has gone and speaks is back; who asks more has stayed
        short = len(words.split()) <= ANSWER_WORDS
        answer = short and heard.answers and not heard.addressed and not heard.asks
        self._depart(but=self._going if answer else {speaker, to, *heard.addressed})
        for who in sorted(self._out.intersection(self._unfolding.world.away)):
            if who != speaker and heard.of(who, Kind.ARRIVES, Kind.RETURNS):
                step(self._unfolding, who, RETURNING, told=self._told)
                self._going.pop(who, None)
        return heard

    def after_words(self, heard: Heard) -> None:
        """Words were said: whoever says by them that they go is going."""
        world = self._unfolding.world
        here = {world.places.get(EntityId(who)) for who in heard.speakers}
        for sign in heard.signs:
            who = EntityId(sign.who)
            goes = sign.kind is Kind.LEAVES and sign.sure and who not in heard.addressed
            place = world.places.get(who)
            if goes and place is not None and place in here and who not in world.plan.players:
                self._going[who] = place

    def before_deed(self, verb: str, *, actors: Iterable[EntityId], to: Iterable[EntityId]) -> None:
        """Something is about to be done: who comes back or stays by it no longer goes."""
        doers = {*actors}
        for who in doers.intersection(self._going) if verb in _STAYING else ():
            del self._going[who]
        self._depart(but={*doers, *to})

    def end(self) -> None:
        """All is told: whoever is going has gone."""
        self._depart(but=())

    def _depart(self, *, but: Collection[EntityId | str | None]) -> None:
        for who, place in list(self._going.items()):
            world = self._unfolding.world
            if world.places.get(who) != place:
                del self._going[who]  # they went somewhere, as told
            elif who not in but and who not in world.away:
                step(self._unfolding, who, LEAVING, told=self._told)
                self._out.add(who)


@lru_cache(maxsize=16)
def _cast(called: tuple[tuple[EntityId, tuple[str, ...]], ...]) -> Cast:
    """What people are called in talk."""
    return Cast.of({who: tuple(filter(None, names)) for who, names in called})
