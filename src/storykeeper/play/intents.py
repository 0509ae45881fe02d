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

from collections.abc import Collection, Iterator, Sequence
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
from storykeeper.play.beats import due, has_a_part
from storykeeper.play.features import Features, features
from storykeeper.play.judge import Judge
from storykeeper.play.occasion import occasion
from storykeeper.play.options import (
    Kind,
    Moment,
    Option,
    acting,
    attempts,
    is_idle,
    minded,
    options,
)
from storykeeper.play.resolution import in_order, resolve
from storykeeper.play.rules import settle
from storykeeper.play.story_brief import action_of, brief_of, situation, verb_of
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.utility import confidence, pressing, wanted
from storykeeper.story.scenes import Beat
from storykeeper.units import EntityId
from storykeeper.world.knowledge.claims import holds_true
from storykeeper.world.state import Feeling, Mood, Pending, World, whose_turn

PRESSED, EASED, SET = 0.1, -0.05, 0.05
SEEN = (Kind.SHOW, Kind.KEEP)  # nothing comes of them


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
    chosen = [each.option for each in intents.values()]
    for option in in_order(unfolding.world, [o for o in chosen if o.kind not in SEEN]):
        _come_to_pass(unfolding, intents[option.who], words=turn.text)
    if any(isinstance(each, IntentResolved) for each in unfolding.records):
        settle(unfolding, may_move=not _moved_on(unfolding))
    beats = due(unfolding.world, unfolding.records)  # what is told and done comes first
    shown = [o for o in chosen if o.kind in SEEN]
    shown = [o for o in shown if _stands_beside(unfolding.world, o, beats)]
    for option in in_order(unfolding.world, _few(unfolding.world, shown)):
        _come_to_pass(unfolding, intents[option.who], words=turn.text)


def _come_to_pass(unfolding: Unfolding, intent: Intent, *, words: str) -> None:
    unfolding.add(_predicted(unfolding, intent))
    resolve(unfolding, intent.option, words=words)


def _few(world: World, shown: list[Option]) -> list[Option]:
    """Of what means nothing one at most, of whoever has shown nothing for longest; and none of it
    beside what means something.
    """
    idle = [each for each in shown if is_idle(each)]
    rest = [each for each in shown if each not in idle]
    return rest or sorted(idle, key=lambda each: _last(world, each.who))[:1]


def _last(world: World, who: EntityId) -> int:
    """When somebody last showed anything."""
    return max(
        (turn for name, turn in world.shown.items() if name.startswith(f"{who}/")), default=0
    )


def _moved_on(unfolding: Unfolding) -> bool:
    """Whether the story has passed a boundary in this turn: it passes one at most."""
    return any(isinstance(atom.what, SceneChanged) for atom in unfolding.atoms)


def cases(unfolding: Unfolding, turn: Pending) -> Iterator[Case]:
    """Everybody here who could do something now."""
    world = unfolding.world
    known = {each.who: each for each in features(world)}
    pressed = pressing(tuple(known.values()))
    moment = Moment.of(unfolding, pressed, occasion(unfolding, turn))
    present = PresentTurn(turn.turn, turn.player, turn.text, tuple(unfolding.records))
    in_force = frozenset(f"{each.id}@{each.version}" for each in world.plan.story.canon)
    beats = due(world, unfolding.records)
    for who in acting(world):
        found = tuple(options(world, who, moment))
        answered = moment.occasion.turned_to
        found = tuple(each for each in found if _stands_beside(world, each, beats, answered))
        if _has_told(unfolding, who):
            found = tuple(each for each in found if each.kind not in SEEN)
        if found:
            boundary = Boundary(world, (), present, audience=who)
            brief, at = brief_of(boundary, found), situation(boundary, found)
            yield Case(who, found, brief, at, Judge(in_force), known[who])


def _stands_beside(
    world: World,
    option: Option,
    told: Sequence[tuple[str, Beat]],
    answered: Collection[EntityId] = (),
) -> bool:
    """Whether something is done beside what the author tells in the same turn. What is seen of
    somebody is, if nothing of that is about them, nor answers what they were told; and what means
    nothing, if nothing is learned by it and nothing happens.
    """
    if option.kind not in SEEN or not told:
        return True
    beats = [beat for _, beat in told]
    theirs = option.who in answered or any(has_a_part(world, option.who, beat) for beat in beats)
    light = not any(beat.reveals or beat.happens for beat in beats)
    return option.kind is Kind.SHOW and not theirs and (light or not is_idle(option))


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
