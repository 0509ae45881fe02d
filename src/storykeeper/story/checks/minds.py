"""What characters act by: lines that show nothing, tellers who can have nothing to tell."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story.checks.saying import shown_facts
from storykeeper.story.knowledge import CERTAIN, Fact
from storykeeper.story.model import PLAYER, PRESENT, Story
from storykeeper.story.people import Character
from storykeeper.story.problems import Path, Problem, Severity

WHO = "{who}"


def check_minds(story: Story) -> Iterator[Problem]:
    """What cannot be shown, told or done as it is written."""
    facts = {fact.id: fact for fact in story.facts}
    for i, person in enumerate(story.cast):
        path: Path = ("cast", i)
        for j, show in enumerate(person.shows):
            yield from _empty(show.text, (*path, "shows", j, "text"))
        yield from _tells(person, story, facts, path)
        yield from _does(person, path)
    for i, fact in enumerate(story.facts):
        yield from _fact(fact, story, ("facts", i))


def _empty(text: str, path: Path) -> Iterator[Problem]:
    if not text.replace(WHO, "").strip():
        fix = "write what is seen or heard, as the narrator may tell it"
        yield _problem("shows-nothing", path, "nothing is to be seen here", fix)


def _tells(
    person: Character, story: Story, facts: dict[str, Fact], path: Path
) -> Iterator[Problem]:
    for j, tell in enumerate(person.tells):
        at, fact = (*path, "tells", j), facts.get(tell.fact)
        if fact is None:
            continue  # named nowhere, and reported
        if tell.to and set(tell.to) <= {person.id}:
            what, fix = f"`{person.id}` tells `{tell.fact}` to nobody else", "say whom, under `to`"
            yield _problem("told-to-oneself", (*at, "to"), what, fix)
        if fact.confidence >= CERTAIN and not _may_have(person.id, fact, story):
            what = f"`{person.id}` tells `{tell.fact}`, and can never have it"
            fix = f"let `{person.id}` know it, suspect it or learn it"
            yield _problem("teller-lacks", (*at, "fact"), what, fix)
        if tell.suspects and not fact.hint:
            what, fix = f"`{tell.fact}` has no hint to be told", "write one, or tell it whole"
            yield _problem("no-hint", (*at, "suspects"), what, fix)


def _may_have(who: str, fact: Fact, story: Story) -> bool:
    """Whether somebody has it from the start, or is named where it is learned; or anybody is."""
    mine = {who, PLAYER} if who in story.players else {who}
    held = {*fact.known_by, *fact.suspected_by, *fact.believed_by}
    named = {name for reveal in fact.revealed_by for name in reveal.to}
    told = {name for other in story.cast for tell in other.tells
            if tell.fact == fact.id and other.id != who for name in tell.to}  # fmt: skip
    return fact.id in shown_facts(story) or not (mine | {PRESENT}).isdisjoint(held | named | told)


def _does(person: Character, path: Path) -> Iterator[Problem]:
    for j, each in enumerate(person.does):
        at = (*path, "does", j)
        if each.takes and each.takes not in person.capabilities:
            what = f"`{person.id}` is not capable of it: “{each.takes}” is not among what they can"
            fix = "add it to their `capabilities`, word for word, or leave `takes` out"
            yield _problem("not-capable", (*at, "takes"), what, fix)
        ends = [name for name in ("partly", "opens", "fails") if getattr(each, name) is not None]
        if ends and each.chance >= 1:
            what = f"`{ends[0]}` never comes about: its chance of success is 1"
            yield _problem("never-fails", (*at, ends[0]), what, "give it a `chance` below 1")


def _fact(fact: Fact, story: Story, path: Path) -> Iterator[Problem]:
    known = {*fact.known_by, *fact.suspected_by}
    for j, show in enumerate(fact.shows):
        at = (*path, "shows", j)
        yield from _empty(show.text, (*at, "text"))
        if len(show.who or known) > 1 and WHO not in show.text:
            what = "this may be seen of several people, and does not say of whom"
            yield _problem("whose", (*at, "text"), what, "write `{who}` for the name")
        if not (show.about or fact.about or show.when):
            what = f"nothing makes `{fact.id}` show: it is about nothing, and has no `when`"
            yield _problem("shows-never", (*at, "text"), what, "add `about`, or a `when`")


def _problem(code: str, path: Path, what: str, fix: str) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path, severity=Severity.WARNING)
