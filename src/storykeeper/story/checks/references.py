"""References: every id that stands for something must name something.

The table says which field refers to what. A test goes through the model and fails if a field
that holds an id is missing here.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from storykeeper.story import conditions as c
from storykeeper.story import knowledge as k
from storykeeper.story import layers, minds, model, people, places, scenes, stage, tuning
from storykeeper.story.checks.names import Names
from storykeeper.story.problems import Path, Problem, nearest, shown
from storykeeper.story.walk import wire_names


class Kind(StrEnum):
    """What a reference may name."""

    PERSON = "one of the cast"
    WHO = "one of the cast, or `player`"
    LEARNER = "one of the cast, `player` or `present`"
    SETTING = "a setting"
    THING = "a thing"
    ENTITY = "one of the cast, a setting or a thing"
    WHOM = "one of the cast, a setting, a thing or `player`"
    SCENE = "a scene"
    LAYER = "a layer"
    SCENE_OR_LAYER = "a scene or a layer"
    FACT = "a fact"
    EVENT = "an event"
    FACT_OR_EVENT = "a fact or an event"
    GATE = "a gate"
    PROPHECY = "a prophecy"
    CANON = "a canon source"
    BEAT = "a beat, as scene/beat"
    HOW = "a way to learn"  # refers only where it says `by` whom


# A field of names: its kind. A field that is a mapping: the kind of its keys and of its values.
REFERS: dict[type, dict[str, Kind | tuple[Kind | None, Kind | None]]] = {
    c.Knows: {"who": Kind.WHO, "fact": Kind.FACT},
    c.RelationRange: {"from_": Kind.WHO, "to": Kind.WHO},
    c.MoodNear: {"who": Kind.WHO},
    c.At: {"who": Kind.WHO, "place": Kind.SETTING},
    c.Has: {"who": Kind.WHO, "thing": Kind.THING},
    c.Did: {"who": Kind.WHO, "to": Kind.WHOM, "about": Kind.WHOM},
    c.Condition: {
        "holds": Kind.FACT,
        "present": Kind.WHO,
        "happened": Kind.EVENT,
        "told": Kind.BEAT,
        "visited": Kind.SCENE_OR_LAYER,
        "completed": Kind.SCENE,
        "opened": Kind.GATE,
    },
    k.Reveal: {"to": Kind.LEARNER, "how": Kind.HOW},
    k.Bearing: {"from_": Kind.WHO, "to": Kind.WHO},
    k.Fact: {
        "about": Kind.ENTITY,
        "layer": Kind.LAYER,
        "known_by": (Kind.WHO, Kind.HOW),
        "suspected_by": (Kind.WHO, Kind.HOW),
        "believed_by": (Kind.WHO, Kind.HOW),
        "supersedes": Kind.FACT,
    },
    k.RelationShift: {"from_": Kind.WHO, "to": Kind.WHO},
    k.MoodShift: {"who": Kind.WHO},
    k.StoryEvent: {
        "about": Kind.ENTITY,
        "reveals": Kind.FACT,
        "mass": (Kind.SCENE, None),
        "permeability": (Kind.LAYER, None),
        "moves": (Kind.WHO, Kind.SETTING),
        "gives": (Kind.THING, Kind.WHO),
    },
    layers.Portal: {"from_": Kind.SCENE, "to": Kind.SCENE},
    layers.EntityMap: {
        "shared": Kind.ENTITY,
        "projected": (Kind.ENTITY, Kind.ENTITY),
        "discrete": Kind.ENTITY,
    },
    layers.Layer: {"scenes": Kind.SCENE, "parent": Kind.LAYER},
    layers.Reinforcement: {"event": Kind.EVENT},
    layers.Prophecy: {"source": Kind.EVENT, "target": Kind.SCENE},
    minds.Show: {"about": Kind.ENTITY, "to": Kind.WHO, "with_": Kind.THING},
    minds.FactShow: {
        "about": Kind.ENTITY,
        "to": Kind.WHO,
        "who": Kind.WHO,
        "with_": Kind.THING,
    },
    minds.Tell: {"fact": Kind.FACT, "to": Kind.LEARNER},
    minds.Attempt: {
        "happens": Kind.EVENT,
        "with_": Kind.THING,
        "partly": Kind.EVENT,
        "opens": Kind.EVENT,
        "fails": Kind.EVENT,
    },
    people.Goal: {"by": Kind.FACT_OR_EVENT, "against": Kind.FACT_OR_EVENT},
    people.Relation: {"to": Kind.PERSON},
    people.Feeling: {"toward": Kind.WHOM},
    people.Scope: {"entities": Kind.ENTITY, "canon": Kind.CANON},
    people.Character: {"at": Kind.SETTING},
    places.Path: {"to": Kind.SETTING},
    places.Setting: {"within": Kind.SETTING, "hears": Kind.SETTING, "sees": Kind.SETTING},
    places.Thing: {"at": Kind.SETTING, "held_by": Kind.PERSON, "forms": (Kind.LAYER, None)},
    scenes.SceneCast: {"required": Kind.PERSON, "contingent": Kind.PERSON},
    scenes.Gate: {"reveals": Kind.FACT},
    scenes.Transition: {"to": Kind.SCENE},
    scenes.Beat: {
        "happens": Kind.EVENT,
        "reveals": Kind.FACT,
        "at": Kind.SETTING,
        "with_": Kind.PERSON,
    },
    stage.StageMove: {"who": Kind.WHO, "to": Kind.WHOM},
    stage.StageAside: {"by": Kind.WHO, "to": Kind.WHO},
    stage.Stage: {"here": Kind.WHO, "holds": (Kind.THING, Kind.WHO)},
    scenes.Scene: {"setting": Kind.SETTING},
    model.Story: {"players": Kind.PERSON, "start": Kind.SCENE},
    tuning.Overrides: {
        "scenes": (Kind.SCENE, None),
        "layers": (Kind.LAYER, None),
        "prophecies": (Kind.PROPHECY, None),
    },
}


def check_references(
    structs: list[tuple[Path, c.Authored]], names: Names, story: model.Story
) -> Iterator[Problem]:
    """Every reference that names nothing, with the nearest name there is."""
    known = known_names(names)
    for path, struct in structs:
        fields = REFERS.get(type(struct))
        if not fields:
            continue
        wires = dict(wire_names(type(struct)))
        for field, kind in fields.items():
            value = getattr(struct, field)
            if value:
                for at, name, wanted in _mentions((*path, wires[field]), value, kind):
                    there = known[wanted]
                    if name and name not in there and "" not in there:
                        yield _dangling(at, name, wanted, known[wanted], story)


def known_names(names: Names) -> dict[Kind, frozenset[str]]:
    """What may stand where, by kind."""
    return {
        Kind.PERSON: names.cast,
        Kind.WHO: names.who,
        Kind.LEARNER: names.learners,
        Kind.SETTING: names.settings,
        Kind.THING: names.things,
        Kind.ENTITY: names.entities,
        Kind.WHOM: names.entities | {model.PLAYER},
        Kind.SCENE: names.scenes,
        Kind.LAYER: names.layers,
        Kind.SCENE_OR_LAYER: names.scenes | names.layers,
        Kind.FACT: names.facts,
        Kind.EVENT: names.events,
        Kind.FACT_OR_EVENT: names.facts | names.events,
        Kind.GATE: names.gates,
        Kind.PROPHECY: names.prophecies,
        Kind.CANON: names.canon,
        Kind.BEAT: names.beats,
    }


def _mentions(
    path: Path, value: object, kind: Kind | tuple[Kind | None, Kind | None]
) -> Iterator[tuple[Path, str, Kind]]:
    """Each name in a field, with its place and what it should name."""
    if isinstance(kind, tuple):
        assert isinstance(value, dict)
        keys, values = kind
        for key, inner in value.items():
            if keys:
                yield (*path, key), key, keys
            if values:
                yield from _mentions((*path, key), inner, values)
    elif isinstance(value, tuple):
        for i, inner in enumerate(value):
            yield from _mentions((*path, i), inner, kind)
    elif isinstance(value, str) and kind is not Kind.HOW:
        yield path, value, kind
    elif isinstance(value, str) and " by " in value:
        yield path, value.split(" by ", 1)[1], Kind.PERSON


def _dangling(
    path: Path, name: str, kind: Kind, known: frozenset[str], story: model.Story
) -> Problem:
    near = nearest(name, known)
    if name == model.PLAYER and kind is Kind.PERSON and any(story.players):
        fix = f"name the character, `{story.players[0]}`"
    elif near:
        fix = f"did you mean `{near}`?"
    elif not known:
        fix = "the story has none yet; add it"
    else:
        fix = "add it, or name one that is there"
    what = f"`{shown(name)}` should name {kind}, and nothing of that kind has this id"
    return Problem(code="dangling", what=what, fix=fix, path=path)
