"""Ids: what exists by which name, each once, and none that is reserved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from storykeeper.story.model import PLAYER, PRESENT, RESERVED, Story
from storykeeper.story.problems import Path, Problem, shown, slug


class Names(Struct, frozen=True):
    """All ids of a story, by what they name.

    Where "" is among them some could not be read, and any other name may be there as well.
    """

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


def names_of(story: Story, missing: Collection[str] = ()) -> Names:
    """Every id of the story; `missing` are those sections that may hold more."""
    found: dict[str, Iterable[str]] = {
        "gates": (gate.id for scene in story.scenes for gate in scene.gates),
        "beats": (_beat(scene.id, beat.id) for scene in story.scenes for beat in scene.beats),
    }
    for section in Names.__struct_fields__:
        if section not in found:
            found[section] = (item.id for item in getattr(story, section))
    return Names(
        **{
            key: frozenset((*_spelt(ids), *([""] if key in missing else [])))
            for key, ids in found.items()
        }
    )


def _spelt(ids: Iterable[str]) -> Iterator[str]:
    """The ids, and for those that are badly spelt also what is advised in their place."""
    for name in ids:
        yield name
        yield "/".join(map(slug, name.split("/"))) or name


def _beat(scene: str, beat: str) -> str:
    return f"{scene}/{beat}" if scene and beat else ""


def check_names(story: Story) -> Iterator[Problem]:
    """Ids that stand twice in one namespace, and ids that are reserved."""
    for namespace, places in _namespaces(story):
        first: dict[str, Path] = {}
        for name, path in places:
            if not name:
                continue  # unreadable, and reported
            if name in RESERVED:
                what, fix = (
                    f"`{shown(name)}` has a meaning of its own and cannot be an id",
                    "rename it",
                )
                yield Problem(code="reserved-id", what=what, fix=fix, path=path)
            if name in first:
                what = f"the id `{shown(name)}` stands twice among {namespace}"
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
