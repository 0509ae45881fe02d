"""What play goes through without a word, or with the wrong one, though each piece of it is fine.

Rooms whose scene nothing opens, beats that a way out overtakes, secrets that are learned and have
no beat, and things of which one answers for another. All of it is played as it stands; so these
are warnings at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

from storykeeper.story.conditions import Condition, Did, parts
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import PLAYER, PRESENT, Story
from storykeeper.story.overlap import SMALL_WORDS, words_of
from storykeeper.story.problems import Path, Problem, Severity
from storykeeper.story.scenes import Beat, Scene, Transition
from storykeeper.story.standing import asked_at
from storykeeper.story.walk import walk

HALF = 0.5  # of the words of a name: with so many of them it is meant (`play.line_match`)


def check_unsaid(story: Story) -> Iterator[Problem]:
    """What would be missed, and what would be told as it was not meant to be."""
    yield from _rooms(story)
    for n, scene in enumerate(story.scenes):
        yield from _overtaken(("scenes", n), scene)
        yield from _unbridged(("scenes", n), scene)
    yield from _aloud(story)
    yield from _names(story)


# ── rooms ────────────────────────────────────────────────────────────────────────────────────


def _rooms(story: Story) -> Iterator[Problem]:
    """Paths to where scenes are set, of which none opens when somebody comes there."""
    opened = {place for way in _ways(story) if way.when for place in asked_at(way.when)}
    told = {scene for layer in story.layers for scene in layer.scenes}
    set_at: dict[str, list[Scene]] = {}
    for scene in story.scenes:
        if scene.setting is not None and scene.beats and scene.id not in told:
            set_at.setdefault(scene.setting, []).append(scene)
    said: set[str] = set()
    for i, setting in enumerate(story.settings):
        for j, path in enumerate(setting.paths):
            ends = (path.to,) if path.one_way else (path.to, setting.id)
            for place in ends if path.when is None else ():
                silent = [s for s in set_at.get(place, ()) if s.revisitable or s.id != story.start]
                if silent and place not in opened and place not in said:
                    said.add(place)
                    what = f"who walks to `{place}` is told nothing there: no way into"
                    what += f" {_listed(s.id for s in silent)} asks for the player to be at it"
                    fix = f"add `when: {{at: {{who: player, place: {place}}}}}` to a way that"
                    fix += " leads there, or a `when` to this path"
                    at = ("settings", i, "paths", j, "to")
                    yield _problem("room-untold", at, what, fix, Severity.NOTE)


def _ways(story: Story) -> Iterator[Transition]:
    for scene in story.scenes:
        yield from scene.leads_to


def _listed(names: Iterable[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)


# ── beats and ways out ───────────────────────────────────────────────────────────────────────


def _overtaken(path: Path, scene: Scene) -> Iterator[Problem]:
    """A way that opens as soon as a beat is due is taken first, and the beat is not told."""
    for j, beat in enumerate(scene.beats):
        for way in scene.leads_to if beat.when is not None else ():
            if way.when is not None and _is_part(beat, way.when):
                what = f"`{beat.id}` is never told if `{way.to}` follows at once: both wait for the"
                what += " same, and a way out goes before a beat"
                fix = f"let the way ask for `told: {scene.id}/{beat.id}`"
                at = (*path, "beats", j, "when")
                yield _problem("beat-overtaken", at, what, fix, Severity.WARNING)
                break


def _unbridged(path: Path, scene: Scene) -> Iterator[Problem]:
    """A way that opens when a beat was told is taken as the turn closes: no turn tells of it."""
    for j, way in enumerate(scene.leads_to):
        asked = () if way.when is None else parts(way.when)
        if way.bridge.strip() and asked and all(name == "told" for name, _ in asked):
            what = f"the bridge to `{way.to}` is not told: the way is taken as the turn closes that"
            what += " tells the beat"
            fix = "tell it at the end of that beat, or at the beginning of the next scene"
            at = (*path, "leads_to", j, "bridge")
            yield _problem("bridge-untold", at, what, fix, Severity.WARNING)


def _is_part(beat: Beat, when: Condition) -> bool:
    """Whether a beat is due at the latest when a condition comes to hold."""
    if when.any_ is not None:
        return any(_is_part(beat, each) for each in when.any_)
    mine = () if beat.when is None else parts(beat.when)
    return all(part in parts(when) for part in mine)


# ── secrets ──────────────────────────────────────────────────────────────────────────────────


def _aloud(story: Story) -> Iterator[Problem]:
    """A secret that the player learns, and of which no beat tells: its `full` is said instead."""
    beats = [beat for scene in story.scenes for beat in scene.beats]
    asked = [part for beat in beats for _, part in walk(beat.when)]
    known = {part.knows.fact for part in asked if isinstance(part, Condition) and part.knows}
    known |= {fact for beat in beats for fact in beat.reveals}
    deeds = {(part.act, part.to) for part in asked if isinstance(part, Did)}
    for i, fact in enumerate(story.facts):
        if fact.id not in known:
            yield from _said(("facts", i), fact, deeds)


def _said(path: Path, fact: Fact, deeds: set[tuple[str, str | None]]) -> Iterator[Problem]:
    for j, reveal in enumerate(fact.revealed_by):
        typed = {(d.act, d.to) for _, d in walk(reveal.when) if isinstance(d, Did)}
        if typed and typed.isdisjoint(deeds) and {PLAYER, PRESENT} & {*reveal.to}:
            what = f"no beat tells of `{fact.id}` when it is learned: without a model its"
            what += f" `{'hint' if reveal.suspects else 'full'}` is all that is told, word for word"
            fix = f"add a beat with `when: {{knows: {{who: player, fact: {fact.id}}}}}`, or write"
            yield _problem("learned-untold", (*path, "revealed_by", j), what, f"{fix} it as prose",
                           Severity.NOTE)  # fmt: skip
            return


# ── names ────────────────────────────────────────────────────────────────────────────────────


def _names(story: Story) -> Iterator[Problem]:
    """A thing whose name holds all of another's, where that is half of it or more."""
    for (i, mine), (_, other) in permutations(enumerate(story.things), 2):
        short = _content(other.name)
        together = (mine.at, mine.held_by) == (other.at, other.held_by)
        for j, name in enumerate((mine.name, *mine.aliases) if short and together else ()):
            words = _content(name)
            if short < words and len(short) >= HALF * len(words):
                what = f"who names `{other.id}` may be taken to mean `{mine.id}`, which lies beside"
                what += f" it: all of its name is in “{name}”"
                fix = "call one of them by another word"
                at = ("things", i, "name") if j == 0 else ("things", i, "aliases", j - 1)
                yield _problem("name-in-name", at, what, fix, Severity.WARNING)
                break


def _content(name: str) -> frozenset[str]:
    return words_of(name) - SMALL_WORDS


def _problem(code: str, path: Path, what: str, fix: str, severity: Severity) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path, severity=severity)
