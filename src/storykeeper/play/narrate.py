"""The offline narrator. It tells the author's prose and says plainly what the player did, what was
learned by it and who is there. It invents nothing, and says so once.

What is not told by a beat is said from the records: where a way is shut, what is not here, who has
come or gone. Nothing is said twice in a row that has not changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.events.atoms import (
    Atom,
    Moved,
    Role,
    Source,
    deed,
)
from storykeeper.events.changes import BeliefFormed, IntentResolved, SecretRevealed
from storykeeper.events.staged import Declaration
from storykeeper.language.acts import Act
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.news import (
    SPEAKING,
    acts_of,
    atoms_of,
    came_to,
    moved,
    only_done,
    revealed,
    seen,
)
from storykeeper.play.outcome import is_answer, left_for_later
from storykeeper.play.own_deeds import beside_emotes
from storykeeper.play.witnesses import with_players
from storykeeper.play.wording import joined, name_of, opened
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.conditions import holds_in_time
from storykeeper.world.finding import FOUND, appears
from storykeeper.world.state import World
from storykeeper.world.whereabouts import setting_of

STAGE = Declaration(complete=True)  # what happens is decided by the rules before it is told
NAME = "offline"
ABOUT = (
    "No model is set, so the offline narrator tells this story: the author's own prose, in order,"
    " and plain words for what you do. It makes nothing up."
)
TOLD = "The story is told."


def offline(world: World, turn: PresentTurn, past: Sequence[PastTurn] = ()) -> str:
    """Prose for a turn: what came of the line, what the author wrote for it, what is left to say.

    `past` is what was told before, so that nothing is said twice in a row.
    """
    left, ended = _left(world, turn), is_told(world, turn)
    turn = replace(turn, beats=tuple(each for each in turn.beats if each[0] not in left))
    if ended and not turn.beats:
        return TOLD
    beats = [beat.prose.strip() for _, beat in turn.beats]
    acts = acts_of(world, turn)
    done = " ".join(dict.fromkeys((*came_to(world, turn, acts), *seen(world, turn))))
    shown = list(_others(world, turn, acts, ended=ended))
    found = list(_found(world, turn, by_itself=not beats))
    answered = any(is_answer(world, turn.decided, r) for r in turn.decided
                   if isinstance(r, IntentResolved))  # fmt: skip
    if shown and not answered and not any((done, *found, *beats)):
        done = only_done(world, turn, acts)  # what somebody does meanwhile is no answer to it
    told = [done, *shown, *found, *beats]
    if not beats and not found and (not shown or moved(turn, turn.player)):
        told.append(_unwritten(world, turn, past))
    if not any(told):
        told.append(only_done(world, turn, acts))
    told += [TOLD] if ended else []
    return "\n\n".join(part for part in told if part) or company(world, turn.player)


def stage(world: World, turn: PresentTurn) -> Declaration:
    """What the prose for a turn declares: which passages it leaves for later."""
    return structs.replace(STAGE, left=_left(world, turn))


def _left(world: World, turn: PresentTurn) -> tuple[str, ...]:
    return left_for_later(world, turn, acquaintance(world, turn.player).names())


def is_told(world: World, turn: PresentTurn) -> bool:
    """Whether this is an ending, and it has no more to tell."""
    scene = world.plan.scenes.get(world.scene or "")
    if scene is None or not scene.ending:
        return False
    left = _left(world, turn)
    now = {name: turn.turn for name, _ in turn.beats if name not in left}
    told = world.told.update(now)
    untold = (beat for beat in scene.beats if f"{scene.id}/{beat.id}" not in told)
    then = structs.replace(world, told=told)
    to_come = (each.when is None or holds_in_time(then, each.when) for each in untold)
    return not turn.beats or not any(to_come)


# ── what others do ───────────────────────────────────────────────────────────────────────────


def _others(world: World, turn: PresentTurn, acts: Sequence[Act], *, ended: bool) -> Iterator[str]:
    """What shows of those whom nobody plays, and what they tell the player. Where the author's
    prose comes, it is in that: only what they tell and do stands beside it. Of what has ended
    nothing shows any more. Of gestures there is one: of whom the player turned to before others'.
    """
    gestures: list[IntentResolved] = []
    for record in (each for each in turn.decided if isinstance(each, IntentResolved)):
        if not record.outcome:
            continue
        told = [*filter(None, (_told_by(world, turn, record.who, f) for f in record.reveals))]
        if told or (record.event and not ended):
            yield " ".join(told) or record.outcome
        elif not ended and not turn.beats:
            gestures.append(record)
    to = {act.to for act in acts}
    spoken = any(act.kind in SPEAKING for act in acts) or bool(beside_emotes(turn.text))
    fit = [g for g in gestures if not spoken or is_answer(world, turn.decided, g)]
    fit.sort(key=lambda g: (not is_answer(world, turn.decided, g), g.who not in to))
    yield from (each.outcome for each in fit[:1])


def _told_by(world: World, turn: PresentTurn, who: EntityId, name: str) -> str:
    """What the player is told by somebody, in the author's words; of a lie nothing says so."""
    fact = world.plan.facts[name]
    for record in turn.decided:
        if isinstance(record, SecretRevealed) and record.fact == name and turn.player in record.to:
            said = fact.hint if record.suspected else fact.full
        elif isinstance(record, BeliefFormed) and (record.fact, record.who) == (name, turn.player):
            said = fact.full
        else:
            continue
        return f"{opened(name_of(world, who))} tells you: {' '.join(said.split())}"
    return ""


