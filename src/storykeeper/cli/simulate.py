"""`storykeeper simulate`: a story played by itself, many times."""

from __future__ import annotations

import os
import secrets
import traceback
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from storykeeper.cli.progress import progress_bar
from storykeeper.cli.say import folded, say, say_json
from storykeeper.cli.simulation_words import summary
from storykeeper.errors import StorykeeperError
from storykeeper.events.turns import StoryAdopted
from storykeeper.language.reading import Reader
from storykeeper.language.tokens import counter
from storykeeper.play.simulation.players import (
    CuriousPlayer,
    Player,
    RandomPlayer,
    SeekingPlayer,
)
from storykeeper.play.simulation.report import Fault, Report, report
from storykeeper.play.simulation.simulated_run import Outcome, SimulatedRun
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import load_story
from storykeeper.units import SceneId
from storykeeper.world.plan import Plan, plan

AT_ONCE = 4  # runs that a process is given at a time
FEW = 16  # so many are played sooner than a process starts


class Kind(StrEnum):
    """Who plays."""

    RANDOM = "random"
    CURIOUS = "curious"
    TOWARD = "toward"


ALL = (Kind.RANDOM, Kind.CURIOUS, Kind.TOWARD, Kind.TOWARD)  # in turn

StoryFolder = Annotated[Path, typer.Argument(metavar="STORY", help="The folder with story.yaml.")]
Runs = Annotated[int, typer.Option(metavar="N", min=1, help="How many.")]
Turns = Annotated[int, typer.Option(metavar="N", min=1, help="The most a run may take.")]
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="The same runs again; drawn if not given.")
]
Players = Annotated[
    list[Kind] | None,
    typer.Option(
        "--player", metavar="KIND",
        help="Who plays: random, curious, or toward a scene; all of them unless given.",
    ),
]  # fmt: skip
Toward = Annotated[
    list[str] | None,
    typer.Option(metavar="SCENE", help="Where players want to get; every ending unless given."),
]
Windows = Annotated[
    int,
    typer.Option(
        metavar="N", min=0, help="Of so many runs the prose is read and every window made."
    ),
]
Jobs = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Processes; as many as there are cores.")
]
Scripts = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", file_okay=False,
        help="Write the lines that lead to each ending, dead end and fault, for play --script.",
    ),
]  # fmt: skip
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")]


