"""Going in company: who is led, who follows, who comes along, as the line and the prose say.

Whoever goes is where they go to: they hear what is said there, and those who stay do not. A verb of
leading takes along whom it is done to, one of following goes where the other is; "with", "beside"
and "after" join who goes to whom they go with. The player whom the prose is told to goes by it too,
along ways that stand open; no other player does: players move themselves. Of *together* only as
many go as are counted, or as there are: where that is not plain, nobody is taken along. *We*, as a
player types it, are those who were in the talk (`setting_out`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from storykeeper.events.atoms import ActionTaken, Moved, Participant, Resolved, Role, Source
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.names import Names
from storykeeper.play.going import HABIT, NOT_NOW
from storykeeper.play.sight import seen_by
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.earshot import same_side
from storykeeper.world.state import World
from storykeeper.world.ways import route

LEADING = frozenset({
    "lead", "take", "bring", "guide", "escort", "usher", "walk", "march", "drag", "pull", "carry",
    "show", "drive", "conduct", "steer", "hustle", "draw", "accompany", "haul", "help", "row",
})  # fmt: skip
_SETTING_OUT = frozenset({"follow", "go", "come"})  # typed, of somebody: after or with them
_PUSHING = frozenset({"push", "shove", "throw", "hurl", "shut", "lock", "send", "chase", "order"})
FOLLOWING = frozenset(
    {"follow", "accompany", "join", "trail", "shadow", "tail", "escort", "attend"}
)
_GOAL = re.compile(
    r"\b(?:to|into|onto|inside)\s+(?:the\s+|your\s+|his\s+|her\s+|their\s+|my\s+|our\s+)?$",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"\b(?:in|at|on)\s+(?:the\s+|your\s+)?$", re.IGNORECASE)
_BESIDE = r"\b(?:with|beside|alongside|after|behind|at\s+(?:the\s+)?side\s+of)\s+"
_WITH = re.compile(rf"{_BESIDE}(?:you|him|her|them|us|me|[A-Z]\w*)\b")
_ALONG = re.compile(r"\b(?:comes?|came|goes|go|went|tag\w*|trot\w*|walk\w*|run\w*)\s+along\b")
# Said of somebody after the player went somewhere: they are there too, however they came.
_HERE_TOO = re.compile(
    r"\b(?:already|also)\s+(?:\w+ing\s+)?(?:here|there)\b|\b(?:here|there)\s+(?:already|too)\b"
    r"|\bat\s+your\s+(?:side|elbow|shoulder|heels)\b|\b(?:is|are|was|were)\s+(?:still\s+)?with\s+you\b"
    r"|\b(?:has|have|had)\s+(?:come|followed|tagged)\s+(?:too|along|as\s+well|with\s+you|after\s+you)\b"
    r"|\btag(?:s|ged)\s+along\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\b(?:not|never|no\s+longer|nobody|might|may|could|should|must|almost|nearly|if|as\s+though"
    r"|wish\w*|hop(?:e|es|ed|ing)|seem\w*|want\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_BY_EYE = re.compile(
    r"\bwith\s+(?:(?:his|her|their|your|my)\s+)?(?:\w+\s+)?(?:eyes?|gaze|look|finger|thoughts?)\b",
    re.IGNORECASE,
)
_PERFECT = re.compile(r"\b(?:had|has|have)\s+(?:\w+ly\s+)?\w+(?:ed|en|ne|nt|t|d)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(?:the\s+)?(two|three|four|five)\s+of\s+(?:you|us)\b|\b(?:you|we)\s+(two|three|four)\b"
    r"|\b(both)\s+of\s+(?:you|us)\b|\b(?:you|we)\s+(both)\b",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "both": 2, "three": 3, "four": 4, "five": 5}
_ALL = re.compile(
    r"\b(?:all\s+of\s+(?:you|us)|(?:you|we)\s+all|every(?:one|body))\b", re.IGNORECASE
)
_TOGETHER = re.compile(
    r"\b(?:together|side\s+by\s+side|arm\s+in\s+arm|hand\s+in\s+hand)\b", re.IGNORECASE
)
_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_TAKING_PART = (Role.ACTOR, Role.TARGET)
Parts = Sequence[Participant]


def company_of(world: World, who: EntityId) -> list[EntityId]:
    """Those who may go along with somebody: with them, awake, and no other player's to move."""
    here = world.places.get(who)
    return [
        each
        for each in map(EntityId, same_side(world, (who,)))
        if here is not None and world.places.get(each) == here and each != who
        and each not in (*world.away, *world.asleep, *world.hidden, *world.plan.players)
    ]  # fmt: skip


