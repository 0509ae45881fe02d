"""What comes of intents: whether they are possible, in which order, who comes first, how they end.

    order      who is more determined acts first; of two alike, in the order of the cast
    possible   its condition still holds, who does it has what it takes and is able to, and what it
               is about is not gone
    conflict   what one has taken the other finds gone; what has happened does not happen again
    ends       success below its chance; the rest is shared by the ends that the author wrote

Chance is drawn from a hash of the story, the turn, who does what, and the player's words: the same
run comes out the same, wherever it is played again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.context.outward import DEFLECTS, LOOKS_AWAY, SILENT, shown_of
from storykeeper.events.changes import IntentResolved
from storykeeper.events.vocabulary import Grade
from storykeeper.play.options import Kind, Option, can_tell
from storykeeper.play.reach import is_at_hand
from storykeeper.play.rules import happening, teach
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import attending
from storykeeper.story.minds import Attempt
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.knowledge import knows
from storykeeper.world.state import Mood, World, whose_turn
from storykeeper.world.whereabouts import is_hidden

FOND, STIRRED = (
    0.2,
    0.65,
)  # from which a way to keep something is the way of who likes, of who fears


@dataclass(frozen=True, slots=True)
class End:
    """How an attempt ends, and where chance fell."""

    grade: Grade
    event: str | None = None
    drawn: float = 0.0


def in_order(world: World, chosen: Sequence[Option]) -> list[Option]:
    """Who is more determined acts first."""
    place = {who: n for n, who in enumerate(world.plan.cast)}
    return sorted(
        chosen, key=lambda o: (-world.moods.get(o.who, Mood()).determination, place[o.who])
    )


def resolve(unfolding: Unfolding, option: Option, *, words: str) -> None:
    """Let one intent come to what it comes to."""
    match option.kind:
        case Kind.TELL:
            _tell(unfolding, option)
        case Kind.DO:
            _do(unfolding, option, words=words)
        case Kind.SHOW | Kind.KEEP:
            text = option.text or _kept(unfolding.world, option.who)
            _done(unfolding, option, text=text)


def _tell(unfolding: Unfolding, option: Option) -> None:
    """The fact is open to those who hear it, from this turn on."""
    world = unfolding.world
    fresh = tuple(
        who for who in option.to
        if not knows(world.known, who, option.fact, suspects=option.suspects)
    )  # fmt: skip
    if not fresh or not can_tell(world, option.who, option.fact, suspects=option.suspects):
        return _refused(unfolding, option, "it is known by now")
    seen = tuple(w for w in attending(world) if knows(world.known, w, option.fact))
    for record in teach(
        world, unfolding, option.fact, fresh, how=f"told by {option.who}",
        suspects=option.suspects, there=tuple(w for w in seen if w not in fresh),
    ):  # fmt: skip
        unfolding.add(record)
    _done(unfolding, option, text=option.text, reveals=(option.fact,))
    return None


def _do(unfolding: Unfolding, option: Option, *, words: str) -> None:
    attempt = attempt_of(unfolding.world, option)
    if why := hindrance(unfolding, option, attempt):
        return _refused(unfolding, option, why)
    end = ended(unfolding.world, option, attempt, turn=unfolding.turn, words=words)
    if end.event is not None:
        for record in list(happening(unfolding.world, unfolding, end.event)):
            unfolding.add(record)
    _done(unfolding, option, text=option.text, end=end)
    return None


def attempt_of(world: World, option: Option) -> Attempt:
    """What the author wrote of it."""
    return world.plan.cast[option.who].does[int(option.id.rpartition("/")[2])]


def hindrance(unfolding: Unfolding, option: Option, attempt: Attempt) -> str:
    """Why something cannot be done now, if it cannot."""
    world, who = unfolding.world, option.who
    person = world.plan.cast[who]
    if attempt.happens in world.happened:
        return "it has happened by now"
    if not holds(world, attempt.when):
        return "it is not so any more"
    if attempt.takes and attempt.takes not in person.capabilities:
        return f"nobody of that name {attempt.takes}"
    if attempt.with_ is not None and not _in_reach(world, who, EntityId(attempt.with_)):
        return f"{attempt.with_} is not in reach"
    for thing in world.plan.events[attempt.happens].gives:
        if thing in _taken(unfolding):
            return f"{thing} is gone"
    return ""


def _in_reach(world: World, who: EntityId, thing: EntityId) -> bool:
    holder = world.holders.get(thing)
    return holder == who or (holder is None and is_at_hand(world, who, thing))


def _taken(unfolding: Unfolding) -> frozenset[str]:
    """What others' intents of this turn have put into other hands."""
    events = unfolding.world.plan.events
    came = (r.event for r in unfolding.records if isinstance(r, IntentResolved) and r.event)
    return frozenset(thing for event in came if event in events for thing in events[event].gives)


def ended(world: World, option: Option, attempt: Attempt, *, turn: int, words: str) -> End:
    """success if u < chance; else the ends that are stated share the rest.   F10.3"""
    drawn = chance(world.plan.story.id, turn, option.name, words)
    if drawn < attempt.chance:
        return End(Grade.SUCCESS, attempt.happens, drawn)
    stated = [
        (grade, event) for grade, event in (
            (Grade.PARTIAL, attempt.partly), (Grade.OPENING, attempt.opens),
            (Grade.FAILURE, attempt.fails),
        ) if event is not None
    ]  # fmt: skip
    if not stated:
        return End(Grade.FAILURE, None, drawn)
    share = (drawn - attempt.chance) / (1.0 - attempt.chance)
    grade, event = stated[min(len(stated) - 1, int(share * len(stated)))]
    return End(grade, event, drawn)


def chance(story: str, turn: int, name: str, words: str) -> float:
    """u = the first 64 bits of SHA-256(story ‖ turn ‖ who does what ‖ words) ÷ 2⁶⁴.   F10.3"""
    body = "\x1f".join((story, str(turn), name, words)).encode()
    return int.from_bytes(hashlib.sha256(body).digest()[:8], "big") / 2**64


def _kept(world: World, who: EntityId) -> str:
    """How somebody keeps something: who is fond of whoever asks turns to something else, who is
    stirred looks away, and else there is no answer.
    """
    held = world.standings.get((who, whose_turn(world)))
    if held is not None and (held.affection + held.benevolence) / 2 >= FOND:
        return DEFLECTS
    return LOOKS_AWAY if world.moods.get(who, Mood()).arousal >= STIRRED else SILENT


# ── on record ────────────────────────────────────────────────────────────────────────────────


def _done(
    unfolding: Unfolding, option: Option, *, text: str, end: End | None = None,
    reveals: tuple[str, ...] = (),
) -> None:  # fmt: skip
    grade = Grade.SUCCESS if end is None else end.grade
    unfolding.add(IntentResolved(
        unfolding.turn, option.who, _seen(unfolding.world, option.who, text, grade),
        succeeded=grade in (Grade.SUCCESS, Grade.PARTIAL), reveals=reveals, option=option.name,
        grade=grade, event="" if end is None or end.event is None else end.event,
        drawn=None if end is None else end.drawn,
    ))  # fmt: skip


def _seen(world: World, who: EntityId, text: str, grade: Grade) -> str:
    """As it shows; of who hides nothing does."""
    return "" if is_hidden(world, who) else shown_of(world.plan, who, text, grade)


def _refused(unfolding: Unfolding, option: Option, why: str) -> None:
    """It was not possible, and nothing is seen of it."""
    unfolding.add(IntentResolved(
        unfolding.turn, option.who, "", succeeded=False, option=option.name,
        grade=Grade.FAILURE, why=why,
    ))  # fmt: skip
