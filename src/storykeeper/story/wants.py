"""Conditions as wishes: which atoms of `reach` would make each of them hold."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from msgspec import Struct

from storykeeper.story import conditions as c
from storykeeper.story.model import PLAYER, Story
from storykeeper.story.places import Thing

Atom = tuple[str, ...]
Ways = tuple[tuple[Atom, ...], ...]  # any of these, each needing all of its atoms

ALWAYS: Ways = ((),)
NEVER: Ways = ()


class Want(Struct, frozen=True):
    """At least `least` of the parts; or, of a single question, one of the ways to answer it."""

    says: str = ""  # why it never holds, if it never does
    ways: Ways = ALWAYS
    parts: tuple[Want, ...] = ()
    least: int = 0

    def atoms(self) -> Iterator[Atom]:
        """Everything that bears on it."""
        for way in self.ways:
            yield from way
        for part in self.parts:
            yield from part.atoms()


class Rule(Struct, frozen=True):
    """When the wish holds, these atoms are true."""

    want: Want
    gives: tuple[Atom, ...]


def all_of(parts: list[Want]) -> Want:
    """Every part must hold."""
    return parts[0] if len(parts) == 1 else Want(parts=tuple(parts), least=len(parts))


def unmet(want: Want, true: AbstractSet[Atom]) -> Want | None:
    """The first question that keeps a wish from holding; None if it holds."""
    if want.parts:
        met = 0
        missing = None
        for part in want.parts:
            found = unmet(part, true)
            met += found is None
            missing = missing or found
            if met >= want.least:
                return None
        return missing
    for way in want.ways:
        if all(atom in true for atom in way):
            return None
    return want


class Wants:
    """Turns the conditions of one story into wishes, and remembers which places were asked for."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._facts = {fact.id: fact for fact in story.facts}
        self._things = {thing.id: thing for thing in story.things}
        self._layers = {layer.id: layer.scenes for layer in story.layers}
        self._cast = {character.id for character in story.cast}
        self._given: dict[str, list[str]] = {}
        for event in story.events:
            for thing in event.gives:
                self._given.setdefault(thing, []).append(event.id)
        self._roads = _roads(story)
        self._stated = _stated(story)
        self._asked: dict[Atom, None] = {}

    def after(self, atoms: tuple[Atom, ...], condition: c.Condition | None = None) -> Want:
        """These atoms, and then the condition if there is one."""
        first = Want(ways=(atoms,))
        return first if condition is None else all_of([first, self.of(condition)])

    def of(self, condition: object) -> Want:
        """The wish that stands for a condition."""
        assert isinstance(condition, c.Condition)
        return all_of([self._part(name, value) for name, value in c.parts(condition)] or [Want()])

    def _part(self, name: str, value: object) -> Want:
        match value:
            case c.Condition() if name == "not_":
                return Want()
            case c.Since() | c.Within():
                return self.of(value.of)
            case c.Threshold():
                return Want(parts=tuple(map(self.of, value.of)), least=value.at_least)
            case tuple() if name == "any_":
                return Want(parts=tuple(map(self.of, value)), least=1)
            case tuple():
                return all_of([self.of(part) for part in value])
            case _:
                says, ways = self._question(name, value)
                return Want(says=says, ways=ways)

    def _question(self, name: str, value: object) -> tuple[str, Ways]:
        match value:
            case c.Knows():
                return f"`{value.who}` can never know `{value.fact}`", self._knows(value)
            case c.At():
                there = tuple((self.at(who, value.place),) for who in self._people(value.who))
                return f"`{value.who}` can never be at `{value.place}`", there
            case c.Has():
                return f"`{value.who}` can never hold `{value.thing}`", self._has(value)
            case c.Did():
                return f"`{value.who}` can never do that", (self._did(value),)
            case c.RelationRange():
                ways = ALWAYS if value.at_least <= value.at_most else NEVER
                return "the range of the relation is empty", ways
            case c.MoodNear():
                return "", ALWAYS
            case _:
                return self._named(name, str(value))

    def _named(self, name: str, value: str) -> tuple[str, Ways]:
        match name:
            case "holds":
                fact = self._facts.get(value)
                ways = ALWAYS if fact is None or fact.confidence >= 0.5 else NEVER
                return f"`{value}` takes no part in conditions", ways
            case "present":
                ways = ALWAYS if value == PLAYER else ((("met", value),),)
                return f"`{value}` can never be present", ways
            case "happened":
                return f"the event `{value}` can never happen", ((("happened", value),),)
            case "told":
                return f"the beat `{value}` can never be told", ((("told", value),),)
            case "visited":
                scenes = self._layers.get(value, (value,))
                ways = tuple((("entered", scene),) for scene in scenes)
                return f"`{value}` can never be entered", ways
            case "completed":
                return f"the scene `{value}` can never be completed", ((("completed", value),),)
            case _:
                return f"the gate `{value}` can never open", ((("opened", value),),)

    def _people(self, who: str) -> tuple[str, ...]:
        return self._story.players if who == PLAYER else (who,)

    def _knows(self, knows: c.Knows) -> Ways:
        fact = self._facts.get(knows.fact)
        if fact is not None and fact.confidence < 0.5:
            return NEVER
        ways: list[tuple[Atom, ...]] = []
        for who in self._people(knows.who):
            ways += [(("knows", who, knows.fact),), (("shown", knows.fact), ("met", who))]
            if knows.suspects:
                ways.append((("suspects", who, knows.fact),))
                ways.append((("hinted", knows.fact), ("met", who)))
        return tuple(ways)

    def _did(self, did: c.Did) -> tuple[Atom, ...]:
        return tuple(("met", who) for who in (did.who, did.to) if who in self._cast)

    def _has(self, has: c.Has) -> Ways:
        thing = self._things.get(has.thing)
        if thing is None:
            return ALWAYS
        return tuple(way for who in self._people(has.who) for way in self._gets(who, thing))

    def _gets(self, who: str, thing: Thing) -> Iterator[tuple[Atom, ...]]:
        given = self._given.get(thing.id, ())
        if not (thing.at or thing.held_by or given):
            yield ()  # nothing says where it is: it may turn up
        for event in given:
            yield (("happened", event), ("met", who))
        if thing.held_by == who:
            yield ()
        elif thing.held_by:
            yield (("met", thing.held_by), ("met", who))
        if thing.at:
            yield (self.at(who, thing.at),)
            for player in self._story.players:
                yield (self.at(player, thing.at), ("met", who))

    def at(self, who: str, place: str) -> Atom:
        """The atom that somebody can be in a place; asking for it makes its rule."""
        atom = ("at", who, place)
        self._asked[atom] = None
        return atom

    def places(self) -> Iterator[Rule]:
        """A rule for each place that was asked for: one can be wherever a road leads from."""
        roads: dict[str, tuple[str, ...]] = {}
        for atom in self._asked:
            _, who, place = atom
            if place not in roads:
                roads[place] = tuple(sorted(_back(place, self._roads)))
            stood = tuple((("stood", who, here),) for here in roads[place])
            yield Rule(Want(ways=stood if who in self._stated else ALWAYS), (atom,))


def _roads(story: Story) -> dict[str, set[str]]:
    """From each place, those from which one can come to it in a step."""
    back: dict[str, set[str]] = {}
    for setting in story.settings:
        for way in setting.paths:
            back.setdefault(way.to, set()).add(setting.id)
            if not way.one_way:
                back.setdefault(setting.id, set()).add(way.to)
        if setting.within:
            back.setdefault(setting.within, set()).add(setting.id)
            back.setdefault(setting.id, set()).add(setting.within)
    return back


def _back(place: str, roads: dict[str, set[str]]) -> set[str]:
    found, waiting = {place}, [place]
    while waiting:
        for before in roads.get(waiting.pop(), ()):
            if before not in found:
                found.add(before)
                waiting.append(before)
    return found


def _stated(story: Story) -> set[str]:
    """Those of whom anything says where they are; the others may be anywhere."""
    stated = {character.id for character in story.cast if character.at}
    for scene in story.scenes:
        if scene.setting:
            stated.update(scene.cast.required, scene.cast.contingent, story.players)
    for event in story.events:
        for who in event.moves:
            stated.update(story.players if who == PLAYER else (who,))
    return stated
