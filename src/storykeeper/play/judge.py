"""The judge: deterministic, cheapest laws first, repair before refusal, evidence always.

    judge = Judge(field.base.in_force)
    verdict = judge(action, brief, world)          # what `Field.open(…, judge=judge)` asks

Every law may repair what has one obvious repair and then the next law reads the repaired action.
The first law that refuses is the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.canon.situation import WorldState
from storykeeper.canon.verdict import Outcome, Verdict
from storykeeper.models.entailment import Entailment
from storykeeper.play.judge_laws import (
    Case,
    Ruling,
    canon,
    information,
    resources,
    rules,
    state,
)

Law = Callable[[Case], Iterator[Ruling]]
LAWS: dict[str, Law] = {
    "resources": resources, "state": state, "information": information, "rules": rules,
    "canon": canon,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judge:
    """Holds actions to the laws; `entailment` may say more of contradictions than words do."""

    in_force: frozenset[str]  # `source_id@version` of every source that is used
    entailment: Entailment | None = None

    def __call__(self, action: CharacterAction, brief: TurnBrief, world: WorldState) -> Verdict:
        """What is made of an action."""
        repairs: list[Ruling] = []
        for law in LAWS.values():
            case = Case(action, brief, world, self.in_force, self.entailment)
            for ruling in law(case):
                if ruling.repaired is None:
                    return Verdict(
                        outcome=Outcome.REFUSED, rule=ruling.rule, why=ruling.why,
                        evidence=ruling.evidence,
                    )  # fmt: skip
                repairs.append(ruling)
                action = ruling.repaired
                case.action = action
        if not repairs:
            return Verdict(action=action)
        return Verdict(
            outcome=Outcome.REPAIRED, action=action,
            rule=", ".join(dict.fromkeys(each.rule for each in repairs)),
            why="; ".join(each.why for each in repairs),
            evidence=tuple(dict.fromkeys(e for each in repairs for e in each.evidence)),
        )  # fmt: skip
