"""World after a record. One `match`, no decisions: what follows from what was decided elsewhere,
when it was recorded. Folding the same records gives the same world, whatever the rules are by then.
"""

from __future__ import annotations

from typing import assert_never

from immutables import Map
from msgspec import structs

from storykeeper.events.atoms import Atom, Compound
from storykeeper.events.changes import (
    ActionProposed,
    ActMatched,
    BeatTold,
    BeliefFormed,
    BeliefSuperseded,
    ConditionTurned,
    EntityDemoted,
    EntityPromoted,
    EventHappened,
    FactGuessed,
    GateOpened,
    IntentPredicted,
    IntentResolved,
    LayerEntered,
    LayerLeft,
    LayerMerged,
    ProphecyBorn,
    ProphecyFulfilled,
    ProphecyReinforced,
    ReferenceResolved,
    SecretRevealed,
)
from storykeeper.events.records import AnyRecord
from storykeeper.events.remembered import Remembered
from storykeeper.events.turns import (
    Corrected,
    Declared,
    InputReceived,
    LeftUnread,
    QuestionAnswered,
    QuestionAsked,
    Rejected,
    Rendered,
    RunBegun,
    RunForked,
    StageCorrected,
    StoryAdopted,
    StorySummed,
    Swiped,
    TextErased,
    TurnCommitted,
    TurnEdited,
    TurnRetracted,
    WindowAssembled,
)
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.atoms import after_atom
from storykeeper.world.begin import adopt
from storykeeper.world.happenings import after_event, after_intent
from storykeeper.world.heard import overheard, told_names
from storykeeper.world.knowledge import knows, learn, shared
from storykeeper.world.knowledge.claims import come_true, corrected, formed
from storykeeper.world.knowledge.lessons import together
from storykeeper.world.layers import CROSSING_BUMP, bumped, come_out, laid_down
from storykeeper.world.met import looked_on
from storykeeper.world.noticed import after_noticing
from storykeeper.world.plan import plan
from storykeeper.world.register import after_compound, after_lifecycle, after_references
from storykeeper.world.retold import told_after
from storykeeper.world.scenes import is_connective
from storykeeper.world.stage import after_correction
from storykeeper.world.state import (
    Deed,
    Inside,
    LayerState,
    Mark,
    ProphecyState,
    World,
    mark_name,
)
from storykeeper.world.steps import TurnStep, settled, stepped


def evolve(world: World, record: AnyRecord) -> World:
    """The world after this record."""
    match record:
        case Atom():
            return looked_on(world, after_atom(_referred(world, record), record), record)
        case Compound():
            return after_compound(world, record)
        case InputReceived() | QuestionAsked() | QuestionAnswered() | WindowAssembled() | (
            Rendered() | Declared() | Swiped() | Rejected() | LeftUnread() | ActionProposed()
        ):  # fmt: skip
            return _after_turn_step(world, record)
        case TurnCommitted():
            return _after_commit(world, record)
        case ActMatched() | FactGuessed():
            return _after_line(world, record)
        case SecretRevealed():
            return _after_revelation(world, record)
        case BeatTold(turn=turn, scene=scene, beat=beat):
            return structs.replace(world, told=world.told.set(f"{scene}/{beat}", turn))
        case EventHappened():
            return looked_on(world, after_event(world, record))
        case ConditionTurned():
            return _after_turning(world, record)
        case GateOpened(turn=turn, gate=gate):
            return structs.replace(world, gates=world.gates.set(gate, turn))
        case LayerEntered() | LayerLeft() | LayerMerged():
            return _after_layer(world, record)
        case ProphecyBorn() | ProphecyReinforced() | ProphecyFulfilled():
            return _after_prophecy(world, record)
        case EntityPromoted() | EntityDemoted():
            return after_lifecycle(world, record)
        case BeliefFormed() | BeliefSuperseded():
            return _after_belief(world, record)
        case Corrected():
            return _after_correction(world, record)
        case StageCorrected():
            return looked_on(world, after_correction(world, record))
        case StoryAdopted():
            return come_true(adopt(world, plan(record)), before=world.truths)
        case RunBegun() | RunForked() | TextErased() | TurnEdited() | TurnRetracted():
            return world  # on record for others: fold reads these, entities and memory the rest
        case IntentPredicted() | IntentResolved():
            return after_intent(world, record)
        case ReferenceResolved() | StorySummed():
            return world
        case Remembered():
            return world
        case _:
            assert_never(record)


def _after_line(world: World, record: ActMatched | FactGuessed) -> World:
    """What a player's line did of what is waited for, or said without having it."""
    if isinstance(record, ActMatched):
        done = Deed(record.who, record.act, record.to, record.about)
        return structs.replace(world, deeds=(*world.deeds, done))
    tried = {*world.tried.get(record.who, ()), record.fact}
    return structs.replace(world, tried=world.tried.set(record.who, tuple(sorted(tried))))


def _after_turn_step(world: World, record: TurnStep) -> World:
    answered, pending = stepped(world.answered, world.pending, record)
    if answered is world.answered and pending is world.pending:
        return world
    return structs.replace(world, answered=answered, pending=pending)


