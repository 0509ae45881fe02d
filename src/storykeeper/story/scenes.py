"""Scenes: what each weighs, who must be there, what leads into it and out of it, and its prose."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from storykeeper.story.conditions import Authored, Condition, RelationRange, Weighed
from storykeeper.story.stage import Stage
from storykeeper.units import Id, Signed, Unit


class SceneType(StrEnum):
    """What a scene is for; it decides how narrative distance is measured."""

    GRAVITATIONAL = "gravitational"
    GATE = "gate"
    THRESHOLD = "threshold"
    CONNECTIVE = "connective"


class SceneCast(Authored, frozen=True):
    """Who must be there, and who may."""

    required: tuple[Id, ...] = ()
    contingent: tuple[Id, ...] = ()


class MoodTarget(Authored, frozen=True):
    """The mood in which the player comes to a scene."""

    valence: Signed | None = None
    arousal: Unit | None = None
    determination: Unit | None = None


class Approach(Authored, frozen=True):
    """One way of coming to a scene: weighted predicates, and a mood."""

    predicates: tuple[Weighed, ...] = ()
    mood: MoodTarget | None = None


class Gate(Authored, frozen=True):
    """Something that stays shut until all of its conditions hold."""

    id: Id
    conditions: Annotated[tuple[Condition, ...], Meta(min_length=1)]
    means: str = ""  # what the gate is, to the narrator
    changes: str = ""  # what changes when it opens
    reveals: tuple[Id, ...] = ()


class Transition(Authored, frozen=True):
    """What may follow."""

    to: Id
    when: Condition | None = None
    label: str = ""
    bridge: str = ""  # told when it is taken and people have to come there


class BeatHead(Authored, frozen=True, rename={"with_": "with"}):
    """What the head of a scene file says of a beat; its prose stands under `## id`."""

    when: Condition | None = None
    happens: tuple[Id, ...] = ()
    reveals: tuple[Id, ...] = ()
    stage: Stage | None = None  # who comes and goes in it
    at: tuple[Id, ...] = ()  # where it can be told; where the scene is, unless stated
    with_: tuple[Id, ...] = ()  # who must be there for it to be told


class Beat(BeatHead, frozen=True, kw_only=True, rename={"with_": "with"}):
    """A piece of authored prose, told once, in order, when its condition holds."""

    id: Id
    prose: str


class Withheld(StrEnum):
    """What of a scene the author keeps even from the narrator until it is there."""

    THEMES = "themes"
    TONE = "tone"
    STAKES = "stakes"
    IMAGES = "images"


class Images(Authored, frozen=True):
    """What is seen, heard or half said of a scene before it comes, by how near it is."""

    distant: tuple[str, ...] = ()
    approaching: tuple[str, ...] = ()
    imminent: tuple[str, ...] = ()


class SceneBody(Authored, frozen=True, kw_only=True):
    """All of a scene but its name and its prose."""

    title: str
    type: SceneType = SceneType.CONNECTIVE
    setting: Id | None = None
    mass: Unit = 0.0
    required: bool = False
    hinge: bool = False
    branch: bool = False
    convergence: bool = False
    ending: bool = False
    revisitable: bool = False
    temperature: Unit = 0.5
    cast: SceneCast = SceneCast()
    themes: tuple[str, ...] = ()
    tone: str = ""
    stakes: str = ""
    images: Images = Images()
    withheld: tuple[Withheld, ...] = ()
    approach: tuple[Approach, ...] = ()
    relations: tuple[RelationRange, ...] = ()
    gates: tuple[Gate, ...] = ()
    leads_to: tuple[Transition, ...] = ()
    done_when: Condition | None = None


class SceneHead(SceneBody, frozen=True, kw_only=True):
    """The YAML head of a scene file; `beats` says more about the beats of the prose below it."""

    id: Id | None = None  # the file's name, unless stated
    beats: dict[Id, BeatHead] = {}


class Scene(SceneBody, frozen=True, kw_only=True):
    """A scene as the engine knows it: the head, with the prose in its beats."""

    id: Id
    beats: tuple[Beat, ...] = ()
