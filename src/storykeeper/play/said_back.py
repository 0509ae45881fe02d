"""What a rendering only says back of what the player typed, and tells nobody.

A player may name what is hidden and say that they have it; a narrator may say that back. Neither
brings it to light, nor into a hand.
"""

from __future__ import annotations

from storykeeper.language.names import Names
from storykeeper.language.shortening import sentences
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.units import EntityId
from storykeeper.world.finding import knows_where
from storykeeper.world.state import World

# What is said back is an attempt, or said.
_ATTEMPTING = frozenset(map(stem, ("try", "say", "said", "ask")))


def only_said_back(
    world: World, who: EntityId, prose: str, *, line: str, names: Names
) -> frozenset[EntityId]:
    """Hidden things that a rendering of somebody's line names at most where it says that back; not
    those of which they know where they are.
    """
    hidden = [t for t in world.hidden if t in world.plan.things and not knows_where(world, who, t)]
    if not hidden:
        return frozenset()
    mine = {each.entity for each in names.find(line)} | {who}
    typed = {stem(word) for word in words(line)} | _ATTEMPTING
    told = {
        found.entity for sentence in sentences(prose) for found in names.find_in_prose(sentence)
        if not _says_back(sentence, who, typed, mine, names)
    }  # fmt: skip
    return frozenset(hidden) - told


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
