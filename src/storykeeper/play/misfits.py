"""What in a telling does not fit the story as it stands, for its author's eyes.

A narrator writes from what it was given, and yet may say what it was not: by luck, or because it
knows this kind of story. And it may have somebody speak who is elsewhere. Neither stops a turn:
they are told to whoever narrates, who may have it told again. A player is told only *that*
something does not fit: which words hit a secret would tell it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import ceil

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    Moved,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    StateAsserted,
    Voice,
)
from storykeeper.events.records import AnyRecord
from storykeeper.events.staged import Declaration
from storykeeper.memory.signals.words import STOP
from storykeeper.play.commit import play_out
from storykeeper.play.retelling import sentences
from storykeeper.staging.evidence import MOST_WORDS, named_words, says_it
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.heard import BEAT
from storykeeper.world.knowledge import knows
from storykeeper.world.lines import on_line
from storykeeper.world.plan import Plan
from storykeeper.world.state import Pending, World

LEAST = 3  # words of a fact by which it is told
SHORT_SHARE = 0.7  # of the words of a fact that has no more than `MOST_WORDS`

_TELLING = StateAsserted | ActionTaken


class Fault(StrEnum):
    """In what way something does not fit."""

    WITHHELD = "withheld"  # a fact that the narrator was not given
    ELSEWHERE = "elsewhere"  # somebody speaks who is in another place


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing that does not fit: the fact or the person, and the words."""

    fault: Fault
    about: str
    words: str


def misfits(
    before: World, turn: Pending, after: World, records: Sequence[AnyRecord]
) -> tuple[Misfit, ...]:
    """What does not fit in a turn that was shown; `after` and `records` are what it comes to."""
    return (*_withheld(before, turn, after), *_elsewhere(before, turn, after, records))


def _withheld(before: World, turn: Pending, after: World) -> Iterator[Misfit]:
    """Facts that nothing opened to the narrator, told in two sentences of the prose.

    Not what it declared, and was let: somebody told it who has it to tell.
    """
    world = play_out(before, turn).world
    plan = world.plan
    given = Boundary(world, (), PresentTurn(turn.turn, turn.player, turn.text), audience=NARRATOR)
    beats = (plan.beats.get(item.removeprefix(BEAT)) for item in turn.told)
    told = {fact for beat in beats if beat is not None for fact in beat.reveals}
    told |= {each.fact for each in _said(turn).told if knows(after.known, turn.player, each.fact)}
    names = _names(plan) | named_words(  # and what it may tell, it tells in the words of that
        fact.full for name, fact in plan.facts.items() if name in told or given.open(f"fact:{name}")
    )
    stretches = list(_stretches(turn.prose))
    for name, fact in plan.facts.items():
        if name in told or given.open(f"fact:{name}") or not fact.secret:
            continue
        but = names | named_words([fact.hint])  # a hint is there to be told
        of = named_words([fact.full]) - named_words(STOP) - but
        for words in stretches:
            if _tells(fact, words, of, but):
                yield Misfit(Fault.WITHHELD, name, " ".join(words.split()))
                break


def _tells(fact: Fact, text: str, of: frozenset[str], but: frozenset[str]) -> bool:
    """Whether a text has enough `of` a fact's words; of a short fact, most of them."""
    short = len(of) <= MOST_WORDS
    if short and len(of & named_words([text])) >= max(LEAST, ceil(SHORT_SHARE * len(of))):
        return True
    return says_it(fact, text, but=but)


def _names(plan: Plan) -> frozenset[str]:
    return named_words(name for each in plan.cast.values() for name in (each.name, *each.aliases))


def _stretches(prose: str) -> Iterator[str]:
    """Each two sentences that follow each other."""
    ends = [0, *(end for end, _ in sentences(prose))]
    spans = list(pairwise(ends))
    for at, (start, end) in enumerate(spans):
        yield prose[start : spans[at + 1][1] if at + 1 < len(spans) else end]


def _elsewhere(
    before: World, turn: Pending, after: World, records: Sequence[AnyRecord]
) -> Iterator[Misfit]:
    """Those who speak, and are neither here nor on their way, nor on a line.

    Not those whom the narrator places, nor those of whom the prose says where else they are: a
    voice may come from there, or be remembered. Who was nowhere, and whom the reader alone brings
    here though the narrator declares others, is nowhere still.
    """
    here = {world.places.get(turn.player) for world in (before, after)}
    atoms = [r for r in records if isinstance(r, Atom)]
    declared = bool(_said(turn).here)
    moves = [(who, a) for a in atoms if isinstance(a.what, Moved) for who in _whose(a)]
    moved = {
        who for who, a in moves
        if who in before.places or not declared or a.says is not Voice.READER
    }  # fmt: skip
    seen: set[EntityId] = {EntityId(each) for each in _placed(turn, before.plan)}
    seen |= {who for a in atoms for who in _told_of(a, before.plan, here)}
    for atom in atoms:
        if atom.source is not Source.NARRATOR or not isinstance(atom.what, SpeechUttered):
            continue
        for who in those(atom, Role.ACTOR):
            place = before.places.get(who)
            if who in seen or who in moved or place in here or atom.what.written:
                continue
            if place is None and not declared:
                continue
            if who in before.plan.cast and not on_line(before, turn.player, who):
                seen.add(who)
                yield Misfit(Fault.ELSEWHERE, who, atom.what.words)


def _told_of(atom: Atom, plan: Plan, here: set[EntityId | None]) -> tuple[EntityId, ...]:
    """Who is told of together with a place that is not here."""
    named = [p.entity.entity for p in atom.participants if isinstance(p.entity, Resolved)]
    far = any(each in plan.settings and each not in here for each in named)
    return tuple(each for each in named if far and isinstance(atom.what, _TELLING))


def _said(turn: Pending) -> Declaration:
    return Declaration() if turn.stage is None else turn.stage


def _placed(turn: Pending, plan: Plan) -> Iterator[str]:
    """Those of whom a declaration says where they are, or that they come or go."""
    stage = _said(turn)
    named = {
        *(put.what for put in stage.at), *stage.here,
        *(who for move in stage.moves for who in (*move.who, *move.to)),
    }  # fmt: skip
    folded = {name.casefold() for name in named}
    for who, card in plan.cast.items():
        if not folded.isdisjoint(name.casefold() for name in (who, card.name, *card.aliases)):
            yield who


def _whose(atom: Atom) -> tuple[EntityId, ...]:
    return (*those(atom, Role.ACTOR), *those(atom, Role.SUBJECT))
