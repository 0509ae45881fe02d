"""A player's line against the closed set: which of the acts that the story waits for it does.

The grammar of acts (`language.lines`) reads what is typed as it is written. Much is not: a question
without a name, a topic by half of its name, a thing held out without a verb of giving. Where few
acts are waited for, and fewer are within reach, that is enough. An act is done if to whom, how and
about what are each borne out by the same line; else it is free action, and nothing is invented.
It is held against the set when it is typed, and again once it is told who is there and who answers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from storykeeper.events.changes import ActMatched
from storykeeper.language.names import Names
from storykeeper.language.roles import GIVING
from storykeeper.language.utterances import Company, Sure, Utterance, utterances
from storykeeper.language.verbs import ASKING, SAME, SPEAKING
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.play.awaited import Waiting, awaited
from storykeeper.play.reach import hearing, is_at_hand
from storykeeper.play.unfolding import Unfolding
from storykeeper.story.called import gender_of
from storykeeper.story.conditions import Did
from storykeeper.units import EntityId
from storykeeper.world.conditions import part_holds
from storykeeper.world.state import World, whose_turn

_ASKED = frozenset({"ask", "question", "beg"})
_TOLD = frozenset({"tell", "say", "answer", "talk", "confess"})
_TELLING = SPEAKING | {"say", "explain", "confess", "speak", "confide"} - {"call", "order"}
_HANDING = GIVING | {"put", "set", "lay", "place", "slide", "push", "take", "carry"}
_TAKING = frozenset({"borrow", "have", "keep", "lift", "seize", "ask"})  # "ask for his glasses"
_LIKE = {"give": _HANDING, "show": _HANDING, "take": _TAKING}
_LOUD = frozenset({"shout", "yell", "scream"})
_TO_HANDS = re.compile(r"\b(?:in front of|before|to|in(?:to)? [\w'’]+ hands?)\b", re.IGNORECASE)
_WHOLE = frozenset({"everything", "truth", "all", "whole"})
LATELY = 2  # people with whom the player was just before
ENOUGH = 0.5  # of a name, for a topic


def matched(world: World, line: str, names: Names, near: Company) -> tuple[Waiting, ...]:
    """The acts waited for that a line does, in their order; `near` were there when it was typed."""
    waiting = [each for each in awaited(world) if is_within_reach(world, each)]
    if not waiting:
        return ()
    parts = utterances(line, names, near)
    return tuple(each for each in waiting if _does(world, parts, each))


def match_line(unfolding: Unfolding, line: str, names: Names, near: Company) -> None:
    """Put on record what a line does of what is waited for, and is not on record yet."""
    player = whose_turn(unfolding.world)
    for each in matched(unfolding.world, line, names, near):
        asked = Did(who=player, act=each.act, to=each.to, about=each.about)
        if not part_holds(unfolding.world, "did", asked):
            unfolding.add(ActMatched(unfolding.turn, player, each.act, each.to, each.about))


def company(world: World, spoken: Iterable[EntityId | None] = ()) -> Company:
    """Those whom the line of the player whose turn it is can be for; `spoken`: who spoke since."""
    player = whose_turn(world)
    near = tuple(who for who in hearing(world, player, awake=False) if who != player)
    known = (world.register.get(key) for key in reversed(world.recent))
    lately = tuple(dict.fromkeys(e.id for e in known if e is not None and e.id in near))
    genders = {EntityId(who): gender_of(each.pronouns) for who, each in world.plan.cast.items()}
    first = next((who for who in spoken if who not in (None, player)), None)
    return Company(
        near, lately, {who: each for who, each in genders.items() if who != player},
        first if first in lately[:LATELY] else None,
    )  # fmt: skip


def is_within_reach(world: World, act: Waiting) -> bool:
    """Whether whom or what an act is done to hears it, or is at hand."""
    player = whose_turn(world)
    if act.to in world.plan.cast:
        return act.to in hearing(world, player, awake=False)
    return act.to is None or is_at_hand(world, player, act.to)


# ── what a line does ─────────────────────────────────────────────────────────────────────────


def _does(world: World, parts: Sequence[Utterance], act: Waiting) -> bool:
    mine = [part for part in parts if part.to == act.to and part.sure > Sure.LATELY]
    if act.to not in world.plan.cast:
        return any(_is_deed(world, part, act, act.to) for part in parts)
    if act.act == "listen":
        return any(part.said and part.wants_words for part in mine)
    if act.act in _ASKED:
        return _asks(world, mine, act.about)
    if act.act in _TOLD:
        return _tells(world, mine, act)
    return any(_is_deed(world, part, act, act.about) for part in mine)


def _asks(world: World, parts: Sequence[Utterance], about: EntityId | None) -> bool:
    """Somebody is asked: of anything, or something is brought up with them by its name."""
    asked = [part for part in parts if (part.said and part.asks) or _is_by(part, ASKING)]
    if about is None:
        return bool(asked)
    if asked:
        return _is_topic(world, parts, about)
    called = any(part.sure is Sure.NAMED for part in parts if part.said)
    return called and _is_topic(world, parts, about, share=1.0)


def _tells(world: World, parts: Sequence[Utterance], act: Waiting) -> bool:
    """Somebody is told: of anything, of everything, or of something by its name."""
    told = [part for part in parts if _is_by(part, _TELLING) or _announces(part)]
    if not told:
        return act.about is None and any(_bears_on(part, act.purposes) for part in parts)
    whole = any(_WHOLE & set(part.words) for part in told)
    return act.about is None or whole or _is_topic(world, parts, act.about)


def _announces(part: Utterance) -> bool:
    """ "I'll tell you what the bell does"."""
    telling = part.said and not part.asks and not part.verbs.isdisjoint(_TELLING)
    return telling and "you" in part.words


def _bears_on(part: Utterance, purposes: Sequence[str]) -> bool:
    """Whether who is called by name is told something that has to do with what comes of it."""
    if part.asks or not part.said or part.sure is not Sure.NAMED:
        return False
    said = {stem(word) for word in part.words if word not in STOP}
    return any(said & {stem(w) for w in words(each) if w not in STOP} for each in purposes)


def _is_by(part: Utterance, verbs: Collection[str]) -> bool:
    return not part.said and not part.verbs.isdisjoint(verbs)


def _is_deed(world: World, part: Utterance, act: Waiting, thing: EntityId | None) -> bool:
    """Something is done, by its verb or one that comes to the same, to what it is waited for."""
    if part.marked:
        return False  # it is only spoken of
    same = any(act.act in (verb, SAME.get(verb)) for verb in part.verbs)
    like = not part.verbs.isdisjoint(_LIKE.get(act.act, ()))
    if thing is None and act.to is None:
        return act.act in _LOUD and part.sure is Sure.NAMED and part.said and part.text.isupper()
    if thing is None:
        return like and _TO_HANDS.search(part.text) is not None
    return (same or like) and _is_topic(world, [part], thing)


def _is_topic(
    world: World, parts: Sequence[Utterance], what: EntityId, *, share: float = ENOUGH
) -> bool:
    """Whether words are about something: by its name, or by so much of the words of a name."""
    if any(each.entity == what for part in parts for each in part.found):
        return True
    said = {stem(word) for part in parts for word in part.words}
    return any(len(name & said) >= share * len(name) for name in _called(world, what))


def _called(world: World, what: EntityId) -> Iterator[frozenset[str]]:
    plan = world.plan
    authored = plan.things.get(what) or plan.settings.get(what) or plan.cast.get(what)
    for name in () if authored is None else (authored.name, *authored.aliases):
        terms = _terms(name)
        if terms:
            yield terms


@lru_cache(maxsize=1_024)
def _terms(name: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(name) if word not in STOP)
