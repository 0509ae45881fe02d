"""How the parts lie to each other: layers and scenes, settings within settings, things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storykeeper.story.layers import Layer, Portal
from storykeeper.story.model import Story
from storykeeper.story.places import Thing
from storykeeper.story.problems import Path, Problem, Severity


def check_structure(story: Story) -> Iterator[Problem]:
    """Contradictions between statements that are each fine on their own."""
    yield from _things(story)
    yield from _cycles(story)
    yield from _layers(story)
    yield from _settings(story)
    yield from _players(story)


def _things(story: Story) -> Iterator[Problem]:
    for i, thing in enumerate(story.things):
        if thing.at and thing.held_by:
            what = f"`{thing.id}` lies at `{thing.at}` and is held by `{thing.held_by}`"
            path = ("things", i, "held_by")
            yield _problem("two-places", path, what, "keep one of the two")
        yield from _hidden(("things", i), thing)


def _hidden(path: Path, thing: Thing) -> Iterator[Problem]:
    """What is hidden lies somewhere; what is not needs nothing to bring it to light."""
    if thing.hidden and thing.held_by:
        what = f"`{thing.id}` is hidden, and held by `{thing.held_by}`: what they have is theirs"
        yield _problem("hidden-held", (*path, "hidden"), what, "keep one of the two")
    elif thing.hidden and not thing.at:
        what, fix = f"`{thing.id}` is hidden nowhere", "say `at` which setting it lies"
        yield _problem("hidden-nowhere", (*path, "hidden"), what, fix, Severity.WARNING)
    if thing.revealed_by is not None and not thing.hidden:
        what, fix = f"`{thing.id}` is not hidden, so nothing reveals it", "add `hidden: true`"
        yield _problem("not-hidden", (*path, "revealed_by"), what, fix, Severity.WARNING)


def _players(story: Story) -> Iterator[Problem]:
    seen: set[str] = set()
    for i, player in enumerate(story.players):
        if player in seen:
            what = f"`{player}` is named twice among the players"
            yield _problem("duplicate-player", ("players", i), what, "name each once")
        seen.add(player)


def _cycles(story: Story) -> Iterator[Problem]:
    parents = {layer.id: layer.parent for layer in story.layers}
    for i, layer in enumerate(story.layers):
        if _returns(layer.id, parents):
            what = f"the layer `{layer.id}` is its own parent, over one step or more"
            path: Path = ("layers", i, "parent")
            yield _problem("cycle", path, what, "let one of them have no parent")
    around = {setting.id: setting.within for setting in story.settings}
    for i, setting in enumerate(story.settings):
        if _returns(setting.id, around):
            what = f"`{setting.id}` lies within itself, over one step or more"
            path = ("settings", i, "within")
            yield _problem("cycle", path, what, "let one of them lie within nothing")
        for j, way in enumerate(setting.paths):
            if way.to == setting.id:
                what = f"the path leads from `{setting.id}` to itself"
                yield _problem("cycle", ("settings", i, "paths", j, "to"), what, "remove it")
    for theme, others in story.themes.items():
        if theme in others:
            what = f"the theme `{theme}` resonates with itself"
            yield _problem("cycle", ("themes", theme), what, "remove it from its own list")


def _returns(start: str, up: Mapping[str, str | None]) -> bool:
    here, steps = up.get(start), 0
    while here and steps <= len(up):
        if here == start:
            return True
        here, steps = up.get(here), steps + 1
    return False


def _layers(story: Story) -> Iterator[Problem]:
    owner: dict[str, tuple[str, Path]] = {}
    for i, layer in enumerate(story.layers):
        for j, scene in enumerate(layer.scenes):
            path: Path = ("layers", i, "scenes", j)
            if scene in owner:
                what = f"the scene `{scene}` is in two layers, `{owner[scene][0]}` and `{layer.id}`"
                fix = "a scene lies in one; let a layer have a `parent` to nest them"
                yield Problem(
                    code="two-layers", what=what, fix=fix, path=path, also=owner[scene][1]
                )
            owner.setdefault(scene, (layer.id, path))
    endings = {scene.id for scene in story.scenes if scene.ending}
    for i, layer in enumerate(story.layers):
        yield from _boundary(i, layer)
        if not layer.exits and not endings & set(layer.scenes):
            what = f"nobody can leave the layer `{layer.id}`"
            fix = "add `exits`, or mark one of its scenes as an ending"
            yield _problem("no-exit", ("layers", i), what, fix, Severity.WARNING)
    yield from _crossings(story, {scene: layer for scene, (layer, _) in owner.items()})


def _boundary(i: int, layer: Layer) -> Iterator[Problem]:
    inside = set(layer.scenes)
    if not inside or "" in inside:
        return  # unreadable, and reported
    for j, portal in enumerate(layer.portals):
        if portal.from_ in inside or portal.to not in inside:
            fix = "`from` is a scene outside the layer, `to` one inside"
            yield _wrong_way(("layers", i, "portals", j), portal, "in", layer, fix)
    for j, way in enumerate(layer.exits):
        if way.from_ not in inside or way.to in inside:
            fix = "`from` is a scene inside the layer, `to` one outside"
            yield _wrong_way(("layers", i, "exits", j), way, "out", layer, fix)


def _wrong_way(path: Path, way: Portal, where: str, layer: Layer, fix: str) -> Problem:
    what = f"the way from `{way.from_}` to `{way.to}` does not lead {where} of `{layer.id}`"
    return _problem("wrong-way", path, what.replace("in of", "into"), fix)


def _crossings(story: Story, layer_of: dict[str, str]) -> Iterator[Problem]:
    """Transitions that pass a boundary without a portal: what crosses would not be counted."""
    for i, scene in enumerate(story.scenes):
        here = layer_of.get(scene.id)
        for j, way in enumerate(scene.leads_to):
            if layer_of.get(way.to) != here:
                what = f"the way from `{scene.id}` to `{way.to}` passes the boundary of a layer"
                fix = "write it as a portal or an exit of the layer"
                path = ("scenes", i, "leads_to", j, "to")
                yield _problem("crosses-layer", path, what, fix, Severity.WARNING)


def _settings(story: Story) -> Iterator[Problem]:
    if len(story.settings) < 2:
        return
    joined = {way.to for setting in story.settings for way in setting.paths}
    joined |= {setting.within for setting in story.settings if setting.within}
    for i, setting in enumerate(story.settings):
        if not setting.paths and not setting.within and setting.id not in joined:
            what, fix = f"no path leads to or from `{setting.id}`", "give it `paths` or `within`"
            yield _problem("no-path", ("settings", i, "id"), what, fix, Severity.WARNING)


def _problem(
    code: str, path: Path, what: str, fix: str, severity: Severity = Severity.ERROR
) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path, severity=severity)
