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

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.context.outward import ANSWERS, CONFIDES, SETS_ABOUT
from storykeeper.entities.reference import Strategy
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    InformationTold,
    Moved,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.events.changes import ActMatched
from storykeeper.language.quoted import blanked
from storykeeper.play.beats import is_to_come
from storykeeper.play.occasion import STIRRED, TALK, UNTOLD, Occasion
from storykeeper.play.reach import hearing, is_at_hand
from storykeeper.play.rules import learners
from storykeeper.play.signs import is_sign, signs
from storykeeper.play.story_words import lexicon
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import attending
from storykeeper.story.conditions import Did
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.minds import Show, Tell
from storykeeper.story.model import NARRATOR
from storykeeper.story.people import Character
from storykeeper.story.walk import walk
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.hearing import is_deaf
from storykeeper.world.knowledge.claims import holds_true, is_so
from storykeeper.world.plan import Plan
from storykeeper.world.state import EMPTY, Mood, World, whose_turn
from storykeeper.world.whereabouts import is_hidden

FIDGETS = 3  # turns from one habit that is shown to the next, whoever has it
RESTS = 3  # turns before something that came to nothing is tried again
MARKED, TOUCHED, KEPT, IDLE = 0.3, 0.25, 0.15, 0.05  # what the author gives no weight


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
    """What of a turn somebody may answer to: whom it turns to, what it comes near, and what it
    leaves room for.
    """

    asked: frozenset[EntityId]
    topics: frozenset[EntityId]  # that are spoken of, by whom or what is named
    touched: frozenset[EntityId]  # to which something is done
    pressing: frozenset[str] = frozenset()  # facts that a gate, nearly open, waits for
    occasion: Occasion = UNTOLD
    seen: Boundary | None = None  # what is open of it to the narrator

    @classmethod
    def of(cls, unfolding: Unfolding, pressing: frozenset[str], occasion: Occasion) -> Moment:
        """Of the player's deeds in a turn; whom words are for is not what they are about."""
        player = whose_turn(unfolding.world)
        deeds = [d for d in unfolding.world.deeds if d.who == player and d.act in TALK]
        matched = (r for r in unfolding.records if isinstance(r, ActMatched) and r.act in TALK)
        topics = {r.about for r in matched if r.about is not None}
        touched = set[EntityId]()
        for atom in unfolding.atoms:
            if atom.source is Source.PLAYER:
                near = _near(atom)
                (topics if _is_talk(atom) else touched).update(near)
        asked = frozenset(d.to for d in deeds if d.to is not None)
        turn = PresentTurn(unfolding.turn, player, "", tuple(unfolding.records))
        seen = Boundary(unfolding.world, (), turn, audience=NARRATOR)
        return cls(asked, frozenset(topics), frozenset(touched), pressing, occasion, seen)

    def comes_near(self, entities: Sequence[str], people: Container[str]) -> bool:
        """Whether one of these is spoken of, or something is done with it. Somebody is a topic, and
        no more: what is done to them is not for others to show that they are concerned by.
        """
        return any(
            each in self.topics or (each in self.touched and each not in people)
            for each in map(EntityId, entities)
        )


def _is_talk(atom: Atom) -> bool:
    what = atom.what
    return isinstance(what, SpeechUttered | InformationTold) or (
        isinstance(what, ActionTaken) and what.act in TALK
    )


def _near(atom: Atom) -> set[EntityId]:
    """Whom and what it comes near, by their names: a pronoun touches nothing."""
    what = atom.what
    roles = {Role.SUBJECT} if _is_talk(atom) else {Role.SUBJECT, Role.TARGET, Role.INSTRUMENT}
    parts = [
        part.entity for part in atom.participants
        if part.role in roles and isinstance(part.entity, Resolved)
    ]  # fmt: skip
    by_pronoun = {each.entity for each in parts if each.by == Strategy.ANAPHORIC}
    about = {what.about} if isinstance(what, ActionTaken) and what.about is not None else set()
    place = {what.to} if isinstance(what, Moved) else set()
    return ({each.entity for each in parts} | about | place) - by_pronoun


def touched_by(atoms: Iterable[Atom], people: Container[str]) -> frozenset[EntityId]:
    """What a player's deeds come near: people only as what is spoken of."""
    mine = [each for each in atoms if each.source is Source.PLAYER]
    return frozenset(
        near for atom in mine for near in _near(atom) if near not in people or _is_talk(atom)
    )


@lru_cache(maxsize=16)
def minded(plan: Plan) -> bool:
    """Whether anybody in a story has anything to act by."""
    return any(_has_mind(person) or _by_default(person) for person in plan.cast.values()) or any(
        fact.shows for fact in plan.facts.values()
    )


