"""How a prompt is shared out when there is no scene: rules, settings, recent turns, and the rest.

    C_total(q) = I1 ∪ I2* ∪ T_recent ∪ Proj(V_rest, q)                                (L §7.8)

Counts of tokens in, positions out. I1 is never cut, I2* is the longest prefix in written order, the
last m turns are always there, and what is left belongs to what was searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from storykeeper.errors import SettingsInvalid

BASE_TURNS = 3  # m


@dataclass(frozen=True, slots=True)
class Reserve:
    """α1, α2, β: shares of the budget for rules, settings and recent turns."""

    hard: float = 0.14
    soft: float = 0.10
    recent: float = 0.18

    def __post_init__(self) -> None:
        """F4.9: each in [0,1], together at most 1."""
        each = (self.hard, self.soft, self.recent)
        if not all(isfinite(s) and 0.0 <= s <= 1.0 for s in each) or sum(each) > 1.0 + 1e-9:
            raise SettingsInvalid(
                f"shares of {self.hard:g}, {self.soft:g} and {self.recent:g} for rules, settings"
                " and recent turns; each must be in [0, 1], and together they may not pass 1"
            )


@dataclass(frozen=True, slots=True)
class Laid:
    """What goes in: so many of the settings, so many of the last turns, and the tokens left."""

    soft: int
    recent: int
    base: int  # m: of the recent turns, those that had to be in
    left: int  # τ_V: tokens for what was searched for
    wanted_base: int  # m as it should be; more than `base` is degraded

    @property
    def degraded(self) -> bool:
        """Whether fewer turns could be kept than should be."""
        return self.base < self.wanted_base


def overload(hard_tokens: int, *, budget: int, reserve: Reserve) -> int:
    """τ(I1) − α1·τ.   F4.10: at start-up; above 0 the rules do not fit and nothing is loaded."""
    return hard_tokens - int(reserve.hard * budget)


def prefix(costs: Sequence[int], room: int) -> int:
    """Pref(I2; b) = max{r : Σ toks ≤ b}.   F4.11: how many from the front fit."""
    for count, cost in enumerate(costs):
        room -= cost
        if room < 0:
            return count
    return len(costs)


def suffix(costs: Sequence[int], room: int) -> int:
    """How many from the end fit.   F4.12."""
    return prefix(costs[::-1], room)


def laid(
    *, hard: int, soft: Sequence[int], turns: Sequence[int], budget: int, reserve: Reserve
) -> Laid | int:
    """C_total's shares.   F4.13: or how many tokens are lacking, if even one turn is too much.

    Legal while τ(I1) + τ(T_base) ≤ τ; if not, m shrinks to 2 and 1. Then I2* gets min(α2·τ, what is
    left), and T_recent the longest suffix within max(β·τ, T_base).
    """
    wanted = min(BASE_TURNS, len(turns))
    base = wanted
    while base > 1 and hard + sum(turns[len(turns) - base :]) > budget:
        base -= 1
    base_cost = sum(turns[len(turns) - base :])
    room = budget - hard - base_cost
    if room < 0:
        return -room
    kept = prefix(soft, min(int(reserve.soft * budget), room))
    room -= sum(soft[:kept])
    target = max(int(reserve.recent * budget), base_cost)
    more = suffix(turns[: len(turns) - base], min(target - base_cost, room))
    recent = base + more
    spent = sum(turns[len(turns) - recent :])
    return Laid(kept, recent, base, budget - hard - sum(soft[:kept]) - spent, wanted)
