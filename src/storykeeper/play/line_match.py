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
_LOUD = frozenset({"shout", "yell", "scream", "bellow", "holler", "roar"})
_TO_HANDS = re.compile(r"\b(?:in front of|before|to|in(?:to)? [\w'’]+ hands?)\b", re.IGNORECASE)
_IT = frozenset({"it", "that", "this", "them", "these", "those", "one"})
_OWNER = re.compile(r"[\w’']+[’']s\s+(?=\w)")
_OF_NOBODY = re.compile(
    r"\W*(?:\w+,? ){0,2}?(?:(?:i )?(?:ask|inquire|enquire) (?:about|re|after|for|what|who|where|why"
    r"|how|when|which|whose|if|whether)|(?:what|how) about)\b",
    re.IGNORECASE,
)
_WHOLE = frozenset({"everything", "truth", "all", "whole"})
LATELY = 2  # people with whom the player was just before
ENOUGH = 0.5  # of a name, for a topic


def matched(world: World, line: str, names: Names, near: Company) -> tuple[Waiting, ...]:
    """The acts waited for that a line does, in their order; `near` were there when it was typed."""
    waiting = [each for each in awaited(world) if is_within_reach(world, each)]
    if not waiting:
        return ()
    parts = utterances(line, names, near)
    found = tuple(each for each in waiting if _does(world, parts, each))
    return found or _asked_of_any(world, parts, waiting)


def _asked_of_any(
    world: World, parts: Sequence[Utterance], waiting: Sequence[Waiting]
) -> tuple[Waiting, ...]:
    """What a line asks about by name and of nobody, where one of those there is waited for to be
    asked about it: "ask about the wreck".
    """
    asking = [p for p in parts if not p.marked and _OF_NOBODY.match(p.text) and p.sure < Sure.NAMED]
    found = [
        each for each in waiting
        if each.act in _ASKED and each.about is not None and each.to in world.plan.cast
        and _is_topic(world, asking, each.about)
    ]  # fmt: skip
    return tuple(found) if len({each.to for each in found}) == 1 else ()


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
        return any(_is_deed(world, parts, i, act, act.to) for i in range(len(parts)))
    if act.act == "listen":
        return any(part.said and part.wants_words for part in mine)
    if act.act in _ASKED:
        return _asks(world, mine, act.about)
    if act.act in _TOLD:
        return _tells(world, mine, act)
    return any(_is_deed(world, mine, i, act, act.about) for i in range(len(mine)))


def _asks(world: World, parts: Sequence[Utterance], about: EntityId | None) -> bool:
    """Somebody is asked: of anything, or something is brought up with them by its name."""
    asked = [i for i, part in enumerate(parts) if _is_asking(part)]
    if about is None:
        return any(parts[i].sure is Sure.NAMED or not parts[i].of_oneself for i in asked)
    if asked:  # what is asked about may be said before it, or go on after it
        return any(_is_topic(world, parts[max(0, i - 1) : i + 2], about) for i in asked)
    called = any(part.sure is Sure.NAMED for part in parts if part.said)
    return called and _is_topic(world, parts, about, share=1.0)


def _is_asking(part: Utterance) -> bool:
    return (part.said and part.asks) or _is_by(part, ASKING)


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


def _is_deed(
    world: World, parts: Sequence[Utterance], i: int, act: Waiting, thing: EntityId | None
) -> bool:
    """Something is done, by its verb or one that comes to the same, to what it is waited for; by
    *it*, to what was named before.
    """
    part = parts[i]
    if part.marked or part.of_oneself:
        return False  # it is only spoken of
    same = any(act.act in (verb, SAME.get(verb)) for verb in part.verbs)
    like = not part.verbs.isdisjoint(_LIKE.get(act.act, ())) and not _asks_of(part, act)
    if act.to is None and act.about is None:
        called = part.sure is Sure.NAMED and part.said and part.text.isupper() and "!" in part.text
        return act.act in _LOUD and (called or (not part.said and not part.verbs.isdisjoint(_LOUD)))
    if thing is None:
        return like and _TO_HANDS.search(part.text) is not None
    if not (same or like):
        return False
    goes_on = i > 0 and not _IT.isdisjoint(part.words)
    return _is_topic(world, parts[i - goes_on : i + 1], thing, done=True)


def _asks_of(part: Utterance, act: Waiting) -> bool:
    """Whether somebody is asked, and not for the thing."""
    return act.act == "take" and not part.verbs.isdisjoint(_ASKED) and "for" not in part.words


def _is_topic(
    world: World, parts: Sequence[Utterance], what: EntityId, *, share: float = ENOUGH,
    done: bool = False,
) -> bool:  # fmt: skip
    """Whether words are about something: by its name, or by so much of the words of a name, its
    noun or a name of its own among them. What is `done` is not done to any other: "a glass".
    """
    if any(each.entity == what for part in parts for each in part.found):
        return True
    said = {stem(word) for part in parts for word in part.named(but_any=done)}
    return any(
        len(name & said) >= share * len(name) and not heads.isdisjoint(said)
        for name, heads in _called(world, what)
    )


def _called(world: World, what: EntityId) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    plan = world.plan
    authored = plan.things.get(what) or plan.settings.get(what) or plan.cast.get(what)
    for name in () if authored is None else (authored.name, *authored.aliases):
        terms, heads = _terms(name)
        if terms:
            yield terms, heads


@lru_cache(maxsize=1_024)
def _terms(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a name but for whose it is, and those by one of which it can be meant: its noun,
    and what is written large.
    """
    typed = [word for word in _OWNER.sub("", name).split() if word.casefold() not in STOP]
    noun = next((words(each)[-1:] for each in _OWNER.sub("", name).split(" of ")[:1]), [])
    large = [word for each in typed if each[:1].isupper() for word in words(each)]
    terms = (frozenset(stem(w) for w in each if w not in STOP) for each in
             ([w for each in typed for w in words(each)], [*noun, *large]))  # fmt: skip
    every, heads = terms
    return every, heads
