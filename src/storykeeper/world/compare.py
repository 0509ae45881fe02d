"""What is different between two worlds, in plain changes that a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from immutables import Map
from msgspec import Struct

from storykeeper.events.vocabulary import Dimension
from storykeeper.world.state import (
    Believed,
    Entity,
    Feeling,
    Inside,
    LayerState,
    Mark,
    Mood,
    ProphecyState,
    SceneState,
    Sighting,
    Standing,
    World,
)


class Change(Struct, frozen=True, order=True):
    """One difference: what kind of thing, which one, and how it was and is, in words.

    Nothing is written as an empty text: before it came, and after it went.
    """

    what: str
    key: str
    before: str
    after: str

    def __str__(self) -> str:
        if not self.before:
            return f"{self.what} {self.key}: {self.after}"
        return f"{self.what} {self.key}: {self.before} → {self.after or 'nothing'}"


# Every field of a world but its plan, and what a difference in it is called. The maps of maps and
# the standings are written out further below.
_CALLED = {
    "now": "turn", "scene": "present scene", "scene_turns": "turns in the scene",
    "connective_turns": "turns between scenes", "inside": "layer stack", "scenes": "scene",
    "masses": "mass", "places": "place", "bodies": "body",
    "holders": "holder", "containers": "container",
    "closed": "closed", "hidden": "hidden", "invisible": "invisible", "away": "away",
    "lines": "line", "ringing": "ringing", "aloud": "on speaker", "keyed": "by radio",
    "muted": "muted",
    "sightings": "seen", "moods": "mood", "truths": "truth",
    "beliefs": "belief", "taught": "lesson", "asleep": "asleep",
    "unsure": "unsure of", "tried": "guesses", "deaf": "deaf",
    "clocks": "turns of scene",
    "gates": "gate", "told": "beat", "happened": "event", "shown": "last did", "marks": "mark",
    "layers": "layer", "one_with": "is", "prophecies": "prophecy",
    "deeds": "deeds", "answered": "answered turn", "pending": "pending turn",
}  # fmt: skip
# These say again what the register, the sightings and the records say, for finding it fast.
DERIVED = frozenset({
    "keys", "index", "recent", "mentioned", "given", "told_lines", "haunts", "met", "heard",
    "guessed", "noticed", "player",
})  # fmt: skip
_OPENED = frozenset({"gates", "told", "happened"})  # maps to the turn in which


def difference(before: World, after: World) -> tuple[Change, ...]:
    """All that is different, sorted: the same two worlds always give the same changes."""
    return tuple(sorted(_changes(before, after)))


def _changes(before: World, after: World) -> Iterator[Change]:
    if before.plan != after.plan:
        yield Change("story", before.plan.story.id, _story(before), _story(after))
    for name, called in _CALLED.items():
        old, new = getattr(before, name), getattr(after, name)
        if not isinstance(old, Map):
            yield from _change(called, "", old, new)
        elif name in _OPENED:
            yield from _change_of_maps(called, _turns(old), _turns(new))
        else:
            yield from _change_of_maps(called, old, new)
    yield from _standings(before, after)
    for key in {*before.register, *after.register}:
        old, new = before.register.get(key), after.register.get(key)
        name = next(each.words or key for each in (new, old) if each is not None)
        if words(old) != words(new):
            yield Change("entity", f"{name} ({key})", words(old), words(new))
    for who in {*before.known, *after.known}:
        yield from _change_of_maps(
            "knowledge", _facts(before, who), _facts(after, who), prefix=f"{who} · "
        )


def _story(world: World) -> str:
    return f"version {world.plan.story.version} ({world.plan.digest[:12]})"


def _turns(opened: Map[str, int]) -> dict[str, str]:
    return {name: f"turn {turn}" for name, turn in opened.items()}


def _facts(world: World, who: Any) -> dict[str, str]:
    return {
        fact: f"{'suspects' if known.suspected else 'knows'} ({known.how}, turn {known.since})"
        for fact, known in world.known.get(who, {}).items()
    }


def _standings(before: World, after: World) -> Iterator[Change]:
    for pair in {*before.standings, *after.standings}:
        old = before.standings.get(pair, Standing())
        new = after.standings.get(pair, Standing())
        for dimension in Dimension:
            values = getattr(old, dimension.value), getattr(new, dimension.value)
            yield from _change(dimension.value, f"{pair[0]} → {pair[1]}", *values)
        yield from _change("shifts", f"{pair[0]} → {pair[1]}", old.shifts, new.shifts)


def _change_of_maps(
    called: str, old: Mapping[Any, Any], new: Mapping[Any, Any], *, prefix: str = ""
) -> Iterator[Change]:
    for key in {*old, *new}:
        yield from _change(called, f"{prefix}{key}", old.get(key), new.get(key))


def _change(called: str, key: str, old: object, new: object) -> Iterator[Change]:
    if old == new:
        return
    was, now = words(old), words(new)
    if was == now:  # too small a difference for two digits, or in what words leave out
        was, now = repr(old), repr(new)
    yield Change(called, key, was, now)


def words(value: object) -> str:
    """A state of the world for a person to read."""
    match value:
        case None | ():
            return ""
        case float():
            return f"{value:.2f}"
        case tuple():
            return ", ".join(words(each) for each in value)
        case SceneState():
            return f"{value.status}, {_times(value.visits)}"
        case Mood():
            three = f"valence {value.valence:.2f}, arousal {value.arousal:.2f}"
            felt = "".join(f"; {words(each)}" for each in value.feelings)
            return f"{three}, determination {value.determination:.2f}{felt}"
        case Feeling(name=name, strength=strength, awareness=awareness, toward=toward):
            return f"{name}{f' toward {toward}' if toward else ''} {strength:.2f} ({awareness})"
        case Believed(who=who, how=how, superseded=superseded):
            return f"{who} believed it" if superseded else f"{who} believes it ({how})"
        case Sighting():
            return _sighting(value)
        case LayerState():
            return _layer(value)
        case ProphecyState(fulfilled=turn) if turn is not None:
            return f"fulfilled in turn {turn}"
        case ProphecyState():
            return f"spoken in turn {value.born}, reinforced by {value.reinforced:.2f}"
        case Mark(first=first, last=last, holds=holds):
            return f"first in turn {first}, {'still so' if holds else f'last in turn {last}'}"
        case Inside(layer=layer, entered_from=scene):
            return f"{layer} from {scene}"
        case Entity(tier=tier, total=total, events=events):
            return f"{tier or 'texture'}, weight {total:.2f} in {events} events"
        case Struct():
            return _fields(value)
        case _:
            return str(value)


def _sighting(seen: Sighting) -> str:
    where = seen.place if seen.place is not None else "gone"
    if seen.teller is not None:
        where = f"{where} as {seen.teller} said"
    apart = "".join(f", apart {' '.join(group)}" for group in seen.apart)
    return f"{where} (turn {seen.turn}, by {' '.join(seen.by) or 'nobody'}{apart})"


def _layer(state: LayerState) -> str:
    ends = [name for name in ("completed", "merged") if getattr(state, name)]
    crossed = f"bumps {sum(b.amount for b in state.bumps):.2f}"
    return ", ".join([_times(state.visits), crossed, *ends])


def _times(visits: int) -> str:
    return f"{visits} visit{'' if visits == 1 else 's'}"


def _fields(value: Struct) -> str:
    pairs = ((name, getattr(value, name)) for name in value.__struct_fields__)
    return ", ".join(f"{name} {words(each)}" for name, each in pairs if words(each))
