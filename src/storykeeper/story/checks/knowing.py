"""Who knows what: minds that contradict themselves, tellers in a circle, people in two places."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story.checks.saying import shown_facts
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import PLAYER, PRESENT, Story
from storykeeper.story.problems import Path, Problem, Severity


def check_knowing(story: Story) -> Iterator[Problem]:
    """What cannot be so of who knows what, and of where they are."""
    shown = shown_facts(story)
    for i, fact in enumerate(story.facts):
        yield from _two_minds(story, fact, ("facts", i))
        yield from _circles(story, fact, ("facts", i))
        if fact.id not in shown:
            yield from _circles_of_reveals(story, fact, ("facts", i))
    yield from _two_places(story)
    yield from _moved_twice(story)


def _people(story: Story, name: str) -> tuple[str, ...]:
    return tuple(story.players) if name == PLAYER else (name,)


def _two_minds(story: Story, fact: Fact, path: Path) -> Iterator[Problem]:
    """Somebody suspects and believes one thing, or is named both as the player and by their id."""
    held: dict[str, tuple[str, str]] = {}
    for key in ("known_by", "believed_by", "suspected_by"):
        for name in getattr(fact, key):
            for who in _people(story, name):
                before, called = held.setdefault(who, (key, name))
                if before == key or (before == "known_by" and called == name):
                    continue  # once, or an error of its shape already
                what = f"`{who}` is in `{before}` and in `{key}` of `{fact.id}`"
                yield Problem(
                    code="two-minds", what=what, fix="keep one of the two",
                    path=(*path, key, name), severity=Severity.WARNING,
                )  # fmt: skip


def _circles(story: Story, fact: Fact, path: Path) -> Iterator[Problem]:
    """Everybody has it from somebody, and nobody had it first."""
    tellers: dict[str, str] = {}
    places: dict[str, Path] = {}
    for key in ("known_by", "suspected_by", "believed_by"):
        for name, how in getattr(fact, key).items():
            for who in _people(story, name):
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


def _circles_of_reveals(story: Story, fact: Fact, path: Path) -> Iterator[Problem]:
    """Reveals by which people tell each other what none of them has from anywhere else."""
    have = {w for key in (fact.known_by, fact.suspected_by, fact.believed_by) for n in key
            for w in _people(story, n)}  # fmt: skip
    told: dict[str, str] = {}
    places: dict[str, Path] = {}
    for j, reveal in enumerate(fact.revealed_by):
        teller = reveal.how.partition(" by ")[2]
        learners = {who for name in reveal.to for who in _people(story, name)} - have
        if not teller or PRESENT in reveal.to:
            have |= learners if PRESENT not in reveal.to else {each.id for each in story.cast}
        for who in learners:
            told.setdefault(who, teller)
            places.setdefault(who, (*path, "revealed_by", j, "how"))
    tellers = {who: teller for who, teller in told.items() if who not in have}
    for who in sorted(tellers):
        circle = _back_to(who, tellers)
        if circle and who == min(circle):
            chain = " from ".join(f"`{each}`" for each in (*circle, who))
            what = f"nobody has `{fact.id}` first: {chain}"
            fix = "let one of them know it, see it or read it"
            yield Problem(
                code="circular-telling", what=what, fix=fix, path=places[who],
                severity=Severity.WARNING,
            )  # fmt: skip


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
            fix = "leave `at` out, or do not require them there"
            yield Problem(
                code="two-places", what=what, fix=fix, path=("cast", i, "at"),
            )  # fmt: skip


def _moved_twice(story: Story) -> Iterator[Problem]:
    """An event sends somebody to one place as the player and to another by their id."""
    for i, event in enumerate(story.events):
        for who in story.players if PLAYER in event.moves else ():
            there = event.moves.get(who)
            if there is not None and there != event.moves[PLAYER]:
                what = (
                    f"the event `{event.id}` sends `{who}` to `{there}`, and as the player to"
                    f" `{event.moves[PLAYER]}`"
                )
                fix = "keep one of the two"
                yield Problem(
                    code="two-places", what=what, fix=fix, path=("events", i, "moves", who),
                )  # fmt: skip
