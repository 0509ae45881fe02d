"""What can never come about: shut gates, unreachable scenes, secrets that nobody can learn."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story.conditions import Condition
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import PLAYER, Story
from storykeeper.story.problems import Path, Problem, Severity
from storykeeper.story.reach import Reach, reach
from storykeeper.story.scenes import Scene


def check_reaching(story: Story) -> Iterator[Problem]:
    """Everything the story promises and can never keep."""
    found = reach(story)
    for i, scene in enumerate(story.scenes):
        yield from _scene(("scenes", i), scene, found)
    yield from _layers(story, found)
    yield from _events(story, found)
    yield from _facts(story, found)
    yield from _prophecies(story, found)
    yield from _things(story, found)
    yield from _minds(story, found)
    for i, setting in enumerate(story.settings):
        for j, way in enumerate(setting.paths):
            what = f"the path to `{way.to}` can never be taken"
            yield from _never(found, way.when, ("settings", i, "paths", j, "when"), what)
    if not any(scene.ending and ("entered", scene.id) in found for scene in story.scenes):
        fix = "mark a scene that can be reached with `ending: true`"
        path: Path = ("start",)
        yield _problem("no-ending", path, "the story has no ending that can be reached", fix,
                       Severity.WARNING)  # fmt: skip


def _scene(path: Path, scene: Scene, found: Reach) -> Iterator[Problem]:
    for j, gate in enumerate(scene.gates):
        for n, condition in enumerate(gate.conditions):
            why = found.why_not(condition)
            if why:
                what = f"the gate `{gate.id}` can never open: {why}"
                at = (*path, "gates", j, "conditions", n)
                yield _problem("gate-shut", at, what, "make it possible, or ask something else")
    if ("entered", scene.id) not in found:
        severity = Severity.ERROR if scene.required else Severity.WARNING
        kind = "required scene" if scene.required else "scene"
        what = f"the {kind} `{scene.id}` can never be entered"
        fix = "let a scene that can be reached lead to it"
        yield _problem("unreachable", (*path, "id"), what, fix, severity)
        return
    severity = Severity.ERROR if scene.required else Severity.WARNING
    what = f"the scene `{scene.id}` can never be completed"
    yield from _never(found, scene.done_when, (*path, "done_when"), what, severity)
    for j, way in enumerate(scene.leads_to):
        what = f"the way to `{way.to}` can never be taken"
        yield from _never(found, way.when, (*path, "leads_to", j, "when"), what)
    for j, beat in enumerate(scene.beats):
        what = f"the beat `{beat.id}` can never be told"
        yield from _never(found, beat.when, (*path, "beats", j, "when"), what)
    for j, approach in enumerate(scene.approach):
        for n, predicate in enumerate(approach.predicates):
            at = (*path, "approach", j, "predicates", n, "when")
            yield from _never(found, predicate.when, at, "the predicate can never hold")


def _minds(story: Story, found: Reach) -> Iterator[Problem]:
    for i, person in enumerate(story.cast):
        for j, tell in enumerate(person.tells):
            what = f"`{person.id}` can never tell `{tell.fact}`"
            yield from _never(found, tell.when, ("cast", i, "tells", j, "when"), what)
        for j, each in enumerate(person.does):
            what = f"`{person.id}` can never do `{each.happens}`"
            yield from _never(found, each.when, ("cast", i, "does", j, "when"), what)
        for j, show in enumerate(person.shows):
            what = f"this can never be seen of `{person.id}`"
            yield from _never(found, show.when, ("cast", i, "shows", j, "when"), what)
    for i, fact in enumerate(story.facts):
        for j, shown in enumerate(fact.shows):
            what = f"`{fact.id}` can never show like this"
            yield from _never(found, shown.when, ("facts", i, "shows", j, "when"), what)


def _layers(story: Story, found: Reach) -> Iterator[Problem]:
    for i, layer in enumerate(story.layers):
        path: Path = ("layers", i)
        if not any(("entered", scene) in found for scene in layer.scenes):
            what = f"nobody can ever enter the layer `{layer.id}`"
            fix = "add a portal from a scene that can be reached"
            yield _problem("layer-closed", (*path, "id"), what, fix, Severity.WARNING)
        what = f"the hidden layer `{layer.id}` can never be revealed"
        yield from _never(found, layer.revealed_by, (*path, "revealed_by"), what)
        for name, ways in (("portals", layer.portals), ("exits", layer.exits)):
            for j, way in enumerate(ways):
                what = f"the way to `{way.to}` can never be taken"
                yield from _never(found, way.when, (*path, name, j, "when"), what)


def _events(story: Story, found: Reach) -> Iterator[Problem]:
    for i, event in enumerate(story.events):
        if ("happened", event.id) in found:
            continue
        why = found.why_not(event.when) if event.when else "it has no `when`, and no beat that "
        why = why if event.when else f"{why}can be told says that it `happens`"
        what = f"the event `{event.id}` can never happen: {why}"
        fix = "make it possible, or name it under `happens` of a beat"
        yield _problem("never-happens", ("events", i, "id"), what, fix, Severity.WARNING)


def _facts(story: Story, found: Reach) -> Iterator[Problem]:
    for i, fact in enumerate(story.facts):
        path: Path = ("facts", i)
        if fact.secret and not _learnt(fact, story, found):
            what = f"nobody can ever learn the secret `{fact.id}`"
            fix = "add `revealed_by`, or a beat, gate or event that `reveals` it"
            severity = Severity.ERROR
            if _suspected(fact, story, found):  # a riddle may be meant to stay one
                what, severity = f"{what}, only suspect it", Severity.WARNING
            yield _problem("secret-kept", (*path, "id"), what, fix, severity)
        for j, reveal in enumerate(fact.revealed_by):
            what = f"this can never reveal `{fact.id}`"
            yield from _never(found, reveal.when, (*path, "revealed_by", j, "when"), what)


def _learnt(fact: Fact, story: Story, found: Reach) -> bool:
    """Whether a player knows it from the start, or anybody can come to know it."""
    if PLAYER in fact.known_by or any(player in fact.known_by for player in story.players):
        return True
    if ("shown", fact.id) in found:
        return True
    return any(
        ("knows", character.id, fact.id) in found
        for character in story.cast
        if character.id not in fact.known_by
    )


def _suspected(fact: Fact, story: Story, found: Reach) -> bool:
    """Whether anybody can come to suspect it who does not from the start."""
    return ("hinted", fact.id) in found or any(
        ("suspects", character.id, fact.id) in found
        for character in story.cast
        if character.id not in fact.suspected_by
    )


def _prophecies(story: Story, found: Reach) -> Iterator[Problem]:
    for i, prophecy in enumerate(story.prophecies):
        path: Path = ("prophecies", i)
        if ("happened", prophecy.source) not in found:
            what = f"the prophecy `{prophecy.id}` can never be born: `{prophecy.source}` "
            fix = "let its source happen"
            yield _problem("prophecy-unborn", (*path, "source"), f"{what}can never happen", fix,
                           Severity.WARNING)  # fmt: skip
        if ("entered", prophecy.target) not in found:
            what = f"the prophecy `{prophecy.id}` leans on a scene that can never be entered"
            yield _problem("prophecy-target", (*path, "target"), what, "aim it elsewhere",
                           Severity.WARNING)  # fmt: skip
        what = f"the prophecy `{prophecy.id}` can never be fulfilled"
        yield from _never(found, prophecy.fulfilled_by, (*path, "fulfilled_by"), what)


def _things(story: Story, found: Reach) -> Iterator[Problem]:
    """What is hidden, and neither comes to light, nor is given, nor can be searched for."""
    for i, thing in enumerate(story.things):
        path: Path = ("things", i)
        given = any(
            thing.id in event.gives and ("happened", event.id) in found for event in story.events
        )
        if not thing.hidden or not thing.at or given:
            continue
        what = f"the hidden thing `{thing.id}` can never be found"
        if thing.revealed_by is not None:
            yield from _never(found, thing.revealed_by, (*path, "revealed_by"), what)
        elif not any(("at", player, thing.at) in found for player in story.players):
            what = f"{what}: no player can come to `{thing.at}`"
            fix = "let them come there, or put it elsewhere"
            yield _problem("never-found", (*path, "at"), what, fix, Severity.WARNING)


def _never(
    found: Reach,
    condition: Condition | None,
    path: Path,
    what: str,
    severity: Severity = Severity.WARNING,
) -> Iterator[Problem]:
    why = found.why_not(condition) if condition is not None else None
    if why:
        fix = "make it possible, or ask something else"
        yield _problem("never", path, f"{what}: {why}", fix, severity)


def _problem(
    code: str, path: Path, what: str, fix: str, severity: Severity = Severity.ERROR
) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path, severity=severity)
