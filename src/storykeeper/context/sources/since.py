"""What has changed since an older moment: how people stand to each other, and how they feel.

A world holds how things are. How they were is found by taking back, the last first, what has moved
them since: shifts on record, and those that the author's events state. What moved them by nothing
on record is only said to be otherwise. What came before a window can look back is left standing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn
from storykeeper.context.stances import said_again
from storykeeper.context.words import OWNED, grown, listed, name_of, which_way
from storykeeper.events.atoms import Atom, EmotionShown, RelationShifted, Resolved, Role
from storykeeper.events.changes import MoodDelta
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.model import PLAYER
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import Mood, Standing

_STANDS = (  # a measure of a standing, and what it is called when it rises and when it falls
    ("affection", "has grown fonder of {}", "has grown colder to {}"),
    ("reliability", "has come to rely on {} more", "relies on {} less"),
    ("competence", "has come to think {} abler", "thinks {} less able"),
    ("benevolence", "has come to trust {} more", "trusts {} less"),
    ("debt", "has come to owe {} more", "owes {} less"),
)
Said = tuple[str, str]  # words, and what they rest on


class _Pair(NamedTuple):
    of: EntityId
    toward: EntityId


def since(boundary: Boundary, turn: PastTurn, people: Sequence[str]) -> Iterator[Said]:
    """Of people who were there: how they stand to a player's character now, and both their moods.

    Only of what is open of them now; they were there to be seen then.
    """
    everybody = [EntityId(who) for who in people if who in boundary.plan.cast]
    for mind in boundary.minds:
        for who in everybody:
            for pair in (_Pair(who, mind), _Pair(mind, who)):
                if boundary.open(f"moved:{pair.of}/{pair.toward}"):
                    yield from _stands(boundary, turn, pair)
    for who in (*boundary.minds, *everybody):
        if boundary.open(f"shift:{who}"):
            yield from _feels(boundary, turn, who)


# ── how they stand ───────────────────────────────────────────────────────────────────────────


def _stands(boundary: Boundary, turn: PastTurn, pair: _Pair) -> Iterator[Said]:
    held = boundary.world.standings.get(pair, Standing())
    if held.last_shift is None or held.last_shift <= turn.turn:
        return
    moved = _moved(boundary, turn.turn, pair)
    ways = [which_way(moved[name], up=up, down=down) for name, up, down in _STANDS]
    said = [*filter(None, ways)]
    if said:
        whom = said_again(boundary.plan, pair.toward)
        told = [said[0].format(name_of(boundary.plan, pair.toward))]
        told += [way.format(whom) for way in said[1:]]
        of = name_of(boundary.plan, pair.of)
        yield f"Since then {of} {listed(told)}", f"moved:{pair.of}/{pair.toward}"


def _moved(boundary: Boundary, after: TurnNo, pair: _Pair) -> dict[str, float]:
    """By how much each measure has moved since a turn."""
    moved = {name: 0.0 for name, _, _ in _STANDS}
    for atom in _atoms(boundary, after):
        if isinstance(atom.what, RelationShifted) and _between(atom) == pair:
            moved[atom.what.dimension] += atom.what.by
    for event in _events(boundary, after):
        for shift in event.relations:
            ends = (shift.from_, pair.of), (shift.to, pair.toward)
            if all(_means(boundary, name, who) for name, who in ends):
                moved[shift.dimension] += shift.by
    return moved


def _between(atom: Atom) -> tuple[str | None, str | None]:
    """Whose standing an atom moves, toward whom."""
    return _first(atom, Role.ACTOR), _first(atom, Role.TARGET)


# ── how they feel ────────────────────────────────────────────────────────────────────────────


def _feels(boundary: Boundary, turn: PastTurn, who: EntityId) -> Iterator[Said]:
    now = boundary.world.moods.get(who, Mood())
    shown = _shown(boundary, turn, who)
    then = _then(boundary, turn.turn, who, now) if shown is None else _as_shown(shown)
    change = MoodDelta(
        valence=now.valence - then.valence,
        arousal=now.arousal - then.arousal,
        determination=now.determination - then.determination,
    )
    way = grown([change])
    if way:
        felt = shown.feeling.strip() if shown is not None and shown.awareness in OWNED else ""
        before = f", from {felt}" if felt else ""
        yield f"Since then {name_of(boundary.plan, who)} has grown {way}{before}", f"shift:{who}"


def _shown(boundary: Boundary, turn: PastTurn, who: EntityId) -> EmotionShown | None:
    """What they were seen to feel then."""
    for atom in turn.atoms:
        what, theirs = atom.what, _whose(atom) == who
        if isinstance(what, EmotionShown) and theirs and boundary.witnessed(atom):
            return what
    return None


def _whose(atom: Atom) -> str | None:
    """Who an atom shows to feel something."""
    return _first(atom, Role.ACTOR) or _first(atom, Role.SUBJECT)


def _as_shown(shown: EmotionShown) -> Mood:
    return Mood(shown.valence, shown.arousal, shown.determination)


def _then(boundary: Boundary, after: TurnNo, who: EntityId, now: Mood) -> Mood:
    """A mood with what events have done to it since a turn taken back, the last first.

    A feeling that was shown since has put another in the place of the mood before: then as now.
    """
    if any(isinstance(a.what, EmotionShown) and _whose(a) == who for a in _atoms(boundary, after)):
        return now
    for event in _events(boundary, after):
        for shift in reversed(event.moods):
            if _means(boundary, shift.who, who):
                now = structs.replace(
                    now,
                    valence=min(1.0, max(-1.0, now.valence - shift.valence)),
                    arousal=min(1.0, max(0.0, now.arousal - shift.arousal)),
                    determination=min(1.0, max(0.0, now.determination - shift.determination)),
                )
    return now


# ── what has happened ────────────────────────────────────────────────────────────────────────


def _atoms(boundary: Boundary, after: TurnNo) -> Iterator[Atom]:
    """All in reach since a turn, those of the turn under way too."""
    for past in reversed(boundary.recent):
        if past.turn <= after:
            break
        yield from past.atoms
    yield from (each for each in boundary.present.decided if isinstance(each, Atom))


def _events(boundary: Boundary, after: TurnNo) -> list[StoryEvent]:
    """The author's events since a turn, the last first."""
    plan = boundary.plan
    found = [
        (when, event)
        for event, when in boundary.world.happened.items()
        if when > after and event in plan.events
    ]
    return [plan.events[event] for _, event in sorted(found, reverse=True)]


def _means(boundary: Boundary, name: str, who: EntityId) -> bool:
    """Whether a name in an event is theirs; of several players it is not kept whose turn it was."""
    return name == who or (name == PLAYER and boundary.plan.players == (who,))


def _first(atom: Atom, role: Role) -> str | None:
    parts = (p.entity for p in atom.participants if p.role is role)
    return next((each.entity for each in parts if isinstance(each, Resolved)), None)
