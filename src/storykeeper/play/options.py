"""What a character could do now: tell what they have, do what they may, show what is to be seen.

    tells/n        a fact, whose `when` holds, to those there who do not have it
    does/n         an attempt, whose `when` holds and of which nothing has come yet
    fact:f/shows/n what is seen of who has a fact that somebody comes near
    shows/n        what is seen of them
    keep:f         asked about what they have and nothing lets them tell: they keep it

Each is named after who does it: `mara/tells/0`. Only those who are here, perceive what happens and
are played by nobody choose among them; an attempt of somebody who is played is that player's deed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from storykeeper.context.outward import ANSWERS, CONFIDES, SETS_ABOUT
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    InformationTold,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.play.reach import ADDRESSING, hearing
from storykeeper.play.rules import learners
from storykeeper.play.witnesses import attending
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.minds import Show, Tell
from storykeeper.story.people import Character
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.hearing import is_deaf
from storykeeper.world.knowledge.claims import holds_true, is_so
from storykeeper.world.plan import Plan
from storykeeper.world.state import EMPTY, World, whose_turn
from storykeeper.world.whereabouts import is_hidden

FIDGETS = 3  # turns from one habit that is shown to the next, whoever has it
RESTS = 3  # turns before something that came to nothing is tried again
MARKED, TOUCHED, KEPT, IDLE = 0.3, 0.25, 0.15, 0.05  # what the author gives no weight
_TALK = frozenset({*ADDRESSING, "say", "whisper", "answer", "beg", "press"})


class Kind(StrEnum):
    """What sort of thing they could do; of two that they want alike the first."""

    TELL = "tell"
    DO = "do"
    SHOW = "show"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a character could do now."""

    kind: Kind
    who: EntityId
    id: str
    weight: float
    text: str = ""  # what is seen of it, before it has a name in it
    to: tuple[EntityId, ...] = ()
    fact: str = ""
    event: str = ""
    suspects: bool = False

    @property
    def name(self) -> str:
        """`mara/tells/0`: unlike that of any other."""
        return f"{self.who}/{self.id}"


@dataclass(frozen=True, slots=True)
class Moment:
    """What of a turn somebody may answer to: whom it turns to, and what it comes near."""

    asked: frozenset[EntityId]
    topics: frozenset[EntityId]  # that they are asked about
    touched: frozenset[EntityId]
    pressing: frozenset[str] = frozenset()  # facts that a gate, nearly open, waits for
    spoken: bool = False  # something is said or asked: a fidget is no answer

    @classmethod
    def of(cls, world: World, atoms: Sequence[Atom], pressing: frozenset[str]) -> Moment:
        """Of the player's deeds in a turn; whom words are for is not what they are about."""
        player = whose_turn(world)
        asked, topics, touched = set[EntityId](), set[EntityId](), set[EntityId]()
        spoken = any(deed.who == player and deed.act in _TALK for deed in world.deeds)
        for deed in world.deeds:
            if deed.who == player and deed.act in _TALK:
                asked |= {deed.to} - {None} if deed.to is not None else set()
                topics |= {deed.about} if deed.about is not None else set()
        for atom in atoms:
            if atom.source is Source.PLAYER:
                touched |= _near(atom, but=() if _is_talk(atom) else world.plan.cast)
        near = frozenset(touched | topics)
        return cls(frozenset(asked), frozenset(topics), near, pressing, spoken)


def _is_talk(atom: Atom) -> bool:
    what = atom.what
    return isinstance(what, SpeechUttered | InformationTold) or (
        isinstance(what, ActionTaken) and what.act in _TALK
    )


def _near(atom: Atom, *, but: Collection[str]) -> set[EntityId]:
    """What an atom comes near: of a deed the things, of words whatever they are of."""
    what = atom.what
    roles = {Role.SUBJECT} if _is_talk(atom) else {Role.SUBJECT, Role.TARGET, Role.INSTRUMENT}
    found = {
        part.entity.entity for part in atom.participants
        if part.role in roles and isinstance(part.entity, Resolved)
    }.difference(but)  # fmt: skip
    about = what.about if isinstance(what, ActionTaken) else None
    return found | ({about} if about is not None else set())


@lru_cache(maxsize=16)
def minded(plan: Plan) -> bool:
    """Whether anybody in a story has anything to act by."""
    return any(_has_mind(person) for person in plan.cast.values()) or any(
        fact.shows for fact in plan.facts.values()
    )


def _has_mind(person: Character) -> bool:
    goals = (goal for goal in person.goals if goal.by or goal.against)
    return bool(person.shows or person.tells or person.does) or any(goals)


def is_habit(plan: Plan, who: str, option: str) -> bool:
    """Whether it is only what somebody does when there is nothing else to do."""
    kind, _, number = option.removeprefix(f"{who}/").partition("/")
    if kind != "shows":
        return False
    line = plan.cast[who].shows[int(number)]
    return not line.about and line.when is None


def acting(world: World) -> tuple[EntityId, ...]:
    """Those here who perceive what happens and whom nobody plays."""
    players = world.plan.players
    return tuple(who for who in attending(world) if who not in players)


def options(world: World, who: EntityId, moment: Moment) -> list[Option]:
    """All that somebody could do now, whom nobody plays."""
    person = world.plan.cast[who]
    found = [*_tells(world, person), *attempts(world, who), *_lines(world, who, moment)]
    if not any(each.kind is Kind.TELL or each.fact for each in found) and _has_mind(person):
        found += _keeps(world, who, moment)
    return found


