"""Asking the player which one they mean, only when the answer changes what happens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from storykeeper.events.turns import Choice, QuestionAnswered, QuestionAsked, Unread
from storykeeper.language.acts import Act
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.acting import Player
from storykeeper.play.commit import lexicon
from storykeeper.play.referring import tellable
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId, Key
from storykeeper.world.calling import stands_in
from storykeeper.world.register import entry
from storykeeper.world.state import Entity, Pending, World, in_turn

_WORD = re.compile(r"[\w']+")
_ORDINALS = {"first": 0, "1": 0, "one": 0, "second": 1, "2": 1, "two": 1, "third": 2, "3": 2,
             "three": 2, "last": -1, "latter": -1, "former": 0}  # fmt: skip
_FILLERS = frozenset({"the", "a", "an", "one", "ones", "i", "mean", "meant", "it", "is", "that"})
_ARTICLES = frozenset({"the", "a", "an", "some"})
_POINTING = frozenset(
    ["this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"]
)
MAX_CHOICES = 4
# Looking at, asking about and talking of the wrong one costs nothing: the narrator can tell.
_HARMLESS = frozenset({"look", "ask", "tell", "talk", "say", "listen", "wait", "follow", "think"})


@dataclass(frozen=True, slots=True)
class _Unclear:
    """Words of the player's that could mean several, where it matters which."""

    words: str
    keys: tuple[Key, ...]


def question(world: World, turn: Pending) -> QuestionAsked | None:
    """What the player must be asked before their words can do anything; None: nothing."""
    if Unread.LINE in turn.unread:
        return None
    world, words = in_turn(world, turn), lexicon(world.plan)
    player = Player(Unfolding(world, turn.turn), turn, acquaintance(world, turn.player))
    unclear = _ambiguity(player, words.acts_of(turn.text, by=turn.player, names=player.names))
    if unclear is None:
        return None
    keys = unclear.keys[-MAX_CHOICES:]
    named = [_words(world, world.register[key]) for key in keys]
    if len(set(named)) < len(named) or not all(named) or _are_one(named):
        return None  # nothing one could say would tell them apart
    # What they are called is the text of other turns, to be erased with them: only keys are kept.
    return QuestionAsked(turn.turn, unclear.words, tuple(Choice(key, "") for key in keys))


def _ambiguity(player: Player, acts: tuple[Act, ...]) -> _Unclear | None:
    """The first of the player's words that must be made clear before anything can happen."""
    for act in acts:
        if act.words or act.act in _HARMLESS:
            continue
        for referred in (act.target, act.topic, act.instrument):
            outcome = None if referred is None else player.outcome(referred)
            told = () if outcome is None else tellable(player.unfolding.world, outcome)
            if referred is not None and len(told) > 1:
                return _Unclear(referred.mention.text, told)
    return None


def _are_one(named: list[str]) -> bool:
    """Whether one is called as another is, and a place besides: it may be the same, put there."""
    return any(one != each and each.startswith(f"{one} ") for one in named for each in named)


def _words(world: World, known: Entity) -> str:
    """What something is called so that one knows it among others, from what has been told of it."""
    authored = known.floor is not None  # whose words for it may say more than was told
    text = known.called if authored else known.words
    if not text:
        return ""
    text = text if known.named else _definite(text)
    said = [d for d in known.descriptors if d not in text.casefold().split()]
    if said and not known.named and not authored:
        text = f"{text} ({', '.join(said[:2])})"
    owner = entry(world, EntityId(known.possessor)) if known.possessor else None
    whose = "" if owner is None else owner.words if owner.floor is None else owner.called
    if whose and whose.casefold() not in text.casefold():
        return f"{text}, {whose}’s"
    placed = known.place and known.place not in text and not stands_in(known.place)
    return f"{text} {known.place}" if placed else text


def _definite(words: str) -> str:
    """A thing as one speaks of it the second time: the cup."""
    first, _, rest = words.partition(" ")
    if first.casefold() in _ARTICLES and rest:
        return f"the {rest}"
    if first.casefold() in _POINTING or first.endswith(("'s", "’s", "s'", "s’")):
        return words
    return f"the {words[:1].lower()}{words[1:]}"


def called(world: World, choices: tuple[Choice, ...]) -> list[str]:
    """What the choices are called; what is no longer known is nothing."""
    known = [world.register.get(choice.entity) for choice in choices]
    return [choice.words or ("" if entity is None else _words(world, entity))
            for choice, entity in zip(choices, known, strict=True)]  # fmt: skip


def asked(world: World, mention: str, choices: tuple[Choice, ...]) -> str:
    """The question, in plain words."""
    listed = [words for words in called(world, choices) if words]
    rest = ", ".join(listed[:-1])
    return f"Which do you mean by “{mention}”: {rest} or {listed[-1] if listed else 'none'}?"


def _plain_words(text: str) -> list[str]:
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return [word.removesuffix("'s").strip("'") for word in words]


def answers_to(world: World, text: str) -> Iterator[QuestionAnswered]:
    """That the player's words are the answer which was asked for, if they are."""
    pending = world.pending
    if pending is not None and pending.choices:
        key = answer(world, pending.choices, text)
        if key is not None:
            yield QuestionAnswered(pending.turn, key)


def answer(world: World, choices: tuple[Choice, ...], text: str) -> Key | None:
    """Which of the choices an answer means; None if it is no answer."""
    typed = _plain_words(text)
    if "not" in typed or "neither" in typed:
        return None
    words = [w for w in typed if w not in _FILLERS] or typed
    shared = [len(set(words) & set(_plain_words(said))) for said in called(world, choices)]
    best = max(shared)
    if best and shared.count(best) == 1 and best * 2 >= len(words):
        return choices[shared.index(best)].entity
    places = [_ORDINALS[w] for w in words if w in _ORDINALS]
    if len(places) == 1 and len(words) <= 2 and -1 <= places[0] < len(choices):
        return choices[places[0]].entity
    return None
