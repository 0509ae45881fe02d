"""Statements that cannot mean anything: empty conditions, impossible ranges, too few to choose."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story import conditions as c
from storykeeper.story.knowledge import Fact
from storykeeper.story.layers import Permeability
from storykeeper.story.model import Story
from storykeeper.story.problems import Path, Problem
from storykeeper.story.scenes import Gate, MoodTarget
from storykeeper.story.tuning import Budget, GravityTuning

IN_CONDITIONS = 0.5  # a fact of less confidence takes no part in conditions


def check_shapes(structs: list[tuple[Path, c.Authored]], story: Story) -> Iterator[Problem]:
    """What is wrong with single statements, wherever they stand."""
    doubtful = {fact.id for fact in story.facts if fact.confidence < IN_CONDITIONS}
    for path, struct in structs:
        match struct:
            case c.Condition():
                yield from _condition(path, struct, doubtful)
            case c.Threshold():
                yield from _threshold(path, struct)
            case c.RelationRange() if struct.at_least > struct.at_most:
                what = f"at_least {struct.at_least:g} is more than at_most {struct.at_most:g}"
                yield _problem("empty-range", path, what, "swap the two")
            case c.MoodNear() | MoodTarget() if _states_nothing(struct):
                fix = "add valence, arousal or determination"
                yield _problem("empty-mood", path, "the mood states nothing", fix)
            case Gate() if not any(map(contradicts, struct.conditions)):
                if contradicts(c.Condition(all_=struct.conditions)):
                    yield _contradiction((*path, "conditions"))
            case Permeability():
                yield from _permeability(path, struct)
            case Budget():
                yield from _budget(path, struct)
            case GravityTuning():
                yield from _gravity(path, struct)
            case Fact():
                yield from _fact(path, struct)
            case _:
                pass


def _condition(path: Path, condition: c.Condition, doubtful: set[str]) -> Iterator[Problem]:
    if not any(True for _ in c.parts(condition)):
        fix = "say what must hold, or remove it"
        yield _problem("empty-condition", path, "the condition says nothing", fix)
    if contradicts(condition) and not any(map(contradicts, condition.all_ or ())):
        yield _contradiction(path)
    for name, items in (("all", condition.all_), ("any", condition.any_),
                        ("sequence", condition.sequence)):  # fmt: skip
        if items == ():
            what, fix = f"`{name}` has an empty list", "give it conditions, or remove it"
            yield _problem("empty-condition", (*path, name), what, fix)
    for name, fact in (
        ("holds", condition.holds),
        ("knows", condition.knows.fact if condition.knows else None),
    ):
        if fact in doubtful:
            what = f"the fact `{fact}` has a confidence below {IN_CONDITIONS:g}, "
            what += "so it takes no part in conditions"
            at = (*path, "knows", "fact") if name == "knows" else (*path, name)
            yield _problem("doubtful-fact", at, what, "raise its confidence, or ask another")


def contradicts(condition: c.Condition) -> bool:
    """Whether a question and its negation stand side by side, so that both can never hold."""
    said = _said(condition)
    return any(
        name == "not_" and isinstance(value, c.Condition) and _said(value) <= said
        for name, value in said
    )


def _said(condition: c.Condition) -> frozenset[tuple[str, object]]:
    """All that a condition asks for at once: its own keys, and those below `all`."""
    said = {(name, value) for name, value in c.parts(condition) if name != "all_"}
    return frozenset(said).union(*map(_said, condition.all_ or ()))


def _contradiction(path: Path) -> Problem:
    what = "this asks for something and for its opposite, so it can never hold"
    return _problem("contradiction", path, what, "remove one of the two")


def _threshold(path: Path, threshold: c.Threshold) -> Iterator[Problem]:
    if not threshold.of:
        fix = "give it conditions, or remove it"
        yield _problem("empty-condition", (*path, "of"), "`of` has an empty list", fix)
    elif threshold.at_least > len(threshold.of):
        what = f"at least {threshold.at_least} of {len(threshold.of)} can never hold"
        fix = f"write at most {len(threshold.of)}"
        yield _problem("threshold-too-high", (*path, "at_least"), what, fix)


def _states_nothing(mood: c.MoodNear | MoodTarget) -> bool:
    return mood.valence is None and mood.arousal is None and mood.determination is None


def _permeability(path: Path, permeability: Permeability) -> Iterator[Problem]:
    if permeability.waypoints and permeability.sigmoid:
        what, fix = "the curve has waypoints and a sigmoid", "keep one of the two"
        yield _problem("two-curves", path, what, fix)
    sigmoid = permeability.sigmoid
    if sigmoid and sigmoid.low > sigmoid.high:
        what = f"low {sigmoid.low:g} is more than high {sigmoid.high:g}"
        yield _problem("empty-range", (*path, "sigmoid"), what, "swap the two")
    points = permeability.waypoints
    for i in range(1, len(points)):
        if points[i].progress <= points[i - 1].progress:
            what = "the progress of a waypoint is not beyond that of the one before"
            at = (*path, "waypoints", i, "progress")
            yield _problem("waypoint-order", at, what, "put them in rising order, each once")


def _budget(path: Path, budget: Budget) -> Iterator[Problem]:
    total = budget.hard_share + budget.soft_share + budget.recent_share
    if total > 1.0 + 1e-9:
        what = f"hard_share, soft_share and recent_share add up to {total:g}"
        yield _problem("shares", path, what, "together they may be 1 at most")
    if budget.retrieved_least > budget.retrieved_most:
        what = f"retrieved_least {budget.retrieved_least} is more than {budget.retrieved_most}"
        fix = "it may be retrieved_most at most"
        yield _problem("empty-range", (*path, "retrieved_least"), what, fix)


def _gravity(path: Path, tuning: GravityTuning) -> Iterator[Problem]:
    low, high = tuning.temperature_low, tuning.temperature_high
    if low > high:
        what = f"temperature_low {low:g} is more than temperature_high {high:g}"
        yield _problem("empty-range", (*path, "temperature_low"), what, "swap the two")


def _fact(path: Path, fact: Fact) -> Iterator[Problem]:
    for who in fact.known_by.keys() & fact.suspected_by.keys():
        what = f"`{who}` both knows and suspects `{fact.id}`"
        yield _problem("two-minds", (*path, "suspected_by", who), what, "keep one of the two")
    for who in fact.known_by.keys() & fact.believed_by.keys():
        what = f"`{who}` both knows and merely believes `{fact.id}`"
        yield _problem("two-minds", (*path, "believed_by", who), what, "keep one of the two")


def _problem(code: str, path: Path, what: str, fix: str) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path)