def _has_mind(person: Character) -> bool:
    goals = (goal for goal in person.goals if goal.by or goal.against)
    return bool(person.shows or person.tells or person.does) or any(goals)


def _by_default(person: Character) -> bool:
    """Whether somebody acts though their author gave them nothing to act by: by what they want and
    how they stand to others.
    """
    return not _has_mind(person) and bool(person.goals or person.relations)


def is_habit(plan: Plan, who: str, option: str) -> bool:
    """Whether it is only what somebody does when there is nothing else to do."""
    name = option.removeprefix(f"{who}/")
    kind, _, number = name.partition("/")
    if kind != "shows":
        return is_sign(name)
    line = plan.cast[who].shows[int(number)]
    return not line.about and line.when is None


def is_idle(option: Option) -> bool:
    """Whether it means nothing: a habit, or a sign of the closed set."""
    return option.kind is Kind.SHOW and option.weight <= IDLE


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
    """What is to be seen of them: nothing in an ending, nor where the player may have left them,
    nor before a beat has told of them.
    """
    if is_hidden(world, who) or moment.occasion.is_closed or is_to_come(world, who):
        return
    for fact in world.plan.facts.values():
        if fact.shows and _keeps_back(world, who, fact.id):
            yield from _of_a_fact(world, who, fact, moment)
    person = world.plan.cast[who]
    for n, show in enumerate(person.shows):
        if _shows(world, who, f"shows/{n}", show, moment, about=show.about):
            weight = TOUCHED if show.about or show.when is not None else IDLE
            yield Option(Kind.SHOW, who, f"shows/{n}", weight, show.text)
    if moment.seen is not None and _by_default(person):
        for sign in signs(
            moment.seen, person, asked=who in moment.asked, topics=moment.topics,
            touched=moment.touched - world.plan.cast.keys(), calm=moment.occasion.calm,
        ):  # fmt: skip
            yield Option(Kind.SHOW, who, sign.id, IDLE, sign.text)


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
        ready = _shows(world, who, line, show, moment, about=about, presses=not about)
        if (not named or who in named) and ready:
            yield Option(Kind.SHOW, who, line, MARKED, show.text, fact=fact.id)


def _shows(
    world: World, who: EntityId, line: str, show: Show, moment: Moment, *,
    about: Sequence[str], presses: bool = False,
) -> bool:  # fmt: skip
    near = moment.comes_near(about, world.plan.cast) if about else (
        presses or _has_room(world, who, show, moment)
    )  # fmt: skip
    there = {w for name in show.to for w in world.plan.named(name)}
    seen = not there or not there.isdisjoint(attending(world))
    spoken_to = not is_answer(show) or who in moment.asked | moment.occasion.spoken_to
    ready = near and seen and spoken_to and _rested(world, f"{who}/{line}", show.every)
    ready = ready and (show.when is None or holds(world, show.when))
    return ready and all(is_at_hand(world, who, thing) for thing in needed(world.plan, show))


def _has_room(world: World, who: EntityId, show: Show, moment: Moment) -> bool:
    """Whether there is room for what nothing in the turn comes near: a habit has none in a turn
    with something under way, nor of somebody who is turned to or stirred. What waits for a deed
    waits for that alone, as what only answers does.
    """
    if is_answer(show) or any(isinstance(part, Did) for _, part in walk(show.when)):
        return True
    stirred = world.moods.get(who, Mood()).arousal >= STIRRED
    still = moment.occasion.calm and _is_still(world)
    return still and not stirred and who not in moment.occasion.turned_to


def is_answer(show: Show) -> bool:
    """Whether it waits for them to be spoken to: as stated, or as words that nothing occasions."""
    says = blanked(show.text) != show.text
    return show.answers or (says and not show.about and show.when is None)


def needed(plan: Plan, show: Show) -> tuple[EntityId, ...]:
    """The things that must be at hand for something to be seen: as stated, or those it names
    outside of quotation marks.
    """
    if show.with_ is not None:
        return tuple(map(EntityId, show.with_))
    return _things_named(plan, show.text)


@lru_cache(maxsize=4_096)
def _things_named(plan: Plan, text: str) -> tuple[EntityId, ...]:
    found = lexicon(plan).names.find(blanked(text))
    return tuple(dict.fromkeys(each.entity for each in found if each.entity in plan.things))


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
    if who not in moment.asked or moment.occasion.is_closed:
        return
    for fact in world.plan.facts.values():
        asked = not moment.topics.isdisjoint(map(EntityId, fact.about))
        if asked and _keeps_back(world, who, fact.id):
            yield Option(Kind.KEEP, who, f"keep:{fact.id}", KEPT, fact=fact.id)
            return


def _rested(world: World, name: str, turns: int) -> bool:
    last = world.shown.get(name)
    return last is None or world.now - last >= turns
