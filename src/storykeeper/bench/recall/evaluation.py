"""Turns that answer, among the first five and ten: ours beside what a developer would use instead.

On LongMemEval, asked in two ways (`longmemeval`), on chats written for this project (`talks`), on
fiction and playthroughs, and on LoCoMo, of which nothing that ships knows. With `--fit` the weights
are fitted anew for each set on all the others that may be shipped: what they do where nobody tuned
them. In fiction one of the turns is enough, elsewhere the share of them counts. `others` says what
stands beside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from storykeeper.bench.recall import longmemeval
from storykeeper.bench.recall.fitting import fitted
from storykeeper.bench.recall.measuring import Measured, asked_of, measured, ranked, remembered
from storykeeper.bench.recall.others import MOST, Order, Others
from storykeeper.bench.recall.sets import Told, fitted_on, measuring, told_of
from storykeeper.bench.registry import Figures, Setup
from storykeeper.memory.meaning import Meaning
from storykeeper.models.embedders.cache import Drawer
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.scoring.fusion import Weights

FIRST = (5, 10)
QUICK = 8  # questions of each set
OURS, ONE_IS_ENOUGH, HOPS = "storykeeper", "fiction", "multi_hop"


@dataclass(frozen=True, slots=True)
class Answered:
    """The turns that answer a question, and what each system has first."""

    kind: str
    gold: frozenset[int]
    orders: dict[str, Order]


def measure(setup: Setup) -> Figures:
    """Every system on every set."""
    meaning = Meaning(MiniLM(), Drawer())
    others = _left_out(setup, meaning) if setup.fit else None
    made: Figures = {}
    for name, group, told in _sets(setup):
        weights = None if others is None else others(group)
        found = [each for one in told for each in _answered(one, meaning, weights)]
        hops = [each for each in found if each.kind == HOPS]
        for system in found[0].orders:
            figures = made.setdefault(system, {})
            figures[name] = recall(found, system, enough=group == ONE_IS_ENOUGH)
            if hops:
                figures[f"{name}_{HOPS}"] = recall(hops, system)
        shown = ", ".join(f"{system} {made[system][name]}" for system in made)
        setup.say(f"  {name}, {len(found)} questions: {shown}")
    return made


def _sets(setup: Setup) -> Iterator[tuple[str, str, list[Told]]]:
    """By name, with the name of the set that it is a part of."""
    for name, told in (fitted_on(setup.data) | measuring(setup.data)).items():
        yield name, name, [_fewer(one, setup) for one in told]
    stacks = map(told_of, longmemeval.haystacks(longmemeval.load(setup.data)))
    yield "haystack", "longmemeval", list(stacks)[: QUICK if setup.quick else None]


def _fewer(one: Told, setup: Setup) -> Told:
    if not setup.quick:
        return one
    return Told(replace(one.chat, asked=one.chat.asked[:QUICK]), one.now_ms[:QUICK])


def _left_out(setup: Setup, meaning: Meaning) -> Callable[[str], Weights]:
    """The weights for a set: fitted on all the others that may be shipped."""
    known: dict[str, list[Measured]] = {}
    for name, told in fitted_on(setup.data).items():
        setup.say(f"reading {name} …")
        known[name] = [each for one in told for each in measured(_fewer(one, setup), meaning)]
    return lambda group: fitted([some for name, some in known.items() if name != group])


def _answered(one: Told, meaning: Meaning, weights: Weights | None) -> Iterator[Answered]:
    memory = remembered(one.chat, meaning)
    others = Others(one.chat, meaning)
    for asked, now_ms in zip(one.chat.asked, one.now_ms, strict=True):
        found = None if weights is None else asked_of(memory, one.chat, asked, now_ms)
        if found is not None and weights is not None:
            ours = ranked(found, weights, most=MOST)
        else:
            now = None if now_ms is None else now_ms / 1_000
            # Rows are numbered from 0, in the order in which turns were added.
            ours = [hit.item.order - 1 for hit in memory.search(asked.text, now=now, k=MOST)]
        orders = {OURS: ours, **dict(others.orders(asked.text))}
        yield Answered(asked.category, frozenset(asked.gold), orders)


def recall(found: Sequence[Answered], system: str, *, enough: bool = False) -> Figures:
    """The share of the turns that answer among the first; with `enough`, how often one is."""

    def share(each: Answered, first: int) -> float:
        here = len(each.gold.intersection(each.orders[system][:first]))
        return float(here > 0) if enough else here / len(each.gold)

    return {str(n): round(100 * fmean(share(each, n) for each in found), 1) for n in FIRST}
