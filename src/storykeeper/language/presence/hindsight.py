"""Who was there, read when the whole talk is known.

What comes later tells of what came before: somebody first heard late, with a greeting, was not
there until then; somebody who says "I'm back" had gone after their last words; somebody who closes
the talk, and is neither heard nor spoken to again while the others go on, left with those words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from storykeeper.language.presence.naming import Cast
from storykeeper.language.presence.signs import Heard
from storykeeper.language.presence.tracking import Presence
from storykeeper.language.presence.values import Kind, Utterance

_ANSWERS = 2  # utterances after a goodbye in which it is answered
_ENDS = 3  # utterances that the others must go on for: every talk ends with goodbyes
_AGAIN_AND_AGAIN = 4  # times; a talk that goes round so often without somebody is without them


def perceivers(
    utterances: Sequence[Utterance], *, cast: Iterable[str] | Mapping[str, Iterable[str]]
) -> list[tuple[str, ...]]:
    """Who perceived each utterance, in the order of the cast."""
    people = Cast.of(cast)
    causal = Presence(people)
    heard, leaving = [], []
    for utterance in utterances:
        heard.append(causal.hear(utterance))
        leaving.append(causal.leaving(heard[-1]))
        causal.follow(heard[-1], leaving=leaving[-1])
    talk = _Talk(people, heard)
    reading = Presence(people, present=filter(talk.from_the_start, people.people))
    found = []
    for place, said in enumerate(heard):
        left = leaving[place].union(who for who in said.speakers if talk.left(who, place))
        found.append(reading.follow(said, leaving=left, lost=talk.silent_from(place)))
    return found


@dataclass(frozen=True)
class _Talk:
    """A talk from beginning to end."""

    cast: Cast
    heard: Sequence[Heard]

    @cached_property
    def turns(self) -> dict[str, list[int]]:
        """When each of them speaks."""
        found: dict[str, list[int]] = {who: [] for who in self.cast.people}
        for place, said in enumerate(self.heard):
            for who in said.speakers:
                found.setdefault(who, []).append(place)
        return found

    def from_the_start(self, who: str) -> bool:
        """Whether somebody was there as the talk began."""
        first = next(iter(self.turns[who]), len(self.heard))
        for place, said in enumerate(self.heard[:first]):
            if who in said.addressed:
                return place == 0 or not said.of(who, Kind.ARRIVES, Kind.RETURNS)
        if first in (0, len(self.heard)):
            return first == 0 and bool(self.heard)
        said = self.heard[first]
        earlier = {other for before in self.heard[:first] for other in before.speakers}
        if len(earlier) <= self.heard[0].company:  # "you both": the first two others to speak
            return True
        if said.of(who, Kind.ARRIVES, Kind.RETURNS):
            return False
        if said.of(who, Kind.ARRIVES, sure=False) and (said.addressed or said.company):
            return False
        # Without a greeting: from the start, unless the talk has gone round twice by then.
        return any(bisect_left(self.turns[other], first) < 2 for other in earlier)

    def left(self, who: str, place: int) -> bool:
        """Whether what comes later says that somebody left with these words."""
        turns = self.turns[who]
        n = bisect_right(turns, place)
        until = turns[n] if n < len(turns) else len(self.heard)
        if self._spoken_to(who, place + 1, until):
            return False
        if n < len(turns):
            back = self.heard[until].of(who, Kind.RETURNS, Kind.ARRIVES)
            return back and until - place > 1
        said = self.heard[place]
        answers = self.heard[place + 1 : place + 1 + _ANSWERS]
        parted = said.closes or any(answer.of(who, Kind.LEAVES) for answer in answers)
        return (parted and until - place > _ENDS) or self._long_silent(place)

    def silent_from(self, place: int) -> frozenset[str]:
        """Who never speaks from here on."""
        return frozenset(
            w for w in self.cast.people if not self.turns[w] or self.turns[w][-1] < place
        )

    def _long_silent(self, place: int) -> bool:
        """Whether everybody heard after this is heard again and again."""
        times = Counter(who for said in self.heard[place + 1 :] for who in said.speakers)
        return len(times) > 1 and min(times.values()) >= _AGAIN_AND_AGAIN

    def _spoken_to(self, who: str, start: int, end: int) -> bool:
        """Whether anybody speaks to somebody, other than to say goodbye."""
        return any(who in said.addressed and not said.closes for said in self.heard[start:end])
