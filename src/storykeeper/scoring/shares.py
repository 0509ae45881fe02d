"""How a window's tokens are shared out. Every figure scales with the size of the window."""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.story.tuning import Budget

STANDARD_TOKENS = 3_300
JOURNAL_TIER = 1_200  # tier 2: the recent turns and the journal
RETRIEVED_RESERVE = 150  # tier 3, for mandatory items, whatever the recent turns take
INPUT_TIER = 500
USUAL_INPUT = 3  # the part of its tier that the input hardly ever passes


@dataclass(frozen=True, slots=True)
class Shares:
    """Tokens that each part of a window may take."""

    soft: int
    recent: int
    journal_tier: int
    retrieved: int
    retrieved_least: int
    reserve: int
    input: int


def scaled(figure: float, *, window_tokens: int) -> int:
    """⌊figure·τ/3300⌋.   F4.3: what an absolute figure is in a window of τ tokens."""
    return int(figure * window_tokens / STANDARD_TOKENS)


def shares(budget: Budget, *, window_tokens: int) -> Shares:
    """The shares of a window of τ tokens.   F4.4: α2·τ, β·τ, and the scaled figures."""
    return Shares(
        soft=int(budget.soft_share * window_tokens),
        recent=int(budget.recent_share * window_tokens),
        journal_tier=scaled(JOURNAL_TIER, window_tokens=window_tokens),
        retrieved=scaled(budget.retrieved_most, window_tokens=window_tokens),
        retrieved_least=scaled(budget.retrieved_least, window_tokens=window_tokens),
        reserve=scaled(RETRIEVED_RESERVE, window_tokens=window_tokens),
        input=scaled(INPUT_TIER, window_tokens=window_tokens),
    )


def growth_limit(share: Shares, *, window_tokens: int, above_tokens: int, headings: int) -> int:
    """max(T2, τ − tier 1 − T3 − Input/3 − headings).   F4.7a: tokens tier 2 may grow to.

    That is what nobody else has a claim on: tier 1 as it stands, tier 3 at its most, and a third of
    the input's share, which few lines are longer than. It stays the same for a scene, as tier 1.
    """
    usual = share.input // USUAL_INPUT
    free = window_tokens - above_tokens - share.retrieved - usual - headings
    return max(share.journal_tier, free)


def shortfall(
    *,
    hard_tokens: int,
    base_tokens: int,
    input_tokens: int,
    reserve: int,
    hints_tokens: int,
    window_tokens: int,
) -> int:
    """τ(I1) + τ(T_base) + τ(Input) + max(reserve, hints) − τ.   F4.5: a window is legal at ≤ 0."""
    return hard_tokens + base_tokens + input_tokens + max(reserve, hints_tokens) - window_tokens
