"""The usual layout, for comparison: rules, then what memory found, then the story so far.

It shows the same items. The rules come first, which is kinder to it than memory at the very top;
what was retrieved follows; the story so far is summed up anew every turn, and the last turns slide.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from storykeeper.context.counting import cost
from storykeeper.context.items import Tier
from storykeeper.context.so_far import chosen, worths
from storykeeper.context.tail import BASE_UNITS, Unit, units
from storykeeper.context.window import Window
from storykeeper.language.tokens import counter
from storykeeper.scoring.shares import past_room, shares

Price = Callable[[str], int]


def naive(window: Window) -> tuple[str, tuple[int, ...]]:
    """The text, and how long in bytes its parts are: rules, retrieved, story so far, input."""
    by_tier = {tier: [s.text for s in window.items if s.candidate.tier is tier] for tier in Tier}
    parts = (
        by_tier[Tier.PREAMBLE],
        by_tier[Tier.RETRIEVED],
        _so_far(window),
        by_tier[Tier.INPUT],
    )
    texts = ["".join(f"{piece}\n\n" for piece in part) for part in parts]
    return "".join(texts), tuple(len(text.encode()) for text in texts)


def _so_far(window: Window) -> list[str]:
    """The last turns that fit, and all before them in short, as much as tier 2 holds."""
    boundary = window._boundary
    budget = boundary.plan.story.budget
    price: Price = partial(cost, count=counter(budget.encoding))
    share = shares(budget, window_tokens=window.receipt.spent.budget)
    past = [unit for turn in units(boundary) for unit in reversed(turn)][::-1]
    start, spent = _tail(past, price, share.recent)
    room = past_room(
        share, window_tokens=window.receipt.spent.budget,
        above_tokens=window.receipt.spent.preamble, headings=0,
    )  # fmt: skip
    older = [piece for unit in past[:start] for piece in unit.pieces]
    kept = chosen(older, worths(older), room=room - spent, price=price)
    kept.sort(key=lambda piece: (piece.turn, piece.place))
    return [*(piece.text for piece in kept), *(unit.candidate.full for unit in past[start:])]


def _tail(past: list[Unit], price: Price, recent: int) -> tuple[int, int]:
    start = max(0, len(past) - BASE_UNITS)
    spent = sum(price(unit.candidate.full) for unit in past[start:])
    while start > 0 and spent + price(past[start - 1].candidate.full) <= recent:
        start -= 1
        spent += price(past[start].candidate.full)
    return start, spent
