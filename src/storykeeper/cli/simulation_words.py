"""What many simulated runs came to, in words: what is well, and what a writer could do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storykeeper.drawing.condition_words import in_words
from storykeeper.play.obvious_lines import lines_for
from storykeeper.play.simulation.report import Reached, Report
from storykeeper.story.conditions import Condition
from storykeeper.world.plan import Plan

SELDOM = 0.01  # of the runs
ENOUGH = 20  # runs of who has no goal
MOST_LISTED = 12


def summary(plan: Plan, found: Report) -> str:
    """All of it, a heading a question."""
    return "\n".join([
        *_head(plan, found), *_endings(plan, found), *_scenes(plan, found), *_secrets(plan, found),
        *_beats(plan, found), *_dead_ends(found), *_risen(found), *_windows(found),
        *_faults(found),
    ])  # fmt: skip


def _head(plan: Plan, found: Report) -> Iterator[str]:
    mean = found.turns / max(1, found.runs)
    players = ", ".join(f"{name} {count:,}" for name, count in found.players.items())
    yield (
        f"{plan.story.title}: {found.runs:,} runs, {mean:.0f} turns each;"
        f" --seed {found.seed} plays the same again"
    )
    yield f"players: {players}"


def _share(each: Reached, runs: int) -> str:
    return f"{each.runs:>6,}  {100 * each.runs / max(1, runs):5.1f} %"


def _table(rows: Sequence[Reached], runs: int) -> Iterator[str]:
    for each in rows:
        example = "" if each.example is None else f"   e.g. run {each.example}"
        yield f"  {_share(each, runs)}  {each.id}{example}"


def _endings(plan: Plan, found: Report) -> Iterator[str]:
    yield "\nEndings"
    for each in found.endings:
        yield from _table([each], found.runs)
        if each.runs:
            yield f"         {_by(each, found)}"
        else:
            yield f"  ! {each.id} was never reached. {_leading(plan, found, each.id)}"
        if each.runs and not any(map(each.by.get, _UNLED)) and _were_there(found):
            yield (
                f"  ! nobody came to {each.id} who was not told what leads there: a player may not"
                " think of it. Play one such run (--scripts) and see where it turns"
            )
    if not found.endings:
        yield "  this story has none: give a scene `ending: true`"
    for each in found.unfinished:
        yield f"  {_share(each, found.runs)}  no end: the turns were used up in {each.id}"
    for passed in found.bypassed:
        ends = ", ".join(f"{name} ({count:,})" for name, count in passed.endings.items())
        yield (
            f"  ! {passed.scene} is `required`, and {passed.runs:,} of {passed.of:,} runs ended"
            f" without it: {ends}. Let the ways to them ask for `visited: {passed.scene}`, or do"
            " not require it"
        )


_UNLED = ("curious", "random")


def _were_there(found: Report) -> bool:
    """Whether enough played without a goal that they would have come there by themselves."""
    return sum(found.players.get(name, 0) for name in _UNLED) >= ENOUGH


def _by(each: Reached, found: Report) -> str:
    """By whom it was reached, of how many such runs."""
    return ", ".join(
        f"{name} {each.by.get(name, 0):,} of {runs:,}" for name, runs in found.players.items()
    )


def _leading(plan: Plan, found: Report, scene: str) -> str:
    """What leads to a scene, and which lines for it were refused."""
    ways = [
        (before.id, way.when)
        for before in plan.scenes.values() for way in before.leads_to if way.to == scene
    ]  # fmt: skip
    told = "; ".join(f"{before}: {_when(plan, when)}" for before, when in ways) or "-"
    return f"What leads there: {told}{_tried(plan, found, *(when for _, when in ways))}"


def _tried(plan: Plan, found: Report, *conditions: Condition | None) -> str:
    """How often the lines that these wait for were typed, and refused."""
    said = []
    for line in dict.fromkeys(lines_for(plan, conditions)):
        for each in found.refused:
            if each.line == line:
                said.append(f"“{line}” was typed {each.typed:,} times, refused {each.refused:,}")
    return f". {'; '.join(said)}" if said else ""


def _scenes(plan: Plan, found: Report) -> Iterator[str]:
    yield "\nScenes"
    yield from _table(found.scenes, found.runs)
    for each in found.scenes:
        if not each.runs and not plan.scenes[each.id].ending:
            yield f"  ! {each.id} was never reached. {_leading(plan, found, each.id)}"
    for stood in found.silent:
        share = 100 * stood.runs / max(1, found.runs)
        yield (
            f"  ! told nothing at {stood.place}: in {stood.runs:,} runs ({share:.1f} %) the player"
            f" stood there while {stood.scene} went on, and the scene that waits for them there was"
            f" not opened (e.g. run {stood.example}). See what else the ways into it ask for, or"
            " shut the path"
        )


def _when(plan: Plan, condition: Condition | None) -> str:
    return "always" if condition is None else in_words(plan, condition)


def _secrets(plan: Plan, found: Report) -> Iterator[str]:
    if not found.secrets:
        return
    yield "\nSecrets, found by a player"
    hinted = {each.id: each.runs for each in found.suspected}
    for each in found.secrets:
        more = f"   and {hinted[each.id]:,} had the hint" if hinted[each.id] else ""
        yield f"  {_share(each, found.runs)}  {each.id}{more}"
        fact = plan.facts[each.id]
        known = set(plan.story.players) & fact.known_by.keys()
        if not each.runs and not known:
            ways = [reveal.when for reveal in fact.revealed_by]
            tells = "; or when ".join(in_words(plan, when) for when in ways)
            tried = _tried(plan, found, *ways)
            yield f"  ! {each.id} was never found. It is told when {tells}{tried}"


def _beats(plan: Plan, found: Report) -> Iterator[str]:
    never = [each for each in found.beats if not each.runs]
    seldom = [each for each in found.beats if 0 < each.runs < SELDOM * found.runs]
    yield f"\nBeats: {len(found.beats) - len(never)} of {len(found.beats)} were told"
    for each in never[:MOST_LISTED]:
        when = plan.beats[each.id].when
        waits = f"It waits for: {_when(plan, when)}{_tried(plan, found, when)}"
        yield f"  ! {each.id} was never told. {waits}"
    if len(never) > MOST_LISTED:
        yield f"  … and {len(never) - MOST_LISTED} more (--json has all)"
    if seldom:
        yield f"  seldom: {', '.join(f'{each.id} ({each.runs})' for each in seldom[:MOST_LISTED])}"
    for each in [each for each in found.events if not each.runs][:MOST_LISTED]:
        when = plan.events[each.id].when
        if when is not None:  # else a beat brings it about, and says so
            waits = f"It waits for: {in_words(plan, when)}{_tried(plan, found, when)}"
            yield f"  ! the event {each.id} never happened. {waits}"


def _dead_ends(found: Report) -> Iterator[str]:
    yield f"\nDead ends: {sum(each.runs for each in found.dead_ends) or 'none'}"
    for each in found.dead_ends:
        last = " / ".join(each.lines)
        yield (
            f"  ! {each.scene}, in {each.runs:,} runs (e.g. run {each.example}): nothing that can"
            " be tried there brings anything, nor waiting. Give it a way on that needs nothing,"
            f" or `since`. Last lines: {last}"
        )


def _risen(found: Report) -> Iterator[str]:
    if not found.risen:
        return
    yield "\nPull that rose without arrival"
    for each in found.risen[:MOST_LISTED]:
        share = 100 * each.runs / max(1, found.runs)
        yield (
            f"  {each.runs:>6,}  {share:5.1f} %  {each.scene} (of {each.of:,} runs that did not"
            f" come there), up to {each.most:.2f} on average, mostly felt in {each.at};"
            f" e.g. run {each.example}"
        )


def _windows(found: Report) -> Iterator[str]:
    if found.windows is not None:
        made = found.windows
        yield (
            f"\nTokens: {made.windows:,} windows of {made.runs} runs, {made.mean:,} on average,"
            f" {made.most:,} at most, of {made.budget:,}"
        )


def _faults(found: Report) -> Iterator[str]:
    yield f"\nFaults: {len(found.faults) or 'none'}"
    for each in found.faults[:MOST_LISTED]:
        yield f"  ! run {each.number} ({each.player}): {each.error} at {each.where}"
        yield f"    lines: {' / '.join(each.lines)}"
    if found.faults:
        yield "  these are faults of storykeeper, not yours; please report them with the story"
