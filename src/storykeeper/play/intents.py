"""Characters act: for each who is here and concerned an intent, judged, and what comes of it.

    options     what their author lets them do now               (options)
    utilities   how much they want each                            (utility, features)
    a model     on request, plays them from their own brief        (proposed, on record)
    the judge   sees whatever is chosen                            (judge, story_brief)
    resolved    possible, in order, without conflict, by chance    (resolution)

Everything is on record, so that replay decides nothing again. What an intent says of its motive is
for the author alone; what shows of it is the author's words, or one of a few outward signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.canon.situation import WorldState
from storykeeper.canon.verdict import Verdict
from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.events.atoms import SceneChanged
from storykeeper.events.changes import (
    ActionProposed,
    BeliefFormed,
    IntentPredicted,
    IntentResolved,
    MoodDelta,
    SecretRevealed,
)
from storykeeper.play.beats import next_beat
from storykeeper.play.features import Features, features
from storykeeper.play.judge import Judge
from storykeeper.play.options import (
    KEPT,
    Kind,
    Moment,
    Option,
    acting,
    attempts,
    is_habit,
    minded,
    options,
)
from storykeeper.play.resolution import in_order, resolve
from storykeeper.play.rules import settle
from storykeeper.play.story_brief import action_of, brief_of, situation, verb_of
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.utility import confidence, pressing, wanted
from storykeeper.units import EntityId
from storykeeper.world.knowledge.claims import holds_true
from storykeeper.world.state import Feeling, Mood, Pending, World, whose_turn

PRESSED, EASED, SET = 0.1, -0.05, 0.05


@dataclass(frozen=True, slots=True)
class Case:
    """Somebody who could do something: what they can, what they know, and the world of a judge."""

    who: EntityId
    options: tuple[Option, ...]
    brief: TurnBrief
    world: WorldState
    judge: Judge
    features: Features

    def ruled(self, action: CharacterAction) -> Verdict:
        """What the judge makes of an action."""
        return self.judge(action, self.brief, self.world)

    def chosen(self, action: CharacterAction) -> Option | None:
        """The option that an action is; none, if it waits."""
        return next((each for each in self.options if verb_of(each) == action.verb), None)


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody is about to do, how sure that is, and who chose it."""

    option: Option
    confidence: float
    by: str = ""
    words: str = ""


def act_out(unfolding: Unfolding, turn: Pending) -> None:
    """Let everybody here who has a mind act; and what a player tries come to its end."""
    if not turn.text or not minded(unfolding.world.plan):
        return
    player = whose_turn(unfolding.world)
    for option in list(attempts(unfolding.world, player)):
        resolve(unfolding, option, words=turn.text)
    proposed = {each.who: each for each in turn.proposed}
    intents = {
        each.option.who: each for each in _intents(unfolding, turn, proposed)
    }  # fmt: skip
    for option in _one_habit(unfolding.world, [each.option for each in intents.values()]):
        unfolding.add(_predicted(unfolding, intents[option.who]))
        resolve(unfolding, option, words=turn.text)
    if any(isinstance(each, IntentResolved) for each in unfolding.records):
        settle(unfolding, may_move=not _moved_on(unfolding))


def _one_habit(world: World, chosen: Sequence[Option]) -> Iterator[Option]:
    """What is done, in order; of habits only the first: two at once say nothing."""
    fidgets = 0
    for option in in_order(world, chosen):
        fidgets += is_habit(world.plan, option.who, option.name)
        if fidgets < 2 or not is_habit(world.plan, option.who, option.name):
            yield option


def _moved_on(unfolding: Unfolding) -> bool:
    """Whether the story has passed a boundary in this turn: it passes one at most."""
    return any(isinstance(atom.what, SceneChanged) for atom in unfolding.atoms)