def counted(world: World, who: EntityId, words: str) -> list[EntityId]:
    """Those who go with somebody by "together", "the two of you", "all of us"; if it is plain."""
    others = company_of(world, who)
    if _ALL.search(words):
        return others
    found = _COUNTED.search(words)
    if found is not None:
        number = _NUMBERS[next(filter(None, found.groups())).casefold()]
        return others if len(others) == number - 1 else []
    return others if _TOGETHER.search(words) and len(others) == 1 else []


def in_talk(unfolding: Unfolding, who: EntityId) -> list[EntityId]:
    """The one of somebody's company who has had a part in this turn, if there is but one."""
    taking = {w for atom in unfolding.atoms for w in those_in(atom.participants, *_TAKING_PART)}
    found = [each for each in company_of(unfolding.world, who) if each in taking]
    return found if len(found) == 1 else []


def goal_of(world: World, names: Names, words: str, *, inside: bool = False) -> EntityId | None:
    """The last of the author's places that some words name as where it goes to, or is."""
    before = _INSIDE if inside else _GOAL
    found = [
        each.entity
        for each in names.find(words)
        if each.entity in world.plan.settings
        and before.search(words[: each.start] + _article(words, each.start))
    ]
    return found[-1] if found else None


def _article(words: str, start: int) -> str:
    """A name may have been found with its article."""
    return "the " if words[start : start + 4].casefold() == "the " else ""


def go(unfolding: Unfolding, movers: Iterable[EntityId], to: EntityId, *, told: EntityId) -> bool:
    """Decide that some go somewhere, those who can see it seeing it; if a player can, who must."""
    world, plan = unfolding.world, unfolding.world.plan
    going = [w for w in dict.fromkeys(movers) if w in plan.cast and world.places.get(w) != to]
    players = [who for who in going if who in plan.players]
    if players and to in _been(unfolding, told):
        return False  # the line said back: a scene has taken them on from there
    if any(who != told or not route(world, who, to) for who in players):
        return False
    for who in going:
        parts = [Participant(Role.ACTOR, Resolved(who))]
        what = Moved(to, world.places.get(who))
        watching = seen_by(
            unfolding.world, what, parts, frozenset({VerbClass.MOVE}), told=told, sentence=""
        )
        unfolding.take_place(what, parts, source=Source.RULE, seen_by=watching)
    return bool(going)


def _been(unfolding: Unfolding, who: EntityId) -> set[EntityId]:
    """Where somebody has gone to in this turn."""
    return {
        atom.what.to
        for atom in unfolding.atoms
        if isinstance(atom.what, Moved) and who in those_in(atom.participants, Role.ACTOR)
    }


