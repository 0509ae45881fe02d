"""What many runs came to, as a writer can act on it: what is reached, what never is, what is stuck.

Of a scene that was not reached in a run the pull *rose without arrival* if it came to ROSE times
what it was at first, and to ALWAYS_FELT at least; of endings that is not said, since one excludes
the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

from storykeeper.play.simulation.simulated_run import ALWAYS_FELT, Outcome
from storykeeper.world.plan import Plan

ROSE = 1.5
LAST_LINES = 6

Asked = Callable[[Outcome], AbstractSet[str]]


class Reached(Struct, frozen=True):
    """In how many runs something came, the first of them, and by whom it was played."""

    id: str
    runs: int
    example: int | None = None  # the number of a run
    by: dict[str, int] = {}  # runs, by who played


class Bypassed(Struct, frozen=True):
    """A required scene, and the endings that were reached without it."""

    scene: str
    runs: int
    of: int  # runs that ended
    endings: dict[str, int]


class Refused(Struct, frozen=True):
    """A line of which nothing came where it was typed."""

    line: str
    typed: int
    refused: int


class Silent(Struct, frozen=True):
    """A place where players stood and were told nothing, though a scene is set there."""

    place: str
    scene: str  # that went on meanwhile, most often
    runs: int
    example: int


class DeadEnd(Struct, frozen=True):
    """Where nothing goes on, whatever is tried; the lines that led there last."""

    scene: str
    runs: int
    example: int
    lines: tuple[str, ...]


class Risen(Struct, frozen=True):
    """A scene that pulled ever harder and was not reached, and where the story was then."""

    scene: str
    runs: int  # in which it was so
    of: int  # in which it was not reached
    most: float  # the mean of its hardest pull
    at: str  # where the story was then, most often
    example: int


class Windows(Struct, frozen=True):
    """What the narrator's windows would have taken."""

    runs: int
    windows: int
    mean: int
    most: int
    budget: int


class Fault(Struct, frozen=True):
    """An exception of ours, and how to come to it again."""

    number: int
    seed: str
    player: str
    error: str
    where: str
    lines: tuple[str, ...]


class Report(Struct, frozen=True):
    """All of it."""

    story: str
    version: str
    seed: int
    runs: int
    turns: int
    lines: int
    players: dict[str, int]
    endings: tuple[Reached, ...]
    scenes: tuple[Reached, ...]
    secrets: tuple[Reached, ...]
    suspected: tuple[Reached, ...]  # secrets of which a player had the hint, and not more
    beats: tuple[Reached, ...]
    events: tuple[Reached, ...]
    bypassed: tuple[Bypassed, ...]
    refused: tuple[Refused, ...]  # the most often refused first
    silent: tuple[Silent, ...]
    dead_ends: tuple[DeadEnd, ...]
    unfinished: tuple[Reached, ...]  # by the scene in which the turns were used up
    risen: tuple[Risen, ...]
    windows: Windows | None
    faults: tuple[Fault, ...]

    @property
    def is_clean(self) -> bool:
        """Whether there is neither a fault nor a dead end, and every ending is reached."""
        return not self.faults and not self.dead_ends and all(e.runs for e in self.endings)


def report(
    plan: Plan, outcomes: Iterable[Outcome], faults: Iterable[Fault] = (), *, seed: int
) -> Report:
    """What these runs came to; the same whatever order they come in."""
    runs = sorted(outcomes, key=lambda each: each.number)
    found = sorted(faults, key=lambda each: each.number)
    secrets = [fact.id for fact in plan.story.facts if fact.secret]
    endings = [scene.id for scene in plan.story.scenes if scene.ending]
    return Report(
        story=plan.story.id, version=plan.story.version, seed=seed, runs=len(runs) + len(found),
        turns=sum(each.turns for each in runs), lines=sum(len(each.lines) for each in runs),
        players=dict(sorted(Counter([*_players(runs), *_players(found)]).items())),
        endings=_reached(endings, runs, lambda run: {run.scene} if run.ended else set()),
        scenes=_reached(plan.scenes, runs, lambda run: run.scenes),
        secrets=_reached(secrets, runs, lambda run: run.known),
        suspected=_reached(secrets, runs, lambda run: run.suspected),
        beats=_reached(plan.beats, runs, lambda run: run.told),
        events=_reached(plan.events, runs, lambda run: run.happened),
        bypassed=_bypassed(plan, runs), refused=_refused(runs), silent=_silent(runs),
        dead_ends=_dead_ends(runs),
        unfinished=tuple(
            each for each in _reached(
                plan.scenes, [run for run in runs if not run.ended and not run.stuck],
                lambda run: {run.scene},
            ) if each.runs
        ),
        risen=_risen(endings, runs), windows=_windows(plan, runs), faults=tuple(found),
    )  # fmt: skip


