"""Ids: what exists by which name, each once, and none that is reserved."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from storykeeper.story.model import PLAYER, PRESENT, RESERVED, Story
from storykeeper.story.problems import Path, Problem


class Names(Struct, frozen=True):
    """All ids of a story, by what they name."""

    cast: frozenset[str]
    things: frozenset[str]
    settings: frozenset[str]
    scenes: frozenset[str]
    layers: frozenset[str]
    facts: frozenset[str]
    events: frozenset[str]
    gates: frozenset[str]
    prophecies: frozenset[str]
    canon: frozenset[str]
    beats: frozenset[str]  # as scene/beat

    @property
    def entities(self) -> frozenset[str]:
        """Whoever and whatever can be spoken of."""
        return self.cast | self.things | self.settings

    @property
    def who(self) -> frozenset[str]:
        """Those who can stand where a condition asks for somebody."""
        return self.cast | {PLAYER}

    @property
    def learners(self) -> frozenset[str]:
        """Those to whom something can be revealed."""
        return self.cast | {PLAYER, PRESENT}


def names_of(story: Story) -> Names:
    """Every id of the story."""
    return Names(
        cast=_ids(story.cast),
        things=_ids(story.things),
        settings=_ids(story.settings),
        scenes=_ids(story.scenes),
        layers=_ids(story.layers),
        facts=_ids(story.facts),
        events=_ids(story.events),
        gates=frozenset(gate.id for scene in story.scenes for gate in scene.gates),
        prophecies=_ids(story.prophecies),
        canon=_ids(story.canon),
        beats=frozenset(f"{scene.id}/{beat.id}" for scene in story.scenes for beat in scene.beats),
    )


def _ids(named: tuple[object, ...]) -> frozenset[str]:
    return frozenset(item.id for item in named)  # type: ignore[attr-defined]


def check_names(story: Story) -> Iterator[Problem]:
    """Ids that stand twice in one namespace, and ids that are reserved."""
    for namespace, places in _namespaces(story):
        first: dict[str, Path] = {}
        for name, path in places:
            if not name:
                continue  # unreadable, and reported
            if name in RESERVED:
                what, fix = f"`{name}` has a meaning of its own and cannot be an id", "rename it"
                yield Problem(code="reserved-id", what=what, fix=fix, path=path)
            if name in first:
                what = f"the id `{name}` stands twice among {namespace}"
                fix = "rename one of them"
                yield Problem(code="duplicate-id", what=what, fix=fix, path=path, also=first[name])
            first.setdefault(name, path)


def _namespaces(story: Story) -> Iterator[tuple[str, Iterator[tuple[str, Path]]]]:
    yield "cast, settings and things", _paths(story, "cast", "settings", "things")
    yield "scenes and layers", _paths(story, "scenes", "layers")
    for section in ("facts", "events", "prophecies", "canon"):
        yield section, _paths(story, section)
    yield (
        "gates",
        (
            (gate.id, ("scenes", i, "gates", j, "id"))
            for i, scene in enumerate(story.scenes)
            for j, gate in enumerate(scene.gates)
        ),
    )
    for i, scene in enumerate(story.scenes):
        places = ((beat.id, ("scenes", i, "beats", j, "id")) for j, beat in enumerate(scene.beats))
        yield f"the beats of `{scene.id}`", places


def _paths(story: Story, *sections: str) -> Iterator[tuple[str, Path]]:
    for section in sections:
        for i, item in enumerate(getattr(story, section)):
            yield item.id, (section, i, "id")
