"""What was found for a question, and how much of what was wanted that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from storykeeper.bench.locomo.data import CATEGORIES, Chat
from storykeeper.bench.registry import Figures
from storykeeper.memory.moments import shown

FIRST = (5, 10, 20)
BUDGETS = (400, 800, 1600)
Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Found:
    """A question's answer: what was wanted, and what came in which order."""

    chat: Chat
    category: str
    gold: tuple[int, ...]
    order: Sequence[int]  # places of turns, the best first
    inside: Mapping[int, frozenset[int]] = field(default_factory=dict)  # by budget, if packed


@dataclass(frozen=True, slots=True)
class Costs:
    """Tokens of each turn as it is written, and of the date above it."""

    turns: tuple[int, ...]
    dates: tuple[int, ...]


def costs_of(chat: Chat, count: Count) -> Costs:
    """What showing each turn of a chat costs: with its speaker, under its date."""
    return Costs(
        tuple(count(f"{turn.speaker}: {turn.text}\n") for turn in chat.turns),
        tuple(count(f"[{day(turn.at_ms)}]\n") for turn in chat.turns),
    )


def day(at_ms: int | None) -> str:
    """A date as it is written; as long as one, if it is not known."""
    return "0000-00-00" if at_ms is None else f"{shown(at_ms):%Y-%m-%d}"


def recall_at(found: Found, first: int) -> float:
    """The share of the turns that answer among the first so many."""
    return len({*found.order[:first]} & {*found.gold}) / len(found.gold)


def recall_in(found: Found, budget: int, costs: Costs) -> float:
    """The share of the turns that answer among those that fit."""
    taken = found.inside.get(budget)
    if taken is None:
        taken = fitting_in(found, budget, costs)
    return len(taken & {*found.gold}) / len(found.gold)


def fitting_in(found: Found, budget: int, costs: Costs) -> frozenset[int]:
    """Turns in order while they fit; one too long is passed over."""
    taken: set[int] = set()
    dated: set[str] = set()
    left = budget
    for place in found.order:
        session = found.chat.turns[place].session
        cost = costs.turns[place] + (0 if session in dated else costs.dates[place])
        if cost <= left:
            left -= cost
            dated.add(session)
            taken.add(place)
    return frozenset(taken)


def figures(found: Sequence[Found], count: Count) -> Figures:
    """Recall at the first so many, by category, and inside budgets; in percent."""
    recall: Figures = {}
    for first in FIRST:
        by_category: Figures = {"overall": _percent([recall_at(f, first) for f in found])}
        for category in CATEGORIES.values():
            some = [recall_at(f, first) for f in found if f.category == category]
            if some:
                by_category[category] = _percent(some)
        recall[f"{first}"] = by_category
    costs = {
        chat.name: costs_of(chat, count) for chat in {f.chat.name: f.chat for f in found}.values()
    }
    inside = {
        f"{budget}": _percent([recall_in(f, budget, costs[f.chat.name]) for f in found])
        for budget in BUDGETS
    }
    return {"recall": recall, "recall_in_tokens": inside, "questions": len(found)}


def _percent(shares: Sequence[float]) -> float:
    return round(100 * fmean(shares), 1) if shares else 0.0
