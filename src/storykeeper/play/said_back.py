"""What a rendering only says back of what the player typed, and tells nobody.

A player may name what is hidden and say that they have it; a narrator may say that back. Neither
brings it to light, nor into a hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.language.names import Names
from storykeeper.language.shortening import sentences
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.units import EntityId
from storykeeper.world.finding import knows_where
from storykeeper.world.state import World

# What is said back is an attempt, or said.
_ATTEMPTING = frozenset(map(stem, ("try", "say", "said", "ask")))


@dataclass(frozen=True, slots=True)
class SaidBack:
    """Where a rendering says the line back, and the hidden things that it names nowhere else; but
    not those of which the player knows where they are.
    """

    hidden: frozenset[EntityId] = frozenset()
    spans: tuple[tuple[int, int], ...] = ()
    unnamed: frozenset[EntityId] = frozenset()

    def covers(self, thing: EntityId, at: int) -> bool:
        """Whether what is told of a thing at some place in the prose is only the player's word."""
        within = any(start <= at < end for start, end in self.spans)
        return thing in self.unnamed or (within and thing in self.hidden)


def said_back(world: World, who: EntityId, prose: str, *, line: str, names: Names) -> SaidBack:
    """What a rendering of somebody's line says back."""
    hidden = frozenset(
        t for t in world.hidden if t in world.plan.things and not knows_where(world, who, t)
    )
    if not hidden:
        return SaidBack()
    mine = {each.entity for each in names.find(line)} | {who}
    typed = {stem(word) for word in words(line)} | _ATTEMPTING
    spans, named, at = list[tuple[int, int]](), set[EntityId](), 0
    for sentence in sentences(prose):
        at = prose.index(sentence, at)
        if _says_back(sentence, who, typed, mine, names):
            spans.append((at, at + len(sentence)))
        else:
            named.update(found.entity for found in names.find_in_prose(sentence))
        at += len(sentence)
    return SaidBack(hidden, tuple(spans), hidden - named)


def _says_back(
    sentence: str, who: EntityId, typed: set[str], mine: set[EntityId], names: Names
) -> bool:
    """Whether a sentence tells of the player that they did something, in words of theirs; names
    may be written out.
    """
    found = names.find(sentence)
    theirs = any(each.entity == who and each.start == 0 for each in found)
    if not theirs and words(sentence)[:1] not in (["you"], ["i"]):
        return False
    called = " ".join(sentence[f.start : f.end] for f in found if f.entity in mine)
    said = {stem(word) for word in words(sentence) if word not in STOP}
    return said <= typed | {stem(word) for word in words(called)}
