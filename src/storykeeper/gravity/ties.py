"""What relates to a scene, and what only resonates with it (F2.7).

*relates*: shares one of the scene's cast, lies in its setting or next to it, or is something that
one of the ways of coming to it asks for. Players' characters, and whoever is cast in more than a
third of the scenes and in more than one, tie nothing to anything.
*resonates*: has a theme in common, equal or joined by the story's own lexicon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from storykeeper.gravity.possible import inside
from storykeeper.gravity.roads import adjacent
from storykeeper.story.conditions import Condition
from storykeeper.story.scenes import Scene
from storykeeper.world.plan import Plan

EVERYWHERE_FROM = 3  # cast in more than one scene of so many
Scenes = frozenset[str]
NONE: Scenes = frozenset()


class Subject(Struct, frozen=True):
    """What an item is about."""

    entities: tuple[str, ...] = ()  # people, places and things, by id
    themes: tuple[str, ...] = ()
    about: tuple[str, ...] = ()  # facts, and events the author wrote
    scenes: tuple[str, ...] = ()  # it is of these scenes themselves


class _Among(dict[str, Scenes]):
    """Scenes by what ties an item to them, without those that do not count."""

    def __init__(self, every: dict[str, Scenes], scenes: Scenes) -> None:
        super().__init__()
        self._every, self._scenes = every, scenes

    def get(self, name: str, default: Scenes = NONE) -> Scenes:  # type: ignore[override]
        if name not in self:
            self[name] = self._every.get(name, default) & self._scenes
        return self[name]


class Ties(Struct, frozen=True):
    """Scenes by what ties an item to them."""

    by_entity: dict[str, Scenes]
    by_asked: dict[str, Scenes]  # facts and events
    by_theme: dict[str, Scenes]  # themes that resonate with theirs
    echoes: dict[str, frozenset[str]]  # a theme, and all that resonate with it

    def related(self, subject: Subject) -> Scenes:
        """Scenes that an item relates to."""
        by_entity = (self.by_entity.get(each, NONE) for each in subject.entities)
        by_asked = (self.by_asked.get(each, NONE) for each in subject.about)
        return NONE.union(subject.scenes, *by_entity, *by_asked)

    def resonant(self, subject: Subject) -> Scenes:
        """Scenes that an item resonates with, whether or not it relates to them."""
        return NONE.union(*(self.by_theme.get(each, NONE) for each in subject.themes))

    def among(self, scenes: Scenes) -> Ties:
        """The same, of these scenes alone; each tie is looked up when it is asked for."""
        return Ties(
            _Among(self.by_entity, scenes), _Among(self.by_asked, scenes),
            _Among(self.by_theme, scenes), self.echoes,
        )  # fmt: skip

    def resonate(self, some: Iterable[str], others: Iterable[str]) -> bool:
        """Whether a theme of the one is a theme of the other, or joined to it."""
        heard = frozenset(others)
        return any(not heard.isdisjoint(self.echoes.get(each, {each})) for each in some)


@lru_cache(maxsize=16)
def ties(plan: Plan) -> Ties:
    """All ties of a story; a plan is the same object as long as its story is."""
    echoes = _echoes(plan)
    everywhere = _everywhere(plan)
    by_entity: dict[str, set[str]] = {}
    by_asked: dict[str, set[str]] = {}
    by_theme: dict[str, set[str]] = {}
    for scene in plan.scenes.values():
        cast = {*scene.cast.required, *scene.cast.contingent} - everywhere
        for entity in (*cast, *_places(plan, scene)):
            by_entity.setdefault(entity, set()).add(scene.id)
        for asked in _asked_for(scene):
            by_asked.setdefault(asked, set()).add(scene.id)
        for theme in {t for own in scene.themes for t in echoes.get(own, {own})}:
            by_theme.setdefault(theme, set()).add(scene.id)
    return Ties(_frozen(by_entity), _frozen(by_asked), _frozen(by_theme), echoes)


def _frozen(found: dict[str, set[str]]) -> dict[str, Scenes]:
    return {name: frozenset(scenes) for name, scenes in found.items()}


def _everywhere(plan: Plan) -> set[str]:
    """Those who tie nothing to anything."""
    met = Counter(
        who for s in plan.scenes.values() for who in {*s.cast.required, *s.cast.contingent}
    )
    # Whoever is in one scene ties to that one alone, however few there are.
    often = {
        w for w, count in met.items() if count > 1 and EVERYWHERE_FROM * count > len(plan.scenes)
    }
    return often.union(plan.players)


def _places(plan: Plan, scene: Scene) -> set[str]:
    """The setting of a scene and those a path joins to it."""
    return set() if scene.setting is None else {scene.setting, *adjacent(plan)[scene.setting]}


def _asked_for(scene: Scene) -> Iterator[str]:
    for vector in scene.approach:
        for each in vector.predicates:
            yield from _named(each.when)


def _named(condition: Condition) -> Iterator[str]:
    if condition.knows is not None:
        yield condition.knows.fact
    yield from filter(None, (condition.happened, condition.holds))
    for name, inner in inside(condition):
        if name != "not_":
            yield from _named(inner)


def _echoes(plan: Plan) -> dict[str, frozenset[str]]:
    """Every theme with those it is joined to, both ways, and itself."""
    found: dict[str, set[str]] = {}
    for theme, others in plan.story.themes.items():
        for other in others:
            found.setdefault(theme, {theme}).add(other)
            found.setdefault(other, {other}).add(theme)
    return {theme: frozenset(joined) for theme, joined in found.items()}