# ── telling ──────────────────────────────────────────────────────────────────────────────────


def _tells(world: World, person: Character) -> Iterator[Option]:
    who = EntityId(person.id)
    for n, tell in enumerate(person.tells):
        to = _hearers(world, who, tell)
        if (
            to
            and can_tell(world, who, tell.fact, suspects=tell.suspects)
            and holds(world, tell.when)
        ):
            aloud = ANSWERS if whose_turn(world) in to else CONFIDES
            yield Option(
                Kind.TELL, who, f"tells/{n}", tell.weight, aloud, to, fact=tell.fact,
                suspects=tell.suspects,
            )  # fmt: skip


def _hearers(world: World, who: EntityId, tell: Tell) -> tuple[EntityId, ...]:
    """Those of whom it is for who are there to hear it and would learn something."""
    fact = world.plan.facts[tell.fact]
    how = Reveal(when=tell.when, to=tell.to, how=f"told by {who}", suspects=tell.suspects)
    near = set(hearing(world, who)) - {*world.away, *world.unsure, who}
    fresh = learners(world, fact, how)
    return tuple(w for w in fresh if w in near and not is_deaf(world, w))


def can_tell(world: World, who: EntityId, fact: str, *, suspects: bool = False) -> bool:
    """Whether somebody has it to tell; what is not so anybody may say."""
    known = world.known.get(who, EMPTY).get(fact)
    if known is not None:
        return suspects or not known.suspected
    return not is_so(world, fact) or holds_true(world, who, fact)


# ── doing ────────────────────────────────────────────────────────────────────────────────────


def attempts(world: World, who: EntityId) -> Iterator[Option]:
    """What somebody may do of their own accord; of who is played, what their deed is."""
    for n, each in enumerate(world.plan.cast[who].does):
        ends = {each.happens, each.partly, each.opens, each.fails} - {None}
        over = any(end in world.happened for end in ends)
        if not over and _rested(world, f"{who}/does/{n}", RESTS) and holds(world, each.when):
            text = each.text or SETS_ABOUT
            yield Option(Kind.DO, who, f"does/{n}", each.weight, text, event=each.happens)


# ── showing ──────────────────────────────────────────────────────────────────────────────────


def _lines(world: World, who: EntityId, moment: Moment) -> Iterator[Option]:
    if is_hidden(world, who):
        return
    for fact in world.plan.facts.values():
        if fact.shows and _keeps_back(world, who, fact.id):
            yield from _of_a_fact(world, who, fact, moment)
    still = not moment.spoken and _is_still(world)
    for n, show in enumerate(world.plan.cast[who].shows):
        habit = not show.about and show.when is None
        if (still or not habit) and _shows(
            world, who, f"shows/{n}", show, moment, about=show.about
        ):
            weight = TOUCHED if show.about or show.when is not None else IDLE
            yield Option(Kind.SHOW, who, f"shows/{n}", weight, show.text)


def _is_still(world: World) -> bool:
    """Whether nobody has fidgeted of late."""
    last = [turn for name, turn in world.shown.items() if _is_of_habit(world.plan, name)]
    return not last or world.now - max(last) >= FIDGETS


def _is_of_habit(plan: Plan, name: str) -> bool:
    who = name.partition("/")[0]
    return who in plan.cast and is_habit(plan, who, name)


def _of_a_fact(world: World, who: EntityId, fact: Fact, moment: Moment) -> Iterator[Option]:
    for n, show in enumerate(fact.shows):
        named = {w for name in show.who for w in world.plan.named(name)}
        line, about = f"fact:{fact.id}/shows/{n}", show.about or fact.about
        about = () if fact.id in moment.pressing else about
        if (not named or who in named) and _shows(world, who, line, show, moment, about=about):
            yield Option(Kind.SHOW, who, line, MARKED, show.text, fact=fact.id)


def _shows(
    world: World, who: EntityId, line: str, show: Show, moment: Moment, *, about: Sequence[str]
) -> bool:
    near = not about or is_near(who, about, moment.touched)
    there = {w for name in show.to for w in world.plan.named(name)}
    seen = not there or not there.isdisjoint(attending(world))
    ready = near and seen and _rested(world, f"{who}/{line}", show.every)
    return ready and (show.when is None or holds(world, show.when))


def is_near(who: str, about: Sequence[str], touched: Collection[EntityId]) -> bool:
    """Whether what is touched is what a line of somebody's is about: that they are spoken to, or
    of, is not enough, if it is about anything else.
    """
    others = {EntityId(each) for each in about} - {who}
    return not (others or {EntityId(who)}).isdisjoint(touched)


def _keeps_back(world: World, who: EntityId, fact: str) -> bool:
    """Whether somebody has a fact, whole or its hint, that the player does not know."""
    has = world.known.get(who, EMPTY).get(fact)
    theirs = world.known.get(whose_turn(world), EMPTY).get(fact)
    return has is not None and (theirs is None or theirs.suspected)


def _keeps(world: World, who: EntityId, moment: Moment) -> Iterator[Option]:
    """Asked about something: what they have of it they keep."""
    if who not in moment.asked:
        return
    for fact in world.plan.facts.values():
        asked = not moment.topics.isdisjoint(map(EntityId, fact.about))
        if asked and _keeps_back(world, who, fact.id):
            yield Option(Kind.KEEP, who, f"keep:{fact.id}", KEPT, fact=fact.id)
            return


def _rested(world: World, name: str, turns: int) -> bool:
    last = world.shown.get(name)
    return last is None or world.now - last >= turns
