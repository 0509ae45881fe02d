"""Searching: what is hidden where a player searches, and by what else it comes to light (F8.14).

Who searches the place finds what is hidden there; who searches one thing, what is hidden in it. Of
what the author says when it comes to light (`revealed_by`), that alone decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    Participant,
    Resolved,
    Role,
    Source,
    StateAsserted,
)
from storykeeper.events.vocabulary import Sort
from storykeeper.language.acts import Act
from storykeeper.language.lexicon import VerbClass
from storykeeper.language.unseen import PAST
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.finding import APPEARED, FOUND, hidden_at
from storykeeper.world.state import World
from storykeeper.world.whereabouts import setting_of

_SEARCHING = frozenset({
    "search", "rummage", "ransack", "scour", "comb", "hunt", "scavenge", "forage", "sift",
})  # fmt: skip
_FOR = frozenset({FOUND, "seek"})  # what they are done to is what is sought
_PRYING = frozenset({"look", "peer", "peek", "check", "grope", "dig", "investigate"})
# They are a search where they are for something, or go behind or into a thing.
_FOR_IT = re.compile(
    r"\s*(?:(?:\w+ly|around|about|everywhere|here|all over|high and low)\s+)*for\b", re.IGNORECASE
)
_BEHIND = re.compile(
    r"\s*(?:\w+ly\s+)?(?:under(?:neath)?|beneath|behind|inside|into|in|within|through|between|among"
    r"|amongst)\b",
    re.IGNORECASE,
)
# What the place as a whole is called by who stands in it, and what one looks for of no kind.
_ALL_OF_IT = frozenset({
    "room", "place", "area", "chamber", "surroundings", "premises", "house", "everywhere",
    "everything", "around", "here", "floor", "ground", "scene",
})  # fmt: skip
_ANYTHING = frozenset({
    "clue", "clues", "anything", "something", "evidence", "hidden", "things", "more", "loot",
    "treasure", "valuables", "secrets", "it",
})  # fmt: skip


# ── what a player types ──────────────────────────────────────────────────────────────────────


def find_things(
    unfolding: Unfolding, who: EntityId, act: Act, *, sentence: str,
    seen_by: tuple[EntityId, ...] | None,
) -> None:  # fmt: skip
    """What a player finds by an act of theirs, seen by those who see it done."""
    world = unfolding.world
    for thing in found_by(world, who, act, sentence=sentence):
        parts = [
            Participant(Role.ACTOR, Resolved(who)), Participant(Role.TARGET, Resolved(thing))
        ]  # fmt: skip
        unfolding.take_place(ActionTaken(FOUND), parts, source=Source.RULE, seen_by=seen_by)


def found_by(world: World, who: EntityId, act: Act, *, sentence: str) -> list[EntityId]:
    """Things hidden where somebody is that an act of searching comes upon; sorted."""
    here = world.places.get(who)
    if here is None or not world.hidden or not _is_search(act, sentence, here):
        return []
    about = act.to if act.act in _FOR and act.to is not None else act.about
    searched = None if about == act.to else act.to
    if about in world.plan.cast or not (about is not None or _is_for_a_thing(act)):
        return []  # who is looked for, or words
    whole = searched == here or (searched is None and _is_all(act))
    if not whole and searched not in world.plan.things:
        return []  # a person, another place, or what play brought forth: nothing of ours is in it
    found = hidden_at(world, here, inside=None if whole else searched)
    return [t for t in found if about in (None, t) and _may_be_found(world, t)]


def _is_search(act: Act, sentence: str, here: EntityId) -> bool:
    """Whether an act looks for what cannot be seen: by its verb, or as it pries."""
    verb = act.verb or act.act
    if PAST.search(sentence) is not None:
        return False
    if verb in _SEARCHING or verb in _FOR:
        return True
    _, said, rest = sentence.casefold().partition(verb)
    if verb not in _PRYING or not said:
        return False
    rest = rest.lstrip("abcdefghijklmnopqrstuvwxyz")  # the ending of the verb
    named = act.topic is not None or (act.to is not None and act.to != here)
    return _FOR_IT.match(rest) is not None or (named and _BEHIND.match(rest) is not None)


def _is_for_a_thing(act: Act) -> bool:
    """Whether what is looked for can be found: not words, nor a way out."""
    if act.topic is None:
        return True
    mention = act.topic.mention
    return mention.sort in (Sort.THING, Sort.PART) or mention.head.casefold() in _ANYTHING


def _is_all(act: Act) -> bool:
    """Whether the place as a whole is searched, and not one thing in it."""
    if act.target is None or (act.act in _FOR and act.to is not None):
        return True
    return act.target.mention.head.casefold() in _ALL_OF_IT | _ANYTHING


def _may_be_found(world: World, thing: EntityId) -> bool:
    authored = world.plan.things.get(thing)
    return authored is None or authored.revealed_by is None


# ── what the author says ─────────────────────────────────────────────────────────────────────


def bring_to_light(unfolding: Unfolding) -> None:
    """What is hidden until something holds, and now it does."""
    for thing in map(EntityId, unfolding.world.hidden):
        world = unfolding.world
        authored = world.plan.things.get(thing)
        if authored is None or authored.revealed_by is None:
            continue
        if holds(world, authored.revealed_by):
            unfolding.happen(APPEARED, source=Source.RULE, subject=thing)


# ── what is told ─────────────────────────────────────────────────────────────────────────────

_TOUCHING = frozenset({VerbClass.TAKE, VerbClass.GIVE, VerbClass.HANDLE, VerbClass.PUT})
_COMING_UPON = frozenset({
    "see", "notice", "spot", "glimpse", "discover", "find", "detect", "spy", "behold", "recognise",
    "recognize", "uncover", "unearth", "reveal", "expose", "show", "unwrap", "locate",
})  # fmt: skip
_FALLING_OUT = frozenset({
    "fall", "fall out", "roll", "roll out", "drop", "drop out", "tumble", "tumble out", "slide",
    "slide out", "slip out", "appear", "emerge", "surface", "clatter",
})  # fmt: skip
_FEELING_FOR = frozenset({"feel", "dig", "hide", "conceal"})


def tell_found(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    verb: str,
    told: EntityId,
    watching: Sequence[EntityId],
) -> None:
    """What prose says that somebody touches, moves or comes upon where it is hidden, or that it
    lies or falls where the player is, is hidden no more before those who see it.
    """
    if not unfolding.world.hidden:
        return
    actors, things = _showing(unfolding, parts, classes, verb=verb, told=told)
    for thing in things:
        world = unfolding.world
        at = setting_of(world, thing)
        by = [who for who in actors if at is not None and world.places.get(who) == at]
        if by and thing in world.hidden and thing in world.plan.things:
            shown = [Participant(Role.ACTOR, Resolved(who)) for who in by]
            shown.append(Participant(Role.SUBJECT, Resolved(thing)))
            unfolding.take_place(APPEARED, shown, source=Source.RULE, seen_by=watching)


def _showing(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    verb: str,
    told: EntityId,
) -> tuple[tuple[EntityId, ...], tuple[EntityId, ...]]:
    """Who shows things by a deed, and which; nobody and nothing, if it shows none."""
    last, cast = unfolding.records[-1], unfolding.world.plan.cast
    actors, things = those_in(parts, Role.ACTOR), those_in(parts, Role.TARGET, Role.SUBJECT)
    lies = isinstance(last, Atom) and isinstance(last.what, StateAsserted) and last.what.at
    if verb in _FALLING_OUT or lies:
        return (told,), tuple(each for each in (*actors, *things) if each not in cast)
    handled = classes & _TOUCHING and VerbClass.HIDE not in classes and verb not in _FEELING_FOR
    people = tuple(who for who in actors if who in cast)
    return (people, things) if handled or verb in _COMING_UPON else ((), ())
