"""A story laid out for asking: everything by its id, what belongs where, what is remembered.

Made once when a story is adopted and carried by the world, so that no question walks a list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import Struct

from storykeeper.events.turns import StoryAdopted
from storykeeper.story.adopt import adopted_story
from storykeeper.story.conditions import Condition, children
from storykeeper.story.knowledge import Fact, StoryEvent
from storykeeper.story.layers import Layer, Prophecy
from storykeeper.story.model import PLAYER, Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Beat, Gate, Scene
from storykeeper.story.walk import walk
from storykeeper.units import Digest, EntityId, SceneId


class Plan(Struct, frozen=True, eq=False):
    """A story by id. Two plans are the same if they are plans of the same bytes."""

    story: Story
    digest: Digest
    players: tuple[EntityId, ...]
    cast: dict[str, Character]
    settings: dict[str, Setting]
    things: dict[str, Thing]
    facts: dict[str, Fact]
    events: dict[str, StoryEvent]
    scenes: dict[str, Scene]
    beats: dict[str, Beat]  # by "scene/beat"
    gates: dict[str, Gate]
    layers: dict[str, Layer]
    prophecies: dict[str, Prophecy]
    layer_of: dict[str, str]  # scene → layer; the main story's scenes are not in it
    required: dict[str | None, tuple[SceneId, ...]]  # by layer; None is the main story
    remembered: tuple[Condition, ...]  # inner ones first

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def named(self, who: str, player: EntityId | None = None) -> tuple[EntityId, ...]:
        """The characters that a name in the author's files stands for.

        `player` is whose turn it is; where there is no turn, every player is meant.
        """
        if who != PLAYER:
            return (EntityId(who),)
        return self.players if player is None else (player,)


@lru_cache(maxsize=16)
def plan(record: StoryAdopted) -> Plan:
    """The plan of the story that a run adopted."""
    story = adopted_story(record)
    layer_of = {scene: g.id for g in story.layers for scene in g.scenes}
    return Plan(
        story=story,
        digest=record.digest,
        players=tuple(map(EntityId, story.players)),
        cast={c.id: c for c in story.cast},
        settings={s.id: s for s in story.settings},
        things={t.id: t for t in story.things},
        facts={f.id: f for f in story.facts},
        events={e.id: e for e in story.events},
        scenes={s.id: s for s in story.scenes},
        beats={f"{s.id}/{b.id}": b for s in story.scenes for b in s.beats},
        gates={g.id: g for s in story.scenes for g in s.gates},
        layers={g.id: g for g in story.layers},
        prophecies={p.id: p for p in story.prophecies},
        layer_of=layer_of,
        required=_required(story, layer_of),
        remembered=_remembered(story),
    )


@lru_cache(maxsize=65_536)
def key(condition: Condition) -> Digest:
    """The name under which a condition is remembered: an edited story keeps what it can."""
    body = msgspec.json.encode(condition, order="deterministic")
    return Digest(hashlib.sha256(body).hexdigest()[:32])


def _required(story: Story, layer_of: dict[str, str]) -> dict[str | None, tuple[SceneId, ...]]:
    found: dict[str | None, tuple[SceneId, ...]] = {}
    for scene in story.scenes:
        if scene.required:
            layer = layer_of.get(scene.id)
            found[layer] = (*found.get(layer, ()), SceneId(scene.id))
    return found


def _remembered(story: Story) -> tuple[Condition, ...]:
    found: dict[Digest, Condition] = {}
    for _, each in walk(story):
        if isinstance(each, Condition):
            for inner in _remembered_in(each):
                found.setdefault(key(inner), inner)
    return tuple(found.values())


def _remembered_in(condition: Condition) -> Iterator[Condition]:
    for path, inner in children(condition):
        yield from _remembered_in(inner)
        if path[0] in ("since", "within", "sequence"):
            yield inner