def _referred(world: World, atom: Atom) -> World:
    return after_noticing(after_references(overheard(world, atom), atom), atom)


def _after_commit(world: World, record: TurnCommitted) -> World:
    world = told_names(world, record)
    answered, pending = settled(world.answered, world.pending, record.turn)
    connective = is_connective(world, world.scene)
    return structs.replace(
        world,
        now=TurnNo(max(world.now, record.turn)),
        deeds=(),
        given=(),
        told_lines=told_after(world, record.turn),
        clocks=_ticked(world),
        scene_turns=world.scene_turns + 1,
        connective_turns=world.connective_turns + 1 if connective else 0,
        answered=answered,
        pending=pending,
    )


def _ticked(world: World) -> Map[SceneId, int]:
    """The clock of the present scene, one turn on."""
    scene = world.scene
    return (
        world.clocks if scene is None else world.clocks.set(scene, world.clocks.get(scene, 0) + 1)
    )


def _after_turning(world: World, record: ConditionTurned) -> World:
    """`last` is the last turn in which it held at some moment, as far as its turnings tell."""
    turn, name = record.turn, mark_name(record.condition, record.player)
    before = world.marks.get(name, world.marks.get(record.condition))
    if record.holds:
        mark = Mark(turn if before is None else before.first, turn, holds=True)
    elif before is None:
        return world  # what never held cannot cease to
    else:
        # It held up to the turn before; or in this one too, if it began to hold in it.
        mark = Mark(before.first, TurnNo(max(before.last, turn - 1)), holds=False)
    return structs.replace(world, marks=world.marks.set(name, mark))


def _after_revelation(world: World, record: SecretRevealed) -> World:
    fact, how, turn, hint = record.fact, record.how, record.turn, record.suspected
    known = learn(world.known, fact, to=record.to, how=how, turn=turn, suspected=hint)
    if known is world.known:
        return world  # nobody learned anything
    world = structs.replace(world, known=known)
    there = (who for who in record.seen_by if knows(known, who, fact, suspects=hint))
    return together(world, fact, (*record.to, *there), how=how, turn=turn, suspected=hint)


def _after_correction(world: World, record: Corrected) -> World:
    """Knowing shrinks here and nowhere else; a belief set right is kept as superseded."""
    fact, held = record.fact, world.beliefs.get(record.target)
    if fact is not None:
        world = corrected(
            world, fact, unlearned_by=record.unlearned_by, forgotten_by=record.forgotten_by
        )
    if held is not None:
        beliefs = world.beliefs.set(record.target, structs.replace(held, superseded=True))
        world = structs.replace(world, beliefs=beliefs)
    return world


def _after_layer(world: World, record: LayerEntered | LayerLeft | LayerMerged) -> World:
    state = world.layers.get(record.layer, LayerState())
    match record:
        case LayerEntered(turn=turn, scene=scene, who=who):
            state = bumped(state, amount=CROSSING_BUMP, turn=turn)
            state = structs.replace(state, visits=state.visits + 1)
            inside = (*world.inside, Inside(record.layer, scene))
            world = laid_down(structs.replace(world, inside=inside), who)
        case LayerLeft(turn=turn, completed=completed):
            completed = completed or state.completed
            state = structs.replace(state, last_left=turn, completed=completed)
            world = come_out(world, record.layer)
        case LayerMerged(entities=entities):
            state = structs.replace(state, merged=True)
            world = _merged(world, entities)
    return structs.replace(world, layers=world.layers.set(record.layer, state))


def _merged(world: World, entities: dict[EntityId, EntityId]) -> World:
    """What the one inside knew, the one outside knows now, and they are one from here on."""
    known, one_with = world.known, world.one_with
    for inner, outer in sorted(entities.items()):
        known = shared(known, inner=inner, outer=outer)
        one_with = one_with.set(inner, outer)
    return structs.replace(world, known=known, one_with=one_with)


def _after_prophecy(
    world: World, record: ProphecyBorn | ProphecyReinforced | ProphecyFulfilled
) -> World:
    turn = record.turn
    before = world.prophecies.get(record.prophecy, ProphecyState(turn, last=turn))
    match record:
        case ProphecyBorn():
            state = before
        case ProphecyReinforced(event=event, amount=amount):
            total, by = before.reinforced + amount, (*before.by, event)
            state = structs.replace(before, reinforced=total, by=by, last=turn)
        case ProphecyFulfilled():
            state = structs.replace(before, fulfilled=turn)
    return structs.replace(world, prophecies=world.prophecies.set(record.prophecy, state))


def _after_belief(world: World, record: BeliefFormed | BeliefSuperseded) -> World:
    if isinstance(record, BeliefFormed):
        return formed(world, record)
    held = world.beliefs.get(record.belief)
    if held is None:
        return world
    belief = structs.replace(held, superseded=True, superseded_by=record.by)
    return structs.replace(world, beliefs=world.beliefs.set(record.belief, belief))