def simulate(
    story: StoryFolder,
    runs: Runs = 100,
    turns: Turns = 150,
    seed: Seed = None,
    players: Players = None,
    toward: Toward = None,
    windows: Windows = 4,
    jobs: Jobs = None,
    scripts: Scripts = None,
    json: AsJson = False,
) -> None:
    """Play a story many times with made-up players, and report what is never reached.

    Nobody tells it but the author, as offline. Exits with 1 if a run failed, got stuck, or an
    ending was never reached.
    """
    loaded = load_story(story, counters=counter)
    record = adoption(loaded)
    made = plan(record)
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    targets = tuple(toward or (each.id for each in loaded.scenes if each.ending))
    _refuse_targets(targets, made)
    setup = Setup(record, seed, turns, windows, tuple(players or ALL), targets)
    outcomes, faults = _play_all(setup, runs, jobs or min(os.cpu_count() or 1, runs // FEW + 1))
    found = report(made, outcomes, faults, seed=seed)
    if scripts is not None:
        _write(scripts, found, {each.number: each.lines for each in outcomes})
    if json:
        say_json(found)
    else:
        say(folded(summary(made, found)))
    if not found.is_clean:
        raise typer.Exit(1)


def _refuse_targets(targets: tuple[str, ...], made: Plan) -> None:
    for each in targets:
        if each not in made.scenes:
            known = ", ".join(made.scenes)
            raise typer.BadParameter(f"--toward {each}: there is no such scene; there is {known}")


# ── playing ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Setup:
    """What every run needs, in whatever process."""

    record: StoryAdopted
    seed: int
    turns: int
    windows: int
    kinds: tuple[Kind, ...]
    targets: tuple[str, ...]

    def player(self, number: int) -> Player:
        """Who plays a run."""
        random = Random(self.chance(number))  # noqa: S311
        kind = self.kinds[number % len(self.kinds)]
        if kind is Kind.TOWARD and self.targets:
            rounds, place = divmod(number, len(self.kinds))
            so_far = self.kinds[:place].count(kind) + rounds * self.kinds.count(kind)
            return SeekingPlayer(random, SceneId(self.targets[so_far % len(self.targets)]))
        return CuriousPlayer(random) if kind is Kind.CURIOUS else RandomPlayer(random)

    def chance(self, number: int) -> str:
        """What a run's chance hangs on."""
        return f"{self.seed}/{number}"

    def play(self, number: int) -> Outcome | Fault:
        """One run; whatever goes wrong in it is told with what led there."""
        player, windows = self.player(number), number < self.windows
        run = SimulatedRun(self.record, player, windows=windows)
        try:
            if windows:
                run.read_by(_reader())
            return run.play(number, most_turns=self.turns)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {error}"
            at = f"{Path(where.filename).name}:{where.lineno}"
            chance = self.chance(number)
            return Fault(number, chance, player.name, said, at, tuple(run.lines))


def _reader() -> Reader:
    from storykeeper.language.prose import ProseReader
    from storykeeper.play.readings import Readings

    return Readings(ProseReader())


_setup: list[Setup] = []  # of a process that plays for another


def _prepare(setup: Setup) -> None:
    _setup[:] = [setup]


def _play_some(numbers: range) -> list[Outcome | Fault]:
    return [_setup[0].play(number) for number in numbers]


def _play_all(setup: Setup, runs: int, jobs: int) -> tuple[list[Outcome], list[Fault]]:
    """Every run, or as many as were played when somebody pressed Ctrl-C."""
    outcomes: list[Outcome] = []
    faults: list[Fault] = []
    with progress_bar(f"playing {runs:,} runs") as progress:
        try:
            for done, each in enumerate(_played(setup, runs, jobs), 1):
                (outcomes if isinstance(each, Outcome) else faults).append(each)  # type: ignore[arg-type]
                progress(done, runs)
        except KeyboardInterrupt:
            say(f"stopped after {len(outcomes) + len(faults):,} of {runs:,} runs", err=True)
    return outcomes, faults


def _played(setup: Setup, runs: int, jobs: int) -> Iterator[Outcome | Fault]:
    if jobs == 1:
        yield from map(setup.play, range(runs))
        return
    parts = [range(at, min(at + AT_ONCE, runs)) for at in range(0, runs, AT_ONCE)]
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_prepare, initargs=(setup,)
    ) as pool:
        waiting: dict[Future[list[Outcome | Fault]], range] = {
            pool.submit(_play_some, part): part for part in parts
        }
        try:
            for future in as_completed(waiting):
                yield from future.result()
        except BrokenProcessPool as error:
            raise StorykeeperError(
                f"a process that played was ended from outside ({error}); play fewer at once"
                f" with --jobs 1 --seed {setup.seed}"
            ) from error
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


# ── scripts ──────────────────────────────────────────────────────────────────────────────────


def _write(folder: Path, found: Report, lines: dict[int, tuple[str, ...]]) -> None:
    """A file of lines for each thing that one would want to see for oneself."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = [(f"ending-{e.id}", e.example, f"Ends in {e.id}.") for e in found.endings]
    shown += [
        (f"dead-end-{e.scene}", e.example, f"Nothing goes on in {e.scene}.")
        for e in found.dead_ends
    ]
    for name, number, about in shown:
        if number is not None:
            _script(folder / f"{name}.txt", f"{about} Run {number} of seed {found.seed}.",
                    lines[number])  # fmt: skip
    for fault in found.faults:
        _script(folder / f"fault-{fault.number}.txt", fault.error, fault.lines)


def _script(file: Path, about: str, lines: tuple[str, ...]) -> None:
    said = " ".join(about.split())
    file.write_text("\n".join([f"# {said}", *lines, ""]), "utf-8")