# ── what there is to say where the author wrote nothing ──────────────────────────────────────


def _unwritten(world: World, turn: PresentTurn, past: Sequence[PastTurn]) -> str:
    learned = list(_learned(world, turn))
    if learned:
        return " ".join(learned)
    if not past or moved(turn, turn.player):
        return company(world, turn.player)
    return _came_or_went(world, turn)


def company(world: World, player: EntityId) -> str:
    """Where the player is, and with whom."""
    place = world.plan.settings.get(world.places.get(player) or "")
    others = [name_of(world, who) for who in with_players(world) if who != player]
    where = f"You are in {place.name}" if place is not None else "You are here"
    if place is not None and place.description:
        where = f"{opened(place.name)}. {place.description.strip()}"
    return f"{where.rstrip('.')}. {_listed(others)}"


def _learned(world: World, turn: PresentTurn) -> Iterator[str]:
    """What the player knows since this turn, in the author's words."""
    said = {f for r in turn.decided if isinstance(r, IntentResolved) for f in r.reveals}
    for record in revealed(turn):
        if record.fact in said:
            continue
        fact = world.plan.facts[record.fact]
        yield " ".join((fact.hint if record.suspected else fact.full).split())


def _found(world: World, turn: PresentTurn, *, by_itself: bool) -> Iterator[str]:
    """What the player came upon in this turn, by searching; and what came to light by itself."""
    here = world.places.get(turn.player)
    for atom in (each for each in turn.decided if isinstance(each, Atom)):
        by_rule = atom.source is Source.RULE
        if by_rule and atom.what == deed(FOUND) and turn.player in those(atom, Role.ACTOR):
            for thing in those(atom, Role.TARGET):
                yield f"You find {_described(world, thing)}"
        elif by_itself and appears(atom):
            for thing in those(atom, Role.SUBJECT):
                if setting_of(world, thing) == here:
                    yield f"There is {_described(world, thing)}"


def _described(world: World, entity: EntityId) -> str:
    thing = world.plan.things.get(entity)
    said = "" if thing is None else " ".join(thing.description.split())
    return f"{name_of(world, entity)}. {said}".strip()


def _came_or_went(world: World, turn: PresentTurn) -> str:
    here = world.places.get(turn.player)
    said = []
    for who in map(EntityId, world.plan.cast):
        moves = [a.what for a in atoms_of(turn, who) if isinstance(a.what, Moved)]
        if who == turn.player or not moves:
            continue
        if world.places.get(who) == here:
            said.append(f"{opened(name_of(world, who))} is here now.")
        elif moves[0].origin == here:
            said.append(f"{opened(name_of(world, who))} is gone.")
    return " ".join(said)


def _listed(names: list[str]) -> str:
    if not names:
        return "Nobody else is here."
    verb = "is" if len(names) == 1 else "are"
    return f"{opened(joined(names, 'and'))} {verb} here."
