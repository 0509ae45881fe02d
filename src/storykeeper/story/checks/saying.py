"""What tells a fact: words that are too plain to know it by, and tellers who do not have it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from storykeeper.story.conditions import Condition
from storykeeper.story.knowledge import CERTAIN, Fact, Reveal
from storykeeper.story.model import PLAYER, PRESENT, Story
from storykeeper.story.overlap import SMALL_WORDS
from storykeeper.story.problems import Path, Problem, Severity

_LEAST, _LEAST_CONTENT = 3, 2  # words in all, or of content
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")


def check_saying(story: Story) -> Iterator[Problem]:
    """Words that cannot tell a fact, or tell more than it; and who tells what they have not."""
    for i, fact in enumerate(story.facts):
        yield from _said(fact, ("facts", i))
        yield from _tellers(story, fact, ("facts", i))
    yield from _said_of_two(story)


# ── the words ────────────────────────────────────────────────────────────────────────────────


def _plain(text: str) -> tuple[str, ...]:
    return tuple(word.replace("’", "'") for word in _WORD.findall(text.casefold()))


def _said(fact: Fact, path: Path) -> Iterator[Problem]:
    hint = f" {' '.join(_plain(fact.hint))} "
    for j, text in enumerate(fact.said):
        found, at = _plain(text), (*path, "said", j)
        content = [word for word in found if word not in SMALL_WORDS]
        if not found:
            yield _error("said-empty", at, f"no words tell `{fact.id}` here", "write some, or none")
        elif not content or (len(found) < _LEAST and len(content) < _LEAST_CONTENT):
            what = f"“{text.strip()}” is too little to tell `{fact.id}` by: anybody may say it"
            fix = "write a sentence that says nothing else, as one who knows would"
            yield _error("said-short", at, what, fix)
        elif f" {' '.join(found)} " in hint:
            what = f"who says the hint of `{fact.id}` tells all of it: “{text.strip()}” is in it"
            fix = "write other words, that only who knows it would say"
            yield _error("said-is-hint", at, what, fix)


def _said_of_two(story: Story) -> Iterator[Problem]:
    """The same words tell two facts: whoever hears one of them would learn both."""
    first: dict[tuple[str, ...], str] = {}
    rows: defaultdict[str, list[tuple[tuple[str, ...], Path]]] = defaultdict(list)
    for i, fact in enumerate(story.facts):
        first.setdefault(_plain(fact.full), fact.id)
        rows[fact.id] += [(_plain(s), ("facts", i, "said", j)) for j, s in enumerate(fact.said)]
    for name, said in rows.items():
        for found, at in said:
            other = first.setdefault(found, name)
            if found and other != name:
                what = f"the same words tell `{other}` and `{name}`"
                yield _error("said-of-two", at, what, "say the two in other words")


# ── the tellers ──────────────────────────────────────────────────────────────────────────────


def _tellers(story: Story, fact: Fact, path: Path) -> Iterator[Problem]:
    """Who is said to have it from somebody that has it not, or not yet, or from themselves."""
    had = {who for key in (fact.known_by, fact.suspected_by, fact.believed_by) for name in key
           for who in _people(story, name)}  # fmt: skip
    for key in ("known_by", "suspected_by"):
        for name, how in getattr(fact, key).items():
            teller = how.partition(" by ")[2]
            if (
                _is_somebody(story, teller)
                and _may_not_lie(fact)
                and had.isdisjoint(_people(story, teller))
            ):
                later = " when the story begins" if _learns(story, fact, teller) else ""
                yield _lacking(fact, teller, (*path, key, name), later)
    for j, reveal in enumerate(fact.revealed_by):
        yield from _revealed(story, fact, reveal, had=had, path=(*path, "revealed_by", j, "how"))


def _revealed(
    story: Story, fact: Fact, reveal: Reveal, *, had: set[str], path: Path
) -> Iterator[Problem]:
    teller = reveal.how.partition(" by ")[2]
    if not _is_somebody(story, teller):
        return
    mine, learners = _people(story, teller), {w for n in reveal.to for w in _people(story, n)}
    if had.isdisjoint(mine) and _may_not_lie(fact):
        ways, whom = _learns(story, fact, teller), {*reveal.to, *learners}
        if not ways:
            yield _lacking(fact, teller, path, "")
        elif all(way is not None and _needs(way, fact, whom) for way in ways):
            what = f"`{teller}` tells `{fact.id}` before they can have it: they have it only once"
            what += f" {' or '.join(f'`{w}`' for w in sorted(learners))} has"
            yield _warning("told-too-early", path, what, "let them have it otherwise")
    elif learners.intersection(mine) and len(mine) == 1:
        what = f"`{teller}` is told `{fact.id}` by themself"
        yield _warning(
            "told-to-oneself", path, what, "leave them out of `to`, or say how they know"
        )


def _learns(story: Story, fact: Fact, teller: str) -> list[Condition | None]:
    """How somebody may come by it in the story: by these conditions; None: by being there."""
    mine = {teller, *_people(story, teller), PRESENT}
    found: list[Condition | None] = [
        each.when for each in fact.revealed_by
        if not mine.isdisjoint((*each.to, *(w for n in each.to for w in _people(story, n))))
        and each.how.partition(" by ")[2] not in mine
    ]  # fmt: skip
    return [*found, None] if fact.id in shown_facts(story) else found


def _needs(when: Condition, fact: Fact, people: Iterable[str]) -> bool:
    """Whether a condition holds only if one of these has the fact."""
    if when.knows is not None and when.knows.fact == fact.id and when.knows.who in people:
        return True
    both = any(_needs(each, fact, people) for each in when.all_ or ())
    return both or (bool(when.any_) and all(_needs(e, fact, people) for e in when.any_ or ()))


def shown_facts(story: Story) -> frozenset[str]:
    """Facts that a beat, a gate or an event shows: whoever is there has them first."""
    beats = (fact for scene in story.scenes for beat in scene.beats for fact in beat.reveals)
    gates = (fact for scene in story.scenes for gate in scene.gates for fact in gate.reveals)
    events = (fact for event in story.events for fact in event.reveals)
    return frozenset((*beats, *gates, *events))


def _is_somebody(story: Story, teller: str) -> bool:
    return teller == PLAYER or any(teller == each.id for each in story.cast)


def _may_not_lie(fact: Fact) -> bool:
    return fact.confidence >= CERTAIN


def _people(story: Story, name: str) -> tuple[str, ...]:
    return tuple(story.players) if name == PLAYER else (name,)


def _lacking(fact: Fact, teller: str, path: Path, when: str) -> Problem:
    what = f"`{teller}` is said to tell `{fact.id}`, and does not have it{when}"
    fix = f"let `{teller}` know, suspect or believe it, or name who told it"
    return _warning("teller-lacks", path, what, fix)


def _error(code: str, path: Path, what: str, fix: str) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path)


def _warning(code: str, path: Path, what: str, fix: str) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path, severity=Severity.WARNING)
