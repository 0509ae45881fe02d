"""How a window's tokens are shared out. Shares scale with the window, and shift with its size.

A small window is mostly what is chosen for the moment; a large one mostly the turns as they were
told. Both curves are smooth, and both were chosen by `bench continuity`:

    recent    β(τ) = β + .08·log2(τ/3300), in [.1, .8]     of τ; what a cut of the tail leaves
    retrieved φ(τ) = φ·(3300/τ)^.35, at most φ              of τ; tier 3, before what is left over
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

from storykeeper.story.tuning import Budget

STANDARD_TOKENS = 3_300
RETRIEVED_RESERVE = 150  # tier 3, for mandatory items, whatever the recent turns take
INPUT_TIER = 500
USUAL_INPUT = 170  # the input hardly ever passes this; what it does comes from tier 3
BRIEF_SOFT = 0.06  # of a brief, at least: who its owner is
RECENT_SLOPE, LEAST_RECENT, MOST_RECENT = 0.08, 0.1, 0.8
RETRIEVED_FALL = 0.35


@dataclass(frozen=True, slots=True)
class Shares:
    """Tokens that each part of a window may take."""

    soft: int  # of the preamble; the rest comes in the end, if there is room
    recent: int
    retrieved: int
    retrieved_least: int
    reserve: int
    input: int
    usual_input: int


def scaled(figure: float, *, window_tokens: int) -> int:
    """⌊figure·τ/3300⌋.   F4.3: what an absolute figure is in a window of τ tokens."""
    return int(figure * window_tokens / STANDARD_TOKENS)


def recent_share(share: float, *, window_tokens: int) -> float:
    """β(τ) = β + .08·log2(τ/3300), in [.1, .8].   F4.4a"""
    shifted = share + RECENT_SLOPE * log2(window_tokens / STANDARD_TOKENS)
    return min(MOST_RECENT, max(LEAST_RECENT, shifted))


def retrieved_share(share: float, *, window_tokens: int) -> float:
    """φ(τ) = φ·(3300/τ)^.35, at most φ.   F4.4b"""
    fall: float = (STANDARD_TOKENS / window_tokens) ** RETRIEVED_FALL
    return share * min(1.0, fall)


def shares(budget: Budget, *, window_tokens: int, brief: bool = False) -> Shares:
    """The shares of a window of τ tokens.   F4.4: α2·τ, β(τ)·τ, φ(τ)·τ, scaled figures.

    Of a brief α2 is .06 at least: its soft material is who the character is.
    """
    soft = max(budget.soft_share, BRIEF_SOFT) if brief else budget.soft_share
    most = budget.retrieved_most / STANDARD_TOKENS
    least = scaled(budget.retrieved_least, window_tokens=window_tokens)
    recent = recent_share(budget.recent_share, window_tokens=window_tokens)
    retrieved = int(retrieved_share(most, window_tokens=window_tokens) * window_tokens)
    return Shares(
        soft=int(soft * window_tokens),
        recent=int(recent * window_tokens),
        retrieved=retrieved,
        retrieved_least=min(least, retrieved),
        reserve=scaled(RETRIEVED_RESERVE, window_tokens=window_tokens),
        input=scaled(INPUT_TIER, window_tokens=window_tokens),
        usual_input=scaled(USUAL_INPUT, window_tokens=min(window_tokens, STANDARD_TOKENS)),
    )


def past_room(share: Shares, *, window_tokens: int, above_tokens: int, headings: int) -> int:
    """τ − tier 1 − φ(τ)·τ − usual input − headings.   F4.7a: what tail and story so far may take.

    It is what nobody else has a claim on, and stays the same for a scene, as tier 1 does.
    """
    return max(0, window_tokens - above_tokens - share.retrieved - share.usual_input - headings)


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
