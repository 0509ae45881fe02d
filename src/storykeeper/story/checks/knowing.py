"""Who knows what from the start: tellers in a circle, and people who would be in two places."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story.knowledge import Fact
from storykeeper.story.model import PLAYER, Story
from storykeeper.story.problems import Path, Problem, Severity


def check_knowing(story: Story) -> Iterator[Problem]:
    """What cannot be so of who knows what, and of where they are."""
    for i, fact in enumerate(story.facts):
        yield from _circles(story, fact, ("facts", i))
    yield from _two_places(story)


def _circles(story: Story, fact: Fact, path: Path) -> Iterator[Problem]:
    """Everybody has it from somebody, and nobody had it first."""
    tellers: dict[str, str] = {}
    places: dict[str, Path] = {}
    for key in ("known_by", "suspected_by", "believed_by"):
        for name, how in getattr(fact, key).items():
            for who in story.players if name == PLAYER else (name,):
                tellers.setdefault(who, how.partition(" by ")[2])
                places.setdefault(who, (*path, key, name))
    for who in sorted(tellers):
        circle = _back_to(who, tellers)
        if circle and who == min(circle):  # each circle is said once
            chain = " from ".join(f"`{each}`" for each in (*circle, who))
            what = f"nobody had `{fact.id}` first: {chain}"
            fix = "let one of them have seen it, read it, or `authored`"
            yield Problem(code="circular-telling", what=what, fix=fix, path=places[who])


def _back_to(who: str, tellers: dict[str, str]) -> tuple[str, ...]:
    """The circle that somebody's tellers lead back through; empty if they do not."""
    found = [who]
    while (teller := tellers.get(found[-1], "")) and teller not in found:
        found.append(teller)
    return tuple(found) if teller == who else ()


def _two_places(story: Story) -> Iterator[Problem]:
    """The opening scene has somebody in its setting who is said to begin elsewhere."""
    opening = next((scene for scene in story.scenes if scene.id == story.start), None)
    if opening is None or opening.setting is None:
        return
    for i, person in enumerate(story.cast):
        if person.id in opening.cast.required and person.at not in (None, opening.setting):
            what = (
                f"`{person.id}` begins at `{person.at}`, and the opening scene `{opening.id}` has"
                f" them at `{opening.setting}`"
            )
            fix = "leave `at` out, or do not require them there; as it is, the scene decides"
            yield Problem(
                code="two-places", what=what, fix=fix, path=("cast", i, "at"),
                severity=Severity.WARNING,
            )  # fmt: skip