def _players(runs: Sequence[Outcome | Fault]) -> list[str]:
    return [each.player for each in runs]


def _reached(names: Iterable[str], runs: Sequence[Outcome], of: Asked) -> tuple[Reached, ...]:
    first: dict[str, int] = {}
    by: dict[str, Counter[str]] = {}
    for run in runs:
        for name in of(run):
            first.setdefault(name, run.number)
            by.setdefault(name, Counter())[run.player] += 1
    return tuple(
        Reached(name, sum(played.values()), first.get(name), dict(sorted(played.items())))
        for name in names for played in (by.get(name, Counter()),)
    )  # fmt: skip


def _bypassed(plan: Plan, runs: Sequence[Outcome]) -> tuple[Bypassed, ...]:
    ended = [run for run in runs if run.ended]
    found = []
    for scene in (each.id for each in plan.story.scenes if each.required):
        without = Counter(run.scene for run in ended if scene not in run.scenes)
        if without:
            found.append(
                Bypassed(scene, without.total(), len(ended), dict(sorted(without.items())))
            )
    return tuple(found)


def _refused(runs: Sequence[Outcome]) -> tuple[Refused, ...]:
    refused = Counter(line for run in runs for line in run.refused)
    typed = Counter(line for run in runs for line in run.lines if line in refused)
    found = [Refused(line, typed[line], count) for line, count in refused.items()]
    return tuple(sorted(found, key=lambda each: (-each.refused, each.line)))


def _silent(runs: Sequence[Outcome]) -> tuple[Silent, ...]:
    stood: dict[str, list[tuple[Outcome, str]]] = {}
    for run in runs:
        for place, scene in run.silent.items():
            stood.setdefault(place, []).append((run, scene))
    return tuple(
        Silent(place, Counter(at for _, at in each).most_common(1)[0][0], len(each),
               each[0][0].number)
        for place, each in sorted(stood.items())
    )  # fmt: skip


def _dead_ends(runs: Sequence[Outcome]) -> tuple[DeadEnd, ...]:
    by_scene: dict[str, list[Outcome]] = {}
    for run in runs:
        if run.stuck:
            by_scene.setdefault(run.scene, []).append(run)
    return tuple(
        DeadEnd(scene, len(stuck), stuck[0].number, stuck[0].lines[-LAST_LINES:])
        for scene, stuck in sorted(by_scene.items())
    )


def _risen(endings: Sequence[str], runs: Sequence[Outcome]) -> tuple[Risen, ...]:
    missed: Counter[str] = Counter()
    rose: dict[str, list[tuple[Outcome, float, str]]] = {}
    for run in runs:
        for scene, pulled in run.pulls.items():
            missed[scene] += 1
            if pulled.most >= max(ALWAYS_FELT, ROSE * pulled.first):
                rose.setdefault(scene, []).append((run, pulled.most, pulled.at))
    found = [
        Risen(
            scene, len(each), missed[scene], round(sum(most for _, most, _ in each) / len(each), 3),
            Counter(at for *_, at in each).most_common(1)[0][0], each[0][0].number,
        )
        for scene, each in rose.items() if scene not in endings
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda each: (-each.runs, each.scene)))


def _windows(plan: Plan, runs: Sequence[Outcome]) -> Windows | None:
    tokens = [each for run in runs for each in run.tokens]
    if not tokens:
        return None
    made = sum(1 for run in runs if run.tokens)
    mean = round(sum(tokens) / len(tokens))
    return Windows(made, len(tokens), mean, max(tokens), plan.story.budget.tokens)
