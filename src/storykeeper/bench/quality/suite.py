"""Plays a field with each policy, every time from its beginning, and takes the figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from storykeeper.bench.quality.consistency import Consistency, Reads
from storykeeper.bench.quality.figures import Figures, figures
from storykeeper.bench.quality.policies import policies
from storykeeper.canon.modes import Mode
from storykeeper.canon.turn_log import TurnLog
from storykeeper.canon.verdict import Played
from storykeeper.errors import CanonInvalid
from storykeeper.field import Field
from storykeeper.models.entailment import Entailment
from storykeeper.play.judge import Judge

TURNS = 100
Say = Callable[[str], None]


def of_suite(
    folder: Path, *, reader: Reads, mode: Mode = Mode.NEUTRAL, turns: int = TURNS, seed: int = 1,
    say: Say = lambda _: None, entailment: Entailment | None = None,
) -> dict[str, Figures]:  # fmt: skip
    """The figures of every policy."""
    consistency = Consistency(reader)
    found: dict[str, Figures] = {}
    with TemporaryDirectory() as library:
        with closing(Field.open(folder, mode=mode, library=Path(library))) as field:
            names = list(policies(field, seed=seed))
        for name in names:
            with closing(Field.open(folder, mode=mode, library=Path(library))) as field:
                field.judge = Judge(field.base.in_force, entailment)
                agent = policies(field, seed=seed)[name]
                played: list[Played] = []
                for _ in range(turns):
                    played += field.play(agent)
                found[name] = figures(
                    played, field.world, field.base.in_force, consistency, seed=seed,
                    entailment=entailment,
                )  # fmt: skip
            say(line(name, found[name]))
    return found


def of_log(
    log: TurnLog, *, reader: Reads, seed: int = 1, entailment: Entailment | None = None
) -> Figures:
    """The figures of a log."""
    if not log.played or log.world is None:
        raise CanonInvalid(
            "the log has no turns, or no world at its end: the run was broken off; play it again"
        )
    in_force = frozenset(log.head.sources)
    return figures(
        log.played, log.world, in_force, Consistency(reader), seed=seed, entailment=entailment
    )


def line(name: str, found: Figures) -> str:
    """One policy in one line."""
    canon, refused = found["canon_violation_rate"], found["refused"]
    persona, raw = found["persona_consistency"], found["persona_cosine_raw"]
    told = found["refused_by_law"]["information"]["percent"]
    return (
        f"{name:14} canon {canon['percent']:6.2f} % ({canon['ci_low']}–{canon['ci_high']})"
        f"  persona {_number(persona['mean'])} (raw {_number(raw['mean'])})"
        f"  information {told:6.2f} %  refused {refused['percent']:6.2f} %"
        f"  briefs P95 {found['brief_tokens']['p95']:,.0f}, {found['brief_tokens']['over']} over"
    )


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def failed(found: Figures, gates: Sequence[tuple[str, Callable[[Figures], bool]]]) -> list[str]:
    """The gates that figures do not pass."""
    return [name for name, passes in gates if not passes(found)]
