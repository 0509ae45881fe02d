"""Figures of a run: computed from the actions and briefs in its log, and from nothing else.

    canon violation rate   share of actions that lean on canon wrongly: that contradict doctrine
                           they were told, or cite what is unknown, out of force or not told them
    refused, by law        share of actions that the judge refused, as the log has it
    persona consistency    mean score of reasons given, raw beside it              F9.2
    brief tokens           P50, P95, longest; how many over their budget

Shares have Wilson's interval (F9.1), means one by resampling actors, with a seed: what one actor
does is alike from turn to turn, so that its turns are not so many cases.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

from storykeeper.bench.quality.consistency import OWN, Consistency
from storykeeper.canon.situation import WorldState
from storykeeper.canon.verdict import Outcome, Played
from storykeeper.models.entailment import Entailment
from storykeeper.play.judge import LAWS
from storykeeper.play.judge_laws import Case, canon
from storykeeper.scoring.intervals import wilson

RESAMPLED = 1_000


Figures = dict[str, Any]


def figures(
    played: Sequence[Played], world: WorldState, in_force: frozenset[str],
    consistency: Consistency, *, seed: int = 1, entailment: Entailment | None = None,
) -> Figures:  # fmt: skip
    """All figures of a run."""
    violated = [broken(each, world, in_force, entailment) for each in played]
    kinds = sorted({kind for kind in violated if kind})
    rated = [(each.who, *scored(each, consistency)) for each in played if own_beliefs(each)]
    tokens = sorted(each.brief.tokens for each in played)
    over = sum(each.brief.tokens > each.brief.budget for each in played)
    refused = [each.verdict.rule for each in played if each.verdict.outcome is Outcome.REFUSED]
    return {
        "actions": len(played), "actors": len({each.who for each in played}), "seed": seed,
        "canon_violation_rate": share(sum(map(bool, violated)), len(played)),
        "canon_violations_by_kind": {kind: violated.count(kind) for kind in kinds},
        "refused": share(len(refused), len(played)),
        "refused_by_law": {
            law: share(sum(rule.startswith(f"{law}:") for rule in refused), len(played))
            for law in LAWS
        },
        "persona_consistency": mean([(who, score) for who, _, score in rated], seed=seed),
        "persona_cosine_raw": mean([(who, raw) for who, raw, _ in rated], seed=seed),
        "brief_tokens": {
            "p50": at(tokens, 0.50), "p95": at(tokens, 0.95), "longest": max(tokens, default=0),
            "over": over,
        },
        "uncited": sum("canon: uncited" in each.verdict.rule for each in played),
    }  # fmt: skip


def broken(
    played: Played, world: WorldState, in_force: frozenset[str], entailment: Entailment | None
) -> str:
    """By which law of canon an action would be refused; nothing, if by none."""
    case = Case(played.action, played.brief, world, in_force, entailment)
    return next((ruling.rule for ruling in canon(case) if ruling.repaired is None), "")


def own_beliefs(played: Played) -> list[str]:
    """What an actor believes, as its brief has it."""
    return [each.text for each in played.brief.beliefs if each.how == OWN]


def scored(played: Played, consistency: Consistency) -> tuple[float, float]:
    """Raw and on the scale."""
    raw = consistency.raw(played.action.justification, own_beliefs(played))
    return raw, consistency.scale(raw)


# ── how sure ─────────────────────────────────────────────────────────────────────────────────


def share(hits: int, of: int) -> Figures:
    """In percent, with Wilson's interval.   F9.1"""
    low, high = wilson(hits, of)
    return {
        "percent": round(100 * hits / max(1, of), 2), "ci_low": round(100 * low, 2),
        "ci_high": round(100 * high, 2), "of": of,
    }  # fmt: skip


def mean(values: Sequence[tuple[str, float]], *, seed: int) -> Figures:
    """Of values of several actors, with an interval by resampling these; one seed, one interval."""
    if not values:
        return {"mean": None, "of": 0}
    by_actor: dict[str, list[float]] = {}
    for who, value in values:
        by_actor.setdefault(who, []).append(value)
    sums = [(sum(each), len(each)) for _, each in sorted(by_actor.items())]
    chance = random.Random(seed)
    means = sorted(
        sum(total for total, _ in some) / sum(count for _, count in some)
        for some in (chance.choices(sums, k=len(sums)) for _ in range(RESAMPLED))
    )
    return {
        "mean": round(sum(value for _, value in values) / len(values), 4),
        "ci_low": round(at(means, 0.025), 4), "ci_high": round(at(means, 0.975), 4),
        "of": len(values),
    }  # fmt: skip


def at(ordered: Sequence[float], quantile: float) -> float:
    """The value that so large a share does not pass; of nothing, 0."""
    if not ordered:
        return 0
    return ordered[max(0, ceil(quantile * len(ordered)) - 1)]


Passes = Callable[[Figures], bool]
GATES: dict[str, Passes] = {
    "canon violation rate ≤ 5 %": lambda f: f["canon_violation_rate"]["percent"] <= 5.0,
    "persona consistency ≥ .75": lambda f: (f["persona_consistency"]["mean"] or 0.0) >= 0.75,
    "briefs ≤ 2,500 tokens, P95": lambda f: f["brief_tokens"]["p95"] <= 2_500,
    "no brief over its budget": lambda f: f["brief_tokens"]["over"] == 0,
}
