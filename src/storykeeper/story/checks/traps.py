"""Traps: beats that can contradict each other, ways back that are shut, ways that wait for ever."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from storykeeper.story.checks.shapes import contradicts
from storykeeper.story.conditions import Condition, Since
from storykeeper.story.model import Story
from storykeeper.story.problems import Path, Problem, Severity
from storykeeper.story.scenes import Beat, Scene, Transition
from storykeeper.story.stage import MoveKind
from storykeeper.story.walk import walk

Gives = Mapping[str, Mapping[str, str]]  # event → thing → who has it then
_ACTS = frozenset({MoveKind.DEPARTS, MoveKind.GIVES, MoveKind.TAKES, MoveKind.READS})


def check_traps(story: Story) -> Iterator[Problem]:
    """What is fine piece by piece, and goes wrong when it is played."""
    scenes = {scene.id: scene for scene in story.scenes}
    gives = {event.id: event.gives for event in story.events}
    for i, scene in enumerate(story.scenes):
        yield from _beats(gives, scene, ("scenes", i))
        for j, way in enumerate(scene.leads_to):
            if way.to in scenes:
                at: Path = ("scenes", i, "leads_to", j)
                yield from _shut(story, scene, scenes[way.to], at)
                yield from _waits(scene, way, scenes[way.to], at)


# ── beats ────────────────────────────────────────────────────────────────────────────────────


def _beats(gives: Gives, scene: Scene, path: Path) -> Iterator[Problem]:
    waiting = [
        (j, beat) for j, beat in enumerate(scene.beats)
        if beat.when is not None and (beat.happens or beat.stage is not None)
    ]  # fmt: skip
    for (_, one), (k, other) in combinations(waiting, 2):
        found = (*_hands(gives, one, other), *_gone(one, other), *_gone(other, one))
        if found and not _is_apart(scene, one, other):
            at = (*path, "beats", k, "when")
            for what in found:
                fix = (
                    f"let one ask for what the other rules out, or for `told: {scene.id}/{one.id}`"
                )
                yield _warning("beats-contradict", at, f"{what}, and both can be told", fix)


def _is_apart(scene: Scene, one: Beat, other: Beat) -> bool:
    """Whether one rules the other out, or waits for it."""
    assert one.when is not None
    assert other.when is not None
    if contradicts(Condition(all_=(one.when, other.when))):
        return True
    return _refers(scene, one, other) or _refers(scene, other, one)


def _refers(scene: Scene, one: Beat, other: Beat) -> bool:
    """Whether one asks if the other was told, or for what happens in it."""
    asked = [part for _, part in walk(one.when) if isinstance(part, Condition)]
    return any(p.told == f"{scene.id}/{other.id}" or p.happened in other.happens for p in asked)


def _hands(gives: Gives, one: Beat, other: Beat) -> Iterator[str]:
    mine, theirs = _holders(gives, one), _holders(gives, other)
    for thing in sorted(mine.keys() & theirs.keys()):
        if mine[thing] != theirs[thing]:
            yield (
                f"`{one.id}` leaves `{thing}` with `{mine[thing]}`, `{other.id}` with"
                f" `{theirs[thing]}`"
            )


def _holders(gives: Gives, beat: Beat) -> dict[str, str]:
    found = {thing: who for event in beat.happens for thing, who in gives.get(event, {}).items()}
    return found | ({} if beat.stage is None else dict(beat.stage.holds))


def _gone(one: Beat, other: Beat) -> Iterator[str]:
    """Who goes in one and is there in the other."""
    if one.stage is None or other.stage is None:
        return
    leaves = {w for m in one.stage.moves if m.kind is MoveKind.DEPARTS for w in m.who}
    back = {w for m in other.stage.moves if m.kind is MoveKind.ARRIVES for w in m.who}
    acts = {w for m in other.stage.moves if m.kind in _ACTS for w in m.who} | set(other.stage.here)
    asked = {p.present for _, p in walk(other.when) if isinstance(p, Condition) and p.present}
    for who in sorted((leaves & acts) - back - asked - {*other.with_} - {"player"}):
        yield f"`{who}` goes away in `{one.id}` and is there in `{other.id}`"


# ── ways ─────────────────────────────────────────────────────────────────────────────────────


def _shut(story: Story, scene: Scene, to: Scene, path: Path) -> Iterator[Problem]:
    """A way back to where the story starts: whoever comes to it has been there."""
    if to.id == story.start and not to.revisitable:
        what = (
            f"the way from `{scene.id}` back to the start, `{to.id}`, is shut once that is"
            " completed: it cannot be revisited"
        )
        yield _warning("no-way-back", (*path, "to"), what, f"make `{to.id}` `revisitable: true`")


def _waits(scene: Scene, way: Transition, to: Scene, path: Path) -> Iterator[Problem]:
    """A way that time alone opens, to another place, without a word of how one comes there."""
    timed = any(isinstance(part, Since) for _, part in walk(way.when))
    if timed and not way.bridge.strip() and to.setting and scene.setting != to.setting:
        what = (
            f"time alone moves nobody: the way to `{to.id}` waits until the player is at"
            f" `{to.setting}`"
        )
        fix = "write a `bridge` that tells how they come there, or leave it to the player to go"
        yield Problem(code="time-waits", what=what, fix=fix, path=(*path, "when"),
                      severity=Severity.NOTE)  # fmt: skip


def _warning(code: str, path: Path, what: str, fix: str) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path, severity=Severity.WARNING)
