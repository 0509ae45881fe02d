"""What comes of a line, told apart from what would have come whatever was typed.

A line is played out twice: as it was typed, and as if nothing had been. What only the first brings
comes of the line; prose that both would bring is due, and is no answer to anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from msgspec import structs

from storykeeper.context.history import PresentTurn
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    EmotionShown,
    InformationTold,
    Moved,
    RelationShifted,
    Role,
    SceneChanged,
    Source,
    SpeechUttered,
)
from storykeeper.events.changes import (
    ActMatched,
    BeliefFormed,
    IntentPredicted,
    IntentResolved,
    SecretRevealed,
)
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TurnCommitted
from storykeeper.language.names import Names
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.play.beats import next_beat
from storykeeper.play.commit import play_out
from storykeeper.play.options import is_near, touched_by
from storykeeper.play.signs import is_sign
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.wording import all_names
from storykeeper.story.conditions import Did
from storykeeper.story.scenes import Beat
from storykeeper.story.walk import walk
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.conditions import part_holds
from storykeeper.world.plan import Plan
from storykeeper.world.state import Pending, World

Passage = tuple[str, Beat]  # "scene/beat", and it


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a line, and what is due besides."""

    comes: bool  # the story goes on by it: something is answered, moved or told
    due: Passage | None  # prose that comes next, whatever is typed
    leads_away: bool  # with it the story passes to another scene
    only_shown: bool = False  # all that comes of it is what somebody shows


def outcome(world: World, turn: Pending, *, calm: bool = True) -> Outcome:
    """What a line brings; not `calm`: what people show of themselves is no answer to a threat."""
    played, idle = play_out(world, turn), play_out(world, structs.replace(turn, text=""))
    follows, due = next_beat(played.world), next_beat(idle.world)
    passed = {_key(each) for each in idle.records}
    came = [each for each in played.records if _key(each) not in passed]
    more = [each for each in came if _is_more(played, each, calm=calm)]
    told = follows is not None and (due is None or follows[0] != due[0])
    away = any(isinstance(each.what, SceneChanged) for each in idle.atoms)
    shown = all(isinstance(each, IntentResolved) and not each.reveals for each in more)
    told = told or (away and _opens_the_way(world, played.world))
    return Outcome(bool(more) or told, due, away, shown and not told)


def _opens_the_way(before: World, after: World) -> bool:
    """Whether a way of the scene waits for something newly done, though time opens it too."""
    ways = before.plan.scenes[before.scene or before.plan.story.start].leads_to
    asked = (part for way in ways if way.to == after.scene for _, part in walk(way.when))
    return any(
        part_holds(after, "did", did) and not part_holds(before, "did", did)
        for did in asked if isinstance(did, Did)
    )  # fmt: skip


def _key(record: AnyRecord) -> object:
    return (record.what, record.participants) if isinstance(record, Atom) else record


def _is_more(unfolding: Unfolding, record: AnyRecord, *, calm: bool) -> bool:
    """Whether it is more than that the player did what they typed, and how others took it."""
    match record:
        case TurnCommitted() | IntentPredicted() | ActMatched():
            return False
        case IntentResolved():
            return calm and is_answer(unfolding.world, unfolding.records, record)
        case Atom(what=RelationShifted() | EmotionShown()):
            return False
        case Atom(what=InformationTold()):
            return record.source is not Source.PLAYER
        case Atom(what=ActionTaken() | SpeechUttered()):
            return record.source is not Source.PLAYER
        case _:
            return True


# ── who answers ──────────────────────────────────────────────────────────────────────────────


def is_answer(world: World, records: Iterable[AnyRecord], record: IntentResolved) -> bool:
    """Whether what somebody does has to do with what the player did; a fidget has not."""
    if not record.outcome or is_sign(record.option.removeprefix(f"{record.who}/")):
        return False
    about = _about(world.plan, record)
    atoms = [each for each in records if isinstance(each, Atom)]
    touched = touched_by(atoms, world.plan.cast)
    return about is None or is_near(record.who, about, touched)


def _about(plan: Plan, record: IntentResolved) -> Sequence[str] | None:
    """What a line of somebody's bears on; None: it is of something they chose to do."""
    kind, _, number = record.option.removeprefix(f"{record.who}/").rpartition("/")
    if kind == "shows":
        return plan.cast[record.who].shows[int(number)].about
    if kind.startswith("fact:"):
        fact = plan.facts[kind.removeprefix("fact:").removesuffix("/shows")]
        return fact.shows[int(number)].about or fact.about
    return None


def answers(world: World, turn: PresentTurn) -> bool:
    """Whether somebody answers the player in a turn, by what they tell or show."""
    for record in turn.decided:
        match record:
            case IntentResolved():
                if is_answer(world, turn.decided, record):
                    return True
            case SecretRevealed():
                if turn.player in record.to and record.how.startswith("told by"):
                    return True
            case BeliefFormed():
                if record.who == turn.player:
                    return True
    return False