def cases(unfolding: Unfolding, turn: Pending) -> Iterator[Case]:
    """Everybody here who could do something now."""
    world = unfolding.world
    known = {each.who: each for each in features(world)}
    moment = Moment.of(world, unfolding.atoms, pressing(tuple(known.values())))
    present = PresentTurn(turn.turn, turn.player, turn.text, tuple(unfolding.records))
    in_force = frozenset(f"{each.id}@{each.version}" for each in world.plan.story.canon)
    is_told = next_beat(world) is not None
    for who in acting(world):
        found = tuple(options(world, who, moment))
        if is_told or _has_told(unfolding, who):  # what is told does not stand beside a silence
            found = tuple(each for each in found if each.weight > KEPT)
        if found:
            boundary = Boundary(world, (), present, audience=who)
            brief, at = brief_of(boundary, found), situation(boundary, found)
            yield Case(who, found, brief, at, Judge(in_force), known[who])


def _has_told(unfolding: Unfolding, who: EntityId) -> bool:
    """Whether the author's rules have somebody tell something in this turn."""
    told = (r for r in unfolding.records if isinstance(r, SecretRevealed | BeliefFormed))
    return any(each.how == f"told by {who}" for each in told)


def _intents(
    unfolding: Unfolding, turn: Pending, proposed: dict[EntityId, ActionProposed]
) -> Iterator[Intent]:
    found = list(cases(unfolding, turn))
    for case in found:
        said = proposed.get(case.who)
        if said is not None:
            option = next((o for o in case.options if o.name == said.option), None)
            intent = None if option is None else Intent(option, 1.0, said.by, said.words)
        else:
            intent = by_rules(unfolding.world, case)
        if intent is not None:
            yield intent


def by_rules(world: World, case: Case) -> Intent | None:
    """What they want most of what the judge allows; nothing, if they want none of it."""
    kinds = list(Kind)
    scored = [(wanted(world, each, case.features), each) for each in case.options]
    scored = sorted(scored, key=lambda e: (-e[0], kinds.index(e[1].kind), case.options.index(e[1])))
    for score, option in scored:
        if score <= 0:
            return None
        if case.ruled(action_of(world, option)).action is not None:
            others = [each for each, other in scored if other is not option]
            return Intent(option, confidence(score, others))
    return None


# ── on record ────────────────────────────────────────────────────────────────────────────────


def _predicted(unfolding: Unfolding, intent: Intent) -> IntentPredicted:
    world, option = unfolding.world, intent.option
    felt = _moving(world, option)
    return IntentPredicted(
        unfolding.turn, option.who, f"{option.kind} {option.fact or option.event}".strip(),
        round(intent.confidence, 6), mood=_shift(world, option), motive=_motive(world, option),
        option=option.name, to=option.to, feeling="" if felt is None else felt.name,
        awareness=None if felt is None else felt.awareness, by=intent.by,
    )  # fmt: skip


def _motive(world: World, option: Option) -> str:
    """The goals that it serves."""
    named = {option.fact, option.event} - {""}
    goals = world.plan.cast[option.who].goals
    return " ".join(goal.text for goal in goals if not named.isdisjoint(goal.by))


def _moving(world: World, option: Option) -> Feeling | None:
    """The strongest of their feelings, those for whom it is about before others."""
    fact = world.plan.facts.get(option.fact)
    near = {*option.to, *(() if fact is None else fact.about)}
    felt = world.moods.get(option.who, Mood()).feelings
    return max(felt, key=lambda each: (each.toward in near, each.strength), default=None)


def _shift(world: World, option: Option) -> MoodDelta | None:
    """Whoever keeps something or lies is stirred, whoever says it is eased and more resolved."""
    match option.kind:
        case Kind.TELL if holds_true(world, option.who, option.fact):
            return MoodDelta(arousal=EASED, determination=SET)
        case Kind.TELL:
            return MoodDelta(arousal=PRESSED)
        case Kind.DO:
            return MoodDelta(determination=SET)
        case _ if option.fact:
            return MoodDelta(arousal=PRESSED * world.plan.facts[option.fact].weight)
        case _:
            return None