class Company:
    """Who goes with whom, in one telling."""

    def __init__(self, unfolding: Unfolding, names: Names, *, told: EntityId) -> None:
        """`told` is the player whom the prose is told to; they may have said whom they follow."""
        self._unfolding, self._names, self._told = unfolding, names, told
        self._with: dict[EntityId, EntityId] = {}  # who goes where another goes
        for atom in unfolding.atoms:
            followed = isinstance(atom.what, ActionTaken) and atom.what.act in _SETTING_OUT
            if followed and atom.source is Source.PLAYER:
                self._with.update((told, w) for w in those_in(atom.participants, Role.TARGET))

    def after(self, verb: str, parts: Parts, *, words: str, moved: EntityId | None) -> bool:
        """Decide who goes along by a clause; `moved` is where its actors went by it already."""
        if NOT_NOW.search(words) or _PERFECT.search(words) or HABIT.search(words):
            return False
        world, first = self._unfolding.world, verb.partition(" ")[0]
        goal = moved or goal_of(world, self._names, words)
        actors, others = self._actors(parts, words), self._others(parts)
        movers: list[EntityId] = []
        if first in LEADING and others and goal and not _WITH.search(words):
            movers = [*actors, *others]
        elif first in _PUSHING and others and goal:
            movers = others
        elif self._follows(first, words) and actors and others:
            return self._follow(actors, others[0], goal)
        elif VerbClass.MOVE in verb_classes(first) or moved:
            if _WITH.search(words) and others and actors:
                return self._follow(actors, others[0], goal)
            if _ALONG.search(words) and actors and self._told not in actors:
                return self._follow(actors, self._told, goal)
            movers = [*actors, *self._counted(actors, words)]
            movers = movers if moved or self._told in actors else []
        return bool(goal and self._gone(movers, goal))

    def found(self, parts: Parts, *, words: str, before: str) -> bool:
        """Decide that somebody is where the player told has just gone, by a clause that says so.

        Not if what stands `before` it names another place: "there" may be that one.
        """
        world = self._unfolding.world
        here, actors = world.places.get(self._told), self._actors(parts, words)
        if here is None or here not in _been(self._unfolding, self._told):
            return False
        odd = (_NOT_SO, NOT_NOW, HABIT)
        if not _HERE_TOO.search(words) or any(sign.search(words) for sign in odd):
            return False
        named = {n.entity for n in self._names.find(before + words)} & {*world.plan.settings}
        away = {*world.plan.players, *world.away, *world.asleep}
        return (
            not named - {here}
            and not away & {*actors}
            and go(self._unfolding, actors, here, told=self._told)
        )

    def _counted(self, actors: list[EntityId], words: str) -> list[EntityId]:
        """Those who go with who goes, by "together" and the like."""
        if not actors:
            return []
        found = counted(self._unfolding.world, actors[0], words)
        alone = len(actors) == 1 and _TOGETHER.search(words) is not None
        return found or (in_talk(self._unfolding, actors[0]) if alone else [])

    def _follows(self, verb: str, words: str) -> bool:
        return verb in FOLLOWING and _BY_EYE.search(words) is None

    def _follow(self, who: list[EntityId], whom: EntityId, goal: EntityId | None) -> bool:
        """Some go where another is, or with them to where both go; or will, once that one goes."""
        there = goal or self._unfolding.world.places.get(whom)
        for each in who:
            self._with[each] = whom
        return there is not None and self._gone([whom, *who] if goal else who, there)

    def _gone(self, movers: Iterable[EntityId], to: EntityId) -> bool:
        """They go, and so do those who go with them."""
        along = [*movers]
        for who in along:  # grows as it is read: who follows may be followed
            along += [w for w, whom in self._with.items() if whom == who and w not in along]
        return go(self._unfolding, along, to, told=self._told)

    def _actors(self, parts: Parts, words: str) -> list[EntityId]:
        """Those of the cast who do it; *you* among them where the parser lost it."""
        found = [w for w in those_in(parts, Role.ACTOR) if w in self._unfolding.world.plan.cast]
        lost = not any(p.role is Role.ACTOR for p in parts) and _COUNTED.search(words)
        all_of_you = not found and _ALL.search(words) and _YOU.search(words)
        return [self._told] if (lost and _YOU.search(words)) or all_of_you else found

    def _others(self, parts: Parts) -> list[EntityId]:
        """Those of the cast to whom it is done, or beside whom."""
        actors, cast = those_in(parts, Role.ACTOR), self._unfolding.world.plan.cast
        found = those_in(parts, Role.TARGET, Role.SUBJECT, Role.LOCATION)
        return [who for who in dict.fromkeys(found) if who in cast and who not in actors]