def handed(turn: PresentTurn) -> tuple[Atom, ...]:
    """What changed hands by the player's deed."""
    atoms = [each for each in turn.decided if isinstance(each, Atom)]
    mine = {thing for a in atoms if a.source is Source.PLAYER for thing in _of(a)}
    return tuple(
        a for a in atoms
        if isinstance(a.what, Moved) and a.source is Source.RULE and not those(a, Role.ACTOR)
        and not mine.isdisjoint(those(a, Role.SUBJECT))
    )  # fmt: skip


def _of(atom: Atom) -> Iterator[EntityId]:
    """Whom and what an atom is of, and about."""
    for role in (Role.TARGET, Role.SUBJECT, Role.INSTRUMENT):
        yield from those(atom, role)
    if isinstance(atom.what, ActionTaken) and atom.what.about is not None:
        yield atom.what.about


# ── prose ────────────────────────────────────────────────────────────────────────────────────


def left_for_later(world: World, turn: PresentTurn, names: Names) -> tuple[str, ...]:
    """The passages that wait, because somebody answers the player, and they tell of other things.

    What a scene begins with does not wait, nor what an act of the player's was waited for.
    """
    if not turn.beats or not turn.text or not (answers(world, turn) or handed(turn)):
        return ()
    if any(isinstance(a.what, SceneChanged) for a in turn.decided if isinstance(a, Atom)):
        return ()
    name, beat = turn.beats[-1]
    waited = any(isinstance(part, Did) for _, part in walk(beat.when))
    learned = {r.fact for r in turn.decided if isinstance(r, SecretRevealed | BeliefFormed)}
    asked = {getattr(part, "fact", None) for _, part in walk(beat.when)}
    kept = waited or opens(world, name) or not learned.isdisjoint(asked - {None})
    return () if kept or tells_of(world, beat, turn.text, names) else (name,)


def opens(world: World, passage: str) -> bool:
    """Whether it is what a scene begins with: the story has gone there already."""
    scene = world.plan.scenes[world.scene or world.plan.story.start]
    return passage == f"{scene.id}/{scene.beats[0].id}"


def tells_of(
    world: World, beat: Beat, line: str, names: Names, *, heads: Iterable[str] = (),
    people: Collection[EntityId] = (),
) -> bool:  # fmt: skip
    """Whether a passage tells of what a line names, whoever is there aside: of a thing, a place or
    somebody else; or of something that has no name, by its word.
    """
    if any(stems_of(head) and stems_of(head) <= stems_of(beat.prose) for head in heads):
        return True
    told = _named_in(world.plan, beat.prose) | _of_facts(world.plan, beat)
    near = {who for who in world.plan.cast if world.places.get(EntityId(who)) is not None}
    return any(
        each.entity in told for each in names.find(line)
        if each.entity not in near or each.entity in people or _is_asked_after(line, each.start)
    )  # fmt: skip


_AFTER = frozenset({"who", "about", "of", "whose"})


def _is_asked_after(line: str, at: int) -> bool:
    """Whether somebody named is what is asked: "who is Tobit?", "about Tobit"."""
    before = line[:at].casefold().replace("’", "'").split()[-3:]
    return any(word.removesuffix("'s") in _AFTER for word in before)


def _of_facts(plan: Plan, beat: Beat) -> frozenset[str]:
    """What the facts are about that a passage waited for, or reveals."""
    asked = (getattr(part, "fact", None) for _, part in walk(beat.when))
    facts = (plan.facts.get(name) for name in (*asked, *beat.reveals) if name is not None)
    return frozenset(each for fact in facts if fact is not None for each in fact.about)


@lru_cache(maxsize=4_096)
def _named_in(plan: Plan, prose: str) -> frozenset[str]:
    return frozenset(str(each.entity) for each in all_names(plan).find_in_prose(prose))


def named_so_far(world: World, *, seen: Iterable[EntityId] = ()) -> Iterator[str]:
    """Everybody and everything that the author's prose has named to the player, and what is
    written of the things that they see.
    """
    for thing in seen:
        yield from sorted(_named_in(world.plan, world.plan.things[thing].description))
    for name in sorted(world.told):
        beat = world.plan.beats.get(name)
        if beat is not None:
            yield from sorted(_named_in(world.plan, beat.prose))


def stems_of(text: str) -> frozenset[str]:
    """The words of a text that mean something, without their endings."""
    return frozenset(stem(word) for word in words(text) if word not in STOP)


def last_named(world: World, told: str) -> dict[EntityId, int]:
    """Where in what was told last everybody and everything was named last."""
    found = all_names(world.plan).find_in_prose(told)
    return {each.entity: each.start for each in found}
