"""A story, whole: what `story.yaml`, the other YAML files and the scene files add up to.

    my-story/
      story.yaml          required; may hold every section
      cast.yaml …         any other .yaml file may hold the sections that are lists or mappings
      scenes/*.md         one scene a file: a YAML head between --- lines, then its prose

One model serves the reader, the checks, the JSON Schema and the reference page.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from storykeeper.story.conditions import Authored
from storykeeper.story.knowledge import Fact, StoryEvent
from storykeeper.story.layers import Layer, Prophecy
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene
from storykeeper.story.tuning import Budget, Overrides, Tuning
from storykeeper.units import Id, Unit

PLAYER = "player"  # in place of an id: whichever character a player plays
PRESENT = "present"  # in place of an id: everyone in the scene
NARRATOR = "narrator"
RESERVED = frozenset({PLAYER, PRESENT, NARRATOR, "author", "nobody", "everyone"})


class Soft(Authored, frozen=True):
    """One piece of soft material; the order of the list is the order of importance."""

    heading: str
    text: str


class CanonMode(Authored, frozen=True):
    """Under which terms a source may be used."""

    non_commercial: bool = False
    local_only: bool = False


class Canon(Authored, frozen=True, kw_only=True):
    """A source from outside the story: `id@version` on everything that comes from it."""

    id: Id
    version: Annotated[str, Meta(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+-]*$", max_length=40)]
    path: str  # a file or folder beside story.yaml
    trust: Unit = 1.0
    compliance: CanonMode = CanonMode()


class StorySections(Authored, frozen=True, kw_only=True):
    """What any YAML file of the story may hold; files add up in the order of their names."""

    cast: tuple[Character, ...] = ()
    settings: tuple[Setting, ...] = ()
    things: tuple[Thing, ...] = ()
    facts: tuple[Fact, ...] = ()
    events: tuple[StoryEvent, ...] = ()
    layers: tuple[Layer, ...] = ()
    prophecies: tuple[Prophecy, ...] = ()
    canon: tuple[Canon, ...] = ()
    themes: dict[str, tuple[str, ...]] = {}  # a theme, and those it resonates with


class StoryFile(StorySections, frozen=True, kw_only=True):
    """`story.yaml`: any sections, and what only this file may say."""

    format: Literal[1] = 1
    id: Id
    title: str
    version: str = "1"
    author: str = ""
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    players: Annotated[tuple[Id, ...], Meta(min_length=1)]  # of the cast
    start: Id  # a scene
    voice: str
    rules: tuple[str, ...] = ()
    anti_patterns: tuple[str, ...] = ()
    soft: tuple[Soft, ...] = ()
    tuning: Tuning = Tuning()
    budget: Budget = Budget()
    overrides: Overrides = Overrides()


class Story(StoryFile, frozen=True, kw_only=True):
    """The story as the engine knows it."""

    scenes: tuple[Scene, ...] = ()
